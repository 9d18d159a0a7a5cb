"""Explanations of predictions: LIME, word omission and gradients over one engine, and their faithfulness."""

from pytest_trust.explain.base import Explainer, RoundsExplainer, SettlingExplainer, make_explainer
from pytest_trust.explain.explanation import Explanation, WordScore
from pytest_trust.explain.faithfulness import (
    Faithfulness,
    Stability,
    faithfulness_figures,
    measure_faithfulness,
    stability,
)
from pytest_trust.explain.gradient import GradientExplainer
from pytest_trust.explain.lime import LimeExplainer
from pytest_trust.explain.omission import OmissionExplainer
from pytest_trust.explain.reference import LimeReferenceExplainer

__all__ = [
    "Explainer",
    "Explanation",
    "Faithfulness",
    "GradientExplainer",
    "LimeExplainer",
    "LimeReferenceExplainer",
    "OmissionExplainer",
    "RoundsExplainer",
    "SettlingExplainer",
    "Stability",
    "WordScore",
    "faithfulness_figures",
    "make_explainer",
    "measure_faithfulness",
    "stability",
]
