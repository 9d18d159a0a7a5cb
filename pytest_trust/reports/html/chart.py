"""A chart with the table that says the same, and the parts that charts share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pytest_trust.reports.html.svg import element

WIDTH, HEIGHT = 340, 210
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 12, 40


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart: what it shows, of which check, its picture, its legend (class and words), and the table behind it."""

    title: str
    check: str
    note: str
    picture: Markup
    legend: tuple[tuple[str, str], ...]
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Axes:
    """The plane of a chart: ``x`` and ``y`` of the picture from values between the ends of both axes."""

    left: float
    right: float
    bottom: float
    top: float

    def x(self, value: float) -> float:
        """Units from the left."""
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - self.left) / (self.right - self.left)

    def y(self, value: float) -> float:
        """Units from the top."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - self.bottom) / (self.top - self.bottom)

    def grid(self, x_ticks: Sequence[float], y_ticks: Sequence[float], x_name: str, y_name: str) -> Iterator[Markup]:
        """Lines and numbers of both axes, and what they show."""
        for value in y_ticks:
            height = self.y(value)
            yield element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=height, y2=height, class_="grid")
            yield element("text", f"{value:g}", x=LEFT - 6, y=height + 4, class_="tick", text_anchor="end")
        for value in x_ticks:
            yield element(
                "text", f"{value:g}", x=self.x(value), y=HEIGHT - BOTTOM + 16, class_="tick", text_anchor="middle"
            )
        middle = (LEFT + WIDTH - RIGHT) / 2
        yield element("text", x_name, x=middle, y=HEIGHT - 6, class_="name", text_anchor="middle")
        turned = f"translate(11 {(TOP + HEIGHT - BOTTOM) / 2:.0f}) rotate(-90)"
        yield element("text", y_name, transform=turned, class_="name", text_anchor="middle")


def counts_scale(most: int) -> list[int]:
    """Round numbers from 0 to ``most`` or above, five at most."""
    step = next(size * 10**power for power in range(12) for size in (1, 2, 5) if size * 10**power * 4 >= most)
    return [step * i for i in range(-(-max(most, 1) // step) + 1)]


def percent(share: float) -> str:
    """A share as a table shows it."""
    return f"{share:.1%}"
