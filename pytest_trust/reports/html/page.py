"""The page: view of the records, template, style and script put together."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pytest_trust.errors import missing_extra
from pytest_trust.reports.baseline.overview import comparison_view
from pytest_trust.reports.baseline.results import Comparison
from pytest_trust.reports.figures import Record
from pytest_trust.reports.html.predictions import encode
from pytest_trust.reports.html.safe import for_script, printable
from pytest_trust.reports.overview import urgent_first

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = "templates"


def html_report(records: Sequence[Record], *, seed: int, comparison: Comparison | None = None) -> str:
    """All results of a session as one HTML page, with what ``texts`` of the records hold.

    The ``comparison`` with an earlier run, where there is one, stands before the checks.

    Raises:
        MissingExtraError: Jinja2 is not installed.
    """
    environment = _environment()
    from markupsafe import Markup

    from pytest_trust.reports.html.charts import charts_of
    from pytest_trust.reports.html.summary import summary_of

    records = urgent_first(records)
    style, script = _resource("style.css"), _resource("script.js")
    encoded = encode(records)
    return environment.get_template("page.html").render(
        summary=summary_of(records, seed=seed),
        compared=None if comparison is None else comparison_view(comparison),
        charts=charts_of(records),
        predictions=len(encoded["check"]),
        has_texts=any("texts" in record for record in records),
        # Jinja escapes all but what is marked: style and script are the package's own, the data are made safe.
        style=Markup(style),
        script=Markup(script),
        data=Markup(for_script(_compact(encoded))),
        policy=_policy(style, script),
    )


def _environment() -> Environment:
    try:
        import jinja2
    except ImportError:
        raise missing_extra("Jinja2", "html", "--trust-html") from None
    return jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, _TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _resource(name: str) -> str:
    return (files(__package__) / _TEMPLATES / name).read_text(encoding="utf-8")


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _policy(style: str, script: str) -> str:
    """A content security policy under which only this script and this style run, and nothing is loaded."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
