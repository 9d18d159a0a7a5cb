"""Changes of form that a person reads over: letter case, accents, punctuation.

All leave URLs, e-mail addresses, @handles, #hashtags, `code` and markup as they are. All preserve the label, but for a
question mark put at the end.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial

import regex

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.form.scatter import Places, scatter
from pytest_trust.perturb.language.protect import free_spans, gaps, overlaps, protected_spans
from pytest_trust.perturb.parameters import called
from pytest_trust.text import Span, word_spans

_DEFAULT_MARK = "."
_DEFAULT_MARK_RATE = 0.1
_CHUNK = regex.compile(r"\S+")
_LATIN_LETTER = regex.compile(r"[\p{Latin}&&\p{L}]\p{M}*", regex.VERSION1)
_ACCENT = regex.compile(r"\p{Mn}+")
_EMOTICON = regex.compile(r"(?<!\w)[:;=][\-o']?[()\[\]DPp/\\|](?!\w)")
# Signs of numbers: between two ("8/10", "3-2"), and before one ("-5", "$-3.5", ".5").
_SIGN_OF_NUMBER = regex.compile(r"(?<=\d)\s?[/:\-–−]\s?(?=\d)|(?<![^\s(\[\"'“‘$€£¥])(?:[\-–−][$€£¥]?\.?|\.)(?=\d)")
# Signs that are part of what is said (50%, R&D, 5 * 3) are no punctuation here.
_PUNCTUATION = regex.compile(r"[\p{P}--[%&@#*§]]+", regex.VERSION1)

_FINAL_MARKS = ".!?…"
_CLOSING = "\"'”’»)]"
_ABBREVIATION = regex.compile(r"(?<!\w)\w\.(?:\w\.)+\Z")
_LONGEST_ABBREVIATION = 16
_LAST_OF_WORD = regex.compile(r"(?:[\p{Latin}\p{Cyrillic}]\p{M}*|[0-9%])\Z")
_WORD_END = regex.compile(r"(?<=[\p{Latin}\p{Cyrillic}])(?=\s)")
_STRAY_MARKS = (",", ";", ".", "...")


def lowercase() -> Rewriting:
    """All letters small. Idempotent."""
    return Rewriting(called(lowercase), _lower)


def titlecase() -> Rewriting:
    """The first letter of every word capital, the others small ("NASA" becomes "Nasa"). Idempotent."""
    return Rewriting(called(titlecase), _title)


def uppercase() -> Rewriting:
    """All letters capital ("ß" becomes "SS"). Idempotent."""
    return Rewriting(called(uppercase), _upper)


def strip_punctuation() -> Rewriting:
    """Without punctuation outside of words. Idempotent.

    Words by the Unicode rules ("don't", "3.14"), numbers ("-5", "8/10") and emoticons stay whole; between two
    words without a space ("well-known") a space takes its place. A text that holds no word stays as it is.
    """
    return Rewriting(called(strip_punctuation), _without_punctuation)


def strip_accents() -> Rewriting:
    """Latin letters without accents ("café" becomes "cafe"). Idempotent.

    Letters that are no base letter with a mark ("ø", "ß") stay, and so do all other scripts with their vowel signs.
    """
    return Rewriting(called(strip_accents), _without_accents)


def final_punctuation(mark: str = _DEFAULT_MARK) -> Rewriting:
    """Ends the text with ``mark``, in the place of the marks that end it. Idempotent.

    A text that ends with an address, an emoticon or another script stays as it is; of an abbreviation the full stop
    stays ("in the U.S.!"). Counts as preserving the label unless ``mark`` makes a question of the text.

    Args:
        mark: full stops, exclamation and question marks: ".", "!", "?", "...", "?!".

    Raises:
        ConfigurationError: ``mark`` is no string of these, or is empty.
    """
    if not isinstance(mark, str) or not mark or mark.strip(_FINAL_MARKS):
        raise ConfigurationError(f"mark={mark!r}: expected one or more of the marks {' '.join(_FINAL_MARKS)}")
    return Rewriting(called(final_punctuation, mark), partial(_with_final_mark, mark), preserves_label="?" not in mark)


def add_punctuation(rate: float = _DEFAULT_MARK_RATE) -> Rewriting:
    """Puts stray commas, semicolons and full stops behind words. Not idempotent.

    Args:
        rate: the chance of each word that no mark follows, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return scatter(add_punctuation, rate, _word_ends)


