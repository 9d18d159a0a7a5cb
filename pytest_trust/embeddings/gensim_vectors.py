"""Vectors that gensim reads: its own .kv files, fastText's .bin files, and what its downloader fetches."""

from __future__ import annotations

import importlib
import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pytest_trust.embeddings.blocks import BLOCK, Block
from pytest_trust.embeddings.subwords import Subwords
from pytest_trust.errors import EmbeddingError, MissingExtraError, missing_extra

# What gensim.downloader offers in the way of vectors; corpora aside, the list has not changed since 2018.
DOWNLOADS = (
    "conceptnet-numberbatch-17-06-300", "fasttext-wiki-news-subwords-300", "glove-twitter-100", "glove-twitter-200",
    "glove-twitter-25", "glove-twitter-50", "glove-wiki-gigaword-100", "glove-wiki-gigaword-200",
    "glove-wiki-gigaword-300", "glove-wiki-gigaword-50", "word2vec-google-news-300", "word2vec-ruscorpora-300",
)  # fmt: skip
_FOLDER = "GENSIM_DATA_DIR"
# Bytes in fastText's format: two numbers and the settings; the counts behind them; what follows on each word.
_SETTINGS, _COUNTS, _OF_A_WORD = 64, 28, 9


@dataclass(frozen=True, slots=True)
class KeyedVectors:
    """gensim's vectors: ``inner`` is one of its KeyedVectors, with or without sub-words, read from ``path``."""

    path: Path
    inner: Any

    def blocks(self) -> Iterator[Block]:
        """The words with their vectors."""
        words = self.inner.index_to_key
        for start in range(0, len(words), BLOCK):
            part = [word.encode(errors="surrogatepass") for word in words[start : start + BLOCK]]
            yield Block(part, self.inner.vectors[start : start + BLOCK], start + 1)

    def subwords(self) -> Subwords | None:
        """The sub-words, where the vectors are fastText's and were trained with some."""
        rows = getattr(self.inner, "vectors_ngrams", None)
        if rows is None or not len(rows) or not self.inner.bucket:
            return None
        if not np.isfinite(rows).all():
            raise EmbeddingError(f"{self.path}: found numbers that are not finite among its sub-words")
        return Subwords(rows, self.inner.min_n, self.inner.max_n)


def read_keyed_vectors(path: Path) -> KeyedVectors:
    """Vectors saved by gensim's ``KeyedVectors.save``. This runs code in the file, which is a pickle.

    Raises:
        EmbeddingError: gensim cannot read it, or it holds something else.
        MissingExtraError: gensim is not installed.
    """
    inner = _read(path, lambda: _gensim("models", path).KeyedVectors.load(str(path)))
    if not hasattr(inner, "index_to_key"):
        raise EmbeddingError(f"{path}: found {type(inner).__name__}, expected vectors saved by KeyedVectors.save")
    return KeyedVectors(path, inner)


def read_fasttext_vectors(path: Path) -> KeyedVectors:
    """Words and sub-words of a model in fastText's own binary format.

    Raises:
        EmbeddingError: gensim cannot read it.
        MissingExtraError: gensim is not installed.
    """
    return KeyedVectors(path, _read(path, lambda: _facebook_vectors(path)))


def _facebook_vectors(path: Path) -> Any:
    load = _gensim("models.fasttext", path).load_facebook_vectors
    _refuse_cut_words(path)
    with np.errstate(all="ignore"):  # gensim computes with numbers that nobody has looked at yet
        return load(str(path))


def _refuse_cut_words(path: Path) -> None:
    """gensim looks for the end of a word for ever where the file ends before it."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        (words,) = struct.unpack_from("<i", content, _SETTINGS)
        at = _SETTINGS + _COUNTS
        for number in range(1, words + 1):
            end = content.find(b"\0", at)
            if end < 0:
                raise EOFError(f"it ends within word {number} of {words}")
            at = end + 1 + _OF_A_WORD


def downloaded(name: str) -> Path:
    """The file of the vectors called ``name`` in gensim's own folder; gensim fetches it where it is not there.

    Raises:
        EmbeddingError: it cannot be fetched.
        MissingExtraError: it is not there, and gensim, which would fetch it, is not installed.
    """
    path = local_download(name)
    if path is not None:
        return path
    try:
        return Path(_gensim("downloader", name).load(name, return_path=True))
    except MissingExtraError:
        raise
    except Exception as error:
        raise EmbeddingError(
            f"embedding {name}: found no file in {_folder() / name}, and gensim.downloader cannot fetch it "
            f"({type(error).__name__}: {error})"
        ) from error


def local_download(name: str) -> Path | None:
    """The file of ``name`` in the folder where gensim's downloader keeps things, or None; gensim is not imported."""
    path = _folder() / name / f"{name}.gz"
    try:
        return path if path.is_file() else None
    except OSError:
        return None  # a name too long for a file


def _folder() -> Path:
    return Path(os.environ.get(_FOLDER) or Path.home() / "gensim-data")


def _gensim(module: str, purpose: object) -> Any:
    try:
        return importlib.import_module(f"gensim.{module}")
    except ImportError as error:
        raise missing_extra("gensim", "gensim", f"embedding {purpose}") from error


def _read(path: Path, load: Any) -> Any:
    try:
        return load()
    except MissingExtraError:
        raise
    except Exception as error:
        raise EmbeddingError(f"{path}: gensim cannot read it ({type(error).__name__}: {error})") from error
