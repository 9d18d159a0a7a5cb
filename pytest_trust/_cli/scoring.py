"""The scores of an oracle, over which the predictions that people are asked about are spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_trust._cli.oracle import OracleParts, make_asked_oracle
from pytest_trust._cli.picking import Prediction
from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import Explainer, Explanation
from pytest_trust.models import TextClassifier
from pytest_trust.stats import sample_indices

# Predictions that are explained and judged to choose among: explaining all of large data would keep people waiting.
_LOOKED_AT = 200


def judged_sample(
    parts: OracleParts,
    model: TextClassifier,
    explainer: Explainer,
    predictions: Sequence[Prediction],
    explain: Callable[[Prediction], Explanation],
) -> tuple[list[Prediction], list[float]]:
    """A seeded sample of ``predictions`` that the oracle has a score for, and these scores.

    Raises:
        ConfigurationError: the oracle cannot be made, or has a score for none of them.
    """
    chosen = [predictions[i] for i in sample_indices(len(predictions), _LOOKED_AT, parts.seed)]
    verdicts = make_asked_oracle(parts, model, explainer).judge_many([explain(prediction) for prediction in chosen])
    scored = [(p, verdict.score) for p, verdict in zip(chosen, verdicts, strict=True) if verdict.score is not None]
    if not scored:
        raise ConfigurationError(f"the oracle {parts.oracle!r} has a score for none of {len(chosen)} predictions")
    return [prediction for prediction, _ in scored], [score for _, score in scored]
