"""Explanations made by many processes, of this machine or a cluster."""

from pytest_trust.explain.parallel.explainer import ParallelExplainer

__all__ = ["ParallelExplainer"]
