"""Relatedness thresholds that ship with the package; ``benchmarks/thresholds.py`` computes them."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources


@cache
def _thresholds() -> dict[str, float]:
    text = resources.files("pytest_trust.embeddings").joinpath("known.json").read_text(encoding="utf-8")
    return {name: float(member["threshold"]) for name, member in json.loads(text)["members"].items()}


def known_threshold(name: str) -> float:
    """theta_relate of the shipped member ``name``."""
    return _thresholds()[name]
