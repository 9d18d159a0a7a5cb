from __future__ import annotations

import dataclasses
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_trust.data import load_dataset
from pytest_trust.errors import DataError, IndexFileError, TrustWarning
from pytest_trust.explain import LimeExplainer
from pytest_trust.keywords import KeywordIndex, build_index, cached_index, dump_index, index_origin, load_index
from pytest_trust.models import as_classifier

TRAIN = [
    ("a fine film", "good"),
    ("truly great fun", "good"),
    ("the host was fine", "good"),
    ("an awful film", "bad"),
    ("a dull mess", "bad"),
    ("not what it says", "good"),  # predicted wrongly: never explained
]


@pytest.fixture
def parts(make_word_model, make_embedding):
    model = as_classifier(
        make_word_model({"fine": 2.0, "great": 3.0, "host": 1.0, "awful": -3.0, "dull": -2.0, "not": -1})
    )
    table = {
        "good": (1, 0, 0), "fine": (0.9, 0.1, 0), "great": (0.8, 0.2, 0), "host": (0, 0, 1),
        "bad": (0, 1, 0), "awful": (0.1, 0.9, 0), "dull": (0.2, 0.8, 0), "film": (0, 0.1, 0.9),
    }  # fmt: skip
    return model, load_dataset(TRAIN), LimeExplainer(samples=200), [make_embedding(table)]


@pytest.fixture
def index(parts) -> KeywordIndex:
    model, train, explainer, members = parts
    return build_index(index_origin(model, train, explainer, members, seed=7), model, train, explainer, members)


def test_keywords_of_a_small_model(index: KeywordIndex) -> None:
    bad, good = index.classes
    assert (bad.label, good.label) == ("bad", "good")
    assert good.keywords == {"fine", "great"}
    assert bad.keywords == {"awful", "dull"}
    assert "host" in {item.word for item in good.pool}
    assert index.explained == 5


def test_lists_are_printed(index: KeywordIndex) -> None:
    printed = str(index)
    assert "class good (names: good): " in printed
    assert "  2 keywords: great, fine\n" in printed
    assert "keyword index of " in printed


def test_progress_is_told_for_every_explanation(parts) -> None:
    model, train, explainer, members = parts
    seen: list[tuple[int, int]] = []
    build_index(
        index_origin(model, train, explainer, members, seed=7),
        *parts,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(i, 5) for i in range(1, 6)]


def test_a_model_that_is_never_right_has_no_index(parts) -> None:
    model, _, explainer, members = parts
    wrong = load_dataset([("a fine film", "bad")])
    with pytest.raises(DataError, match="predicts none of the 1 training texts correctly"):
        build_index(index_origin(model, wrong, explainer, members, seed=7), model, wrong, explainer, members)


def test_an_index_comes_back_as_it_was(index: KeywordIndex, tmp_path: Path) -> None:
    path = tmp_path / "index.zip"
    path.write_bytes(dump_index(index))
    loaded = load_index(path)
    assert (loaded.origin, loaded.classes, loaded.vocabulary, loaded.explained) == (
        index.origin,
        index.classes,
        index.vocabulary,
        index.explained,
    )
    assert loaded.origin.key() == index.origin.key()
    for name, vectors in index.vectors.items():
        assert np.array_equal(loaded.vectors[name].matrix, vectors.matrix)
        assert np.array_equal(loaded.vectors[name].known, vectors.known)


def test_the_file_holds_readable_lists_and_no_pickle(index: KeywordIndex) -> None:
    with zipfile.ZipFile(io.BytesIO(dump_index(index))) as archive:
        document = json.loads(archive.read("index.json"))
        assert {c["label"]: c["keywords"] for c in document["classes"]}["good"] == ["great", "fine"]
        for name in archive.namelist():
            if name.endswith(".npy"):
                np.load(io.BytesIO(archive.read(name)), allow_pickle=False)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.999])
def test_a_half_written_file_is_refused(index: KeywordIndex, tmp_path: Path, share: float) -> None:
    content = dump_index(index)
    path = tmp_path / "index.zip"
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(IndexFileError, match=r"index\.zip: not a whole keyword index"):
        load_index(path)


