"""Oracles that judge explanations of predictions."""

from pytest_trust.oracles.base import LeaningOracle, Oracle, ThresholdOracle, Verdict
from pytest_trust.oracles.concepts import Concepts
from pytest_trust.oracles.confidence import ConfidenceOracle
from pytest_trust.oracles.contrastive import ContrastiveOracle
from pytest_trust.oracles.direct import DirectOracle
from pytest_trust.oracles.loading import make_oracle
from pytest_trust.oracles.specs import ORACLES, OracleSpec, parse_oracle
from pytest_trust.oracles.toki import TokiOracle
from pytest_trust.oracles.tower import TowerOracle
from pytest_trust.oracles.tower_settings import TowerSettings

__all__ = [
    "ORACLES",
    "Concepts",
    "ConfidenceOracle",
    "ContrastiveOracle",
    "DirectOracle",
    "LeaningOracle",
    "Oracle",
    "OracleSpec",
    "ThresholdOracle",
    "TokiOracle",
    "TowerOracle",
    "TowerSettings",
    "Verdict",
    "make_oracle",
    "parse_oracle",
]
