from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_trust.reports import by_oracle, check_line, evidence_lines, json_report, summarise, summary_lines
from pytest_trust.reports.text import p_text, shorten


def record(kind: str = "trustworthy", **changes: Any) -> dict[str, Any]:
    details = {
        "oracle": "toki",
        "explainer": "lime",
        "target": None,
        "trustworthy": 80,
        "not_explainable": 0,
        "tp": 6,
        "fp": 1,
        "tn": 3,
        "fn": 2,
    }
    if kind != "trustworthy":
        details = {"expect": "decrease", "flip_rate": 0.02, "flip_low": 0.01, "flip_high": 0.04}
    plain = {
        "nodeid": "test_x.py::test_y",
        "capability": None,
        "kind": kind,
        "name": "a name",
        "outcome": "pass",
        "n": 100,
        "n_total": 120,
        "estimate": 0.8,
        "low": 0.73,
        "high": 0.86,
        "bound": 0.7,
        "p_value": None,
        "seed": 0,
        "evidence": [],
        "subject": {"model": {"fingerprint": "m"}, "data": {"fingerprint": "d"}},
        **changes,
    }
    return {**plain, "details": {"judged": plain["n"]} | details | changes.get("details", {})}


def test_lines_of_each_kind() -> None:
    assert check_line(record()) == (
        "test_x.py::test_y  trustworthy: a name  n=100 of 120  rate 0.800 [0.730, 0.860] >= 0.7"
    )
    invariant = record("invariant", estimate=-0.01, low=-0.02, high=0.0, bound=0.1, p_value=0.0001, n_total=100)
    assert check_line(invariant) == (
        "test_x.py::test_y  invariant: a name  n=100  shift -0.010 [-0.020, +0.000] within ±0.1  p<0.001  "
        "flips 2.0% [1.0%, 4.0%]"
    )
    directional = record("directional", estimate=-0.2, low=-0.3, high=-0.1, bound=0.0, p_value=0.04)
    assert check_line(directional) == (
        "test_x.py::test_y  directional: a name  n=100 of 120  shift -0.200 [-0.300, -0.100] < 0  p=0.040"
    )


def test_a_line_without_an_estimate() -> None:
    line = check_line(record(n=0, estimate=None, low=None, high=None, details={"not_explainable": 3}))
    assert line.endswith("n=0 of 120  nothing to estimate  3 not explainable")


@pytest.mark.parametrize(("p", "shown"), [(0.0, "p<0.001"), (0.00099, "p<0.001"), (0.001, "p=0.001"), (1.0, "p=1.000")])
def test_p_values(p: float, shown: str) -> None:
    assert p_text(p) == shown


def test_figures_by_hand() -> None:
    figures = summarise([record()]).to_dict()
    assert figures["trust_rate"] == 0.8
    assert figures["sensitivity"] == 6 / 8
    assert figures["specificity"] == 3 / 4
    assert figures["g_mean"] == pytest.approx((6 / 8 * 3 / 4) ** 0.5)
    assert figures["accuracy"] == 9 / 12
    assert figures["precision"] == 6 / 7
    assert figures["f1"] == pytest.approx(12 / 15)


def test_figures_of_agreement_carry_their_intervals() -> None:
    figures = summarise([record()]).to_dict()
    for name in ("sensitivity", "specificity", "g_mean", "accuracy", "precision", "f1"):
        assert 0 < figures[f"{name}_low"] < figures[name] < figures[f"{name}_high"] < 1
    one_sided = summarise([record(details={"fp": 0, "tn": 0})]).to_dict()
    assert (one_sided["g_mean_low"], one_sided["specificity_high"]) == (None, None)
    assert one_sided["sensitivity_low"] == figures["sensitivity_low"]


def test_predictions_that_several_checks_judged_count_once() -> None:
    whole = record(n=100, n_total=120)
    part = record(n=40, n_total=50, details={"trustworthy": 10})
    of_class = record(n=60, n_total=120, details={"trustworthy": 20, "target": "good"})
    assert summarise([part, of_class, whole, whole]).to_dict()["judged"] == 100


def test_classes_judged_apart_add_up() -> None:
    good = record(n=60, details={"trustworthy": 20, "target": "good"})
    bad = record(n=40, details={"trustworthy": 30, "target": "bad"})
    figures = summarise([good, bad]).to_dict()
    assert (figures["judged"], figures["trust_rate"]) == (100, 0.5)


