"""Negation, added to a clause and taken away from it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache, partial

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.casing import TextCase, capitalised, text_case
from pytest_trust.perturb.language.clauses import Sentence, sentences
from pytest_trust.perturb.lexicon import entries, words_of
from pytest_trust.perturb.parameters import called

_BE = ("am", "is", "are", "was", "were")
_MODALS = ("will", "would", "can", "could", "should")
_PERFECT = ("has", "have", "had")
_DO = ("do", "does", "did")
_CONTRACTED = ("i'm", "it's", "he's", "she's", "that's", "we're", "you're", "they're")
_AUXILIARIES = frozenset((*_BE, *_MODALS, *_PERFECT, *_DO))
_WITHOUT_NOT = {f"{word}n't": word for word in _AUXILIARIES} | {"won't": "will", "can't": "can", "cannot": "can"}

Edits = list[Edit]


def negate() -> Rewriting:
    """Negates one clause: "The food was good" becomes "The food was not good", "I like it" becomes "I don't like it".

    The first clause is taken in which it is certain: with a form of "be", a modal verb or "has been", or with a
    pronoun and a frequent verb. Questions, subordinate clauses and sentences that hold a negation stay as they are. It
    does not preserve the label, and is not idempotent: the second time negates another sentence.
    """
    return Rewriting(called(negate), partial(_in_case_of_text, _negated), preserves_label=False)


def remove_negation() -> Rewriting:
    """Takes negations away: "isn't" becomes "is", "don't like" becomes "like", "have never seen" "have seen".

    "not" and "never" stay where they negate no clause or where their going would break the sentence ("not only", "not
    at all", "isn't it?", "not ... until"). It does not preserve the label, and is not idempotent where two negations
    meet.
    """
    return Rewriting(called(remove_negation), partial(_in_case_of_text, _affirmed), preserves_label=False)


def _in_case_of_text(change: Callable[[str], Edits], text: str, rng: random.Random) -> Edits:
    edits = change(text)
    if text_case(text) is TextCase.UPPER:
        return [Edit(edit.start, edit.end, edit.replacement.upper()) for edit in edits]
    return edits


@cache
def _verbs() -> dict[str, tuple[str, str, str]]:
    """Base -> base, third person and past."""
    return {base: (base, third, past) for base, third, past in entries("verbs")}


@cache
def _inflected() -> dict[str, tuple[str, str]]:
    """Third person or past -> what "not" brings to the verb, and the base."""
    third = {third: ("doesn't", base) for base, third, _ in _verbs().values()}
    return third | {past: ("didn't", base) for base, _, past in _verbs().values()}


def _negated(text: str) -> Edits:
    for sentence in sentences(text):
        if sentence.is_question or _is_negative(sentence):
            continue
        for at in range(len(sentence.words)):
            if edits := _negated_at(sentence, at):
                return edits
    return []


def _is_negative(sentence: Sentence) -> bool:
    return any(word.form in words_of("negation") or word.form.endswith("n't") for word in sentence.words)


def _negated_at(sentence: Sentence, at: int) -> Edits:
    """The edits that negate the verb at place ``at``, or the one whose subject stands there."""
    if not sentence.after(at) or _is_subordinate(sentence, at):
        return []
    return _negated_auxiliary(sentence, at) or _negated_verb(sentence, at)


def _is_subordinate(sentence: Sentence, at: int) -> bool:
    """Whether a word before, in the same clause, makes it a subordinate one; a first "that" points at something."""
    first, *others = [*sentence.clause_before(at), ""]
    subordinating = words_of("subordinating")
    return (first in subordinating and first != "that") or not subordinating.isdisjoint(others)


def _negated_auxiliary(sentence: Sentence, at: int) -> Edits:
    word, before, after = sentence.words[at], sentence.before(at), sentence.after(at)
    if after in words_of("keeps its sense"):
        return []
    if word.form in _CONTRACTED:
        return [Edit(word.end, word.end, " not")]
    if not before or before in words_of("coordinating"):
        return []
    is_modal = word.form in _MODALS and before not in words_of("article") and after not in _AUXILIARIES
    if word.form in _BE or is_modal or (word.form in _PERFECT and after == "been"):
        return [Edit(word.end, word.end, "not" if word.form == "can" else " not")]
    return []


def _negated_verb(sentence: Sentence, at: int) -> Edits:
    """As in "I really like it": the subject at ``at``, an adverb or none, and the verb."""
    subject = sentence.words[at]
    if subject.form not in words_of("subject") or sentence.before(at) in words_of("inverting"):
        return []
    place = at + 2 if sentence.after(at) in words_of("adverb of degree") else at + 1
    form, after = sentence.form(place), sentence.after(place)
    if not sentence.before(place) or (form == "used" and after == "to") or (subject.form == "you" and form == "know"):
        return []
    takes_base = subject.form not in ("he", "she", "it")
    if form in _verbs() and takes_base:
        return [Edit(subject.end, subject.end, " don't")]
    auxiliary, base = _inflected().get(form, ("", ""))
    if not base or (auxiliary == "doesn't" and takes_base):
        return []
    verb = sentence.words[place]
    return [Edit(subject.end, subject.end, f" {auxiliary}"), Edit(verb.start, verb.end, base)]


def _affirmed(text: str) -> Edits:
    edits: Edits = []
    for sentence in sentences(text):
        for at in range(len(sentence.words)):
            new = list(_affirmed_at(text, sentence, at))
            if new and (not edits or new[0].start >= edits[-1].end):
                edits += new
    return edits


def _affirmed_at(text: str, sentence: Sentence, at: int) -> Iterator[Edit]:
    """The edits that take the negation at place ``at`` away."""
    form = sentence.form(at)
    if _is_highest_praise(sentence, at) or _has_until_behind(sentence, at):
        return
    if form in _WITHOUT_NOT and sentence.after(at) not in words_of("keeps a contraction"):
        yield from _without_contraction(text, sentence, at)
    elif form == "not" and sentence.after(at) not in words_of("keeps not"):
        yield from _without_not(text, sentence, at)
    elif form == "never" and sentence.after(at) not in words_of("keeps never") | {""}:
        yield from _without_never(text, sentence, at)


def _is_highest_praise(sentence: Sentence, at: int) -> bool:
    """As in "couldn't be better", which is no negation in sense."""
    degree = sentence.form(at + 2)
    return sentence.after(at) == "be" and (degree.endswith("er") or degree == "more")


def _has_until_behind(sentence: Sentence, at: int) -> bool:
    """As in "wasn't good until the end", which makes no sense without its negation."""
    return any(word.form in ("till", "until") for word in sentence.words[at + 1 :])


def _without_contraction(text: str, sentence: Sentence, at: int) -> Iterator[Edit]:
    word, auxiliary = sentence.words[at], _WITHOUT_NOT[sentence.form(at)]
    if auxiliary in _DO and sentence.after(at):
        yield from _without_do(text, sentence, at, at, auxiliary)
    else:
        yield Edit(word.start, word.end, _in_case(auxiliary, text[word.start]))


def _without_not(text: str, sentence: Sentence, at: int) -> Iterator[Edit]:
    before = sentence.before(at)
    if before in _DO and sentence.after(at):
        yield from _without_do(text, sentence, at - 1, at, before)
    elif before in _AUXILIARIES or before in _CONTRACTED:
        yield Edit(sentence.words[at - 1].end, sentence.words[at].end, "")


def _without_do(text: str, sentence: Sentence, first: int, last: int, auxiliary: str) -> Iterator[Edit]:
    """Takes "do not" at the places from ``first`` to ``last`` out of a command or before a verb that is known.

    Before another verb the auxiliary stays: "I do care".
    """
    start, place = sentence.words[first].start, last + 1
    if sentence.form(place) in words_of("adverb of degree") and sentence.after(place):
        place += 1
    behind, verb = sentence.words[last + 1], sentence.words[place]
    is_command = first == 0 and auxiliary == "do"
    if is_command:
        yield Edit(start, behind.end, _in_case(text[behind.start : behind.end], text[start]))
    elif verb.form in _verbs():
        yield Edit(start, behind.start, "")
        yield Edit(verb.start, verb.end, _verbs()[verb.form][_DO.index(auxiliary)])
    else:
        yield Edit(start, sentence.words[last].end, _in_case(auxiliary, text[start]))


def _without_never(text: str, sentence: Sentence, at: int) -> Iterator[Edit]:
    word, behind = sentence.words[at], sentence.words[at + 1]
    if sentence.before(at):
        yield Edit(word.start, behind.start, "")
    elif behind.form in _verbs():  # a command
        yield Edit(word.start, behind.end, _in_case(text[behind.start : behind.end], text[word.start]))


def _in_case(word: str, first: str) -> str:
    return capitalised(word) if first.isupper() else word
