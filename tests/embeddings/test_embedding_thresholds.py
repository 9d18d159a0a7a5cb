"""The shipped thresholds, the benchmark that computes them, and its published result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import thresholds
from pytest_trust.embeddings import GloVe, load_ensemble
from pytest_trust.embeddings.calibration import calibrate
from pytest_trust.embeddings.pairs import Pairs, shipped_pairs

ROOT = Path(__file__).parents[2]
KNOWN = json.loads((ROOT / "pytest_trust/embeddings/known.json").read_text(encoding="utf-8"))
FEW = Pairs(
    (("good", "great"), ("car", "automobile"), ("doctor", "physician"), ("sea", "ocean"), ("movie", "film")),
    (("good", "automobile"), ("car", "ocean"), ("doctor", "film"), ("sea", "physician"), ("movie", "great")),
)


def test_what_is_shipped_is_what_was_published():
    published = json.loads((ROOT / "docs/results/thresholds.json").read_text(encoding="utf-8"))
    assert {key: published[key] for key in KNOWN} == KNOWN


def test_thresholds_rest_on_the_shipped_pairs():
    pairs = shipped_pairs()
    assert KNOWN["pairs"] == {
        "file": "pairs.csv.gz",
        "sha256": pairs.digest,
        "related": len(pairs.related),
        "unrelated": len(pairs.unrelated),
    }


def test_members_carry_the_shipped_thresholds(all_members):
    shipped = {name: member["threshold"] for name, member in KNOWN["members"].items()}
    assert {member.name: member.threshold for member in load_ensemble()} == shipped


@pytest.mark.parametrize("name", KNOWN["members"])
def test_shipped_thresholds_are_balanced(name):
    member = KNOWN["members"][name]
    assert 0.0 < member["threshold"] < 1.0
    assert member["precision"] == pytest.approx(member["recall"], abs=0.002)
    assert member["precision"] > 0.8
    assert member["related_pairs"] > 2_900


def test_the_command(all_members, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(thresholds, "shipped_pairs", lambda: FEW)
    out, known = tmp_path / "out.json", tmp_path / "known.json"
    thresholds.main(["--json", str(out), "--known", str(known)])
    report, shipped = json.loads(out.read_text()), json.loads(known.read_text())
    assert list(report["members"]) == ["glove", "use", "minilm"]
    assert {key: report[key] for key in shipped} == shipped
    assert shipped.keys() == KNOWN.keys()
    assert shipped["pairs"]["sha256"] == FEW.digest
    assert len(report["rows"]) == 6
    assert "good" not in out.read_text()
    printed = capsys.readouterr().out
    assert all(f"{name} balanced precision" in printed for name in report["members"])


def test_the_published_glove_threshold_is_reproduced(all_members):
    result = calibrate(GloVe(), shipped_pairs())
    published = KNOWN["members"]["glove"]
    assert (result.threshold, result.related) == (published["threshold"], published["related_pairs"])
