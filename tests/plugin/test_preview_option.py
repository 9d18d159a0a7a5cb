"""``--trust-preview``: a look at a perturbation in place of a run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Run = Callable[..., pytest.RunResult]


def test_it_shows_the_perturbation_on_the_data_and_runs_nothing(run: Run) -> None:
    result = run("--trust-preview=replace({'hillview': 'a small town'})", test="def test_it(): assert False")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "replace(hillview -> a small town) (preserves the label): * of 120 texts changed, *% left as they are",
            " 10. *[[]-hillview-]{+a small town+}*",
        ]
    )
    result.stdout.no_fnmatch_line("*test session starts*")


def test_it_needs_data(run: Run) -> None:
    result = run("--trust-preview=typos", options=())
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--trust-preview=typos: give --trust-data=* (or trust_data in the ini file)*"])


def test_an_unknown_name_is_a_usage_error(run: Run) -> None:
    result = run("--trust-preview=typoes")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--trust-preview=typoes: the perturbation 'typoes' is no call of one of: *typos*"])
