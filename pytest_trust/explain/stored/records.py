"""Explanations and what belongs to them as bytes, and back: every number to the last digit."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import Any

import numpy as np

from pytest_trust.explain.explanation import Explanation, WordScore
from pytest_trust.explain.faithfulness import Faithfulness
from pytest_trust.explain.rounds import Resumable
from pytest_trust.text import Span

# Beyond this level time grows faster than files shrink.
_LEVEL = 1
_COLUMN = "<f8"


def explanation_bytes(explanation: Explanation) -> bytes:
    """``explanation`` without its text."""
    return _packed(_values(explanation))


def explanation_of(text: str, content: bytes) -> Explanation:
    """The explanation of ``text`` that was made into ``content``."""
    return _explanation(text, _unpacked(content))


def resumable_bytes(item: Resumable) -> bytes:
    """``item`` without its text; answers are left out where no later round needs them."""
    head = _packed({"explanation": _values(item.explanation), "is_whole": item.is_whole})
    column = b"" if item.is_whole else item.column.astype(_COLUMN).tobytes()
    return len(head).to_bytes(4, "big") + head + column


def resumable_of(text: str, content: bytes) -> Resumable:
    """What was made into ``content``, of ``text``."""
    end = 4 + int.from_bytes(content[:4], "big")
    head = _unpacked(content[4:end])
    column = np.frombuffer(content[end:], dtype=_COLUMN).astype(np.float64)
    return Resumable(_explanation(text, head["explanation"]), column, head["is_whole"])


def faithfulness_bytes(figures: Faithfulness) -> bytes:
    """The figures."""
    return _packed(asdict(figures))


def faithfulness_of(content: bytes) -> Faithfulness:
    """The figures that were made into ``content``."""
    return Faithfulness(**_unpacked(content))


def _values(explanation: Explanation) -> list[Any]:
    words = [[word.word, word.score, [[span.start, span.end] for span in word.spans]] for word in explanation.words]
    return [
        explanation.label,
        explanation.class_index,
        explanation.probability,
        words,
        explanation.method,
        explanation.samples,
        explanation.calls,
        explanation.seed,
        explanation.note,
        explanation.unread,
        explanation.undecided,
    ]


def _explanation(text: str, values: list[Any]) -> Explanation:
    label, class_index, probability, words, *rest = values
    scores = tuple(WordScore(word, score, tuple(Span(*span) for span in spans)) for word, score, spans in words)
    return Explanation(text, label, class_index, probability, scores, *rest)


def _packed(values: object) -> bytes:
    # Python writes a float such that it reads the same again; lone surrogates are escaped.
    return zlib.compress(json.dumps(values, separators=(",", ":")).encode(), _LEVEL)


def _unpacked(content: bytes) -> Any:
    return json.loads(zlib.decompress(content))
