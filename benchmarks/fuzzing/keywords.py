"""Readers of class descriptions and of keyword indices."""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.fuzzing.mutations import mutated_bytes, mutated_json
from benchmarks.fuzzing.target import Target, writer
from pytest_trust.embeddings.base import WordVectors
from pytest_trust.errors import ConfigurationError, IndexFileError
from pytest_trust.keywords import dump_index, load_index
from pytest_trust.keywords.descriptions import read_descriptions
from pytest_trust.keywords.index import ClassKeywords, IndexOrigin, IndexSettings, KeywordIndex, MemberSettings
from pytest_trust.keywords.pool import PoolWord

_DESCRIPTIONS = """\
[positive]
words = ["praise", "joy"]
allow = ["great film"]
deny = ['host', "Lakeside"]

["sci/tech"]
words = [
  "science",  # and more
  \"\"\"new\\u00e9\"\"\",
]
deny = []
"""
_TOML_WORDS = (
    b"words", b"allow", b"deny", b"[positive]", b"[[positive]]", b'"""', b"'''", b"1979-05-27T07:32:00Z", b"{a=1}",
    b"0xdeadbeef", b"1_000", b"x.y.z", b"\\ud800", b"\\UFFFFFFFF", b"9999-99-99", b"[a.b.c]\n", b"true",
    b"=[" + b"[" * 9_000,
)  # fmt: skip


def targets(folder: Path) -> Iterator[Target]:
    """Two readers."""
    path = folder / "classes.toml"
    yield Target(
        "class descriptions",
        (_DESCRIPTIONS.encode(), b"", b"[a]\n"),
        writer(path, _read_descriptions),
        (ConfigurationError,),
        path.name,
        words=_TOML_WORDS,
    )
    path = folder / "keywords.zip"
    yield Target(
        "keyword index",
        (dump_index(_index()),),
        writer(path, _read_index),
        (IndexFileError,),
        path.name,
        changes=(_document, _array, _archive),
        words=(b"PK\x03\x04", b"PK\x01\x02", b"index.json", b"\x93NUMPY", b"'descr': '|O'"),
    )


def _read_descriptions(path: Path) -> None:
    for label, item in read_descriptions(path).items():
        assert type(label) is str
        assert all(type(word) is str and word.strip() for word in (*item.words, *item.allow, *item.deny))
        assert not set(item.allow) & set(item.deny)


def _read_index(path: Path) -> None:
    index = load_index(path)
    assert index.explained >= 0
    str(index)
    json.dumps(index.to_dict(), allow_nan=False)
    assert len(index.origin.key()) == 64
    assert not index.origin.difference(index.origin)
    for item in index.classes:
        assert item.keywords <= {word.word for word in item.pool}
        assert all(math.isfinite(word.mean_score) for word in item.pool)
        for member in index.origin.settings.members:
            assert math.isfinite(member.threshold)
            vectors = index.pool_vectors(item, member.name)
            assert len(vectors.matrix) == len(vectors.known) == len(item.pool)
            assert np.isfinite(vectors.matrix).all()
    # What was read can be kept and read again.
    path.write_bytes(dump_index(index))
    again = load_index(path)
    assert (again.origin, again.classes, again.explained) == (index.origin, index.classes, index.explained)


def _index() -> KeywordIndex:
    members = (MemberSettings("axes", "f" * 64, 0.5), MemberSettings("more", "e" * 64, 0.25))
    settings = IndexSettings({"name": "lime", "samples": 100, "width": 0.25}, 0, members, (("good",), ("bad", "poor")))
    pools = [
        ClassKeywords("good", ("good",), (PoolWord("fine", 0.5, 2), PoolWord("host", 0.25, 1)), frozenset({"fine"})),
        ClassKeywords("bad", ("bad", "poor"), (PoolWord("dull", 0.5, 3), PoolWord("é", 0.0, 0)), frozenset()),
    ]
    rows = np.eye(4, 3, dtype=np.float32)
    vectors = {member.name: WordVectors(rows, rows.any(axis=1)) for member in members}
    origin = IndexOrigin("a" * 64, "b" * 64, settings, "model.joblib", "train.csv")
    return KeywordIndex(origin, tuple(pools), vectors, 5)


def _members(content: bytes) -> dict[str, bytes]:
    """The files in an archive; those of a valid one where it cannot be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist() if info.file_size < 2**20}
    except Exception:
        return _members(dump_index(_index()))


def _packed(members: dict[str, bytes], kind: int = zipfile.ZIP_STORED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as archive:
        for name, content in members.items():
            # A ZipInfo of its own carries no time of day.
            archive.writestr(zipfile.ZipInfo(name), content, kind)
    return buffer.getvalue()


def _document(rng: Random, content: bytes) -> bytes:
    """Another JSON document in it."""
    members = _members(content)
    document = members.get("index.json", b"{}")
    members["index.json"] = mutated_json(rng, document) if rng.random() < 0.9 else mutated_bytes(rng, document)
    return _packed(members)


def _array(rng: Random, content: bytes) -> bytes:
    """Another array, or a header of one that does not fit what follows."""
    members = _members(content)
    name = rng.choice([name for name in members if name.endswith(".npy")] or ["axes.matrix.npy"])
    if rng.random() < 0.5:
        members[name] = _npy(rng)
    else:
        shape = rng.choice(
            ("(4, 3)", "(10000000000000, 3)", "(4,", "(-1, 3)", "(True, 3)", "()", "(2**62,)", "((4,),)")
        )
        kind = rng.choice(("<f4", "|O", "|b1", "<U9", ">f4", "V8", "m8", "\\d", "<f4,<f4"))
        order = rng.choice(("False", "True", "None", "1"))
        header = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}".encode().ljust(118) + b"\n"
        version = rng.choice((b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x09\x00"))
        length = struct.pack("<H" if version == b"\x01\x00" else "<I", len(header))
        members[name] = b"\x93NUMPY" + version + length + header + bytes(48)
    return _packed(members)


def _npy(rng: Random) -> bytes:
    kind = rng.choice(("<f4", "<f8", "?", "<i8", "S3", ">f4", "<c8"))
    shape = rng.choice(((4, 3), (4,), (0, 3), (3, 4), (4, 0), (), (4, 3, 1)))
    array = np.full(shape, b"a" if kind == "S3" else rng.choice((0, 1, 3))).astype(kind)
    if array.dtype.kind == "f" and rng.random() < 0.5:
        array[...] = rng.choice((math.nan, math.inf, 0.577350269, 1e30))
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def _archive(rng: Random, content: bytes) -> bytes:
    """Members that are packed, missing, enormous, or called like paths out of the folder."""
    members = _members(content)
    name = rng.choice(list(members) or ["index.json"])
    action = rng.random()
    if action < 0.2:
        members.pop(name, None)
    elif action < 0.4:
        members[rng.choice(("../../evil", "/etc/evil", "C:\\evil", "index.json/", "é"))] = b"x"
    elif action < 0.45:
        members[name] = rng.choice((b"[", b" ", b"\0", b"0")) * 2**28
        return _packed(members, zipfile.ZIP_DEFLATED)
    elif action < 0.6:
        return _packed(members, rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)))
    packed = bytearray(_packed(members))
    if action > 0.7 and (at := packed.rfind(b"PK\x01\x02")) >= 0:
        # Flags, method, sizes and offset of the last member stand in its first 46 bytes.
        packed[at + rng.randrange(4, 46)] = rng.choice((0, 1, 8, 99, 255))
    return bytes(packed)
