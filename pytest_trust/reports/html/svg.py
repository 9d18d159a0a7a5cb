"""Elements of SVG, escaped."""

from __future__ import annotations

from markupsafe import Markup, escape

from pytest_trust.reports.html.safe import printable

Value = str | int | float


def element(name: str, *children: str, **attributes: Value) -> Markup:
    """An element with its children; ``class_`` and ``stroke_width`` stand for the attributes written so."""
    written = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), _written(value))
        for key, value in attributes.items()
    )
    inner = Markup("").join(escape(printable(child)) for child in children)
    return Markup("<{0}{1}>{2}</{0}>").format(name, written, inner)


def _written(value: Value) -> Value:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else printable(value)


def picture(width: int, height: int, *children: str, title: str, description: str = "", class_: str = "") -> Markup:
    """An SVG picture, which its title and description stand for where it is not seen."""
    named = [element("title", title), *([element("desc", description)] if description else [])]
    return element(
        "svg", *named, *children, class_=class_, viewBox=f"0 0 {width} {height}", role="img", aria_label=title
    )
