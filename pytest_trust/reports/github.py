"""What GitHub Actions reads: job summaries, and workflow commands that annotate lines.

See "Workflow commands for GitHub Actions" in GitHub's documentation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST_BYTES = 1024 * 1024
"""The size of a step's summary that GitHub accepts."""

_CUT = "\n\n*The rest was cut: GitHub shows at most 1 MiB. --trust-json and --trust-html have all of it.*\n"
_MOST_CHARACTERS = 4000


@dataclass(frozen=True, slots=True)
class Annotation:
    """A message at a line of a file; ``path`` is relative to the repository, ``line`` counts from 1."""

    path: str
    line: int | None
    title: str
    message: str


def job_summary(parts: Iterable[str], *, room: int = MOST_BYTES) -> str:
    """As many of the first ``parts`` as ``room`` bytes hold, and a note where some are left out."""
    kept: list[str] = []
    sizes = [0]
    for part in parts:
        kept.append(part)
        sizes.append(sizes[-1] + len(part.encode(errors="replace")))
    if sizes[-1] <= room:
        return "".join(kept)
    note = len(_CUT.encode())
    fitting = sum(size + note <= room for size in sizes[1:])
    return "".join(kept[:fitting]) + _CUT if note <= room else ""


def annotation_command(annotation: Annotation) -> str:
    """The workflow command that shows ``annotation`` as an error."""
    place = {"file": annotation.path, "line": annotation.line, "title": annotation.title}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in place.items() if value is not None)
    return f"::error {properties}::{_data(annotation.message[:_MOST_CHARACTERS])}"


def _data(text: str) -> str:
    """The message of a command, with what would end it escaped."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The value of a property, which also ends at a comma or colon."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
