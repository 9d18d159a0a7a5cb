"""What the tests of embeddings share: the packaged members, skipped where their packages are absent."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata

import pytest

from pytest_trust.embeddings import GloVe, MiniLM, UniversalSentenceEncoder
from pytest_trust.embeddings import glove as glove_module
from pytest_trust.embeddings import minilm as minilm_module
from pytest_trust.embeddings import use as use_module
from pytest_trust.embeddings.packaged import PackagedEmbedding

MEMBERS = (GloVe, UniversalSentenceEncoder, MiniLM)


def _skip_without_packages(member: type[PackagedEmbedding]) -> None:
    for file in member.files:
        try:
            metadata.distribution(file.distribution)
        except metadata.PackageNotFoundError:
            pytest.skip(f"needs the extra [embeddings]: {file.distribution} is not installed")


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
def fresh_models() -> Iterator[None]:
    """Models that earlier tests have loaded are forgotten, and so are those which this test loads."""
    loaders = (
        glove_module.load_vocabulary,
        glove_module.load_matrix,
        use_module.load_encoder,
        minilm_module.load_tokenizer,
        minilm_module.load_runner,
    )
    for loader in loaders:
        loader.cache_clear()
    yield
    for loader in loaders:
        loader.cache_clear()
