"""The summary of a session in Markdown, as merge requests and job summaries show it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_trust.reports.baseline.overview import comparison_view
from pytest_trust.reports.baseline.results import Comparison
from pytest_trust.reports.capabilities import capability_matrix, kinds_of
from pytest_trust.reports.figures import Record
from pytest_trust.reports.overview import check_row, counted_outcomes, figure_rows, urgent_first
from pytest_trust.reports.text import shorten

_SIGNS = {"pass": "✅", "fail": "❌", "inconclusive": "❔"}
_SHOWN_ROWS = 3
_SHOWN_WORDS = 6
_LONGEST_NAME = 120
_LONGEST_LINE = 600

# What means something in Markdown or HTML within a line; as an entity it never does.
_MARKUP = re.compile(r"[!#$&*<>@\[\\\]_`|~]|:(?=//)|(?<=www)\.", re.IGNORECASE)
# What platforms make links of, @people and teams, #1, !1, $1, %1, &1, ~label: a space of no width keeps them apart.
_REFERENCE = re.compile(r"""[@#!$%&~](?=[\w"])""")
_NO_WIDTH = "\u200b"


def markdown_report(records: Sequence[Record], comparison: Comparison | None = None) -> str:
    """The counts of outcomes, tables of checks, figures and capabilities, and evidence of what did not pass.

    Before them stands the ``comparison`` with an earlier run, where there is one: it decides.
    """
    return "".join(markdown_parts(records, comparison))


def markdown_parts(records: Sequence[Record], comparison: Comparison | None = None) -> Iterator[str]:
    """:func:`markdown_report` in parts, behind any of which it can be cut."""
    records = urgent_first(records)
    counts = counted_outcomes(records)
    shown = [f"{counts[name]} {name}" for name in ("failed", "inconclusive", "passed") if counts[name]]
    outcomes = ", ".join(shown) or "no check ran"
    if comparison is None:
        yield f"## Trust: {outcomes}\n"
    else:
        yield from _compared(comparison)
        yield f"\n### By their own bounds: {outcomes}\n"
    if records:
        yield from _table(("", "check", "estimate", "asked for", "n"), map(_check_cells, records))
    yield from _figures(records)
    yield from _capabilities(records)
    yield from (_evidence(record) for record in records if record["outcome"] != "pass")


def _compared(comparison: Comparison) -> Iterator[str]:
    view = comparison_view(comparison)
    yield f"## Trust, compared with {plain(view.name, _LONGEST_NAME)}: {view.counts}\n\n"
    for row in view.rows:
        lines = "<br>".join(plain(line, _LONGEST_LINE) for line in row.lines)
        yield f"- {_SIGNS[row.outcome]} **{row.standing}** {lines}\n"
    yield from (f"\n{plain(remark)}\n" for remark in view.remarks)


def _table(headers: Sequence[str], rows: Iterator[Sequence[str]]) -> Iterator[str]:
    """A table whose cells are Markdown already."""
    yield f"\n| {' | '.join(headers)} |\n|{' --- |' * len(headers)}\n"
    yield from (f"| {' | '.join(cells)} |\n" for cells in rows)


def _check_cells(record: Record) -> tuple[str, ...]:
    row = check_row(record)
    estimate = plain(" ".join(filter(None, (row.metric, row.estimate, row.interval)))) if row.estimate else "none"
    return (
        f"{_SIGNS[row.outcome]} {row.outcome}",
        f"**{plain(row.name, _LONGEST_NAME)}** {row.kind}<br>{code(row.nodeid)}",
        estimate,
        plain(row.bound),
        plain(row.size.removeprefix("n=")),
    )


def _figures(records: Sequence[Record]) -> Iterator[str]:
    rows = figure_rows(records)
    if rows:
        cells = ((plain(row.name), row.value, plain(row.interval), plain(row.of)) for row in rows)
        yield from _table(("figure", "value", "interval", ""), cells)


def _capabilities(records: Sequence[Record]) -> Iterator[str]:
    matrix = capability_matrix(records)
    kinds = kinds_of(matrix)
    if matrix:
        rows = ((plain(name), *(_cell(cells.get(kind)) for kind in kinds)) for name, cells in matrix.items())
        yield from _table(("checks that passed", *kinds), rows)


def _cell(counts: Mapping[str, int] | None) -> str:
    return "–" if counts is None else f"{counts['pass']} of {sum(counts.values())}"


def _evidence(record: Record) -> str:
    row = check_row(record)
    lines = [
        f"\n<details><summary>{_SIGNS[row.outcome]} {plain(row.name, _LONGEST_NAME)}: {plain(row.reason)}</summary>\n",
        *([f"\nAdvice: {plain(row.advice)}\n"] if row.advice else []),
        *_evidence_rows(record["evidence"]),
        "\n</details>\n",
    ]
    return "".join(lines)


def _evidence_rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number, row in enumerate(rows[:_SHOWN_ROWS], start=1):
        after = "" if row["changed_probability"] is None else f" → {row['changed_probability']:.3f}"
        note = f" ({plain(row['note'])})" if row["note"] else ""
        changed = f"<br>→ {code(row['changed_text'])}" if row["changed_text"] is not None else ""
        words = f"<br>{'; '.join(map(_word, row['words'][:_SHOWN_WORDS]))}" if row["words"] else ""
        yield f"\n{number}. {plain(row['label'])} {row['probability']:.3f}{after}{note}<br>{code(row['text'])}"
        yield f"{changed}{words}\n"
    if len(rows) > _SHOWN_ROWS:
        yield f"\n{len(rows) - _SHOWN_ROWS} more in the log.\n"


def _word(word: Mapping[str, Any]) -> str:
    relation = {True: " related", False: " unrelated", None: ""}[word["related"]]
    return f"{code(word['word'])} {word['score']:+.3f}{relation}"


def plain(text: str, most: int = 240) -> str:
    """``text`` on one line, in which nothing is markup, a mention or a reference."""
    apart = _REFERENCE.sub(lambda found: found.group() + _NO_WIDTH, shorten(text, most))
    return _escaped(apart)


def code(text: str) -> str:
    """The same as code, in which platforms look for no mentions."""
    return f"<code>{_escaped(shorten(text))}</code>"


def _escaped(line: str) -> str:
    return _MARKUP.sub(lambda found: f"&#{ord(found.group())};", line)
