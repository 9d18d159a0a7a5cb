"""No gate passes where its null hypothesis holds more often than alpha: the benchmark, with few suites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.validity.__main__ import main, most, simulate
from benchmarks.validity.cells import Cell, cells

SUITES = 300
CELLS = cells()


@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.kind == "null"], ids=lambda cell: cell.name)
def test_false_passes_stay_below_alpha(cell: Cell) -> None:
    for n in (10, 100):
        assert simulate(cell, n, SUITES, seed=1).share <= most(SUITES)


@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.kind == "power"], ids=lambda cell: cell.name)
def test_every_gate_can_pass(cell: Cell) -> None:
    assert simulate(cell, 1000, 5, seed=1).share == 1.0


def test_what_gates_do_not_use_would_not_hold() -> None:
    plain = {
        cell.gate: max(simulate(cell, n, SUITES, seed=1).share for n in (3, 29, 145, 2000))
        for cell in CELLS
        if cell.kind == "plain" and "bound of 0.1" not in cell.scenario
    }
    assert all(share > most(SUITES) for share in plain.values()), plain


def test_cells_are_told_apart_by_their_names() -> None:
    assert len({(cell.kind, cell.name) for cell in CELLS}) == len(CELLS)


def test_a_run_writes_rows_and_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "validity.json"
    main(["--json", str(file), "--suites", "3", "--sizes", "5", "40"])
    written = json.loads(file.read_text())
    assert len(written["rows"]) == len(written["tables"]) == len(CELLS)
    assert {item["n"] for item in written["tables"][0]["by_n"]} == {5, 40}
    assert "Power, % of suites" in capsys.readouterr().out
