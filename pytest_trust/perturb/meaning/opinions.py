"""Former opinions, opinions of other people, and comparisons."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import partial

from pytest_trust.arguments import require_choice
from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.boundaries import full_stop
from pytest_trust.perturb.language.casing import capitalised
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.perturb.lexicon import column, entries, words_of
from pytest_trust.perturb.meaning.placing import put_before, put_behind
from pytest_trust.perturb.parameters import called

_PHRASE = r"(?:[^\W\d_][\w'’-]*[ ]){0,3}[^\W\d_][\w'’-]*"
_COMPARISON = re.compile(
    rf"(?:\A|(?<=[.!?]\s))(?P<left>{_PHRASE}) (?P<verb>is|are|was|were) "
    r"(?:(?:much|far|even|slightly|clearly|a lot|way) )?(?:(?:more|less) [^\W\d_]+|worse|[^\W\d_]{2,}er)"
    rf" than (?P<right>{_PHRASE})(?=\s*(?:[.!?,;:]|\Z))",
    re.IGNORECASE,
)
_FIRST_LETTERS = re.compile(r"\s*([^\W\d_][^\W\d_]*)(?![\w'’-])")


def used_to() -> Rewriting:
    """Puts a former, opposite opinion in front: "I used to feel differently, but now: the food is good."

    The capital of the text's first word is lowered where it is certainly no name. Not idempotent.
    """
    return Rewriting(called(used_to), _with_former_opinion)


def other_opinion(opinion: str = "opposite", where: str = "start") -> Rewriting:
    """Puts another person's opinion, which the text rejects, in front or behind.

    With the defaults: "Some people say the opposite, but I disagree: the food is good." The capital of the text's first
    word is lowered where it is certainly no name. Not idempotent.

    Args:
        opinion: what the other person's is: "negative" is made for positive texts, "positive" for negative ones, and
            "opposite" for all.
        where: "start" or "end".

    Raises:
        ConfigurationError: ``opinion`` or ``where`` is something else.
    """
    require_choice("opinion", opinion, ("opposite", "negative", "positive"))
    require_choice("where", where, ("start", "end"))
    return Rewriting(called(other_opinion, opinion, where), partial(_with_other_opinion, opinion, where))


def swap_comparison() -> Rewriting:
    """Swaps the two sides of comparisons: "A is better than B" becomes "B is better than A".

    Only where a whole sentence begins with the comparison and both sides are simple noun phrases of one number;
    pronouns, and all else, stay. It does not preserve the label. The second time swaps back.
    """
    return Rewriting(called(swap_comparison), _turned, preserves_label=False)


def _with_former_opinion(text: str, rng: random.Random) -> list[Edit]:
    return _framed(column("past_frames"), "start", text, rng)


def _with_other_opinion(opinion: str, where: str, text: str, rng: random.Random) -> list[Edit]:
    frames = [frame for found, place, frame in entries("other_opinions") if (found, place) == (opinion, where)]
    return _framed(frames, where, text, rng)


def _framed(frames: Sequence[str], where: str, text: str, rng: random.Random) -> list[Edit]:
    """One of ``frames`` put at a text that is not blank."""
    if not text.strip():
        return []
    frame = rng.choice(frames)
    if where == "end":
        return [*full_stop(text), put_behind(text, frame)]
    return [put_before(text, frame), *_lowered_start(text)]


def _lowered_start(text: str) -> Iterator[Edit]:
    found = _FIRST_LETTERS.match(text)
    if found and _is_no_name(found[1]):
        yield Edit(found.start(1), found.start(1) + 1, text[found.start(1)].lower())


def _is_no_name(word: str) -> bool:
    """Whether ``word`` has its capital from the start of the sentence alone."""
    return word.istitle() and word.lower() in words_of("function word") and word.lower() not in ("i", "will", "may")


def _turned(text: str, rng: random.Random) -> list[Edit]:
    shielded = protected_spans(text)
    found = (match for match in _COMPARISON.finditer(text) if not overlaps(shielded, *match.span()))
    return [edit for match in found if _is_simple(match) for edit in _with_sides_swapped(match)]


def _with_sides_swapped(match: re.Match[str]) -> Iterator[Edit]:
    left, right = match["left"], match["right"]
    first = left.split()[0]
    lowered = left[0].lower() + left[1:] if first.istitle() and first.lower() in words_of("determiner") else left
    yield Edit(*match.span("left"), capitalised(right) if left[0].isupper() else right)
    yield Edit(*match.span("right"), lowered)


def _is_simple(match: re.Match[str]) -> bool:
    """Whether both sides are noun phrases of one number, of which the first may change places."""
    left, right = match["left"].split(), match["right"].split()
    if not (_is_noun_phrase(left) and _is_noun_phrase(right)):
        return False
    is_plural = match["verb"].lower() in ("are", "were")
    return _may_be(right, is_plural) and (left[0].lower() in words_of("determiner") or _may_move(left, right))


def _is_noun_phrase(words: list[str]) -> bool:
    """Content words behind a determiner or none."""
    content = words[1:] if words[0].lower() in words_of("determiner") else words
    return bool(content) and words_of("function word").isdisjoint(word.lower() for word in content)


def _may_be(words: list[str], is_plural: bool) -> bool:
    """Whether a noun phrase takes the verb: a name is singular, another word plural by its -s."""
    last = words[-1]
    ends_plural = last.endswith("s") and not last.endswith(("ss", "us", "is")) and last.islower()
    return ends_plural == is_plural


def _may_move(left: list[str], right: list[str]) -> bool:
    """Whether a first word that is no determiner keeps its capital rightly: beside names, or in small letters."""
    return left[0].islower() or right[0][0].isupper()
