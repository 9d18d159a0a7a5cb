"""Seeded changes of bytes and of JSON values, from a flipped bit to brackets nested a hundred thousand deep."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

Change = Callable[[Random, bytes], bytes]

# Strings that stand for what json.dumps does not write.
_RAW = {
    "@deep lists@": b"[" * 100_000 + b"]" * 100_000,
    "@deep objects@": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "@digits@": b"9" * 5_000,
    "@exponent@": b"1e999",
    "@minus@": b"-0.0",
    "@nan@": b"NaN",
    "@infinity@": b"-Infinity",
    "@nul@": b'"\\u0000"',
    "@surrogate@": b'"\\ud800"',
    "@twice@": b'{"a": 1, "a": 2}',
}
_STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 2**31, 2**63, -(2**64), 10**30, 0.5, 1e308, -1e-320, "", " ", "\n", "text", "label",
    "\ufeff", "é" * 3, "x" * 2_000, [], {}, [[]], [None], {"": None}, *_RAW,
)  # fmt: skip
_TOKENS = (
    b"", b"\x00", b"\n", b"\r", b"\r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xe2\x80\xa8", b'"',
    b"'", b",", b"\t", b"=", b"|", b"\\", b"{", b"}", b"[", b"]", b"(", b")", b":", b"#", b"0", b"-1", b"1e999", b"NaN",
    b"inf", b"null", b"9" * 5_000, b"[" * 2_000, b"a" * 2_000, b"\xff\xff\xff\xff", b"\x00\x00\x00\x80",
)  # fmt: skip


def mutated_bytes(rng: Random, raw: bytes, words: Sequence[bytes] = ()) -> bytes:
    """``raw`` with one to four changes; ``words`` are what its format gives a meaning to."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        raw = rng.choice(_CHANGES)(rng, raw, (*_TOKENS, *words))
    return raw


def encoded_otherwise(rng: Random, raw: bytes) -> bytes:
    """The same text in another encoding, or packed."""
    text = raw.decode(errors="replace")
    encoding = rng.choice(("utf-8-sig", "utf-16", "utf-16-le", "latin-1", "cp1252", "utf-32", "gzip"))
    return gzip.compress(raw, mtime=0) if encoding == "gzip" else text.encode(encoding, errors="replace")


def mutated_json(rng: Random, raw: bytes) -> bytes:
    """A JSON document with one to three of its values, keys or items changed."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return mutated_bytes(rng, raw)
    for _ in range(rng.choice((1, 1, 2, 3))):
        value = mutated_value(rng, value)
    return json_bytes(value)


def json_bytes(value: Any) -> bytes:
    """``value`` as JSON, what :func:`mutated_value` put in spelled out."""
    raw = json.dumps(value).encode()
    for name, spelled in _RAW.items():
        raw = raw.replace(json.dumps(name).encode(), spelled)
    return raw


def mutated_value(rng: Random, value: Any) -> Any:
    """``value`` with another value, key or item at one place, chosen anywhere in it."""
    value = copy.deepcopy(value)
    places = list(_places(value))
    if not places:
        return rng.choice(_STRANGE)
    holder, key = rng.choice(places)
    action = rng.choice(("strange", "strange", "other", "drop", "twice", "rename"))
    if action == "drop":
        del holder[key]
    elif action == "twice" and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif action == "rename" and isinstance(holder, dict):
        holder[rng.choice(("", "x", "\x00", "@surrogate@", key + " "))] = holder.pop(key)
    elif action == "other":
        other, at = rng.choice(places)
        holder[key] = copy.deepcopy(other.get(at) if isinstance(other, dict) else other[at])
    else:
        holder[key] = rng.choice(_STRANGE)
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in ``value`` with each of its keys or indices."""
    keys: list[Any] = list(value) if isinstance(value, dict) else []
    keys = list(range(len(value))) if isinstance(value, list) else keys
    return [(value, key) for key in keys] + [place for key in keys for place in _places(value[key])]


def _flipped(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    found = bytearray(raw)
    for _ in range(min(len(found), rng.choice((1, 1, 3, 16)))):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def _cut(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    return raw[: rng.randrange(len(raw) + 1)]


def _dropped(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, raw)
    return raw[:start] + raw[end:]


def _repeated(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, raw)
    return raw[:end] + raw[start:end] * rng.choice((1, 1, 2, 50)) + raw[end:]


def _moved(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, raw)
    rest = raw[:start] + raw[end:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + raw[start:end] + rest[at:]


def _inserted(rng: Random, raw: bytes, words: Sequence[bytes]) -> bytes:
    at = rng.choice((0, len(raw), rng.randrange(len(raw) + 1), rng.randrange(len(raw) + 1)))
    return raw[:at] + rng.choice(words) + raw[at:]


def _replaced(rng: Random, raw: bytes, words: Sequence[bytes]) -> bytes:
    """One of the words becomes another."""
    there = [word for word in words if word and word in raw]
    if not there:
        return _inserted(rng, raw, words)
    word = rng.choice(there)
    before, *after = raw.split(word)
    at = rng.randrange(len(after))
    return word.join([before, *after[:at]]) + rng.choice(words) + word.join(after[at:])


def _noise(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, raw)
    return raw[:start] + rng.randbytes(end - start) + raw[end:]


def _span(rng: Random, raw: bytes) -> tuple[int, int]:
    """A stretch of at most 64 bytes."""
    start = rng.randrange(len(raw) + 1)
    return start, min(len(raw), start + rng.choice((1, 2, 4, 8, 16, 64)))


_CHANGES = (_flipped, _cut, _dropped, _repeated, _moved, _inserted, _inserted, _replaced, _replaced, _noise)
