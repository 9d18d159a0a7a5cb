"""The indefinite article before a word: "a" or "an", by the sound that the word begins with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_trust.perturb.edits import Edit
from pytest_trust.text import word_spans

_VOWELS = frozenset("aeiouàáâäèéêëìíîïòóôöùúûü")
# Spelled with a vowel and spoken with a consonant, and the other way round.
_SPOKEN_CONSONANT = re.compile(
    r"(?:eu|ewe|one(?:\b|s|-|self)|once|oui|u(?:biq|fo|k\b|kr|ni(?!n|m)|r(?:ani|in|ol)|s(?:[aeiu]|b\b)|t(?:en|il|op)|s\b|sa\b))",
    re.IGNORECASE,
)
_SPOKEN_VOWEL = re.compile(r"(?:hono(?:u?r|rar)|honest|hour|heir)", re.IGNORECASE)
# Abbreviations that are read letter by letter: those without a vowel, and some more.
_SPELLED_OUT = re.compile(r"(?:[FHLMNRSX][B-DF-HJ-NP-TV-Z]*|FAQ|FBI|MRI|NGO|RPI|SUV|SEO)s?\b")
_NUMBER = re.compile(r"\d+")
_ARTICLE = re.compile(r"(?<![\w'’])an?(?=\s+[\"'“‘]?\Z)", re.IGNORECASE)
_LONGEST_GAP = 8
_LONGEST_WORD = 80


def article_for(word: str) -> str:
    """The article that ``word`` takes: "a" or "an"."""
    if number := _NUMBER.match(word):
        return "an" if number[0][0] == "8" or number[0] in ("11", "18") else "a"
    if _SPELLED_OUT.match(word) or _SPOKEN_VOWEL.match(word):
        return "an"
    return "an" if word[:1].casefold() in _VOWELS and not _SPOKEN_CONSONANT.match(word) else "a"


def with_articles(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """``edits``, in order, with one more for each article whose word now begins with another sound.

    An article that an edit takes out or replaces stays as that edit has it.
    """
    mended: list[Edit] = []
    for edit in edits:
        free_from = mended[-1].end if mended else 0
        article = _ARTICLE.search(text, max(free_from, edit.start - _LONGEST_GAP), edit.start)
        if article is not None and (new := _mended(text, article, edit)):
            mended.append(new)
        mended.append(edit)
    return mended


def _mended(text: str, article: re.Match[str], edit: Edit) -> Edit | None:
    """The edit of ``article`` before ``edit``; None where it was wrong before or is still right."""
    old = _first_word(text[edit.start : edit.start + _LONGEST_WORD])
    new = _first_word(edit.replacement + text[edit.end : edit.end + _LONGEST_WORD])
    found = article[0]
    if not old or not new or article_for(old) != found.lower() or article_for(new) == found.lower():
        return None
    return Edit(article.start(), article.end(), _in_case(article_for(new), found, capitals=new.isupper()))


def _first_word(text: str) -> str:
    """The first word, where nothing but quotes and blanks comes before it."""
    spans = word_spans(text[:_LONGEST_WORD])
    return text[spans[0].start : spans[0].end] if spans and not text[: spans[0].start].strip("\"'“‘ ") else ""


def _in_case(article: str, found: str, *, capitals: bool) -> str:
    if found.isupper() and (capitals or len(found) > 1):
        return article.upper()
    return article.capitalize() if found[0].isupper() else article
