"""The plugin's fixtures and marks together with Hypothesis."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Run = Callable[..., pytest.RunResult]

SUITE = """
from hypothesis import given, settings
from pytest_trust import functional, perturb
from pytest_trust.strategies import perturbed_batches, perturbed_texts

TEXTS = ["such a great film", "an awful film, so boring"]

@given(change=perturbed_texts(TEXTS, perturb.uppercase()))
@settings(max_examples=20, database=None)
def test_session_fixtures(trust_model, trust_data, change):
    before, after = trust_model.predict_proba([change.original, change.text])
    assert before.argmax() == after.argmax()

@functional(accuracy=0.5, compare="estimate", cases=[("great", "positive")])
@given(batch=perturbed_batches(TEXTS, perturb.typos(0.5), size=4))
@settings(max_examples=5, database=None)
def test_with_a_mark(trust_model, batch):
    assert trust_model.predict_proba([change.text for change in batch]).shape == (len(batch), 2)

@given(change=perturbed_texts(TEXTS, perturb.replace({"great": "awful", "awful": "great"})))
@settings(max_examples=50, database=None)
def test_that_fails(trust_model, change):
    before, after = trust_model.predict_proba([change.original, change.text])
    assert before.argmax() == after.argmax()
"""


def test_session_fixtures_satisfy_the_health_checks(run: Run) -> None:
    result = run(test=SUITE)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*Failing test case: test_that_fails(*", "*text='such a awful film'*"])
