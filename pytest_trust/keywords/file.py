"""The index file: one zip archive of a JSON document and plain arrays, without pickle."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
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
)
from pytest_trust.keywords.pool import PoolWord

_FORMAT = "pytest-trust keyword index"


def dump_index(index: KeywordIndex) -> bytes:
    """``index`` as the content of an index file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        _write(archive, "index.json", json.dumps(_document(index), ensure_ascii=False, indent=1).encode())
        for member in index.origin.settings.members:
            vectors = index.vectors[member.name]
            _write(archive, f"{member.name}.matrix.npy", _array_bytes(vectors.matrix))
            _write(archive, f"{member.name}.known.npy", _array_bytes(vectors.known))
    return buffer.getvalue()


def _write(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    # A ZipInfo of its own carries no time of day: the same index is the same bytes.
    archive.writestr(zipfile.ZipInfo(name), content)


def load_index(path: Path) -> KeywordIndex:
    """The index in the file at ``path``.

    Raises:
        IndexFileError: the file is not there, not an index, damaged, or of another version.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
            if damaged is not None:
                raise IndexFileError(f"{path}: the member {damaged!r} of the index file is damaged")
            return _read(archive, path)
    except IndexFileError:
        raise
    except FileNotFoundError as error:
        raise IndexFileError(f"{path}: no such index file") from error
    except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError, AttributeError, NotImplementedError) as error:
        raise IndexFileError(f"{path}: not a whole keyword index: {error}") from error


def _read(archive: zipfile.ZipFile, path: Path) -> KeywordIndex:
    document = json.loads(archive.read("index.json"))
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise IndexFileError(f"{path}: not a keyword index")
    if document.get("version") != FORMAT_VERSION:
        raise IndexFileError(
            f"{path}: index of format version {document.get('version')!r}, this release reads {FORMAT_VERSION}"
        )
    origin = _origin(document["origin"])
    vocabulary = tuple(document["vocabulary"])
    vectors = {
        member.name: _member_vectors(archive, member.name, len(vocabulary)) for member in origin.settings.members
    }
    classes = tuple(_class(item, set(vocabulary)) for item in document["classes"])
    return KeywordIndex(origin, classes, vocabulary, vectors, int(document["explained"]))


def _document(index: KeywordIndex) -> dict[str, Any]:
    origin = index.origin
    return {
        "format": _FORMAT,
        "version": FORMAT_VERSION,
        "origin": {
            "model": origin.model,
            "model_source": origin.model_source,
            "data": origin.data,
            "data_name": origin.data_name,
            "settings": _settings_document(origin.settings),
        },
        "explained": index.explained,
        "classes": [_class_document(item) for item in index.classes],
        "vocabulary": list(index.vocabulary),
    }


def _settings_document(settings: IndexSettings) -> dict[str, Any]:
    return {
        "explainer": settings.explainer,
        "seed": settings.seed,
        "members": [[member.name, member.fingerprint, member.threshold] for member in settings.members],
        "class_names": [list(names) for names in settings.class_names],
        "max_distance": settings.max_distance,
    }


def _class_document(item: ClassKeywords) -> dict[str, Any]:
    keywords, others = item.lists()
    return {
        "label": item.label,
        "names": list(item.names),
        "keywords": keywords,
        "others": others,
        "pool": [[word.word, word.mean_score, word.count] for word in item.pool],
    }


def _origin(document: Mapping[str, Any]) -> IndexOrigin:
    settings = dict(document["settings"])
    settings["members"] = tuple(MemberSettings(*member) for member in settings["members"])
    settings["class_names"] = tuple(tuple(names) for names in settings["class_names"])
    return IndexOrigin(
        str(document["model"]),
        str(document["data"]),
        IndexSettings(**settings),
        str(document["model_source"]),
        str(document["data_name"]),
    )


def _class(document: Mapping[str, Any], vocabulary: set[str]) -> ClassKeywords:
    pool = tuple(PoolWord(str(word), float(score), int(count)) for word, score, count in document["pool"])
    missing = {item.word for item in pool} - vocabulary
    if missing:
        raise ValueError(f"pool words without vectors: {sorted(missing)[:3]}")
    return ClassKeywords(
        str(document["label"]), tuple(document["names"]), pool, frozenset(map(str, document["keywords"]))
    )


def _member_vectors(archive: zipfile.ZipFile, name: str, n_words: int) -> WordVectors:
    matrix = _array(archive, f"{name}.matrix.npy")
    known = _array(archive, f"{name}.known.npy")
    if matrix.ndim != 2 or len(matrix) != n_words or known.shape != (n_words,) or known.dtype != np.bool_:
        raise ValueError(f"vectors of {name} have shapes {matrix.shape} and {known.shape} for {n_words} words")
    return WordVectors(matrix.astype(np.float32, copy=False), known)


def _array_bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    array: NDArray[Any] = np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
    return array
