"""TOKI: do the words that carry a prediction belong to the predicted class? (Tung et al., FSE 2025)."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_trust.embeddings.base import Embedding
from pytest_trust.errors import ConfigurationError
from pytest_trust.keywords import ClassRelatedness, KeywordIndex, MemberSettings, Relation
from pytest_trust.keywords.index import member_settings
from pytest_trust.oracles.related import RelatedWordsOracle


class TokiOracle(RelatedWordsOracle):
    """TOKI as published: a word is related where the pool word nearest to it is a keyword of the class (Eq. 5, 6).

    ``members`` are the embeddings that ``index`` was built with, in the same order.

    Raises:
        ConfigurationError: the members are not those of the index.
    """

    name = "toki"

    def __init__(self, index: KeywordIndex, members: Sequence[Embedding]) -> None:
        require_members(index, members)
        self.index = index
        self._classes = {item.label: ClassRelatedness(index, item, members) for item in index.classes}

    def _label(self, class_index: int) -> str:
        return self.index.classes[class_index].label

    def _relate(self, label: str, words: Sequence[str]) -> list[Relation]:
        if label not in self._classes:
            raise ConfigurationError(
                f"the index has no class {label!r}; it was built for the classes {sorted(self._classes)}"
            )
        return self._classes[label].relate(words)


def require_members(index: KeywordIndex, members: Sequence[Embedding]) -> None:
    """Accept the members that ``index`` was built with, in the same order.

    Raises:
        ConfigurationError: they are others.
    """
    expected, found = index.origin.settings.members, member_settings(members)
    if found != expected:
        raise ConfigurationError(
            f"the index was built with the embeddings {_names(expected)}, but {_names(found)} "
            "(or other versions of them) are given"
        )


def _names(members: Sequence[MemberSettings]) -> str:
    return ", ".join(member.name for member in members) or "none"
