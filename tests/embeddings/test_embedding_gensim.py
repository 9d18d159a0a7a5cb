"""Vectors that gensim wrote or would fetch."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from pytest_trust.embeddings import load_ensemble, pickled_embeddings
from pytest_trust.embeddings.gensim_vectors import DOWNLOADS
from pytest_trust.errors import ConfigurationError, EmbeddingError, MissingExtraError
from tests.embeddings.vector_files import ENTRIES, text, unit, written

SENTENCES = [["the", "cat", "sat", "on", "the", "mat"], ["a", "naïve", "café", "in", "paris"]] * 5
UNSEEN = ["cats", "matting", "naïveté", "кошка", "猫", "x"]


@pytest.fixture(scope="module")
def gensim():
    return pytest.importorskip("gensim", reason="needs the extra [gensim]")


@pytest.fixture(scope="module")
def keyed_vectors(gensim, tmp_path_factory):
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(3)
    vectors.add_vectors(list(ENTRIES), np.array(list(ENTRIES.values()), np.float32))
    path = tmp_path_factory.mktemp("kv") / "own.vectors.kv"
    vectors.save(str(path), sep_limit=0)
    assert path.with_name(path.name + ".vectors.npy").exists()
    return path


@pytest.fixture(scope="module")
def fasttext(gensim, tmp_path_factory):
    """A small model in fastText's own format, as its authors' tool writes it, and gensim's reading of it."""
    from gensim.models import FastText
    from gensim.models.fasttext import load_facebook_vectors, save_facebook_model

    model = FastText(SENTENCES, vector_size=8, min_count=1, bucket=300, min_n=3, max_n=5, epochs=1, workers=1, seed=3)
    path = tmp_path_factory.mktemp("fasttext") / "small.bin"
    save_facebook_model(model, str(path))
    return path, load_facebook_vectors(str(path))


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def no_gensim(monkeypatch):
    for name in ("gensim", "gensim.models", "gensim.models.fasttext", "gensim.downloader"):
        monkeypatch.setitem(sys.modules, name, None)


def test_keyed_vectors(keyed_vectors):
    (member,) = load_ensemble(str(keyed_vectors))
    assert member.name == "own.vectors"
    np.testing.assert_allclose(member.vectors(["good", "zzqx"]).matrix, [unit("good"), [0, 0, 0]], atol=1e-7)


def test_the_arrays_beside_keyed_vectors_count(keyed_vectors, tmp_path):
    copies = [tmp_path / path.name for path in keyed_vectors.parent.iterdir()]
    for copy in copies:
        copy.write_bytes((keyed_vectors.parent / copy.name).read_bytes())
    before = load_ensemble(keyed_vectors.name, rootpath=tmp_path)[0].fingerprint
    array = tmp_path / f"{keyed_vectors.name}.vectors.npy"
    np.save(array, np.ones((4, 3), np.float32))
    assert load_ensemble(keyed_vectors.name, rootpath=tmp_path)[0].fingerprint != before


def test_keyed_vectors_are_pickles_that_can_be_forbidden(tmp_path):
    path = written(tmp_path, "v.kv", b"")
    assert pickled_embeddings(["glove", str(path), "no_such:thing"]) == [str(path)]
    with pytest.raises(ConfigurationError, match=r"v\.kv is a pickle, which runs code .*\(--trust-no-pickle\)"):
        load_ensemble("v.kv", rootpath=tmp_path, allow_pickle=False)


def test_a_pickle_of_something_else(gensim, tmp_path):
    from gensim.utils import SaveLoad

    path = tmp_path / "other.kv"
    SaveLoad().save(str(path))
    with pytest.raises(
        EmbeddingError, match=r"other\.kv: found SaveLoad, expected vectors saved by KeyedVectors\.save"
    ):
        load_ensemble(str(path))[0].vectors(["good"])


