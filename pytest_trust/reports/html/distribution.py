"""How the trust score is distributed, by verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from pytest_trust.reports.figures import Record
from pytest_trust.reports.html.chart import HEIGHT, WIDTH, Axes, Chart, counts_scale
from pytest_trust.reports.html.svg import element, picture
from pytest_trust.reports.html.words import words_of

_BINS = 20
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
# From the base of a column up: verdict and class of its style.
_LAYERS = ((False, "bad"), (True, "good"), (None, "open"))

Counts = Sequence[Sequence[int]]


def distribution(record: Record) -> Chart | None:
    """The chart of a trustworthy check; None where no text has a score."""
    if record["kind"] != "trustworthy":
        return None
    counts = _counts(record)
    total = sum(map(sum, counts))
    if not total:
        return None
    words = words_of(record["kind"])
    names = {False: words.fails, True: words.holds, None: words.open}
    used = [i for i, layer in enumerate(counts) if any(layer)]
    title = "Trust score by verdict"
    return Chart(
        title=title,
        check=record["name"],
        note=f"{total} predictions by the share of their score that lies on related words",
        picture=_picture(counts, f"{title}: {record['name']}", [names[verdict] for verdict, _ in _LAYERS]),
        legend=tuple((_LAYERS[i][1], names[_LAYERS[i][0]]) for i in used),
        headers=("trust score", *(names[_LAYERS[i][0]] for i in used)),
        rows=tuple((_range(b), *(str(counts[i][b]) for i in used)) for b in range(_BINS) if any(c[b] for c in counts)),
    )


def _counts(record: Record) -> Counts:
    """Texts of each layer by bins of their value."""
    counts = [[0] * _BINS for _ in _LAYERS]
    layer_of = {verdict: i for i, (verdict, _) in enumerate(_LAYERS)}
    for item in record.get("texts", ()):
        if item["value"] is not None:
            counts[layer_of[item["holds"]]][min(int(item["value"] * _BINS), _BINS - 1)] += 1
    return counts


def _range(number: int) -> str:
    return f"{number / _BINS:.2f} to {(number + 1) / _BINS:.2f}"


def _picture(counts: Counts, title: str, names: Sequence[str]) -> Markup:
    ticks = counts_scale(max(map(sum, zip(*counts, strict=True))))
    axes = Axes(0, 1, 0, ticks[-1])
    sums = ", ".join(f"{sum(layer)} {name}" for layer, name in zip(counts, names, strict=True) if any(layer))
    return picture(
        *(WIDTH, HEIGHT),
        *axes.grid(_QUARTERS, ticks, "trust score", "predictions"),
        *(column for number in range(_BINS) for column in _column(axes, counts, number, names)),
        title=title,
        description=f"A histogram of {sums}; the table below it has the counts.",
    )


def _column(axes: Axes, counts: Counts, number: int, names: Sequence[str]) -> Iterator[Markup]:
    base = 0
    left, right = axes.x(number / _BINS) + 1, axes.x((number + 1) / _BINS) - 1
    for layer, (_, style), name in zip(counts, _LAYERS, names, strict=True):
        if layer[number]:
            top, bottom = axes.y(base + layer[number]), axes.y(base)
            told = element("title", f"{_range(number)}: {layer[number]} {name}")
            box = {"x": left, "y": top, "width": right - left, "height": bottom - top}
            yield element("rect", told, **box, class_=f"column {style}")
            base += layer[number]
