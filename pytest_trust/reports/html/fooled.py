"""The attack success rate (ASR) by class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from markupsafe import Markup

from pytest_trust.reports.figures import Record
from pytest_trust.reports.html.chart import Chart, percent
from pytest_trust.reports.html.svg import element, picture
from pytest_trust.reports.text import shorten
from pytest_trust.stats import Rate, wilson

_ALPHA = 0.025  # of each side: intervals of 95 %
_MOST = 20
_LONGEST_NAME = 16
_WIDTH, _NAMES, _NUMBERS, _ROW, _FOOT = 340, 104, 92, 26, 20


def fooled_by_class(record: Record) -> Chart | None:
    """The chart of an adversarial check; None where nothing was attacked."""
    rates = _rates(record)
    if not rates:
        return None
    title = "Attack success rate by class"
    more = f"; the {_MOST} highest of {len(rates)} classes are drawn" if len(rates) > _MOST else ""
    return Chart(
        title=title,
        check=record["name"],
        note=f"Share of attacked texts on which the model was fooled; 95 % intervals{more}",
        picture=_picture(dict(list(rates.items())[:_MOST]), f"{title}: {record['name']}"),
        legend=(),
        headers=("class", "success rate", "95 % interval", "attacked"),
        rows=tuple(
            (name, percent(rate.estimate or 0.0), f"{percent(rate.low)} to {percent(rate.high)}", str(rate.n))
            for name, rate in rates.items()
        ),
    )


def _rates(record: Record) -> dict[str, Rate]:
    """The rate of each class, highest first; a search that was cut short did not fool the model."""
    if record["kind"] != "adversarial":
        return {}
    fooled = defaultdict[str, list[bool]](list)
    for item in record.get("texts", ()):
        fooled[item["label"]].append(item["holds"] is False)
    rates = {name: wilson(sum(found), len(found), _ALPHA) for name, found in fooled.items()}
    return dict(sorted(rates.items(), key=lambda item: (-(item[1].estimate or 0.0), item[0])))


def _picture(rates: Mapping[str, Rate], title: str) -> Markup:
    height = _ROW * len(rates) + _FOOT + 4
    told = "; ".join(
        f"{shorten(name, 40)}: {percent(rate.estimate or 0.0)} of {rate.n}" for name, rate in rates.items()
    )
    ticks = [mark for value in (0.0, 0.5, 1.0) for mark in _tick(value, height)]
    bars = [mark for number, (name, rate) in enumerate(rates.items()) for mark in _bar(number, name, rate)]
    return picture(_WIDTH, height, *ticks, *bars, title=title, description=f"Attack success rates: {told}.")


def _x(share: float) -> float:
    return _NAMES + (_WIDTH - _NAMES - _NUMBERS) * share


def _tick(value: float, height: int) -> Iterator[Markup]:
    yield element("line", x1=_x(value), x2=_x(value), y1=2, y2=height - _FOOT, class_="grid")
    yield element("text", f"{value:.0%}", x=_x(value), y=height - 4, class_="tick", text_anchor="middle")


def _bar(number: int, name: str, rate: Rate) -> Iterator[Markup]:
    top, share = 4 + _ROW * number, rate.estimate or 0.0
    middle = top + (_ROW - 8) / 2
    yield element("text", shorten(name, _LONGEST_NAME), x=_NAMES - 8, y=middle + 4, class_="label", text_anchor="end")
    yield element("rect", x=_x(0), y=top, width=_x(share) - _x(0), height=_ROW - 8, class_="bar")
    yield element("line", x1=_x(rate.low), x2=_x(rate.high), y1=middle, y2=middle, class_="whisker")
    written = f"{share:.0%} of {rate.n}"
    yield element("text", written, x=_WIDTH, y=middle + 4, class_="label", text_anchor="end")
