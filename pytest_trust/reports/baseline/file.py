"""Stored runs: JSON reports, and baselines, which are such reports with the texts."""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pytest_trust.errors import BaselineError
from pytest_trust.messages import shown
from pytest_trust.packed import unpacked
from pytest_trust.reports.baseline.outcomes import TextOutcome, unpacked_outcomes
from pytest_trust.reports.document import SCHEMA, report_document
from pytest_trust.reports.figures import Record
from pytest_trust.reports.text import shorten

CheckKey = tuple[str, str, str, int]
"""What a check is known by in another run: node id, kind, name, and its place among equals."""

KINDS = ("trustworthy", "invariant", "directional", "functional", "adversarial")

_GZIP = b"\x1f\x8b"
_SHOWN_FIELDS = ("text", "label", "changed_text")


@dataclass(frozen=True, slots=True)
class StoredCheck:
    """A check of a run: its record, and by the key of each text the outcome and, where they were kept, what to show."""

    record: Record
    outcomes: Mapping[str, TextOutcome]
    texts: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class StoredRun:
    """The checks of a run. ``name`` says which run it is, ``version`` is that of the package that made it."""

    name: str
    version: str
    seed: int
    checks: Mapping[CheckKey, StoredCheck]


def baseline_text(records: Sequence[Record], *, seed: int) -> str:
    """The JSON report of a session with the beginning of every text: what ``--trust-save-baseline`` writes."""
    document = report_document(records, seed=seed)
    for check, record in zip(document["checks"], records, strict=True):
        check["texts"] = [_excerpt(row) for row in record["texts"]]
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def encoded(path: Path, content: str) -> bytes:
    """The bytes of a file with this ``content``: packed by gzip where the name ends in .gz."""
    plain = content.encode(errors="backslashreplace")
    return gzip.compress(plain, mtime=0) if path.suffix == ".gz" else plain


def read_run(path: Path) -> StoredRun:
    """The run in a JSON report or a baseline, packed by gzip or not.

    Raises:
        BaselineError: the file cannot be read, is none of these, is damaged, or was made by a later version.
    """
    document = _document(path)
    schema = document.get("schema") if isinstance(document, dict) and "checks" in document else None
    if not isinstance(schema, int) or schema < 1:
        raise BaselineError(f"{path}: no JSON report and no baseline of pytest-trust")
    if schema > SCHEMA:
        raise BaselineError(
            f"{path}: of schema {schema}, which a later version of pytest-trust wrote; expected {SCHEMA}"
        )
    version, seed, checks = (document.get(name) for name in ("version", "seed", "checks"))
    _require(str(path), "version", version, str)
    _require(str(path), "seed", seed, int)
    _require(str(path), "checks", checks, list)
    for number, record in enumerate(checks, start=1):
        _check_record(record, f"{path}: check {number}")
    return run_of(map(_with_excerpts, checks), name=str(path), version=version, seed=seed)


def run_of(records: Iterable[Record], *, name: str, version: str, seed: int) -> StoredRun:
    """The records of a run, each under the key of its check.

    Raises:
        BaselineError: the outcomes or texts of one are malformed.
    """
    places = Counter[tuple[str, str, str]]()
    checks = {}
    for record in records:
        known_by = (record["nodeid"], record["kind"], record["name"])
        checks[*known_by, places[known_by]] = _stored(record, f"{name}: {record['nodeid']}")
        places[known_by] += 1
    return StoredRun(name, version, seed, checks)


def _stored(record: Record, where: str) -> StoredCheck:
    outcomes = unpacked_outcomes(record.get("outcomes"), where)
    texts = record.get("texts", [])
    if texts and len(texts) != len(outcomes):
        raise BaselineError(f"{where}: {len(texts)} texts for {len(outcomes)} outcomes; expected as many")
    by_key = {outcome.key: row for outcome, row in zip(outcomes, texts, strict=False)}
    return StoredCheck(record, {outcome.key: outcome for outcome in outcomes}, by_key)


def _excerpt(row: Mapping[str, Any]) -> dict[str, str | None]:
    return {name: None if row.get(name) is None else shorten(row[name]) for name in _SHOWN_FIELDS}


def _with_excerpts(record: Record) -> Record:
    """The record with no more of its texts than the fields that were checked."""
    return {**record, "texts": [_excerpt(row) for row in record.get("texts", ())]}


def _document(path: Path) -> Any:
    try:
        content = path.read_bytes()
        if content.startswith(_GZIP):
            content = unpacked(content)
        return json.loads(content.decode("utf-8"), parse_constant=_no_number)
    except OSError as error:
        raise BaselineError(f"{path}: cannot be read: {error}") from error
    except (ValueError, EOFError, zlib.error, RecursionError) as error:
        raise BaselineError(f"{path}: damaged, or no JSON report of pytest-trust: {error}") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "nodeid": str,
    "name": str,
    "outcome": str,
    "seed": int,
    "details": dict,
    "subject": dict,
}


_SUBJECT: Mapping[str, Mapping[str, type]] = {"model": {"classes": list}, "data": {"fingerprint": str, "n": int}}


def _check_record(record: object, where: str) -> None:
    """Raises where a record lacks what a comparison reads."""
    _require(where, "the record", record, dict)
    assert isinstance(record, dict)
    for name, kind in _TYPES.items():
        _require(where, name, record.get(name), kind)
    if record.get("kind") not in KINDS:
        raise BaselineError(f"{where}: kind is {shown(record.get('kind'))}; expected one of {', '.join(KINDS)}")
    _check_subject(record["subject"], where)
    for row in record["texts"] if "texts" in record and _require(where, "texts", record["texts"], list) else ():
        _require(where, "a text", row, dict)
        for name in _SHOWN_FIELDS:
            _require(where, name, row.get(name), (str, type(None)) if name == "changed_text" else str)


def _check_subject(subject: Mapping[str, Any], where: str) -> None:
    for part, names in _SUBJECT.items():
        _require(where, part, subject.get(part), dict)
        for name, kind in names.items():
            _require(where, f"{name} of the {part}", subject[part].get(name), kind)
    _require(where, "settings", subject.get("settings"), dict)


def _require(where: str, name: str, value: object, kind: type | tuple[type, ...]) -> bool:
    """Accepts a value of this kind; True and False are no numbers."""
    if isinstance(value, kind) and not (isinstance(value, bool) and kind is int):
        return True
    expected = " or ".join(item.__name__ for item in (kind if isinstance(kind, tuple) else (kind,)))
    raise BaselineError(f"{where}: {name} is {shown(value)}; expected {expected}")
