"""Imports point downwards only, and pytest stays in the plugin."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pytest_trust"

# From the top down; a room may import rooms of a lower rank alone, and itself.
RANKS = {
    "plugin": 9, "cli": 9, "_plugin": 8, "_cli": 8, "reports": 7, "checks": 6, "templates": 5.6, "strategies": 5.5,
    "attacks": 5, "oracles": 5, "perturb": 5, "keywords": 4, "explain": 3, "models": 2, "embeddings": 2, "data": 2,
    "stats": 1, "store": 1, "hub": 1,
    "results": 0, "packed": 0, "text": 0, "remembered": 0, "imports": 0, "arguments": 0, "messages": 0, "_version": 0,
    "errors": -1,
}  # fmt: skip
# The same within perturb: its rooms of perturbations stand beside each other.
PERTURB_RANKS = {
    "preview": 4, "calls": 3, "compose": 2, "form": 2, "words": 2, "entities": 2, "fairness": 2, "meaning": 2,
    "base": 1, "language": 1, "edits": 0, "lexicon": 0, "parameters": 0,
}  # fmt: skip
MODULES = sorted(PACKAGE.rglob("*.py"))
PERTURBATIONS = sorted((PACKAGE / "perturb").rglob("*.py"))


def room(path: Path, within: Path = PACKAGE) -> str:
    parts = path.relative_to(within).with_suffix("").parts
    return parts[0]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_downwards(path: Path) -> None:
    here = room(path)
    if here == "__init__":
        return  # the public face
    for name in imported(path):
        if name.startswith("pytest_trust."):
            there = name.split(".")[1]
            assert there in RANKS, f"{path.name} imports {name}"
            assert there == here or RANKS[there] < RANKS[here], f"{here} imports {there}"
        if name.split(".")[0] in ("pytest", "_pytest"):
            assert here in ("plugin", "_plugin"), f"{path} imports pytest"


@pytest.mark.parametrize("path", PERTURBATIONS, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_rooms_of_perturbations_stand_beside_each_other(path: Path) -> None:
    here = room(path, PACKAGE / "perturb")
    if here == "__init__":
        return  # the public face
    for name in imported(path):
        if name.startswith("pytest_trust.perturb."):
            there = name.split(".")[2]
            assert there == here or PERTURB_RANKS[there] < PERTURB_RANKS[here], f"{here} imports {there}"


def test_every_room_has_a_rank() -> None:
    assert {room(path) for path in MODULES} - {"__init__"} <= RANKS.keys()
    assert {room(path, PACKAGE / "perturb") for path in PERTURBATIONS} - {"__init__"} == PERTURB_RANKS.keys()
