"""What the tests of embeddings share: the packaged members, skipped where their packages are absent."""

from __future__ import annotations

import functools
from importlib import metadata

import pytest

from pytest_trust.embeddings import GloVe, MiniLM, UniversalSentenceEncoder
from pytest_trust.embeddings import glove as glove_module
from pytest_trust.embeddings import minilm as minilm_module
from pytest_trust.embeddings import use as use_module
from pytest_trust.embeddings.packaged import PackagedEmbedding

MEMBERS = (GloVe, UniversalSentenceEncoder, MiniLM)
LOADERS = {
    glove_module: ("load_vocabulary", "load_matrix"),
    use_module: ("load_encoder",),
    minilm_module: ("load_tokenizer", "load_runner"),
}


def _skip_without_packages(member: type[PackagedEmbedding]) -> None:
    for file in member.files:
        try:
            metadata.distribution(file.package.distribution)
        except metadata.PackageNotFoundError:
            pytest.skip(f"needs the extra [embeddings]: {file.package.distribution} is not installed")


@pytest.fixture(params=MEMBERS, ids=[member.name for member in MEMBERS])
def member_type(request: pytest.FixtureRequest) -> type[PackagedEmbedding]:
    """Each packaged member in turn."""
    _skip_without_packages(request.param)
    return request.param


@pytest.fixture
def all_members() -> tuple[type[PackagedEmbedding], ...]:
    """The three packaged members at once."""
    for member in MEMBERS:
        _skip_without_packages(member)
    return MEMBERS


@pytest.fixture
def fresh_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """For this test alone, models are loaded anew; what other tests loaded is kept for them."""
    for module, loaders in LOADERS.items():
        for loader in loaders:
            monkeypatch.setattr(module, loader, functools.cache(getattr(module, loader).__wrapped__))
