"""Contractions ("it's") put in the place of the words they stand for ("it is"), and taken apart again.

Possessives, URLs, e-mail addresses, @handles, #hashtags, `code` and markup stay as they are; all preserve the label.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache, partial

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.casing import starts_sentence, text_case
from pytest_trust.perturb.language.neighbours import word_before
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher, substitution
from pytest_trust.perturb.lexicon import entries, words_of
from pytest_trust.perturb.parameters import called

# Of "they're" and "isn't" the word is what stands before the contracted part.
_WORD = r"([^\W_]+?)(?:n['’]t|['’][^\W_]+)?(?![^\W_])"
_WORDS_AFTER = re.compile(rf"\s+{_WORD}(?:\s+{_WORD})?", re.IGNORECASE)
_WORDS_BEFORE = re.compile(_WORD, re.IGNORECASE)
_CLAUSE = re.compile(r"[^.,;:!?\n]*\Z")
_LONGEST_CLAUSE = 40

_CLAUSE_OPENING = 3  # so many words before the phrase are searched for one that opens a clause
_ASKING = frozenset({"how", "why"})
_STATEMENTS = frozenset({"can't", "don't", "won't"})  # at the start of a sentence they ask nothing: "Can't wait!"
_ING_FORM = re.compile(r"[a-z]{2,}ing")


def contract() -> Rewriting:
    """Contracts: "do not" becomes "don't", "it is" becomes "it's" (English). Idempotent.

    A verb that may end its clause stays ("Yes, it is.", "I know what it is for"), and so does "have" that is no
    auxiliary ("I have a dog"). The apostrophe is the typographic one where the text has only that.
    """
    return Rewriting(called(contract), partial(_replaced, _contractable, _contracted))


def expand_contractions() -> Rewriting:
    """Takes contractions apart: "don't" becomes "do not", "it's been" becomes "it has been" (English). Idempotent.

    Left as they are: 's and 'd where the next word does not tell what they stand for ("it's finished", "I'd put"),
    questions, in which the words would change places ("Isn't it good?"), and "ain't".
    """
    return Rewriting(called(expand_contractions), partial(_replaced, _expandable, _expanded))


def _replaced(
    matcher: Callable[[], PhraseMatcher[str]],
    replacement: Callable[[str, Match[str]], str | None],
    text: str,
    rng: random.Random,
) -> list[Edit]:
    """The phrases of ``matcher`` replaced; ``replacement`` answers None where a match is to stay."""
    case, typographic = text_case(text), "’" in text and "'" not in text
    found = matcher().find(text, lambda match: replacement(text, match) is not None)
    news = ((match, replacement(text, match) or match.found) for match in found)
    return [substitution(text, match, new.replace("'", "’") if typographic else new, case) for match, new in news]


@cache
def _contractable() -> PhraseMatcher[str]:
    return PhraseMatcher({words: short for words, short in entries("contractions") if short != "let's"})


@cache
def _expandable() -> PhraseMatcher[str]:
    return PhraseMatcher({short: words for words, short in entries("contractions")})


def _contracted(text: str, match: Match[str]) -> str | None:
    """The contraction of the words at ``match``, where they may be contracted."""
    return match.value if _joins_on(match.phrase.rpartition(" ")[2], text, match) else None


def _joins_on(verb: str, text: str, match: Match[str]) -> bool:
    """Whether ``verb``, the last word of ``match``, leans on the word before it."""
    if verb in ("not", "cannot"):
        return True
    after, _ = _words_after(text, match.end)
    if verb == "have":
        return after in words_of("after auxiliary have")
    if not after or after in words_of("closes a clause"):
        return False
    return after != "not" if verb in ("will", "would") else not _may_be_stranded(text, match.start)


def _may_be_stranded(text: str, start: int) -> bool:
    clause = _CLAUSE.search(text, max(0, start - _LONGEST_CLAUSE), start)
    before = [word.lower() for word in _WORDS_BEFORE.findall(clause[0] if clause else "")]
    return not words_of("opens a clause").isdisjoint(before[-_CLAUSE_OPENING:])


def _words_after(text: str, end: int) -> tuple[str, str]:
    """The two words behind ``end``, in small letters; empty where a mark stands there."""
    found = _WORDS_AFTER.match(text, end)
    return ((found[1] or "").lower(), (found[2] or "").lower()) if found else ("", "")


def _expanded(text: str, match: Match[str]) -> str | None:
    """The words that the contraction at ``match`` stands for, where that is certain."""
    subject, _, ending = match.phrase.rpartition("'")
    if match.phrase.endswith("n't"):
        return None if _asks(text, match) else match.value
    if ending not in ("s", "d") or match.phrase == "let's":
        return match.value
    verb = _is_or_has(text, match.end) if ending == "s" else _would_or_had(text, match.end)
    return f"{subject} {verb}" if verb else None


def _asks(text: str, match: Match[str]) -> bool:
    """Whether the words of the contraction would not stay together: "isn't it" is "is it not"."""
    if _words_after(text, match.end)[0] in words_of("inverted subject"):
        return True
    if starts_sentence(text, match.start) and match.phrase not in _STATEMENTS:
        return True
    return word_before(text, match.start) in _ASKING


def _is_or_has(text: str, end: int) -> str | None:
    after, second = _words_after(text, end)
    word = second if after == "not" else after
    if word in words_of("after has"):
        return "has"
    return "is" if word in words_of("after is") or _ING_FORM.fullmatch(word) else None


def _would_or_had(text: str, end: int) -> str | None:
    after, _ = _words_after(text, end)
    if after in words_of("after had"):
        return "had"
    return "would" if after in words_of("after would") else None
