"""Trust rate: the share of correct predictions that an oracle finds trustworthy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_alpha, require_between, require_choice, require_count
from pytest_trust.checks.budget import Deadline, as_deadline
from pytest_trust.checks.common import MAX_EVIDENCE, Compare, Decision, Subject, rate_result, take_subject
from pytest_trust.checks.human import Verdicts, calibrate_oracle, human_cases
from pytest_trust.checks.judging import Judged, checked_parts, judge_correct, leaning_of
from pytest_trust.checks.obstacles import rate_below, rate_not_shown
from pytest_trust.checks.sources import numbered, source_keys
from pytest_trust.explain import Explainer
from pytest_trust.explain.faithfulness import faithfulness_figures
from pytest_trust.keywords.pool import word_form
from pytest_trust.oracles import Oracle, ThresholdOracle
from pytest_trust.results import CheckResult, EvidenceRow, Outcome, TextResult, WordEvidence
from pytest_trust.stats import Confusion, Rate, clustered_rate, reaches, safe_interval
from pytest_trust.text import word_spans

# Words of an explanation that a row of evidence shows.
_SHOWN_WORDS = 6


def check_trustworthy(
    model: object,
    data: object,
    oracle: Oracle,
    *,
    min_rate: float = 0.8,
    compare: Compare = "bound",
    explainer: Explainer | None = None,
    target: str | None = None,
    n: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    faithfulness: int = 20,
    verdicts: Verdicts | None = None,
    budget: float | Deadline | None = None,
    name: str = "",
    capability: str | None = None,
) -> CheckResult:
    """Do the model's correct predictions rest on words related to their class?

    Every correct prediction is explained and judged by ``oracle``. PASS where the lower confidence bounds of the trust
    rate (Wilson's and the exact one) reach ``min_rate``, FAIL where the rate itself lies below, INCONCLUSIVE between
    the two and where no prediction could be judged.

    Args:
        model: a classifier, an estimator, or a callable that takes texts.
        data: labelled texts, optionally with a human's verdict on each prediction, and with groups, which count once.
        oracle: judges the explanations.
        min_rate: bound of the trust rate, above 0 and at most 1.
        compare: "bound" compares the lower confidence bounds with ``min_rate``, "estimate" the rate itself.
        explainer: LIME by default, with 10 features and as many of 5,000 samples as settle each verdict.
        target: judge predictions of this class alone.
        n: size of a seeded sample of the data; all by default.
        alpha: one minus the confidence of the lower bound.
        seed: of the sample and of the explanations.
        faithfulness: for how many of the explanations faithfulness and stability are measured; 0 for none.
        verdicts: people's verdicts on predictions of the model, or the file with them (``pytest-trust label``). From 20
            on they set the threshold of an oracle that has one. They tell how far the oracle agrees with people;
            without them, the verdicts in ``data`` do.
        budget: most seconds, or a deadline that checks share; where it ends the check, that is INCONCLUSIVE.
        name: shown in reports.
        capability: shown in reports.

    Raises:
        ConfigurationError: an argument has a value that cannot be used.
        DataError: the data cannot be read, or have no labels.
        ModelError: the model's answer is malformed, or labels are not its classes.
    """
    deadline = as_deadline(budget)
    min_rate = require_between("min_rate", min_rate, 0, 1, high_included=True)
    require_choice("compare", compare, get_args(Compare))
    alpha = require_alpha(alpha)
    faithfulness = require_count("faithfulness", faithfulness, least=0)
    explainer = checked_parts(oracle, explainer)
    subject = take_subject(model, data, target=target, n=n, seed=seed, need_labels=True)
    cases = human_cases(verdicts, subject.model, explainer)
    calibrated = calibrate_oracle(oracle, cases)
    oracle = calibrated.oracle
    judging = judge_correct(subject, explainer, oracle, deadline)
    judged = judging.items
    decided = [item for item in judged if item.verdict.trustworthy is not None]
    people = calibrated.agreement if cases.humans else _counted(decided)
    sources = numbered(source_keys(subject.data))
    rate = _rate(decided, sources, alpha)
    # What could not be judged may not carry a gate over its bound: there it counts as untrustworthy.
    at_worst = _rate(judged, sources, alpha)
    undecided = sum(item.verdict.trustworthy is None and item.explanation.undecided for item in judged)
    left_out = _left_out(len(judged) - len(decided) - undecided, undecided)
    decision = _decide(rate, at_worst, min_rate, compare, alpha, left_out)
    if undecided and decision.advice:
        decision = replace(decision, advice=f"{decision.advice}; more samples would decide the undecided")
    decision = judging.finished.decide(decision)
    measured = 0 if deadline is not None and deadline.is_spent else faithfulness
    return rate_result(
        rate,
        decision,
        kind="trustworthy",
        name=name or f"{oracle.name} trust rate" + (f" of {target}" if target else ""),
        n_total=len(subject.data),
        bound=min_rate,
        alpha=alpha,
        seed=subject.seed,
        capability=capability,
        evidence=_evidence(decided),
        texts=tuple(_text_result(item, int(sources[item.place])) for item in judged),
        details={
            "oracle": oracle.name,
            "explainer": explainer.name,
            "compare": compare,
            "target": target,
            **_counts(judged, undecided),
            **_threshold(oracle),
            "human": "verdicts" if cases.humans else "data" if people.n else None,
            **_agreement(people),
            **_believed(explainer, subject, oracle, judged, measured),
            **judging.finished.details(),
        },
    )


def _believed(
    explainer: Explainer, subject: Subject, oracle: Oracle, judged: Sequence[Judged], n: int
) -> dict[str, float | int | None]:
    """Faithfulness and stability of the explanations, on ``n`` of them."""
    if not n:
        return {}
    return faithfulness_figures(
        explainer,
        subject.model,
        [item.explanation for item in judged],
        seed=subject.seed,
        n=n,
        tokenizer=getattr(explainer, "tokenizer", word_spans),
        leaning=leaning_of(oracle),
    )


def _counts(judged: Sequence[Judged], undecided: int) -> dict[str, int]:
    """What became of the correct predictions, of which ``undecided`` ended at a cap."""
    open_verdicts = sum(item.verdict.trustworthy is None for item in judged)
    return {
        "correct": len(judged),
        "judged": len(judged) - open_verdicts,
        "trustworthy": sum(bool(item.verdict.trustworthy) for item in judged),
        "not_explainable": open_verdicts - undecided,
        "undecided": undecided,
        "read_in_part": sum(item.explanation.unread > 0 for item in judged),
        "model_calls": sum(item.explanation.calls for item in judged),
    }


def _rate(judged: Sequence[Judged], sources: NDArray[np.intp], alpha: float) -> Rate:
    """The share of trustworthy verdicts, in which each source of texts counts once."""
    trusted = np.array([bool(item.verdict.trustworthy) for item in judged], dtype=np.bool_)
    places = np.array([item.place for item in judged], dtype=np.intp)
    return clustered_rate(trusted, sources[places], alpha)


def _decide(rate: Rate, at_worst: Rate, min_rate: float, compare: Compare, alpha: float, left_out: str) -> Decision:
    if rate.estimate is None or at_worst.estimate is None:
        nothing = "no correct prediction could be explained" if at_worst.n else "no correct prediction to judge"
        advice = "more texts could change this, if the model is right on them and there are words in them"
        return Decision(Outcome.INCONCLUSIVE, nothing, advice)
    found = f"trust rate {rate.estimate:.1%} of {rate.n} correct predictions"
    if rate.estimate < min_rate:
        obstacle = rate_below(at_worst, min_rate, alpha, f"{found} lies below {min_rate:.1%}")
    elif at_worst.estimate >= min_rate if compare == "estimate" else reaches(at_worst, min_rate, alpha):
        return Decision(Outcome.PASS, f"{found} reaches {min_rate:.1%}")
    else:
        low, _ = safe_interval(at_worst, alpha)
        reason = f"{found}{left_out}: not shown to reach {min_rate:.1%}, since it may be as low as {low:.1%}"
        obstacle = rate_not_shown(at_worst, min_rate, alpha, reason)
    return Decision(obstacle.outcome, obstacle.reason, obstacle.advice("predictions"))


def _left_out(unexplained: int, undecided: int) -> str:
    """What is not in the rate."""
    counts = {"could not be explained": unexplained, "stayed undecided": undecided}
    return "".join(f", {count} more {what}" for what, count in counts.items() if count)


def _threshold(oracle: Oracle) -> dict[str, float | bool | None]:
    """The threshold of an oracle that has one, and whether people's verdicts or the user set it."""
    if not isinstance(oracle, ThresholdOracle):
        return {"threshold": None, "calibrated": None}
    return {"threshold": oracle.threshold, "calibrated": oracle.calibrated}


def _counted(decided: Sequence[Judged]) -> Confusion:
    """The oracle against the verdicts in the data; positive means trustworthy."""
    both = [(bool(item.verdict.trustworthy), item.human) for item in decided if item.human is not None]
    return Confusion.from_pairs([verdict for verdict, _ in both], [human for _, human in both])


def _agreement(counts: Confusion) -> dict[str, int]:
    return {"tp": counts.tp, "fp": counts.fp, "tn": counts.tn, "fn": counts.fn}


def _evidence(decided: Sequence[Judged]) -> tuple[EvidenceRow, ...]:
    """The untrustworthy predictions that rest most on unrelated words, worst first; ties by order of the data."""
    bad = [item for item in decided if not item.verdict.trustworthy]
    worst = sorted(bad, key=lambda item: item.verdict.related - item.verdict.unrelated)[:MAX_EVIDENCE]
    return tuple(_row(item, item.verdict.words[:_SHOWN_WORDS]) for item in worst)


def _text_result(item: Judged, source: int) -> TextResult:
    share = _related_share(item)
    return TextResult(_row(item, tuple(_placed(item))), item.verdict.trustworthy, share, source)


def _placed(item: Judged) -> Iterator[WordEvidence]:
    """The words of the verdict, with where they stand in the text."""
    spans = defaultdict[str, list[tuple[int, int]]](list)
    for word in item.explanation.words:
        spans[word_form(word.word)] += [(span.start, span.end) for span in word.spans]
    return (replace(word, spans=tuple(sorted(spans[word.word]))) for word in item.verdict.words)


def _related_share(item: Judged) -> float | None:
    """The share of the score on related words; None where there is no score."""
    total = item.verdict.related + item.verdict.unrelated
    return item.verdict.related / total if total else None


def _row(item: Judged, words: tuple[WordEvidence, ...]) -> EvidenceRow:
    share = _related_share(item)
    return EvidenceRow(
        text=item.explanation.text,
        label=item.explanation.label,
        probability=item.explanation.probability,
        words=words,
        note=item.verdict.note or ("" if share is None else f"{share:.0%} of the score on related words"),
    )
