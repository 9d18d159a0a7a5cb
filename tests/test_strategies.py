from __future__ import annotations

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from pytest_trust import perturb
from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import apply_edits
from pytest_trust.strategies import PerturbedText, perturbed_batches, perturbed_texts

TEXTS = ["nothing", "good one, good two, good three, good four", "a good film"]
TO_BAD = perturb.replace({"good": "bad"})
QUIET = settings(database=None, max_examples=1000)


@given(perturbed_texts(TEXTS, [TO_BAD, perturb.uppercase()]))
def test_every_text_is_changed_and_rebuilt_from_its_edits(drawn: PerturbedText) -> None:
    assert drawn.original in TEXTS
    assert apply_edits(drawn.original, drawn.edits) == drawn.text != drawn.original
    assert 1 <= len(drawn.edits) <= drawn.n_found


@given(perturbed_texts(TEXTS, TO_BAD, max_edits=2))
def test_no_more_edits_than_asked_for(drawn: PerturbedText) -> None:
    assert drawn.text.count("bad") == len(drawn.edits) <= 2


def test_an_example_shrinks_to_the_fewest_edits() -> None:
    found = find(perturbed_texts(TEXTS, TO_BAD), lambda drawn: "bad three" in drawn.text, settings=QUIET)
    assert found.text == "good one, good two, bad three, good four"
    assert (found.n_found, found.perturbation) == (4, TO_BAD.name)


def test_all_edits_can_be_made_at_once() -> None:
    found = find(perturbed_texts(TEXTS, TO_BAD), lambda drawn: drawn.text.count("bad") == 4, settings=QUIET)
    assert "good" not in found.text


def test_batches_shrink_to_one_text() -> None:
    batches = perturbed_batches(TEXTS, TO_BAD, size=8)
    assert len(find(batches, lambda batch: len(batch) >= 5, settings=QUIET)) == 5
    found = find(batches, lambda batch: any("bad four" in drawn.text for drawn in batch), settings=QUIET)
    assert [drawn.text for drawn in found] == ["good one, good two, good three, bad four"]


def test_texts_that_cannot_be_changed_give_no_example() -> None:
    with pytest.raises(Unsatisfiable):
        find(perturbed_texts(["nothing"], TO_BAD), lambda drawn: True, settings=QUIET)


@pytest.mark.parametrize(
    ("texts", "perturbations", "options", "message"),
    [
        ([], TO_BAD, {}, "texts must be a sequence of at least one str, found list"),
        ("good", TO_BAD, {}, "texts must be a sequence of at least one str, found str"),
        (["a", 3], TO_BAD, {}, "found int 3 in it"),
        (TEXTS, [], {}, "at least one perturbation"),
        (TEXTS, "typos", {}, "expected a perturbation"),
        (TEXTS, TO_BAD, {"max_edits": 0}, "max_edits=0: expected a whole number"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    texts: list[str], perturbations: object, options: dict[str, int], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        perturbed_texts(texts, perturbations, **options)
    with pytest.raises(ConfigurationError, match="size=0"):
        perturbed_batches(TEXTS, TO_BAD, size=0)


def test_the_strategy_is_one_of_hypothesis() -> None:
    assert isinstance(perturbed_texts(TEXTS, str.upper), st.SearchStrategy)
