"""SavedModels of the signature of TensorFlow Hub's NNLM and Swivel, on small ones made here."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from pytest_trust.embeddings import load_ensemble
from pytest_trust.errors import EmbeddingError, MissingExtraError

VECTORS = {"good": (3.0, 4.0), "table": (0.0, 2.0)}


@pytest.fixture(scope="module")
def tensorflow():
    return pytest.importorskip("tensorflow", reason="SavedModels are tested where tensorflow is installed")


@pytest.fixture(scope="module")
def save(tensorflow, tmp_path_factory):
    """Saves a model that adds up the vectors of a text's words: callable, or with a signature of the given name."""

    class Model(tensorflow.Module):
        def __init__(self) -> None:
            super().__init__()
            keys = tensorflow.constant(list(VECTORS))
            places = tensorflow.range(1, len(VECTORS) + 1)
            start = tensorflow.lookup.KeyValueTensorInitializer(keys, places)
            self.places = tensorflow.lookup.StaticHashTable(start, 0)
            self.rows = tensorflow.Variable([(0.0, 0.0), *VECTORS.values()])

        def embed(self, texts):
            words = tensorflow.strings.split(texts)
            return tensorflow.reduce_sum(tensorflow.gather(self.rows, self.places.lookup(words)), axis=1)

    class Callable(Model):
        @tensorflow.function(input_signature=[tensorflow.TensorSpec([None], tensorflow.string)])
        def __call__(self, texts):
            return self.embed(texts)

    def make(signature: str | None) -> Path:
        folder = tmp_path_factory.mktemp("saved") / "nnlm"
        model = Callable() if signature is None else Model()
        if signature is None:
            tensorflow.saved_model.save(model, str(folder))
            return folder

        @tensorflow.function(input_signature=[tensorflow.TensorSpec([None], tensorflow.string, name="text")])
        def serve(text):
            return {"embedding": model.embed(text)}

        tensorflow.saved_model.save(model, str(folder), signatures={signature: serve})
        return folder

    return make


@pytest.mark.parametrize("signature", [None, "serving_default", "default"])
def test_words_and_phrases(save, signature, tmp_path):
    (member,) = load_ensemble(str(save(signature)), rootpath=tmp_path)
    assert (member.name, member.dimension) == ("nnlm", 2)
    found = member.vectors(["Good", "table", "good table", "zzqx"])
    assert found.known.tolist() == [True, True, True, False]
    np.testing.assert_allclose(found.matrix, [[0.6, 0.8], [0, 1], [1 / 5**0.5, 2 / 5**0.5], [0, 0]], atol=1e-6)


def test_the_fingerprint_is_that_of_the_files(save):
    folder = save(None)
    first = load_ensemble(str(folder))[0].fingerprint
    assert load_ensemble(str(folder))[0].fingerprint == first
    (folder / "assets").mkdir(exist_ok=True)
    (folder / "assets/tokens.txt").write_text("more")
    assert load_ensemble(str(folder))[0].fingerprint != first


def test_a_model_without_such_a_signature(save):
    with pytest.raises(EmbeddingError, match=r"nnlm: found the signatures \['other'\]; expected one that is callable"):
        load_ensemble(str(save("other")))[0].vectors(["good"])


def test_a_folder_that_cannot_be_loaded(tensorflow, tmp_path):
    (tmp_path / "saved_model.pb").write_bytes(b"not a model")
    with pytest.raises(EmbeddingError, match=r"tensorflow cannot load it \("):
        load_ensemble(str(tmp_path))[0].vectors(["good"])


def test_a_model_of_something_else(tensorflow, tmp_path):
    class Image(tensorflow.Module):
        @tensorflow.function(input_signature=[tensorflow.TensorSpec([None], tensorflow.string)])
        def __call__(self, texts):
            return tensorflow.zeros([1, 2, 3])

    tensorflow.saved_model.save(Image(), str(tmp_path / "image"))
    with pytest.raises(EmbeddingError, match=r"for the text 'good' it gave .*expected .* finite numbers \(n, d\)"):
        load_ensemble(str(tmp_path / "image"))[0].vectors(["good"])


def test_without_tensorflow_its_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    (tmp_path / "saved_model.pb").write_bytes(b"")
    with pytest.raises(MissingExtraError, match=r"needs the package 'tensorflow'.*pip install tensorflow"):
        load_ensemble(str(tmp_path))[0].vectors(["good"])