def test_other_models_data_and_oracles_add_up() -> None:
    others = [
        record(subject={"model": {"fingerprint": "m2"}, "data": {"fingerprint": "d"}}),
        record(subject={"model": {"fingerprint": "m"}, "data": {"fingerprint": "d2"}}),
        record(details={"oracle": "other"}),
        record(seed=1),
    ]
    assert summarise([record(), *others]).to_dict()["judged"] == 500


def test_nothing_judged() -> None:
    figures = summarise([record("invariant")])
    assert summary_lines({"toki": figures}) == []
    assert figures.to_dict()["trust_rate"] is None
    assert figures.to_dict()["human_verdicts"] == 0


def test_summary_lines() -> None:
    assert summary_lines(by_oracle([record()])) == [
        "trust rate 0.800 [0.727, 0.857] of 100 correct predictions",
        "against 12 human verdicts, with 95 % intervals:",
        "  G-mean 0.750 [0.43, 0.91]  specificity 0.750 [0.30, 0.95]  sensitivity 0.750 [0.41, 0.93]",
        "  accuracy 0.750 [0.47, 0.91]  precision 0.857 [0.49, 0.97]  F1 0.800 [0.52, 0.94]",
    ]
    one_sided = record(details={"fp": 0, "tn": 0})
    lines = summary_lines(by_oracle([one_sided]))
    assert lines[2] == "  G-mean undefined  specificity undefined  sensitivity 0.750 [0.41, 0.93]"
    assert max(map(len, lines)) < 100


def test_the_json_report_names_what_all_checks_share() -> None:
    first = record()
    second = record(subject={"model": {"fingerprint": "m"}, "data": {"fingerprint": "d2"}, "index": {"key": "k"}})
    document = json.loads(json_report([first, second], seed=4))
    assert document["model"] == {"fingerprint": "m"}
    assert document["data"] is None
    assert document["index"] == {"key": "k"}
    assert document["seed"] == 4
    assert document["checks"] == [first, second]


def test_a_report_of_no_checks() -> None:
    document = json.loads(json_report([], seed=0))
    assert document["checks"] == []
    assert (document["model"], document["data"], document["index"]) == (None, None, None)
    assert set(document["summary"].values()) == {None, 0}


def test_evidence() -> None:
    words = [
        {"word": "host", "score": 0.4, "related": False, "nearest": "hosts", "keyword": "church"},
        {"word": "god", "score": 0.1, "related": True, "nearest": "god", "keyword": "god"},
        {"word": "zzz", "score": 0.05, "related": False, "nearest": None, "keyword": None},
    ]
    row = {
        "text": "line one\nline two",
        "label": "atheism",
        "probability": 0.91,
        "words": words,
        "changed_text": None,
        "changed_probability": None,
        "note": "18% of the score on related words",
    }
    assert evidence_lines(record(evidence=[row])) == [
        "trustworthy: a name (seed 0)",
        "1. atheism 0.910  (18% of the score on related words)",
        "   line one line two",
        "     host  +0.4000  unrelated  nearest keyword: church, but nearer: hosts",
        "     god   +0.1000  related    nearest keyword: god",
        "     zzz   +0.0500  unrelated  known to no embedding",
    ]


def test_long_texts_are_cut_to_a_line() -> None:
    line = shorten("word\n" * 200)
    assert len(line) <= 240
    assert line.endswith(" ...")
    assert "\n" not in line


def test_rates_of_different_oracles_are_not_added_up() -> None:
    records = [record(), record(details={"oracle": "tower"})]
    named = [line.split()[0] for line in summary_lines(by_oracle(records)) if not line.startswith("  ")]
    assert named == ["toki:", "toki:", "tower:", "tower:"]
    document = json.loads(json_report(records, seed=0))
    assert document["summary"]["trust_rate"] is None
    assert sorted(document["oracles"]) == ["toki", "tower"]
    assert (
        document["oracles"]["tower"]["trust_rate"]
        == json.loads(json_report(records[:1], seed=0))["summary"]["trust_rate"]
    )


def test_a_file_of_verdicts_counts_once_however_many_checks_read_it() -> None:
    records = [record(details={"human": "verdicts", "target": target}) for target in ("good", "bad")]
    assert summarise(records).agreement.n == 12
    assert (
        summarise([record(details={"human": "data", "target": target}) for target in ("good", "bad")]).agreement.n == 24
    )


def test_two_thresholds_of_an_oracle_are_two_ways_to_judge() -> None:
    records = [record(details={"threshold": threshold}) for threshold in (0.3, 0.5)]
    assert summarise(records).to_dict()["judged"] == 2 * records[0]["n"]
