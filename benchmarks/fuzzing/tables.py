"""Readers of data: CSV, TSV, JSON lines, Parquet, people's verdicts, and lines of JSON for judging."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.fuzzing.mutations import mutated_bytes, mutated_json
from benchmarks.fuzzing.target import Target, writer
from pytest_trust._cli.jsonlines import arriving_lines
from pytest_trust.data import TextDataset, load_dataset
from pytest_trust.data.jsonl import parse_object
from pytest_trust.data.verdicts import ANSWERS, append_verdict, by_plurality, read_verdicts
from pytest_trust.errors import DataError

_COLUMNS = {"group": "source"}
_ROWS = (
    ("a fine film, truly", "good", True, "one"),
    ('he said "dull"', "bad", False, "one"),
    ("two\nlines é ☃", "good", None, "two"),
    ("   ", "bad", True, "two"),
)
_NAMES = ("text", "label", "trustworthy", "source")
_WORDS = tuple(name.encode() for name in (*_NAMES, "true", "false", "yes", "unsure", "1.0", "nan"))


def targets(folder: Path) -> Iterator[Target]:
    """One a format; their inputs are written below ``folder``."""
    separated = {".csv": b",", ".tsv": b"\t"}
    for suffix, separator in separated.items():
        yield _table(folder, suffix, (_delimited(separator),), words=(*_WORDS, separator))
    yield _table(folder, ".jsonl", (_json_lines(),), changes=(_line_of_json,), words=_WORDS)
    packed = tuple(gzip.compress(_delimited(b","), level, mtime=0) for level in (0, 9))
    yield _table(folder, ".csv.gz", packed, changes=(_repacked, bomb), share=0.5)
    yield _table(folder, ".parquet", tuple(_parquet_seeds()), changes=(_parquet,))
    path = folder / "verdicts.jsonl"
    yield Target(
        "people's verdicts",
        (_verdicts(),),
        writer(path, _read_verdicts),
        refuses=(DataError,),
        named=path.name,
        words=tuple(map(str.encode, ANSWERS)),
        changes=(_line_of_json,),
    )
    yield Target("lines for judging", (_json_lines(),), _read_lines, (DataError,), "line", changes=(_line_of_json,))


def _table(folder: Path, suffix: str, seeds: tuple[bytes, ...], **more: object) -> Target:
    path = folder / f"data{suffix}"
    return Target(f"data{suffix}", seeds, writer(path, _read_table), (DataError,), path.name, **more)  # type: ignore[arg-type]


def _read_table(path: Path) -> None:
    read = partial(load_dataset, path, columns=_COLUMNS, may_lack=("group",))
    with contextlib.suppress(DataError):
        _check(read(require_labels=False))
    _check(read())


def _check(dataset: TextDataset) -> None:
    n = len(dataset)
    assert n > 0
    assert n == len(dataset.labels) == len(dataset.trustworthy)
    assert not dataset.groups or len(dataset.groups) == n
    for text in dataset.texts:
        assert type(text) is str
        text.encode()
    assert all(label is None or (type(label) is str and label.strip()) for label in dataset.labels)
    assert all(verdict in (True, False, None) for verdict in dataset.trustworthy)
    assert len(dataset.fingerprint) == 64
    assert dataset.take([0, -1]).texts == (dataset.texts[0], dataset.texts[-1])


def _read_verdicts(path: Path) -> None:
    found = read_verdicts(path)
    for verdict in found:
        assert verdict.verdict in ANSWERS
        assert all(type(word) is str and math.isfinite(score) for word, score in verdict.words)
    by_plurality(found)
    if found:
        append_verdict(path, found[0])
        assert read_verdicts(path) == [*found, found[0]]


def _read_lines(content: bytes) -> None:
    groups = list(arriving_lines(io.BytesIO(content), 3))
    assert all(0 < len(group) <= 3 for group in groups)
    for number, line in (item for group in groups for item in group):
        assert line.strip()
        try:
            text = line.decode()
        except UnicodeDecodeError:
            continue
        json.dumps(parse_object(text, f"line {number}"))


def _delimited(separator: bytes) -> bytes:
    rows = [_NAMES, *((*row[:2], "" if row[2] is None else str(row[2]), row[3]) for row in _ROWS)]
    quoted = (['"' + cell.replace('"', '""') + '"' for cell in row] for row in rows)
    return b"".join(separator.join(cell.encode() for cell in row) + b"\r\n" for row in quoted)


def _json_lines() -> bytes:
    return b"".join(json.dumps(dict(zip(_NAMES, row, strict=True))).encode() + b"\n" for row in _ROWS)


def _verdicts() -> bytes:
    plain = {"words": [["fine", 0.5], ["film", -0.25]], "annotator": "ann", "model": "m", "explainer": {"samples": 5}}
    return b"".join(
        json.dumps(plain | {"text": text, "label": label, "guess": guess, "verdict": verdict}).encode() + b"\n"
        for (text, label, *_), guess, verdict in zip(
            _ROWS, (None, "good", "bad", "good"), (*ANSWERS, "unsure"), strict=True
        )
    )


def _line_of_json(rng: Random, content: bytes) -> bytes:
    """One line with another value."""
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = mutated_json(rng, lines[at])
    return b"\n".join(lines)


def _repacked(rng: Random, content: bytes) -> bytes:
    """What is inside, changed and packed again, perhaps in two members."""
    try:
        plain = gzip.decompress(content)
    except Exception:
        return mutated_bytes(rng, content)
    changed = mutated_bytes(rng, plain[: 2**16], _WORDS)
    at = rng.choice((0, rng.randrange(len(changed) + 1)))
    return gzip.compress(changed[:at], mtime=0) + gzip.compress(changed[at:], 1, mtime=0)


def bomb(rng: Random, content: bytes) -> bytes:
    """A thousand times as large unpacked, now and then."""
    if rng.random() > 0.02:
        return mutated_bytes(rng, content)
    member = gzip.compress(rng.choice((b"\0", b"a", b"\n", b"[")) * 2**24, 9, mtime=0)
    return member * 64


def _parquet_seeds() -> Iterator[bytes]:
    import pyarrow

    texts, labels, verdicts, sources = ([row[i] for row in _ROWS] for i in range(4))
    yield _parquet_bytes(text=texts, label=labels, trustworthy=verdicts, source=sources)
    encoded = pyarrow.array(labels).dictionary_encode()
    yield _parquet_bytes(text=texts, label=encoded, trustworthy=[1, 0, None, 1], source=[1, 1, 2, 2])


def _parquet(rng: Random, content: bytes) -> bytes:
    """A whole file with columns of any kind."""
    strange = (
        [1, 2, 3, 4], [0.5, math.nan, None, math.inf], [b"\xff", b"", None, b"a"], [[1], [], None, [2]],
        [{"a": 1}, None, {"a": None}, {}], [None] * 4, [True, False, None, True], ["a", "b", None, ""],
        [1.0, 2.0, 1e300, -0.0],
    )  # fmt: skip
    columns: dict[str, object] = dict(zip(_NAMES, map(list, zip(*_ROWS, strict=True)), strict=True))
    for name in rng.sample(_NAMES, rng.choice((1, 1, 2))):
        columns[name] = rng.choice((*strange, _typed(rng)))
    if rng.random() < 0.1:
        del columns[rng.choice(_NAMES)]
    return _parquet_bytes(**columns)


def _typed(rng: Random) -> object:
    import pyarrow

    kinds = (
        pyarrow.timestamp("ns"), pyarrow.date32(), pyarrow.decimal128(9, 2), pyarrow.duration("us"), pyarrow.int8(),
        pyarrow.float16(), pyarrow.large_string(), pyarrow.time64("ns"), pyarrow.uint64(), pyarrow.null(),
    )  # fmt: skip
    numbers = pyarrow.array([1, 2, None, 2**40 if rng.random() < 0.5 else 3], pyarrow.int64())
    try:
        return numbers.cast(rng.choice(kinds), safe=False)
    except pyarrow.ArrowException:
        return numbers


def _parquet_bytes(**columns: object) -> bytes:
    import pyarrow
    import pyarrow.parquet

    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), sink)
    return sink.getvalue()