def rewritten(content: bytes, change) -> bytes:
    source, target = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            data = source.read(name)
            if name == "index.json":
                document = json.loads(data)
                change(document)
                data = json.dumps(document).encode()
            archive.writestr(name, data)
    return target.getvalue()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(version=99), "format version 99, this release reads 1"),
        (lambda d: d.update(format="another"), "not a keyword index"),
        (lambda d: d.pop("origin"), "not a whole keyword index"),
        (lambda d: d["classes"][0]["pool"].pop(), "not a whole keyword index"),
        (
            lambda d: d["classes"][0]["pool"].append(["unheard", 0.1, 1]),
            "vectors in the file are not those of its pool words",
        ),
        (lambda d: d["classes"][0]["pool"].append(["awful", float("nan"), 1]), "without a finite score"),
        (lambda d: d["classes"][0]["pool"].append(["awful", 0.1, 0]), "without a finite score or a count"),
        (lambda d: d["classes"][0]["keywords"].append("unheard"), "a keyword outside its pool"),
        (lambda d: d["classes"][0]["pool"].append(d["classes"][0]["pool"][0]), "there twice"),
        (lambda d: d.update(classes=3), "not a whole keyword index"),
        (lambda d: d["origin"]["settings"].update(extra=1), "not a whole keyword index"),
    ],
)
def test_a_foreign_document_is_refused(index: KeywordIndex, tmp_path: Path, change, message: str) -> None:
    path = tmp_path / "index.zip"
    path.write_bytes(rewritten(dump_index(index), change))
    with pytest.raises(IndexFileError, match=message):
        load_index(path)


@given(st.integers(0, 10**6), st.integers(0, 255))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_changed_byte_is_an_error_or_harmless(index: KeywordIndex, tmp_path: Path, place: int, byte: int) -> None:
    content = bytearray(dump_index(index))
    content[place % len(content)] = byte
    path = tmp_path / "index.zip"
    path.write_bytes(content)
    try:
        loaded = load_index(path)
    except IndexFileError:
        return
    assert loaded.classes == index.classes


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexFileError, match=r"absent\.zip: no such index file"):
        load_index(tmp_path / "absent.zip")


def counted(index: KeywordIndex):
    builds: list[int] = []

    def build() -> KeywordIndex:
        builds.append(1)
        return index

    return builds, build


def test_an_index_is_built_once_and_read_afterwards(index: KeywordIndex, tmp_path: Path) -> None:
    builds, build = counted(index)
    path = tmp_path / "index.zip"
    first = cached_index(path, index.origin, build)
    second = cached_index(path, index.origin, build)
    assert builds == [1]
    assert first.classes == second.classes


@pytest.mark.parametrize("what", ["model", "data", "settings"])
def test_an_index_of_other_parts_is_rebuilt(index: KeywordIndex, tmp_path: Path, what: str) -> None:
    builds, build = counted(index)
    path = tmp_path / "index.zip"
    cached_index(path, index.origin, build)
    other = dataclasses.replace(index.origin.settings, seed=8) if what == "settings" else "other"
    changed = dataclasses.replace(index.origin, **{what: other})
    cached_index(path, changed, build)
    assert builds == [1, 1]
    assert changed.key() != index.origin.key()


@pytest.mark.parametrize("content", [b"", b"text,label\nfine,good\n", b"PK\x03\x04 half a zip"])
def test_a_foreign_file_is_kept_aside_and_rebuilt(index: KeywordIndex, tmp_path: Path, content: bytes) -> None:
    builds, build = counted(index)
    path = tmp_path / "index.zip"
    path.write_bytes(content)
    with pytest.warns(TrustWarning, match=r"kept as index\.zip\.refused"):
        cached_index(path, index.origin, build)
    assert builds == [1]
    assert (tmp_path / "index.zip.refused").read_bytes() == content
    assert load_index(path).origin == index.origin


def test_without_a_file_nothing_is_kept(index: KeywordIndex) -> None:
    builds, build = counted(index)
    cached_index(None, index.origin, build)
    cached_index(None, index.origin, build)
    assert builds == [1, 1]


def test_the_same_parts_have_the_same_key_and_a_changed_weight_another(parts, make_word_model) -> None:
    model, train, explainer, members = parts
    key = index_origin(model, train, explainer, members, seed=7).key()
    assert index_origin(model, train, explainer, members, seed=7).key() == key
    other = as_classifier(make_word_model({"fine": 2.1}))
    assert index_origin(other, train, explainer, members, seed=7).key() != key
    assert index_origin(model, train.take([0, 1]), explainer, members, seed=7).key() != key
    assert index_origin(model, train, LimeExplainer(samples=201), members, seed=7).key() != key
    assert index_origin(model, train, explainer, [dataclasses.replace(members[0], threshold=0.6)], seed=7).key() != key


def test_code_of_a_users_own_is_asked_about_training_texts(parts, make_word_model) -> None:
    class Own:
        classes_ = ("bad", "good")

        def predict_proba(self, texts: list[str]) -> object:
            return answers(texts)

    _, train, explainer, members = parts
    keys, fingerprints = set(), set()
    for weight in (2.0, 2.1, 2.0):
        answers = make_word_model({"fine": weight})
        model = as_classifier(Own())
        keys.add(index_origin(model, train, explainer, members, seed=7).key())
        fingerprints.add(model.fingerprint())
    assert len(fingerprints) == 1, "no fixed text holds the word"
    assert len(keys) == 2
