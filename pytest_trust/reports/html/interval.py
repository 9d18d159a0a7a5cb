"""A small picture of an estimate, its interval and what it is held against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_trust.reports.figures import Record
from pytest_trust.reports.text import bound_text, estimate_text, estimated_name, interval_text

if TYPE_CHECKING:
    from markupsafe import Markup

_WIDTH, _HEIGHT, _EDGE = 200, 34, 6
_LINE = 12


def interval_picture(record: Record) -> Markup | None:
    """The picture; None where nothing was estimated."""
    if record["estimate"] is None or record["low"] is None or record["bound"] is None:
        return None
    from pytest_trust.reports.html.svg import element, picture

    start, end = _domain(record)

    def x(value: float) -> float:
        return _EDGE + (_WIDTH - 2 * _EDGE) * (min(max(value, start), end) - start) / (end - start)

    allowed = [x(value) for value in _allowed(record, start, end)]
    marks = [
        element("rect", x=allowed[0], y=_LINE - 8, width=allowed[1] - allowed[0], height=16, class_="allowed"),
        element("line", x1=x(start), x2=x(end), y1=_LINE, y2=_LINE, class_="axis"),
        *(element("line", x1=x(b), x2=x(b), y1=_LINE - 8, y2=_LINE + 8, class_="bound") for b in _bounds(record)),
        element("line", x1=x(record["low"]), x2=x(record["high"]), y1=_LINE, y2=_LINE, class_="interval"),
        element("circle", cx=x(record["estimate"]), cy=_LINE, r=4, class_="estimate"),
        *_ends(x(start), x(end), start, end),
    ]
    told = f"{estimated_name(record)} {estimate_text(record)} {interval_text(record)}, asked for {bound_text(record)}"
    return picture(_WIDTH, _HEIGHT, *marks, title=told, class_="interval-picture")


def _ends(left: float, right: float, start: float, end: float) -> list[Markup]:
    from pytest_trust.reports.html.svg import element

    return [
        element("text", f"{start:g}", x=left, y=_HEIGHT - 2, class_="tick"),
        element("text", f"{end:g}", x=right, y=_HEIGHT - 2, class_="tick", text_anchor="end"),
    ]


def _domain(record: Record) -> tuple[float, float]:
    """Rates lie between 0 and 1; shifts on both sides of 0, as far as anything shown."""
    if record["kind"] not in ("invariant", "directional"):
        return 0.0, 1.0
    far = max(abs(record[name]) for name in ("low", "high", "bound", "estimate"))
    reach = next((step for step in (0.05, 0.1, 0.2, 0.5) if far < step), 1.0)
    return -reach, reach


def _bounds(record: Record) -> list[float]:
    return [-record["bound"], record["bound"]] if record["kind"] == "invariant" else [record["bound"]]


def _allowed(record: Record, start: float, end: float) -> tuple[float, float]:
    """Where the interval has to lie."""
    bound = record["bound"]
    if record["kind"] == "invariant":
        return -bound, bound
    below = record["kind"] == "adversarial" or record["details"].get("expect") == "decrease"
    return (start, bound) if below else (bound, end)
