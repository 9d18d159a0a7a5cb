"""Hypothesis strategies that draw perturbed texts, for tests with ``@given``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import reject
from hypothesis import strategies as st

from pytest_trust.arguments import require_count
from pytest_trust.errors import ConfigurationError
from pytest_trust.messages import shown
from pytest_trust.perturb import Edit, Perturbation, apply_edits, as_perturbation, perturb_text
from pytest_trust.perturb.parameters import require_texts

_SEEDS = 2**32 - 1
# An edit is made where a draw from 0 to 3 is not 0: most edits at first, and fewer as the example shrinks.
_MADE = st.integers(0, 3)


@dataclass(frozen=True, slots=True)
class PerturbedText:
    """``text`` is what ``edits``, in positions of ``original``, make of it.

    They are some of the ``n_found`` edits that ``perturbation`` has for the original.
    """

    original: str
    text: str
    edits: tuple[Edit, ...]
    n_found: int
    perturbation: str


def perturbed_texts(
    texts: Sequence[str], perturbations: object, *, max_edits: int | None = None
) -> st.SearchStrategy[PerturbedText]:
    """Texts of ``texts``, each changed by one of ``perturbations`` in at least one place.

    A failing example shrinks to the fewest edits that still make it fail, to an earlier perturbation and to an earlier
    text.

    Args:
        texts: what is perturbed; those that a perturbation leaves as they are do not come up.
        perturbations: one, or several; functions from text to text are taken too.
        max_edits: the most places of a text that are changed; any number by default.

    Raises:
        ConfigurationError: an argument has a value that cannot be used.
    """
    sources = _checked_texts(texts)
    changes = _checked_perturbations(perturbations)
    most = None if max_edits is None else require_count("max_edits", max_edits, least=1)

    @st.composite
    def drawn(draw: st.DrawFn) -> PerturbedText:
        perturbation, text = draw(st.sampled_from(changes)), draw(st.sampled_from(sources))
        found = perturb_text(perturbation, text, draw(st.integers(0, _SEEDS))).edits
        edits = draw(_some_of(found, most))
        new = apply_edits(text, edits)
        if new == text:
            reject()
        return PerturbedText(text, new, edits, len(found), perturbation.name)

    return drawn()


def perturbed_batches(
    texts: Sequence[str], perturbations: object, *, size: int = 32, max_edits: int | None = None
) -> st.SearchStrategy[list[PerturbedText]]:
    """Lists of up to ``size`` of :func:`perturbed_texts`, for models that are slow to ask for one text at a time.

    A failing example shrinks to the fewest texts, and each of them to the fewest edits.

    Raises:
        ConfigurationError: an argument has a value that cannot be used.
    """
    size = require_count("size", size, least=1)
    return st.lists(perturbed_texts(texts, perturbations, max_edits=max_edits), min_size=1, max_size=size)


@st.composite
def _some_of(draw: st.DrawFn, edits: tuple[Edit, ...], most: int | None) -> tuple[Edit, ...]:
    """Some of ``edits``, in order, at most ``most``."""
    if most is None or len(edits) <= most:
        return tuple(edit for edit in edits if draw(_MADE))
    places = draw(st.sets(st.integers(0, len(edits) - 1), max_size=most))
    return tuple(edits[place] for place in sorted(places))


def _checked_texts(texts: Sequence[str]) -> list[str]:
    require_texts(texts)
    for text in texts:
        if not isinstance(text, str):
            raise ConfigurationError(f"texts must be a sequence of at least one str, found {shown(text)} in it")
    return list(texts)


def _checked_perturbations(given: object) -> list[Perturbation]:
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else (given,)
    found = [as_perturbation(perturbation) for perturbation in several]
    if not found:
        raise ConfigurationError("perturbations must hold at least one perturbation, found none")
    return found
