"""A comparison of two runs as lines of text, for terminals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_trust.messages import counted
from pytest_trust.reports.baseline.results import Compared, Comparison, Standing, Turned
from pytest_trust.reports.baseline.tests import Change
from pytest_trust.reports.text import p_text, shorten

# What a check claims of a text, what is shown of one that turned, and what the value is.
_HOLDS = {
    "trustworthy": "trustworthy",
    "invariant": "label kept",
    "directional": "moved as expected",
    "functional": "right",
    "adversarial": "not fooled",
}
_VALUES = {
    "trustworthy": "share of the score on related words",
    "invariant": "size of the shift",
    "directional": "shift the expected way",
    "functional": "probability of the label",
}
_ONE_SIDED = {
    "trustworthy": "the model is wrong on them in the other run, or they were left undecided",
    "adversarial": "the model is wrong on them in the other run, or the attack did not end",
}
_ELSEWHERE = "the other run did not look at them, or the perturbation changed them otherwise"

_MOST_WORDS = 5
_SHOWN_WORD = 40
_RELATED = {True: "related", False: "unrelated"}

_REFUSAL = "the runs cannot be compared; make the baseline anew under these conditions (--trust-save-baseline)"
_ADVICE = "if this is meant, save the new run as the baseline (--trust-save-baseline)"
_NOT_KEPT = "a JSON report keeps no texts; files of --trust-save-baseline do"


def comparison_lines(comparison: Comparison) -> Iterator[tuple[Standing | None, str]]:
    """The lines of a comparison, each with the standing it begins with (None for a line that goes on)."""
    for check in comparison.checks:
        yield check.standing, _check_line(check)
        for line in _further_lines(check):
            yield None, "  " + line
    for line in _closing_lines(comparison):
        yield None, line


def failure_text(check: Compared, name: str) -> str:
    """Why a check fails, whose earlier run is in the file ``name``: the first line says it in short."""
    head = f"{check.standing.upper()} {'than in' if check.standing is Standing.WORSE else 'against'} {shorten(name)}"
    lines = [f"{head}: {_title(check)}"]
    if check.standing is Standing.WORSE:
        lines += [f"  {_figure_line(check, change)}" for change in check.changes]
        return "\n".join([*lines, f"  {_ADVICE}"])
    return "\n".join([*lines, f"  {check.reason}", *([f"  {_REFUSAL}"] if check.standing is Standing.REFUSED else [])])


def turned_lines(check: Compared) -> list[str]:
    """The texts that speak for a check being worse, worst first, and how many more there are."""
    lines = [line for number, text in enumerate(check.texts, start=1) for line in _text_lines(check, number, text)]
    if check.more:
        lines.append(f"and {check.more:,} more")
    return lines if all(text.shown for text in check.texts) else [*lines, _NOT_KEPT]


def _title(check: Compared) -> str:
    _, kind, name, place = check.key
    return f"{kind}: {shorten(name)}" + (f" (number {place + 1} of this name)" if place else "")


def _check_line(check: Compared) -> str:
    parts = [f"{shorten(check.key[0])}  {_title(check)}"]
    if check.reason:
        return "  ".join([*parts, check.reason])
    if check.standing is Standing.NEW:
        return "  ".join([*parts, f"not in the baseline: its own bound decides ({check.outcome.upper()})"])
    figures = [_figure_line(check, change) for change in check.changes[:1]]
    return "  ".join([*parts, f"n={check.paired:,} in both{_sources(check)}", *figures])


def _sources(check: Compared) -> str:
    """How many sources the texts are of, where they share some: these are what is tested."""
    n = next((change.n for change in check.changes if change.figure == "holds"), check.paired)
    return "" if n == check.paired else f", of {n:,} sources"


def _further_lines(check: Compared) -> Iterator[str]:
    """What only a check that changed has to tell, and which texts no test looks at."""
    if check.standing in (Standing.WORSE, Standing.BETTER):
        yield from (_figure_line(check, change) for change in check.changes[1:])
    if check.needed and check.standing is Standing.NO_WORSE:
        yield f"too few to tell: only {check.needed} or more that turn worse, and none better, would be significant"
    if check.only_before or check.only_now:
        why = _ONE_SIDED.get(check.key[1], _ELSEWHERE)
        decided = (
            f"{counted(check.only_before, 'text')} that only the earlier run decided, {check.only_now:,} only this one"
        )
        yield f"not compared: {decided} ({why})"


def _figure_line(check: Compared, change: Change) -> str:
    if change.figure == "holds":
        shares = f"{_HOLDS[check.key[1]]} {change.before:.1%} -> {change.after:.1%}"
        if not change.worse and not change.better:
            return f"{shares}, no text turned"
        return f"{shares}, {change.worse:,} turned worse, {change.better:,} better{_p_texts(check, change)}"
    # The size of a shift is kept with its sign turned, so that more is better.
    sign = -1 if check.key[1] == "invariant" else 1
    before, after = sign * change.before + 0.0, sign * change.after + 0.0
    return f"mean {_VALUES[check.key[1]]} {before:.3f} -> {after:.3f}{_p_texts(check, change)}"


def _p_texts(check: Compared, change: Change) -> str:
    """The p-values of being worse, or of being better where the check is that."""
    is_better = check.standing is Standing.BETTER
    p_value = change.p_better if is_better else change.p_worse
    adjusted = change.adjusted_better if is_better else change.adjusted_worse
    if p_value is None or adjusted is None:
        return ""
    return f" ({p_text(p_value)}, adjusted {p_text(adjusted)})"


def _text_lines(check: Compared, number: int, text: Turned) -> Iterator[str]:
    kind = check.key[1]
    value = ""
    if text.before.value is not None and text.now.value is not None:
        sign = -1 if kind == "invariant" else 1
        value = f"  {_VALUES[kind]} {sign * text.before.value + 0.0:.3f} -> {sign * text.now.value + 0.0:.3f}"
    held = f"  was {_HOLDS[kind]}" if text.fell else ""
    yield f"{number}. {text.shown.get('label', text.now.key)}{held}{value}"
    if "text" in text.shown:
        yield f"   {shorten(text.shown['text'])}"
    if text.shown.get("changed_text") is not None:
        yield f"   -> {shorten(text.shown['changed_text'])}"
    words = [f"{shorten(word['word'], _SHOWN_WORD)} ({_RELATED[word['related']]})" for word in _words(text)]
    if words:
        yield f"   rests on: {', '.join(words)}"


def _words(text: Turned) -> list[Mapping[str, Any]]:
    """The words that carry a prediction most, where an oracle judged them."""
    words = [word for word in text.shown.get("words", ()) if word["related"] is not None]
    return sorted(words, key=lambda word: -abs(word["score"]))[:_MOST_WORDS]


def _closing_lines(comparison: Comparison) -> Iterator[str]:
    if comparison.hypotheses:
        hypotheses = counted(comparison.hypotheses, "hypothesis", "hypotheses")
        yield f"level {comparison.alpha:g} over all checks together (Holm, {hypotheses})"
    known = [check for check in comparison.checks if check.standing not in (Standing.NEW, Standing.UNFINISHED)]
    if any(check.outcome != "pass" for check in known):
        yield "a check with an earlier run fails where it is worse; its own bound does not decide"
    if comparison.missing:
        yield f"did not run: {counted(len(comparison.missing), 'check')} of the earlier run"
