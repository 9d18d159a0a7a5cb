"""The index file: one zip archive of a JSON document and plain arrays, without pickle."""

from __future__ import annotations

import hashlib
import io
import json
import math
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import WordVectors
from pytest_trust.errors import IndexFileError
from pytest_trust.keywords.index import (
    FORMAT_VERSION,
    ClassKeywords,
    IndexOrigin,
    IndexSettings,
    KeywordIndex,
    MemberSettings,
    vocabulary_of,
)
from pytest_trust.keywords.pool import PoolWord
from pytest_trust.messages import shown
from pytest_trust.packed import most_unpacked

_FORMAT = "pytest-trust keyword index"


def dump_index(index: KeywordIndex) -> bytes:
    """``index`` as the content of an index file; the same index is the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        _write(archive, "index.json", json.dumps(_document(index), ensure_ascii=False, indent=1).encode())
        for name, vectors in index.vectors.items():
            _write(archive, f"{name}.matrix.npy", _array_bytes(vectors.matrix))
            _write(archive, f"{name}.known.npy", _array_bytes(vectors.known))
    return buffer.getvalue()


def load_index(path: Path) -> KeywordIndex:
    """The index in the file at ``path``.

    Raises:
        IndexFileError: the file is not there, not an index, damaged, or of another version.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            _refuse_bomb(archive, path)
            return _read(archive, path)
    except IndexFileError:
        raise
    except FileNotFoundError as error:
        raise IndexFileError(f"{path}: no such index file") from error
    except Exception as error:  # whatever a foreign archive makes zipfile, json and numpy raise
        raise IndexFileError(f"{path}: not a whole keyword index: {error}") from error


def _refuse_bomb(archive: zipfile.ZipFile, path: Path) -> None:
    size = sum(info.file_size for info in archive.infolist())
    if size > most_unpacked(path.stat().st_size):
        raise ValueError(f"its members say that they unpack to {size} bytes")


def _read(archive: zipfile.ZipFile, path: Path) -> KeywordIndex:
    document = json.loads(archive.read("index.json"))
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise IndexFileError(f"{path}: not a keyword index")
    if document.get("version") != FORMAT_VERSION:
        raise IndexFileError(
            f"{path}: index of format version {document.get('version')!r}, this release reads {FORMAT_VERSION}"
        )
    origin = _origin(document["origin"])
    classes = tuple(_class(item) for item in document["classes"])
    vocabulary = vocabulary_of(classes)
    if document["vocabulary"] != _digest(vocabulary):
        raise ValueError("the vectors in the file are not those of its pool words")
    vectors = {m.name: _member_vectors(archive, m.name, len(vocabulary)) for m in origin.settings.members}
    return KeywordIndex(origin, classes, vectors, _count(document["explained"]))


def _write(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    # A ZipInfo of its own carries no time of day.
    archive.writestr(zipfile.ZipInfo(name), content)


def _document(index: KeywordIndex) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "version": FORMAT_VERSION,
        "origin": asdict(index.origin),
        "explained": index.explained,
        "classes": [_class_document(item) for item in index.classes],
        "vocabulary": _digest(index.vocabulary),
    }


def _digest(vocabulary: Sequence[str]) -> str:
    """Hex digest of the words whose vectors the archive holds, so that a word changed by hand is noticed."""
    return hashlib.sha256("\n".join(vocabulary).encode()).hexdigest()


def _class_document(item: ClassKeywords) -> dict[str, Any]:
    keywords, others = item.lists()
    return {
        "label": item.label,
        "names": item.names,
        "keywords": keywords,
        "others": others,
        "pool": [[word.word, word.mean_score, word.count] for word in item.pool],
    }


def _origin(document: Mapping[str, Any]) -> IndexOrigin:
    settings = dict(document["settings"])
    settings["members"] = tuple(_member(**member) for member in settings["members"])
    settings["class_names"] = tuple(_texts(names) for names in settings["class_names"])
    numbers = (value for value in settings["explainer"].values() if not isinstance(value, (str, bool)))
    for value in (*numbers, settings["seed"], settings["max_distance"]):
        _number(value)
    _texts([document[name] for name in ("model", "data", "model_source", "data_name")])
    return IndexOrigin(**{**document, "settings": IndexSettings(**settings)})


def _member(name: object, fingerprint: object, threshold: object) -> MemberSettings:
    return MemberSettings(_text(name), _text(fingerprint), _number(threshold))


def _text(value: object) -> str:
    """A text that can be written again, unlike one with a lone surrogate."""
    if not isinstance(value, str):
        raise ValueError(f"found {shown(value)}, expected a text")
    value.encode()
    return value


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise ValueError(f"found {shown(values)}, expected a list of texts")
    return tuple(map(_text, values))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"found {shown(value)}, expected a finite number")
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"found {shown(value)}, expected a count")
    return value


def _class(document: Mapping[str, Any]) -> ClassKeywords:
    pool = tuple(PoolWord(_text(word), float(score), _count(count)) for word, score, count in document["pool"])
    keywords = frozenset(_texts(document["keywords"]))
    # A word that only a user's list brought has neither score nor count.
    if not all(math.isfinite(item.mean_score) and item.count >= (item.mean_score != 0) for item in pool):
        raise ValueError("a pool word without a finite score or a count")
    words = {item.word for item in pool}
    if len(words) < len(pool) or not keywords <= words:
        raise ValueError("a pool word that is there twice, or a keyword outside its pool")
    return ClassKeywords(_text(document["label"]), _texts(document["names"]), pool, keywords)


def _member_vectors(archive: zipfile.ZipFile, name: str, n_words: int) -> WordVectors:
    matrix, known = _array(archive, f"{name}.matrix.npy"), _array(archive, f"{name}.known.npy")
    if matrix.dtype != np.float32 or matrix.ndim != 2 or len(matrix) != n_words or not np.isfinite(matrix).all():
        raise ValueError(
            f"vectors of {name}: {matrix.dtype} {matrix.shape}, expected finite float32 for {n_words} words"
        )
    if known.dtype != np.bool_ or known.shape != (n_words,):
        raise ValueError(f"known words of {name}: {known.dtype} {known.shape}, expected bool for {n_words} words")
    with np.errstate(over="ignore"):  # the length of damaged rows may be infinite
        lengths = np.linalg.norm(matrix, axis=1)
    if not np.allclose(lengths, known, atol=1e-3):
        raise ValueError(f"vectors of {name}: expected rows of length one, or zero where the word is unknown")
    return WordVectors(matrix, known)


def _array_bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy evaluates the header; the parser warns of what is odd in it
        array: NDArray[Any] = np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
    return array