@pytest.mark.parametrize(("name", "content"), [("v.kv", b"not a pickle"), ("v.bin", b"\xba\x16\x4f\x2f\x0c\0\0\0..")])
def test_what_gensim_cannot_read(gensim, tmp_path, name, content):
    path = written(tmp_path, name, content)
    with pytest.raises(EmbeddingError, match=rf"{name}: gensim cannot read it \(\w+"):
        load_ensemble(str(path))[0].vectors(["good"])


def test_a_text_file_that_gensim_wrote(gensim, keyed_vectors, tmp_path):
    from gensim.models import KeyedVectors

    vectors = KeyedVectors.load(str(keyed_vectors))
    for name, is_binary in (("v.txt", False), ("v.bin", True)):
        vectors.save_word2vec_format(str(tmp_path / name), binary=is_binary)
        found = load_ensemble(str(tmp_path / name))[0].vectors(["good", "chair"])
        np.testing.assert_allclose(found.matrix, [unit("good"), unit("chair")], atol=1e-6)


@pytest.mark.parametrize("kept", [False, True])
def test_fasttext_gives_words_and_sub_words(fasttext, tmp_path, kept):
    path, reference = fasttext
    words = ["cat", "café", *UNSEEN]
    for _ in range(2):
        (member,) = load_ensemble(str(path), rootpath=tmp_path if kept else None)
        found = member.vectors(words)
        expected = np.array([reference.get_vector(word, norm=True) for word in words])
        assert found.known.all()
        np.testing.assert_allclose(found.matrix, expected, atol=1e-6)


def test_a_phrase_of_fasttext_takes_all_its_words(fasttext):
    path, reference = fasttext
    mean = reference.get_vector("cat", norm=True) + reference.get_vector("matting", norm=True)
    found = load_ensemble(str(path))[0].vectors(["cat matting"])
    np.testing.assert_allclose(found.matrix[0], mean / np.linalg.norm(mean), atol=1e-6)


def test_a_download_that_is_there_needs_no_gensim(data_folder, no_gensim):
    (data_folder / "glove-twitter-25").mkdir()
    written(data_folder, "glove-twitter-25/glove-twitter-25.gz", text(header=True))
    (member,) = load_ensemble("glove-twitter-25")
    assert member.name == "glove-twitter-25"
    np.testing.assert_allclose(member.vectors(["good"]).matrix[0], unit("good"), atol=1e-7)


def test_a_folder_of_gensim_may_hold_more_names(data_folder):
    (data_folder / "our-own-vectors").mkdir()
    written(data_folder, "our-own-vectors/our-own-vectors.gz", text())
    assert load_ensemble("our-own-vectors")[0].vectors(["good"]).known.all()


def test_a_download_that_fails(gensim, data_folder, monkeypatch):
    from gensim import downloader

    def fail(name: str, return_path: bool) -> str:
        raise OSError("network is unreachable")

    monkeypatch.setattr(downloader, "load", fail)
    with pytest.raises(EmbeddingError, match=r"word2vec-google-news-300: .* cannot fetch it \(OSError: network is unr"):
        load_ensemble("word2vec-google-news-300")


def test_gensim_fetches_what_is_not_there(gensim, data_folder, monkeypatch):
    from gensim import downloader

    path = written(data_folder, "fetched.gz", text())
    monkeypatch.setattr(downloader, "load", lambda name, return_path: str(path) if return_path else None)
    (member,) = load_ensemble("glove-twitter-50")
    assert member.name == "glove-twitter-50"
    assert member.vectors(["good"]).known.all()


@pytest.mark.parametrize("spec", ["v.kv", "v.bin", DOWNLOADS[0]])
def test_without_gensim_the_extra_is_named(tmp_path, data_folder, no_gensim, spec):
    written(tmp_path, "v.kv", b"")
    written(tmp_path, "v.bin", b"\xba\x16\x4f\x2f")
    with pytest.raises(MissingExtraError, match=r"needs the package 'gensim'.*pytest-trust\[gensim\]"):
        load_ensemble(spec, rootpath=tmp_path)[0].vectors(["good"])
