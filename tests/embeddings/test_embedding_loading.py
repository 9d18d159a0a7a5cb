"""From ``--trust-embeddings`` to members."""

from __future__ import annotations

import sys
import textwrap

import numpy as np
import pytest

from pytest_trust.embeddings import KNOWN_EMBEDDINGS, ensemble_names, load_ensemble
from pytest_trust.errors import ConfigurationError, EmbeddingError

MODULE = """
    import numpy as np

    class Hashed:
        name, threshold, fingerprint = "hashed", 0.4, "hashed-1"

        def __init__(self, seed=0):
            self.seed = seed

        def vectors(self, words):
            return np.array([[1.0, len(word), self.seed] for word in words]), np.ones(len(words), bool)

    class Callable(Hashed):
        name = "callable"

        def __call__(self):
            raise RuntimeError("an embedding is not a factory")

    class Shapes:
        glove = Hashed()
        glove.name = "glove"

    def factory():
        return Hashed(seed=2)

    def demanding(path):
        return Hashed()

    def broken():
        raise OSError("disk on fire")

    def nothing():
        return None

    instance = Hashed(seed=1)
    callable_instance = Callable()
    number = 3
"""


@pytest.fixture
def module(tmp_path, monkeypatch, request):
    name = f"own_embeddings_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(MODULE))
    monkeypatch.syspath_prepend(tmp_path)
    return name


def names(members) -> list[str]:
    return [member.name for member in members]


def test_the_default_is_all_three(all_members):
    assert names(load_ensemble()) == names(load_ensemble(None)) == ["glove", "use", "minilm"]
    assert KNOWN_EMBEDDINGS == ("glove", "use", "minilm")


@pytest.mark.parametrize("spec", ["minilm,glove", " minilm , glove ", ["minilm", "glove"], ("minilm", "glove")])
def test_names_keep_their_order(all_members, spec):
    assert names(load_ensemble(spec)) == ["minilm", "glove"]


def test_names_are_checked_without_importing_what_they_name():
    assert ensemble_names("use, no_such_package_here:thing") == ["use", "no_such_package_here:thing"]
    assert ensemble_names(None) == ["glove", "use", "minilm"]


@pytest.mark.parametrize("spec", ["", " ", "glove,", ",glove", "glove,,use", [], ["glove", ""]])
def test_an_empty_name_is_refused(all_members, spec):
    with pytest.raises(ConfigurationError, match=r"found an empty name in .*expected some of glove, use, minilm"):
        load_ensemble(spec)


@pytest.mark.parametrize("spec", ["word2vec", "GloVe", "glove,elmo", "package.module", "a:b:c", "../x:y"])
def test_an_unknown_name_is_refused(all_members, spec):
    with pytest.raises(ConfigurationError, match=r"is unknown, expected some of glove, use, minilm, or an import path"):
        load_ensemble(spec)


@pytest.mark.parametrize("spec", ["glove,glove", "use, glove ,use", ["minilm", "minilm"]])
def test_a_name_given_twice_is_refused(all_members, spec):
    with pytest.raises(ConfigurationError, match="is named twice"):
        load_ensemble(spec)


@pytest.mark.parametrize(("attribute", "seed"), [("Hashed", 0), ("instance", 1), ("factory", 2)])
def test_a_users_own_embedding(module, attribute, seed):
    (member,) = load_ensemble(f"{module}:{attribute}")
    assert (member.name, member.threshold, member.fingerprint) == ("hashed", 0.4, "hashed-1")
    expected = np.array([1.0, 4.0, seed]) / np.sqrt(17.0 + seed**2)
    np.testing.assert_allclose(member.vectors(["good"]).matrix[0], expected, atol=1e-6)


def test_a_users_own_embedding_beside_the_tests(tmp_path):
    (tmp_path / "embeddings_beside_the_tests.py").write_text(textwrap.dedent(MODULE))
    assert names(load_ensemble("embeddings_beside_the_tests:instance", rootpath=tmp_path)) == ["hashed"]
    assert str(tmp_path) not in sys.path


def test_an_embedding_that_can_be_called_is_not_a_factory(module):
    assert names(load_ensemble(f"{module}:callable_instance")) == ["callable"]


def test_a_users_embedding_beside_the_shipped_ones(all_members, module):
    assert names(load_ensemble(f"glove,{module}:instance")) == ["glove", "hashed"]


def test_a_users_embedding_may_not_take_the_name_of_another(all_members, module):
    with pytest.raises(ConfigurationError, match="'glove' is named twice"):
        load_ensemble(f"glove,{module}:Shapes.glove")
    with pytest.raises(ConfigurationError, match="'hashed' is named twice"):
        load_ensemble(f"{module}:instance,{module}:factory")


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("absent", "cannot be imported: AttributeError"),
        ("demanding", "called without arguments, it raised TypeError"),
        ("broken", "called without arguments, it raised OSError: disk on fire"),
    ],
)
def test_an_import_path_that_leads_nowhere(module, attribute, message):
    with pytest.raises(ConfigurationError, match=f"{module}:{attribute}.*{message}"):
        load_ensemble(f"{module}:{attribute}")


def test_a_module_that_is_absent():
    with pytest.raises(ConfigurationError, match="no_such_package_here:thing: cannot be imported: ModuleNotFoundError"):
        load_ensemble("no_such_package_here:thing")


@pytest.mark.parametrize("attribute", ["number", "nothing"])
def test_something_that_is_no_embedding(module, attribute):
    with pytest.raises(EmbeddingError, match=f"{module}:{attribute}: .* has no name, threshold, fingerprint, vectors"):
        load_ensemble(f"{module}:{attribute}")
