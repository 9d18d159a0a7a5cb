"""What the members that are made of a user's own files have in common."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from pytest_trust.embeddings.calibration import calibrate
from pytest_trust.embeddings.kept import Keep
from pytest_trust.embeddings.pairs import shipped_pairs
from pytest_trust.embeddings.reading import read_vectors, vector_files
from pytest_trust.embeddings.table import Table
from pytest_trust.embeddings.wordwise import Vector, WordwiseEmbedding


class LocalEmbedding(WordwiseEmbedding):
    """An embedding in the file or folder at ``path``; nothing is read before it is needed.

    ``threshold`` is theta_relate; where it is None, it is computed from the shipped pairs when it is first asked for.
    """

    # Says how vectors are made from the files; to be changed whenever that changes.
    recipe: ClassVar[str]

    def __init__(self, name: str, path: Path, keep: Keep, threshold: float | None = None) -> None:
        super().__init__()
        self._name = name
        self._path = path
        self._keep = keep
        self._given = threshold

    def __reduce__(self) -> tuple[type[LocalEmbedding], tuple[str, Path, Keep, float | None]]:
        # Workers map the same files instead of receiving vectors.
        return type(self), (self._name, self._path, self._keep, self._given)

    @property
    def name(self) -> str:
        """The file's or folder's name without a suffix, or the last part of the name it was fetched by."""
        return self._name

    @property
    def threshold(self) -> float:
        """theta_relate: the one given, else that of the shipped pairs, computed once and kept."""
        return self._calibrated if self._given is None else self._given

    @cached_property
    def fingerprint(self) -> str:
        """Hex digest over the bytes of the files and the recipe of the vectors."""
        return hashlib.sha256(f"{self.recipe}\n{self._digest}".encode()).hexdigest()

    @cached_property
    def _digest(self) -> str:
        return self._keep.digest(self._files())

    @cached_property
    def _calibrated(self) -> float:
        pairs = shipped_pairs()
        return self._keep.threshold(self.fingerprint, pairs.digest, lambda: calibrate(self, pairs).threshold)

    @abstractmethod
    def _files(self) -> list[Path]:
        """The files whose bytes shape the vectors."""


class TableEmbedding(LocalEmbedding):
    """Word vectors from a file: GloVe, word2vec or fastText, as text, binary or gensim's own.

    Words are looked up by the rules of :class:`~pytest_trust.embeddings.table.Table`.
    """

    recipe: ClassVar[str] = "1: NFC, lower case, look-up, phrases joined or by the mean of unit vectors, sub-words"

    @property
    def dimension(self) -> int:
        """d, the length of a vector."""
        return int(self.table.rows.shape[1])

    @cached_property
    def table(self) -> Table:
        """The file's words and vectors."""
        return self._keep.table(self._path, self._digest, lambda: read_vectors(self._path))

    def _files(self) -> list[Path]:
        return vector_files(self._path)

    def _raw(self, words: Sequence[str]) -> dict[str, Vector | None]:
        return {word: self.table.vector(word) for word in words}
