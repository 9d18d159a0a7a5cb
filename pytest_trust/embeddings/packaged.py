"""What the members whose model comes inside a package have in common."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from pytest_trust.embeddings.files import PackagedFile, require_modules
from pytest_trust.embeddings.known import known_threshold
from pytest_trust.embeddings.wordwise import WordwiseEmbedding


class PackagedEmbedding(WordwiseEmbedding):
    """An embedding whose model comes inside a pinned package; ``threshold`` stands in for the shipped theta_relate.

    Raises:
        MissingExtraError: a package that it needs is not installed.
        EmbeddingError: another version than the pinned one is installed.
    """

    name: ClassVar[str]
    dimension: ClassVar[int]
    files: ClassVar[tuple[PackagedFile, ...]]
    modules: ClassVar[tuple[str, ...]]
    # Says how vectors are made from the files; to be changed whenever that changes.
    recipe: ClassVar[str]

    def __init__(self, threshold: float | None = None) -> None:
        super().__init__()
        for file in self.files:
            file.locate()
        require_modules(self.modules, self.name)
        self._given = threshold

    def __reduce__(self) -> tuple[type[PackagedEmbedding], tuple[float | None]]:
        # Workers load the model from their own disk instead of receiving vectors.
        return type(self), (self._given,)

    @property
    def threshold(self) -> float:
        """theta_relate, as shipped unless one was given."""
        return known_threshold(self.name) if self._given is None else self._given

    @property
    def fingerprint(self) -> str:
        """Hex digest over the pinned digests of the model files and the recipe of the vectors."""
        parts = [self.name, self.recipe, *(file.sha256 for file in self.files)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()
