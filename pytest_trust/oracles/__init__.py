"""Oracles that judge explanations of predictions."""

from pytest_trust.oracles.base import LeaningOracle, Oracle, Verdict
from pytest_trust.oracles.toki import TokiOracle

__all__ = ["LeaningOracle", "Oracle", "TokiOracle", "Verdict"]