def _lower(text: str, rng: random.Random) -> Iterator[Edit]:
    return _by_chunk(text, str.lower)


def _upper(text: str, rng: random.Random) -> Iterator[Edit]:
    return _by_chunk(text, str.upper)


def _by_chunk(text: str, change: Callable[[str], str]) -> Iterator[Edit]:
    for span in free_spans(text):
        for chunk in _CHUNK.finditer(text, span.start, span.end):
            yield Edit(chunk.start(), chunk.end(), change(chunk[0]))


def _title(text: str, rng: random.Random) -> Iterator[Edit]:
    shielded = protected_spans(text)
    for word in word_spans(text):
        if not overlaps(shielded, word.start, word.end):
            yield Edit(word.start, word.end, _with_capital(text[word.start : word.end].lower()))


def _with_capital(word: str) -> str:
    """``word`` with its first cased letter in title case ("ŉ" becomes "ʼN"), unless it is a number ("3rd")."""
    if word[0].isdigit():
        return word
    first = next((at for at, letter in enumerate(word) if letter.isalpha() and letter.islower()), len(word))
    return word[:first] + word[first : first + 1].title() + word[first + 1 :]


def _without_accents(text: str, rng: random.Random) -> Iterator[Edit]:
    for span in free_spans(text):
        for letter in _LATIN_LETTER.finditer(text, span.start, span.end):
            apart = unicodedata.normalize("NFD", letter[0])
            bare = _ACCENT.sub("", apart)
            if bare != apart:
                yield Edit(letter.start(), letter.end(), bare)


def _without_punctuation(text: str, rng: random.Random) -> Iterator[Edit]:
    words = word_spans(text)
    if not words:
        return
    kept = [Span(*match.span()) for pattern in (_EMOTICON, _SIGN_OF_NUMBER) for match in pattern.finditer(text)]
    for gap in gaps([*words, *kept, *protected_spans(text)], len(text)):
        for run in _PUNCTUATION.finditer(text, gap.start, gap.end):
            yield _removal(text, run.start(), run.end())


def _removal(text: str, start: int, end: int) -> Edit:
    """Takes ``[start, end)`` out, so that neither two words run together nor two spaces stay."""
    open_before = start == 0 or text[start - 1].isspace()
    open_after = end == len(text) or text[end].isspace()
    if open_before and open_after:
        return Edit(start, min(end + 1, len(text)), "")
    return Edit(start, end, "" if open_before or open_after else " ")


def _with_final_mark(mark: str, text: str, rng: random.Random) -> Iterator[Edit]:
    body = text.rstrip()
    marked = body.rstrip(_CLOSING)
    if not marked.endswith(tuple(_FINAL_MARKS)):
        marked = body  # no mark within the quotation: one is put behind it
    stem = marked.rstrip(_FINAL_MARKS)
    if mark[0] != "." == marked[len(stem) :][:1] and _ABBREVIATION.search(f"{stem[-_LONGEST_ABBREVIATION:]}."):
        stem += "."
    if _can_end(text, stem, len(body)):
        yield Edit(len(stem), len(marked), mark)


def _can_end(text: str, stem: str, end: int) -> bool:
    """Whether a word ends ``stem``, and no address or emoticon what stands before ``end``."""
    if not _LAST_OF_WORD.search(stem.rstrip(_CLOSING + ". ")[-_LONGEST_ABBREVIATION:]):
        return False
    emoticons = _EMOTICON.finditer(text, max(0, len(stem) - _LONGEST_ABBREVIATION))
    return not overlaps(protected_spans(text), len(stem) - 1, end) and all(face.end() < end for face in emoticons)


def _word_ends() -> Places:
    return Places(_WORD_END, lambda _: _STRAY_MARKS)
