"""Explanations of predictions: LIME and word omission over one neighbourhood engine."""

from pytest_trust.explain.base import Explainer, make_explainer
from pytest_trust.explain.explanation import Explanation, WordScore
from pytest_trust.explain.lime import LimeExplainer
from pytest_trust.explain.omission import OmissionExplainer
from pytest_trust.explain.reference import LimeReferenceExplainer

__all__ = [
    "Explainer",
    "Explanation",
    "LimeExplainer",
    "LimeReferenceExplainer",
    "OmissionExplainer",
    "WordScore",
    "make_explainer",
]
