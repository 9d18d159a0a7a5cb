"""Charts: their tables say what the texts say, and their pictures stay within their frames."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from pytest_trust.reports.html.chart import Chart, counts_scale
from pytest_trust.reports.html.charts import charts_of
from pytest_trust.reports.html.distribution import distribution
from pytest_trust.reports.html.fooled import fooled_by_class
from pytest_trust.reports.html.interval import interval_picture
from pytest_trust.reports.html.reliability import reliability
from pytest_trust.stats import wilson
from tests.reports.records import changed, every_kind, hostile, prediction, record


def made(chart: Chart | None) -> Chart:
    assert chart is not None
    return chart


def drawn(picture: str) -> ET.Element:
    """The picture, which is well-formed and has a name."""
    root = ET.fromstring(picture)
    assert root.get("role") == "img"
    assert root.get("aria-label")
    return root


def within(root: ET.Element) -> None:
    _, _, width, height = map(float, str(root.get("viewBox")).split())
    for element in root.iter():
        for name, most in (("x", width), ("x1", width), ("x2", width), ("cx", width), ("y", height), ("cy", height)):
            assert 0 <= float(element.get(name, "0")) <= most, ET.tostring(element)
        assert float(element.get("width", "0")) >= 0


def test_the_distribution_counts_verdicts() -> None:
    texts = [
        *[prediction(value=0.0, holds=False)] * 3,
        *[prediction(value=0.52)] * 2,
        prediction(value=0.52, holds=None),
        prediction(value=1.0),
        prediction(value=None, holds=None),
    ]
    chart = made(distribution(record(texts=texts)))
    assert chart.headers == ("trust score", "not trustworthy", "trustworthy", "not judged")
    assert chart.rows == (
        ("0.00 to 0.05", "3", "0", "0"),
        ("0.50 to 0.55", "0", "2", "1"),
        ("0.95 to 1.00", "0", "1", "0"),
    )
    assert [style for style, _ in chart.legend] == ["bad", "good", "open"]
    root = drawn(chart.picture)
    within(root)
    assert len([rect for rect in root.iter() if str(rect.get("class")).startswith("column")]) == 4


def test_heights_are_in_proportion() -> None:
    texts = [*[prediction(value=0.1)] * 10, *[prediction(value=0.9, holds=False)] * 5]
    columns = [
        e for e in drawn(made(distribution(record(texts=texts))).picture).iter() if "column" in e.get("class", "")
    ]
    high, low = (float(column.get("height", "0")) for column in columns)
    assert high == pytest.approx(2 * low, abs=0.1)


def test_reliability_has_the_intervals_of_wilson() -> None:
    texts = [
        *[prediction(probability=0.95)] * 7,
        prediction(probability=0.95, holds=False),
        prediction(probability=1.0, holds=None),
    ]
    chart = made(reliability(record(texts=texts)))
    rate = wilson(7, 8, 0.025)
    assert chart.rows == (("0.9 to 1.0", "0.95", "87.5%", f"{rate.low:.1%} to {rate.high:.1%}", "8"),)
    within(drawn(chart.picture))


def test_of_two_classes_a_wrong_answer_has_the_rest_of_the_probability() -> None:
    texts = [prediction(probability=0.7), prediction(holds=False, probability=0.25)]
    chart = made(reliability(record("functional", texts)))
    assert [(row[0], row[2], row[4]) for row in chart.rows] == [("0.7 to 0.8", "50.0%", "2")]
    three: dict[str, Any] = {"model": {"source": "m", "fingerprint": "f", "classes": ["a", "b", "c"]}, "data": {}}
    assert reliability(record("functional", texts, subject=three)) is None


def test_asr_by_class_counts_a_search_cut_short_as_not_fooled() -> None:
    texts = [
        *[changed("a", "b", holds=False, label="mild")] * 3,
        changed("a", "b", holds=True, label="mild"),
        changed("a", "b", holds=None, label="harsh"),
    ]
    chart = made(fooled_by_class(record("adversarial", texts)))
    assert [(row[0], row[1], row[3]) for row in chart.rows] == [("mild", "75.0%", "4"), ("harsh", "0.0%", "1")]
    within(drawn(chart.picture))


def test_many_classes_are_all_in_the_table() -> None:
    texts = [changed("a", "b", holds=i % 3 == 0, label=f"class {i}") for i in range(50)]
    chart = made(fooled_by_class(record("adversarial", texts)))
    assert len(chart.rows) == 50
    assert "the 20 highest of 50 classes are drawn" in chart.note
    assert len([bar for bar in drawn(chart.picture).iter() if bar.get("class") == "bar"]) == 20


def test_each_kind_has_its_charts() -> None:
    assert [(chart.title, chart.check) for chart in charts_of(every_kind())] == [
        ("Trust score by verdict", "check of trustworthy"),
        ("Reliability by confidence", "check of trustworthy"),
        ("Attack success rate by class", "check of adversarial"),
        ("Reliability by confidence", "check of functional"),
    ]
    assert charts_of([record(), record("adversarial"), record("functional")]) == ()


def test_hostile_names_stay_texts() -> None:
    for chart in charts_of(hostile()):
        assert {element.tag for element in drawn(chart.picture).iter()} <= {
            *("svg", "title", "desc", "line", "text", "rect", "circle")
        }


@pytest.mark.parametrize("kind", ["trustworthy", "invariant", "directional", "adversarial", "functional"])
@pytest.mark.parametrize("shift", [0.0, 0.04, -0.7])
def test_intervals_stay_in_the_picture(kind: str, shift: float) -> None:
    given = record(kind, estimate=shift, low=shift - 0.3, high=shift + 0.3, bound=0.1)
    within(drawn(str(interval_picture(given))))
    assert interval_picture(record(kind, estimate=None)) is None


@pytest.mark.parametrize(("most", "top"), [(1, 1), (4, 4), (5, 6), (17, 20), (999, 1000), (10_000, 10_000)])
def test_scales_end_at_round_numbers(most: int, top: int) -> None:
    ticks = counts_scale(most)
    assert (ticks[0], ticks[-1]) == (0, top)
    assert len(ticks) <= 5
