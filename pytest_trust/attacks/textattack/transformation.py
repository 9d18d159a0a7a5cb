"""Substitutions of this package as a transformation of TextAttack, for attacks that users compose of its parts.

TextAttack is imported in the process of whoever asks for one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from pytest_trust.arguments import require_count
from pytest_trust.attacks.base import Substitution
from pytest_trust.attacks.textattack.parts import package_folder
from pytest_trust.attacks.words import cased_like, is_replacement


def as_transformation(
    substitution: Substitution, label_of: Callable[[str], int], max_candidates: int | None = None
) -> Any:
    """A ``textattack.transformations.WordSwap`` that replaces words by what ``substitution`` offers.

    Args:
        substitution: such as :class:`~pytest_trust.attacks.TokiSubstitution`.
        label_of: gives the class of a text, as a column of the model; it is asked about the text as it was before the
            attack.
        max_candidates: the most replacements for a word, the most promising; None for all.

    Raises:
        ConfigurationError: ``max_candidates`` is below one.
        MissingExtraError: TextAttack is not installed.
    """
    most = None if max_candidates is None else require_count("max_candidates", max_candidates)
    return _transformation_class()(substitution, label_of, most)


@cache
def _transformation_class() -> type[Any]:
    class SubstitutionSwap(_word_swap()):  # type: ignore[misc] # no types
        """Replaces words by what a substitution offers for the class of the text before the attack."""

        def __init__(self, substitution: Substitution, label_of: Callable[[str], int], most: int | None) -> None:
            super().__init__()
            self.name = substitution.name
            self._substitution = substitution
            # Asked about one text again and again.
            self._label_of = cache(label_of)
            self._most = most

        def _get_transformations(self, current_text: Any, indices_to_modify: set[int]) -> list[Any]:
            label = self._label_of(_before_the_attack(current_text).text)
            return [
                current_text.replace_word_at_index(place, word)
                for place in sorted(indices_to_modify)
                for word in _offered(self._substitution, current_text.words[place], label, self._most)
            ]

        def extra_repr_keys(self) -> list[str]:
            return ["name"]

    return SubstitutionSwap


def _word_swap() -> type[Any]:
    package_folder("a substitution as a transformation")
    from textattack.transformations import WordSwap

    found: type[Any] = WordSwap
    return found


def _offered(substitution: Substitution, word: str, label: int, most: int | None) -> list[str]:
    """What may take the place of ``word``, in its case."""
    offered = substitution.candidates(word.lower(), label)[:most]
    return [cased_like(item, word) for item in offered if is_replacement(item) and item != word.lower()]


def _before_the_attack(text: Any) -> Any:
    """The text from which an attack has come to ``text``."""
    while "previous_attacked_text" in text.attack_attrs:
        text = text.attack_attrs["previous_attacked_text"]
    return text
