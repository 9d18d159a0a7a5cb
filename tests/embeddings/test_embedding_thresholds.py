"""The shipped thresholds, the benchmark that computes them, and its published result."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import thresholds
from pytest_trust.embeddings import GloVe, load_ensemble

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "bench"
KNOWN = json.loads((ROOT / "pytest_trust/embeddings/known.json").read_text(encoding="utf-8"))
RELATED = [("good", "great"), ("car", "automobile"), ("doctor", "physician"), ("sea", "ocean"), ("movie", "film")]


def test_what_is_shipped_is_what_was_published():
    published = json.loads((ROOT / "docs/results/thresholds.json").read_text(encoding="utf-8"))
    assert {key: published[key] for key in KNOWN} == KNOWN


def test_members_carry_the_shipped_thresholds(all_members):
    shipped = {name: member["threshold"] for name, member in KNOWN["members"].items()}
    assert {member.name: member.threshold for member in load_ensemble()} == shipped


@pytest.mark.parametrize("name", KNOWN["members"])
def test_shipped_thresholds_are_balanced(name):
    member = KNOWN["members"][name]
    assert 0.0 < member["threshold"] < 1.0
    assert member["precision"] == pytest.approx(member["recall"], abs=0.002)
    assert member["precision"] > 0.8
    assert member["related_pairs"] > 11_000


def test_synonyms_leave_out_inflections():
    pairs = [("abandon", "abandoned"), ("abandon", "desert"), ("car", "cars"), ("care", "cares")]
    assert thresholds.synonyms(pairs) == [("abandon", "desert"), ("car", "cars")]


def test_random_pairs_are_the_same_words_without_true_pairs():
    listed = [*RELATED, ("great", "car")]
    found = thresholds.random_pairs(RELATED, listed, seed=3)
    assert found == thresholds.random_pairs(RELATED, listed, seed=3)
    assert {first for first, _ in found} <= {first for first, _ in RELATED}
    assert {second for _, second in found} <= {second for _, second in RELATED}
    assert not {frozenset(pair) for pair in found} & {frozenset(pair) for pair in listed}
    assert len({tuple(thresholds.random_pairs(RELATED, listed, seed=seed)) for seed in range(5)}) > 1


def test_cosines_leave_out_unknown_words(all_members):
    glove = GloVe()
    rows = glove.vectors(["good", "great"]).matrix.astype(np.float64)
    found = thresholds.cosines(glove, [("zzqxjkvw", "good"), ("good", "great")])
    np.testing.assert_allclose(found, [rows[0] @ rows[1]], atol=1e-7)


def test_the_command(all_members, tmp_path, capsys):
    folder = tmp_path / "lexical"
    folder.mkdir()
    lines = ["word1,word2", *(",".join(pair) for pair in RELATED)]
    (folder / "ppdb_synonyms.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    out, known = tmp_path / "new" / "out.json", tmp_path / "known.json"
    thresholds.main(["--data", str(tmp_path), "--json", str(out), "--known", str(known)])
    report, shipped = json.loads(out.read_text()), json.loads(known.read_text())
    assert set(report["members"]) == {"glove", "use", "minilm"}
    assert report["members"] == shipped["members"]
    assert all(set(row) == {"name", "value", "unit", "better", "must", "aim"} for row in report["rows"])
    assert str(tmp_path) not in out.read_text()
    assert "good" not in out.read_text()
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].split() == ["member", "related", "random", "threshold", "precision", "recall", "seconds"]
    assert len({len(line) for line in printed}) == 1
    assert [line.split()[0] for line in printed[1:]] == ["glove", "use", "minilm"]


def test_the_published_glove_threshold_is_reproduced(all_members):
    file = DATA / "lexical" / "ppdb_synonyms.csv"
    if not file.exists():
        pytest.skip(f"needs the benchmark data, which is not at {DATA}")
    listed = thresholds.read_pairs(file)
    related = thresholds.synonyms(listed)
    assert (len(listed), len(related)) == (16_101, 11_431)
    result = thresholds.calibrate(GloVe(), related, thresholds.random_pairs(related, listed, seed=0))
    assert result.threshold == KNOWN["members"]["glove"]["threshold"]
    assert result.related == KNOWN["members"]["glove"]["related_pairs"]
