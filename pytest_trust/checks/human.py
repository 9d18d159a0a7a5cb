"""People's verdicts: they calibrate the threshold of an oracle, and tell how far it agrees with people."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_trust.data.verdicts import HumanVerdict, by_plurality, read_verdicts
from pytest_trust.errors import ConfigurationError, TrustWarning
from pytest_trust.explain import Explainer, Explanation, WordScore
from pytest_trust.messages import shown
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.kept import kept_answers
from pytest_trust.oracles import Oracle, ThresholdOracle
from pytest_trust.stats import Confusion, cross_fitted, fitted_threshold

# Verdicts of people from which a threshold is calibrated, and of each kind at least.
_LEAST = 20
_LEAST_OF_A_KIND = 3

Verdicts = str | Path | list[HumanVerdict] | tuple[HumanVerdict, ...]


@dataclass(frozen=True, slots=True)
class HumanCases:
    """Predictions that people judged, as they were explained to them, and what most of them said."""

    explanations: tuple[Explanation, ...]
    humans: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Calibrated:
    """An oracle with its threshold fitted to people's verdicts, and its agreement with them, cross-fitted."""

    oracle: Oracle
    agreement: Confusion


def human_cases(verdicts: Verdicts | None, model: TextClassifier, explainer: Explainer | None = None) -> HumanCases:
    """The predictions of ``model`` that people judged, by plurality; where they are unsure or tied, none.

    ``explainer`` is that of the check which uses them, if one does.

    Raises:
        ConfigurationError: ``verdicts`` is no path and no sequence of verdicts.
        DataError: the file is malformed.

    Warns:
        TrustWarning: there are verdicts, but all on other models; or some on another explainer's words, or on more or
            fewer words, than those of the check.
    """
    given = _read(verdicts)
    fingerprint = model.fingerprint() if given else ""
    own = [verdict for verdict in given if verdict.model == fingerprint and verdict.label in model.classes]
    if given and not own:
        warnings.warn(
            f"all {len(given)} verdicts of people are on another model than {model.source}; none is used",
            TrustWarning,
            stacklevel=3,
        )
    if explainer is not None:
        _warn_of_other_words(own, explainer)
    agreed = {key: trusted for key, trusted in by_plurality(own).items() if trusted is not None}
    seen = {(verdict.text, verdict.label): verdict for verdict in own}
    chosen = [seen[key] for key in agreed]
    return HumanCases(tuple(_explanations(chosen, model)), tuple(agreed.values()))


def _warn_of_other_words(verdicts: Sequence[HumanVerdict], explainer: Explainer) -> None:
    settings = explainer.settings()
    for verdict in verdicts:
        for key in ("explainer", "features"):
            if key in settings and verdict.explainer.get(key, settings[key]) != settings[key]:
                warnings.warn(
                    f"people judged explanations with {key}={verdict.explainer[key]}, but this check explains with "
                    f"{key}={settings[key]}; their verdicts are used, and say less of it",
                    TrustWarning,
                    stacklevel=4,
                )
                return


def calibrate_oracle(oracle: Oracle, cases: HumanCases) -> Calibrated:
    """``oracle`` with a threshold fitted to people's verdicts, where it has one that nobody set, and they are enough.

    The agreement of a calibrated oracle is cross-fitted: each verdict is by the threshold of the other folds, so that
    no verdict of a person judges itself.
    """
    verdicts = oracle.judge_many(cases.explanations) if cases.explanations else []
    pairs = [(v, human) for v, human in zip(verdicts, cases.humans, strict=True) if v.trustworthy is not None]
    if isinstance(oracle, ThresholdOracle) and not oracle.calibrated:
        scored = [(verdict.score, human) for verdict, human in pairs if verdict.score is not None]
        if _are_enough([human for _, human in scored]):
            return _calibrated(oracle, scored)
    decided = [bool(verdict.trustworthy) for verdict, _ in pairs]
    return Calibrated(oracle, Confusion.from_pairs(decided, [human for _, human in pairs]))


def _are_enough(humans: Sequence[bool]) -> bool:
    """Whether there are enough verdicts of people, and of each kind."""
    trusted = sum(humans)
    return len(humans) >= _LEAST and min(trusted, len(humans) - trusted) >= _LEAST_OF_A_KIND


def _calibrated(oracle: ThresholdOracle, scored: Sequence[tuple[float, bool]]) -> Calibrated:
    scores, humans = [score for score, _ in scored], [human for _, human in scored]
    fitted = oracle.with_threshold(fitted_threshold(scores, humans, oracle.threshold))
    return Calibrated(fitted, Confusion.from_pairs(cross_fitted(scores, humans, oracle.threshold), humans))


def _read(verdicts: Verdicts | None) -> list[HumanVerdict]:
    if verdicts is None:
        return []
    if isinstance(verdicts, str | Path):
        return read_verdicts(Path(verdicts))
    if not isinstance(verdicts, list | tuple) or not all(isinstance(item, HumanVerdict) for item in verdicts):
        raise ConfigurationError(f"verdicts={shown(verdicts)}: expected a path or a list of HumanVerdict")
    return [*verdicts]


def _explanations(verdicts: Sequence[HumanVerdict], model: TextClassifier) -> Iterable[Explanation]:
    """The explanations that people saw, with the probabilities that the model gives now."""
    if not verdicts:
        return
    probabilities = kept_answers(model, [verdict.text for verdict in verdicts])
    for verdict, row in zip(verdicts, probabilities, strict=True):
        column = model.classes.index(verdict.label)
        words = tuple(WordScore(word, score, ()) for word, score in verdict.words)
        yield Explanation(verdict.text, verdict.label, column, float(row[column]), words, "recorded", 0, 0, 0)
