"""What an explanation holds."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_trust.text import Span


@dataclass(frozen=True, slots=True)
class WordScore:
    """A word (or, by position, one occurrence), its score for the explained class, and where it stands."""

    word: str
    score: float
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a model gave ``probability`` to class ``label`` (column ``class_index``) for ``text``.

    ``words`` come by falling absolute score; a positive score speaks for the class. ``samples`` is the number of
    draws that the model answered, ``calls`` the number of texts it had to score for it (and of passes back).
    ``note`` says why there are no words, where there are none. ``unread`` is the number of characters that the model
    does not read, whose words have no score. ``undecided`` is True where a cap on samples left the verdict open.
    """

    text: str
    label: str
    class_index: int
    probability: float
    words: tuple[WordScore, ...]
    method: str
    samples: int
    calls: int
    seed: int
    note: str = ""
    unread: int = 0
    undecided: bool = False
