"""Explanations that are kept between sessions."""

from pytest_trust.explain.stored.explainer import KeptExplainer, StoredExplainer

__all__ = ["KeptExplainer", "StoredExplainer"]
