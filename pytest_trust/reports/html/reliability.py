"""Whether predictions that the model is sure of are the more reliable ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pytest_trust.reports.figures import Record
from pytest_trust.reports.html.chart import HEIGHT, WIDTH, Axes, Chart, percent
from pytest_trust.reports.html.svg import element, picture
from pytest_trust.stats import Rate, wilson

_BINS = 10
_FIFTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_SHARES = {"trustworthy": "trustworthy predictions", "functional": "right answers"}
_ALPHA = 0.025  # of each side: intervals of 95 %


@dataclass(frozen=True, slots=True)
class _Bin:
    """Predictions of a confidence between ``low`` and a tenth more, and the share of them that are reliable."""

    low: float
    confidence: float
    rate: Rate

    @property
    def range(self) -> str:
        return f"{self.low:.1f} to {self.low + 1 / _BINS:.1f}"


def reliability(record: Record) -> Chart | None:
    """The chart of a trustworthy or functional check; None where nothing was decided, or confidences are unknown."""
    bins = list(_bins(_pairs(record)))
    if not bins:
        return None
    share = _SHARES[record["kind"]]
    title = "Reliability by confidence"
    return Chart(
        title=title,
        check=record["name"],
        note=f"Share of {share} by the probability of the predicted class; 95 % intervals",
        picture=_picture(bins, f"{title}: {record['name']}", share, diagonal=record["kind"] == "functional"),
        legend=(("equal", "as right as it is sure"),) if record["kind"] == "functional" else (),
        headers=("confidence", "mean", share, "95 % interval", "n"),
        rows=tuple(map(_table_row, bins)),
    )


def _table_row(item: _Bin) -> tuple[str, ...]:
    rate = item.rate
    interval = f"{percent(rate.low)} to {percent(rate.high)}"
    return item.range, f"{item.confidence:.2f}", percent(rate.estimate or 0.0), interval, str(rate.n)


def _pairs(record: Record) -> list[tuple[float, bool]]:
    """Confidence and verdict of each prediction where both are known."""
    texts = [item for item in record.get("texts", ()) if item["holds"] is not None]
    if record["kind"] == "trustworthy":
        return [(item["probability"], item["holds"]) for item in texts]
    # A functional check tells the probability of the right label: of two, the other one has the rest.
    if record["kind"] == "functional" and len(record["subject"]["model"]["classes"]) == 2:
        return [(item["probability"] if item["holds"] else 1 - item["probability"], item["holds"]) for item in texts]
    return []


def _bins(pairs: Sequence[tuple[float, bool]]) -> Iterator[_Bin]:
    for number in range(_BINS):
        here = [pair for pair in pairs if min(int(pair[0] * _BINS), _BINS - 1) == number]
        if here:
            rate = wilson(sum(held for _, held in here), len(here), _ALPHA)
            yield _Bin(number / _BINS, sum(confidence for confidence, _ in here) / len(here), rate)


def _picture(bins: Sequence[_Bin], title: str, share: str, *, diagonal: bool) -> Markup:
    start = min(item.low for item in bins)
    axes = Axes(start, 1, 0, 1)
    ticks = [i / _BINS for i in range(round(start * _BINS), _BINS + 1)]
    line = element("line", x1=axes.x(start), y1=axes.y(start), x2=axes.x(1), y2=axes.y(1), class_="equal")
    told = "; ".join(f"{item.range}: {percent(item.rate.estimate or 0.0)} of {item.rate.n}" for item in bins)
    return picture(
        *(WIDTH, HEIGHT),
        *axes.grid(ticks, _FIFTHS, "confidence", "share"),
        *([line] if diagonal else []),
        *(mark for item in bins for mark in _marks(axes, item)),
        title=title,
        description=f"Share of {share} by confidence: {told}.",
    )


def _marks(axes: Axes, item: _Bin) -> Iterator[Markup]:
    x, rate = axes.x(item.confidence), item.rate
    yield element("line", x1=x, x2=x, y1=axes.y(rate.low), y2=axes.y(rate.high), class_="whisker")
    told = f"{item.range}: {percent(rate.estimate or 0.0)} of {rate.n}"
    yield element("circle", element("title", told), cx=x, cy=axes.y(rate.estimate or 0.0), r=4.5, class_="dot")
