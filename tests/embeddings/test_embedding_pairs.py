"""The pairs of words that ship with the package, and the script that builds them."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest

from benchmarks import pairs as builder
from pytest_trust.embeddings.pairs import Pairs, shipped_pairs, write_pairs

FOLDER = resources.files("pytest_trust.embeddings")


def write(folder: Path, name: str, *lines: str) -> None:
    (folder / name).write_text("\n".join(lines) + "\n", encoding="ascii")


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    """A WordNet of three synsets, in the format of its database files."""
    write(
        tmp_path,
        "data.noun",
        "  1 This is the licence.",
        "00000100 06 n 03 car 0 automobile 0 Motorcar 0 000 | a vehicle",
        "00000200 06 n 02 car 1 wagon 0 000 | of a train",
    )
    write(
        tmp_path, "data.verb", "00000100 30 v 0a " + " ".join(f"go{c} 0" for c in "abcdefghij") + " 000 01 + 08 00 | "
    )
    write(tmp_path, "data.adj", "00000300 00 s 02 quick(a) 0 speedy 1 000 | fast")
    write(tmp_path, "data.adv")
    write(
        tmp_path,
        "index.sense",
        "automobile%1:06:00:: 00000100 1 0",
        "car%1:06:00:: 00000200 2 9",
        "car%1:06:01:: 00000100 1 71",
        "motorcar%1:06:00:: 00000100 1 0",
        "quick%5:00:00:fast:00 00000300 1 4",
        "speedy%5:00:01:fast:00 00000300 1 0",
        "wagon%1:06:00:: 00000200 1 0",
    )
    return tmp_path


class TestShipped:
    def test_there_are_about_three_thousand_of_each(self) -> None:
        pairs = shipped_pairs()
        assert (len(pairs.related), len(pairs.unrelated)) == (3000, 2996)
        assert shipped_pairs() is pairs

    def test_they_are_words_that_differ(self) -> None:
        for first, second in (*shipped_pairs().related, *shipped_pairs().unrelated):
            assert re.fullmatch("[a-z]{3,}", first)
            assert re.fullmatch("[a-z]{3,}", second)
            assert first != second
        assert all(first[:4] != second[:4] for first, second in shipped_pairs().related)

    def test_none_is_of_both_kinds_or_there_twice(self) -> None:
        related = Counter(frozenset(pair) for pair in shipped_pairs().related)
        assert max(related.values()) == 1
        assert not related.keys() & {frozenset(pair) for pair in shipped_pairs().unrelated}

    def test_unrelated_pairs_hold_the_words_of_the_related_ones(self) -> None:
        related, unrelated = (
            {word for pair in kind for word in pair} for kind in (shipped_pairs().related, shipped_pairs().unrelated)
        )
        assert unrelated <= related

    def test_the_file_is_compact_and_says_where_it_is_from(self) -> None:
        assert len(FOLDER.joinpath("pairs.csv.gz").read_bytes()) < 60_000
        told = FOLDER.joinpath("pairs.md").read_text(encoding="utf-8")
        assert "WordNet 3.0 Copyright 2006 by Princeton University" in told
        assert "counter-fitting" in told
        assert "Apache License" in told


class TestBuilding:
    def test_synsets_are_read_with_their_words(self, wordnet: Path) -> None:
        found = builder.synsets(wordnet)
        assert found["noun", "00000100"] == ["car", "automobile", "Motorcar"]
        assert found["adj", "00000300"] == ["quick", "speedy"]
        assert len(found["verb", "00000100"]) == 10

    def test_synonyms_share_the_main_sense_of_both(self, wordnet: Path) -> None:
        found = set(builder.wordnet_synonyms(builder.synsets(wordnet), builder.main_senses(wordnet)))
        assert found == {("car", "automobile"), ("quick", "speedy")}

    def test_only_common_words_that_begin_differently_are_eligible(self) -> None:
        pairs = [
            ("sea", "ocean"),
            ("ocean", "sea"),
            ("abandon", "abandoned"),
            ("sea", "zzq"),
            ("go", "sea"),
            ("x1y", "sea"),
        ]
        assert builder.eligible(pairs, {"sea", "ocean", "abandon", "abandoned", "go", "x1y"}.__contains__) == [
            ("ocean", "sea")
        ]

    def test_unrelated_pairs_are_the_same_words_without_listed_pairs(self) -> None:
        related = [("good", "great"), ("car", "automobile"), ("doctor", "physician"), ("sea", "ocean")]
        listed = [*related, ("great", "car")]
        found = builder.unrelated_pairs(related, listed, seed=3)
        assert found == builder.unrelated_pairs(related, listed, seed=3)
        assert {first for first, _ in found} <= {first for first, _ in related}
        assert {second for _, second in found} <= {second for _, second in related}
        assert not {frozenset(pair) for pair in found} & {frozenset(pair) for pair in listed}
        assert len({tuple(builder.unrelated_pairs(related, listed, seed=seed)) for seed in range(5)}) > 1

    def test_the_command(self, all_members, wordnet: Path, capsys) -> None:
        lexical = wordnet / "lexical"
        lexical.mkdir()
        write(lexical, "ppdb_synonyms.csv", "word1,word2", "doctor,physician", "sea,ocean", "sea,seas", "movie,film")
        write(lexical, "antonyms.csv", "word1,word2,source", "car,physician,ppdb", "sea,car,ppdb")
        out = wordnet / "pairs.csv.gz"
        builder.main(["--data", str(wordnet), "--wordnet", str(wordnet), "--out", str(out), "--each", "2"])
        lines = gzip.decompress(out.read_bytes()).decode().splitlines()
        assert lines[0] == "word1,word2,related"
        assert {"automobile,car,1", "quick,speedy,1"} <= set(lines)
        assert sum(line.endswith(",1") for line in lines) == 4
        assert not {"car,physician,0", "car,sea,0"} & set(lines)
        assert capsys.readouterr().out.startswith("4 related and ")


def test_the_digest_tells_pairs_apart() -> None:
    pairs = Pairs((("sea", "ocean"),), (("sea", "car"),))
    assert write_pairs(pairs) == b"word1,word2,related\nsea,ocean,1\nsea,car,0\n"
    assert pairs.digest != Pairs(pairs.unrelated, pairs.related).digest
