"""What a gate advises that did not pass."""

from __future__ import annotations

import pytest

from pytest_trust.checks.obstacles import Obstacle
from pytest_trust.results import Outcome


@pytest.mark.parametrize(
    ("needed", "advice"),
    [
        (None, "more texts would not change this: so it is"),
        (42, "more texts could change this: so it is; about 42 are needed"),
        (787_437, "more texts could change this: so it is; more than 100,000 are needed"),
    ],
)
def test_advice_names_a_number_that_somebody_may_gather(needed: int | None, advice: str) -> None:
    assert Obstacle(Outcome.FAIL, "", "so it is", needed).advice("texts") == advice
