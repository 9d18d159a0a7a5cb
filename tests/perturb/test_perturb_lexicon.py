from __future__ import annotations

import pytest

from pytest_trust.perturb.lexicon import column, entries, members, words_of
from pytest_trust.perturb.parameters import called


def test_rows_columns_and_members() -> None:
    assert entries("months")[0] == ("January", "Jan")
    assert column("weekdays")[::6] == ("Monday", "Sunday")
    assert members("weekdays") == set(column("weekdays"))


def test_a_mistyped_class_is_named() -> None:
    assert "the" in words_of("determiner")
    with pytest.raises(KeyError, match="determinator"):
        words_of("determinator")


def make(rate: float = 0.5, kinds: str | tuple[str, ...] = "all", to: str | None = None) -> None: ...


def test_names_read_like_calls() -> None:
    assert called(make) == called(make, 0.5, "all", None) == "make"
    assert called(make, 0.25) == "make(0.25)"
    assert called(make, 0.25, "some") == "make(0.25, some)"
    assert called(make, 0.25, "all", "high") == "make(0.25, to=high)"
    assert called(make, 0.5, ("a", "b"), "high") == "make(kinds=[a, b], to=high)"
    assert called(make, 0.5, ("a",)) == "make(kinds=a)"
