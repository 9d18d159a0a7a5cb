"""What a check found on each text, in a few bytes: enough to pair two runs text by text."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pytest_trust.errors import BaselineError
from pytest_trust.messages import shown
from pytest_trust.results import TextResult

T = TypeVar("T")

# What makes a text the same in two runs. Elsewhere the label is what the model predicted, and the changed text of an
# attack what the attack found on this model.
_LABELLED = ("trustworthy", "functional", "adversarial")
_CHANGED = ("invariant", "directional", "functional")

_KEY_BYTES = 6
_KEY = re.compile(f"[0-9a-f]{{{2 * _KEY_BYTES}}}")
_HOLDS = {"1": True, "0": False, "-": None}
_SIGNS = {value: sign for sign, value in _HOLDS.items()}
_NOTHING = "-"


@dataclass(frozen=True, slots=True)
class TextOutcome:
    """What a check found on one text; ``key`` tells the text from the others of the check.

    The rest is as in :class:`~pytest_trust.results.TextResult`.
    """

    key: str
    holds: bool | None
    value: float | None
    source: int


def packed_outcomes(kind: str, texts: Sequence[TextResult]) -> dict[str, str]:
    """The outcomes on ``texts`` as four strings, an entry for each text: about 20 bytes a text.

    ``keys`` are digests of what makes the text the same in another run, ``holds`` has a 1, 0 or - for each. ``values``
    are rounded to six digits, with a - where there is none, or one beyond -1 and 1 (a user's oracle). ``sources`` are
    numbers that texts of one source share ("" where no two do).
    """
    sources = [item.source for item in texts]
    return {
        "keys": " ".join(_key(kind, item) for item in texts),
        "holds": "".join(_SIGNS[item.holds] for item in texts),
        "values": " ".join(_written(item.value) for item in texts),
        "sources": " ".join(map(str, sources)) if len(set(sources)) < len(sources) else "",
    }


def unpacked_outcomes(packed: object, where: str) -> tuple[TextOutcome, ...]:
    """The outcomes in what :func:`packed_outcomes` made, in order; ``where`` names them in errors.

    Raises:
        BaselineError: it is anything else.
    """
    if not isinstance(packed, Mapping) or not all(isinstance(packed.get(name), str) for name in _FIELDS):
        raise BaselineError(f"{where}: outcomes are {shown(packed)}; expected strings: {', '.join(_FIELDS)}")
    keys = _each(packed["keys"].split(), _read_key, f"{where}: keys")
    holds = _each(packed["holds"], _HOLDS.__getitem__, f"{where}: holds")
    values = _each(packed["values"].split(), _read_value, f"{where}: values")
    sources = _each(packed["sources"].split(), _read_source, f"{where}: sources") or list(range(len(keys)))
    lengths = [len(column) for column in (keys, holds, values, sources)]
    if len(set(lengths)) > 1:
        raise BaselineError(f"{where}: {lengths} keys, holds, values and sources; expected as many of each")
    return tuple(map(TextOutcome, _distinct(keys), holds, values, sources))


_FIELDS = ("keys", "holds", "values", "sources")


def _written(value: float | None) -> str:
    rounded = "" if value is None else f"{value:.6g}"
    return rounded if rounded and abs(float(rounded)) <= 1 else _NOTHING


def _key(kind: str, item: TextResult) -> str:
    parts = [item.row.text]
    parts += [item.row.label] if kind in _LABELLED else []
    parts += [item.row.changed_text or ""] if kind in _CHANGED else []
    digest = hashlib.blake2b(digest_size=_KEY_BYTES)
    for part in parts:
        # Texts may hold lone surrogates; the length keeps ("ab", "c") apart from ("a", "bc").
        content = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(content) + content)
    return digest.hexdigest()


def _distinct(keys: Sequence[str]) -> list[str]:
    """The keys, with a number behind those that came before: the same text may stand in the data twice."""
    seen = Counter[str]()
    seen.update(dict.fromkeys(keys, 0))
    found = []
    for key in keys:
        seen[key] += 1
        found.append(key if seen[key] == 1 else f"{key}#{seen[key]}")
    return found


def _each(items: Sequence[str], read: Callable[[str], T], where: str) -> list[T]:
    """Every item as ``read`` reads it."""
    found = []
    for place, item in enumerate(items):
        try:
            found.append(read(item))
        except (KeyError, ValueError):
            raise BaselineError(f"{where}: entry {place + 1} is {shown(item)}, which cannot be read") from None
    return found


def _read_key(text: str) -> str:
    if not _KEY.fullmatch(text):
        raise ValueError(text)
    return text


def _read_value(text: str) -> float | None:
    if text == _NOTHING:
        return None
    value = float(text)
    if not math.isfinite(value) or abs(value) > 1:
        raise ValueError(text)
    return value


def _read_source(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise ValueError(text)
    return int(text)
