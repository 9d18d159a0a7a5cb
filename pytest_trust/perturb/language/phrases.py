"""The phrase matcher: finds the longest of many phrases at every word of a text.

A text is cut into tokens: words by the Unicode rules, each other character, each run of whitespace. Phrases are cut the
same way, so that a match always begins and ends at a word boundary, "New York" is found over a line break, and
thousands of phrases cost no more than a look-up by the first token.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.casing import TextCase, match_case
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.text import Span, word_spans

Value = TypeVar("Value")

_Token = tuple[int, int, str]  # start, end and what stands there in one spelling

_GAP = re.compile(r"\s+|\S")
_ABBREVIATION = re.compile(r"\w\.(?:\w\.)+\Z")
_OPENING_QUOTE = re.compile(r"(?<!\w)['‘](?=\w)")
_LONGEST_QUOTATION = 500
_CLOSING_APOSTROPHE = re.compile(r"['’](?=\s+\w)")

# In these words 's stands for "is", "has" or "us": they stay whole, as no possessives.
_CONTRACTION = re.compile(
    r"(?:s?he|here|how|it|let|some(?:body|one|thing)|th(?:at|ere|is)|wh(?:at|en|ere|ich|o|y))'s", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Match(Generic[Value]):
    """A phrase found at ``[start, end)``; ``found`` is what stands there, in one spelling of blanks and apostrophes."""

    start: int
    end: int
    phrase: str
    value: Value
    found: str


class PhraseMatcher(Generic[Value]):
    """Finds the phrases of a mapping in texts, longest first.

    Phrases that differ only in case are one phrase unless ``case_sensitive``; the caller sees to it that there are
    no two such. Accents count; whether they are written as one character or two does not.
    """

    def __init__(self, phrases: Mapping[str, Value], *, case_sensitive: bool = False) -> None:
        self._case_sensitive = case_sensitive
        self._entries = {self._key(phrase): (phrase, value) for phrase, value in phrases.items()}
        lengths: dict[str, set[int]] = {}
        for key in self._entries:
            lengths.setdefault(key[0], set()).add(len(key))
        self._lengths = {first: sorted(counts, reverse=True) for first, counts in lengths.items()}

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PhraseMatcher)
            and self._case_sensitive == other._case_sensitive
            and self._entries == other._entries
        )

    def find(self, text: str, accept: Callable[[Match[Value]], bool] | None = None) -> list[Match[Value]]:
        """The matches in ``text``, in order and apart, outside its protected spans.

        Where ``accept`` turns a match down, a shorter one at the same word has its turn.
        """
        tokens = list(_tokens(text))
        forms = [self._form(form) for _, _, form in tokens]
        firsts = [at for at, form in enumerate(forms) if form in self._lengths]
        shielded = protected_spans(text) if firsts else []
        matches: list[Match[Value]] = []
        free_from = 0
        for at in firsts:
            if at < free_from:
                continue
            for match, length in self._candidates(tokens, forms, at):
                if not overlaps(shielded, match.start, match.end) and (accept is None or accept(match)):
                    matches.append(match)
                    free_from = at + length
                    break
        return matches

    def _candidates(self, tokens: list[_Token], forms: list[str], at: int) -> Iterator[tuple[Match[Value], int]]:
        for length in self._lengths[forms[at]]:
            entry = self._entries.get(tuple(forms[at : at + length]))
            if entry is not None:
                parts = tokens[at : at + length]
                found = "".join(form for _, _, form in parts)
                yield Match(parts[0][0], parts[-1][1], *entry, found), length

    def _key(self, phrase: str) -> tuple[str, ...]:
        return tuple(self._form(form) for _, _, form in _tokens(phrase.strip()))

    def _form(self, form: str) -> str:
        return form if self._case_sensitive else form.casefold()


def fold(phrase: str) -> str:
    """What two phrases have in common when they are one phrase in two cases or spellings."""
    return "".join(form for _, _, form in _tokens(phrase.strip())).casefold()


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    for span in word_spans(text):
        yield from _gap(text, at, span.start)
        yield from _word(text, span)
        at = span.end
    yield from _gap(text, at, len(text))


def _gap(text: str, start: int, end: int) -> Iterator[_Token]:
    for match in _GAP.finditer(text, start, end):
        yield (match.start(), match.end(), " " if match[0].isspace() else _spelling(match[0]))


def _word(text: str, span: Span) -> Iterator[_Token]:
    """The word, or the word and its possessive ending as two tokens."""
    word = _spelling(text[span.start : span.end])
    if word[-2:].lower() == "'s" and not _CONTRACTION.fullmatch(word):
        yield (span.start, span.end - 2, word[:-2])
        yield (span.end - 2, span.end, word[-2:])
    else:
        yield (span.start, span.end, word)


def _spelling(form: str) -> str:
    """One spelling of accents and apostrophes."""
    return form if form.isascii() else unicodedata.normalize("NFC", form.replace("’", "'"))


def substitution(text: str, match: Match[Value], replacement: str, case: TextCase) -> Edit:
    """The edit that puts ``replacement`` in the place of ``match``, in its case.

    The full stop of an abbreviation at the end of the text stays ("in the U.S."), and the bare apostrophe of a
    possessive gets its s ("the Netherlands' coast" becomes "France's coast").
    """
    new = match_case(replacement, match.phrase, match.found, case)
    if _ABBREVIATION.search(match.found) and not text[match.end :].strip() and not new.endswith("."):
        new += "."
    if _is_possessive(text, match) and not new.lower().endswith("s"):
        ending = "S" if case is TextCase.UPPER else "s"
        return Edit(match.start, match.end + 1, f"{new}{text[match.end]}{ending}")
    return Edit(match.start, match.end, new)


def _is_possessive(text: str, match: Match[Value]) -> bool:
    """Whether a bare apostrophe behind ``match`` marks a possessive and closes no quotation."""
    return (
        match.found[-1:].lower() == "s"
        and _CLOSING_APOSTROPHE.match(text, match.end) is not None
        and _OPENING_QUOTE.search(text, max(0, match.start - _LONGEST_QUOTATION), match.start + 1) is None
    )
