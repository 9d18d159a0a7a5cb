"""``pytest-trust calibrate`` as a user runs it, on embeddings whose cosines can be worked out by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_trust.cli import main
from pytest_trust.embeddings import load_ensemble
from pytest_trust.embeddings.pairs import shipped_pairs

MODULE = """
import hashlib, numpy as np

class Angles:
    '''Words by their angle in degrees; any other word is unknown, or all point the same way.'''
    threshold = 0.5

    def __init__(self, name, angles, default=None):
        self.name, self.angles, self.default = name, angles, default
        self.fingerprint = name

    def vectors(self, words):
        angles = [self.angles.get(word, self.default) for word in words]
        known = np.array([angle is not None for angle in angles])
        turned = np.radians([angle or 0.0 for angle in angles])
        return np.column_stack([np.cos(turned), np.sin(turned)]) * known[:, None], known

class Hashed(Angles):
    def vectors(self, words):
        self.angles = {word: int(hashlib.sha256(word.encode()).hexdigest()[:4], 16) % 360 for word in words}
        return super().vectors(words)

good = Angles("good", {"sea": 0, "ocean": 50, "car": 90, "auto": 120, "good": 200, "bad": 300})
same = Angles("same", {}, default=10)
few = Angles("few", {"good": 10, "bad": 20})
hashed = Hashed("hashed", {})
"""
PAIRS = "word1,word2,related\nsea,ocean,1\ncar,auto,1\nsea,car,0\ngood,auto,0\nzzq,sea,1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "calibrated_here.py").write_text(MODULE)
    (tmp_path / "pairs.csv").write_text(PAIRS)
    return tmp_path


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_an_embedding_on_a_users_own_pairs(folder, capsys) -> None:
    assert main(["calibrate", "calibrated_here:good", "--pairs", "pairs.csv"]) == 0
    shown = capsys.readouterr()
    # cos 50 and cos 30 against cos 90 and cos 80: the first step of the bisection that parts them is 0.5.
    assert lines(shown.out) == [
        ["3", "related", "and", "2", "unrelated", "pairs"],
        [],
        ["embedding", "threshold", "precision", "recall", "pairs", "known"],
        ["good", "0.5000", "1.000", "1.000", "4", "of", "5"],
        [],
        ["To", "write:", "--trust-embeddings=calibrated_here:good@0.5"],
    ]
    assert shown.err == ""


@pytest.mark.parametrize("name", ["calibrated_here:same", "calibrated_here:hashed"])
def test_an_embedding_that_tells_nothing_is_told_so(folder, capsys, name) -> None:
    assert main(["calibrate", name]) == 1
    shown = capsys.readouterr()
    known = len(shipped_pairs().related) + len(shipped_pairs().unrelated)
    assert str(known) not in shown.out
    assert "To write" not in shown.out
    assert re.fullmatch(r"pytest-trust: error: \w+: no threshold tells related pairs .*\n", shown.err)


def test_one_without_a_threshold_does_not_hide_the_others(folder, capsys) -> None:
    code = main(["calibrate", "calibrated_here:few,calibrated_here:good", "--pairs", "pairs.csv"])
    shown = capsys.readouterr()
    assert code == 1
    assert "few: no related pair is known" in shown.err
    assert "--trust-embeddings=calibrated_here:good@0.5" in shown.out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("word1,word2\nsea,ocean\n", r"pairs\.csv: no column 'related'; found \['word1', 'word2'\]"),
        ("word1,word2,related\nsea,ocean,yes\n", r"row 1 \(line 2\): related is str 'yes'; expected 1 or 0"),
        ("word1,word2,related\nsea,,1\n", r"row 1 \(line 2\): the word is str ''"),
        ("word1,word2,related\nsea,ocean,1\n", r"pairs\.csv: no pair with related=0"),
        ("word1,word2,related\nsea,ocean,0\n", r"pairs\.csv: no pair with related=1"),
        ("word1,word2,related\nsea,ocean\n", "has 2 cells; expected 3"),
    ],
)
def test_pairs_that_cannot_be_used_are_named(folder, capsys, content, message) -> None:
    (folder / "pairs.csv").write_text(content)
    assert main(["calibrate", "calibrated_here:good", "--pairs", "pairs.csv"]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_pairs_may_be_json_lines(folder, capsys) -> None:
    rows = ['{"word1": "sea", "word2": "ocean", "related": 1}', '{"word1": "sea", "word2": "car", "related": 0}']
    (folder / "pairs.jsonl").write_text("\n".join(rows))
    assert main(["calibrate", "calibrated_here:good", "--pairs", "pairs.jsonl"]) == 0
    assert "2 of 2" in capsys.readouterr().out


def test_a_threshold_that_is_given_is_computed_anew(folder, capsys) -> None:
    assert main(["calibrate", "calibrated_here:good@0.9", "--pairs", "pairs.csv"]) == 0
    assert capsys.readouterr().out.endswith("--trust-embeddings=calibrated_here:good@0.5\n")


def test_what_is_to_be_written_can_be_read(folder, capsys) -> None:
    (folder / "my@vectors.txt").write_text("sea 1 0\nocean 1 0.5\ncar 0 1\nauto 0.5 1\ngood 0 -1\n")
    (folder / "pairs.csv").write_text("word1,word2,related\nsea,ocean,1\ncar,auto,1\nsea,car,0\ngood,auto,0\n")
    assert main(["calibrate", "my@vectors.txt", "--pairs", "pairs.csv"]) == 0
    written = capsys.readouterr().out.rpartition("--trust-embeddings=")[2].strip()
    assert written == "my@vectors.txt@0.5"
    (member,) = load_ensemble(written, rootpath=folder)
    assert member.threshold == 0.5


def test_pickles_are_announced_and_can_be_refused(folder, capsys) -> None:
    (folder / "m.kv").write_bytes(b"")
    main(["calibrate", "m.kv", "--no-pickle"])
    assert "is a pickle, which runs code" in capsys.readouterr().err
    main(["calibrate", "m.kv"])
    assert re.match(r"pytest-trust: loading .*m\.kv runs code in that file", capsys.readouterr().err)
