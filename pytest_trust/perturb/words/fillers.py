"""Words without content, dropped or said twice."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache, partial

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, starts_sentence, text_case
from pytest_trust.perturb.language.grammar import begins_verb, is_adverb
from pytest_trust.perturb.language.neighbours import is_behind, is_compound, is_in_name, word_after, word_before
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.perturb.lexicon import column, entries, members, words_of
from pytest_trust.perturb.parameters import called, require_rate
from pytest_trust.text import Span

_DEFAULT_REPEAT_RATE = 0.05
_ANYWHERE, _COMMAS, _KEPT = "anywhere", "commas", "kept"
# Behind a filler these make a phrase with it: "just about", "just like", "simply put".
_NEVER_BEFORE = frozenset({"about", "as", "enough", "like", "put", "so"})

# Behind these they belong to what is said: "not just", "quite simply".
_NEVER_BEHIND = frozenset(
    {"as", "how", "more", "never", "no", "nor", "not", "only", "quite", "so", "than", "too", "very"}
)

_HAVE = frozenset({"had", "has", "have", "having"})
_OF_TIME = frozenset({"after", "ago", "as", "back", "before", "now", "over", "then", "under", "when", "while"})
_COMMA_BEFORE = re.compile(r"\s*,\s*\Z")
_LONGEST_GAP = 8
_ARTICLE_BETWEEN = re.compile(r"an?\s+[\"'“‘]?", re.IGNORECASE)
_COMMA_AFTER = re.compile(r"\s*,")
_END_AFTER = re.compile(r"\s*(?:[.!?]|\Z)")
_NEXT_WORD = re.compile(r"\s+(?=\w)")
_NEXT_WORD_BEHIND_COMMA = re.compile(r"\s*,\s+(?=\w)")


def drop_neutral_words(rate: float = 1.0) -> Rewriting:
    """Drops words that a sentence can lose: "just", "actually", "of course" between commas (in English).

    They stay behind a word of degree or negation ("not just"), in phrases ("just about"), and "just" also where it may
    tell of time ("I just arrived"); what they began begins with a capital. Not idempotent: of two such words set off by
    the same comma one stays.

    Args:
        rate: the chance of each such word to be dropped, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    rate = require_rate(rate)
    return Rewriting(called(drop_neutral_words, rate), partial(_dropped, rate))


def repeat_words(rate: float = _DEFAULT_REPEAT_RATE) -> Rewriting:
    """Says words such as "the", "I" and "of" twice, as hasty writers do: "the the" (in English). Not idempotent.

    Args:
        rate: the chance of each such word to be repeated, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    rate = require_rate(rate)
    return Rewriting(called(repeat_words, rate), partial(_repeated, rate))


def _dropped(rate: float, text: str, rng: random.Random) -> list[Edit]:
    edits: list[Edit] = []
    for edit in _removals(text, text_case(text)):
        if (not edits or _is_apart(text, edits[-1], edit)) and rng.random() < rate:
            edits.append(edit)
    return with_articles(text, edits)


def _repeated(rate: float, text: str, rng: random.Random) -> list[Edit]:
    case = text_case(text)
    found = [match for match in _often_repeated().find(text) if _can_be_repeated(text, match)]
    drawn = [match for match in found if rng.random() < rate]
    return [Edit(match.end, match.end, f" {_again(match.phrase, case)}") for match in drawn]


def _is_apart(text: str, one: Edit, other: Edit) -> bool:
    """Whether ``other`` lies behind ``one``, and so does an article before it, which may have to be mended."""
    shared = _ARTICLE_BETWEEN.fullmatch(text, max(0, one.end - 1), other.start)
    return other.start >= one.end and not (one.replacement and shared)


def _can_be_repeated(text: str, match: Match[None]) -> bool:
    after = word_after(text, match.end)
    return bool(after) and after != match.phrase.lower() and not is_compound(text, match.start, match.end)


def _again(word: str, case: TextCase) -> str:
    return {TextCase.UPPER: word.upper(), TextCase.LOWER: word.lower()}.get(case, word)


def _removals(text: str, case: TextCase) -> Iterator[Edit]:
    shielded = protected_spans(text)
    for match in _fillers().find(text):
        if match.value == _KEPT or not _can_be_dropped(text, match, case):
            continue
        edit = _at_start(text, match, shielded) if starts_sentence(text, match.start) else _within(text, match)
        if edit is not None:
            yield edit


def _can_be_dropped(text: str, match: Match[str], case: TextCase) -> bool:
    return not (
        (match.phrase == "just" and _may_tell_time(text, match))
        or is_behind(text, match.start, _NEVER_BEHIND)
        or word_after(text, match.end) in _NEVER_BEFORE
        or is_compound(text, match.start, match.end)
        or is_in_name(text, match.start, match.end, case)
    )


def _may_tell_time(text: str, match: Match[str]) -> bool:
    """Whether "just" may mean "a moment ago" or "at this moment": behind "have", or before anything that may be a verb.

    Before a function word, an adjective, an adverb or a number it does not.
    """
    before, after = word_before(text, match.start), word_after(text, match.end)
    if before in _HAVE or before.endswith(("'ve", "'d")) or after in _OF_TIME:
        return True
    if begins_verb(text, match.end) or after in words_of("after auxiliary have"):
        return True
    is_plain = after in words_of("function word") | _bases() or after.endswith("n't") or is_adverb(after)
    return not (
        is_plain or after[:1].isdigit() or after in members("gradable_adjectives") | members("extreme_adjectives")
    )


@cache
def _bases() -> frozenset[str]:
    return frozenset(base for base, *_, past in entries("verbs") if base != past)


def _at_start(text: str, match: Match[str], shielded: Sequence[Span]) -> Edit | None:
    """Takes away the first word of a sentence and the comma behind it; the next word takes its capital over."""
    after = _NEXT_WORD_BEHIND_COMMA.match(text, match.end)
    if after is None and match.value == _ANYWHERE:
        after = _NEXT_WORD.match(text, match.end)
    if after is None:
        return None
    end = after.end()
    if text[match.start].isupper() and text[end].islower() and not overlaps(shielded, end, end + 1):
        return Edit(match.start, end + 1, text[end].upper())
    return Edit(match.start, end, "")


def _within(text: str, match: Match[str]) -> Edit | None:
    """Takes away a word within a sentence, with the commas that set it off."""
    before = _COMMA_BEFORE.search(text, max(0, match.start - _LONGEST_GAP), match.start)
    after = _COMMA_AFTER.match(text, match.end)
    if before is not None and (ending := after or _END_AFTER.match(text, match.end)):
        return Edit(before.start(), match.end if after is None else ending.end(), "")
    following = _NEXT_WORD.match(text, match.end)
    if match.value == _COMMAS or following is None or not text[match.start - 1].isspace():
        return None
    return Edit(match.start, following.end(), "")


@cache
def _fillers() -> PhraseMatcher[str]:
    return PhraseMatcher({row[0]: row[1] for row in entries("fillers")})


@cache
def _often_repeated() -> PhraseMatcher[None]:
    return PhraseMatcher(dict.fromkeys(column("repeated_words")))
