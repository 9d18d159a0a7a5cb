"""A small transformer on disk over two sessions: what is read, and what a changed file brings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_trust.explain import LimeExplainer
from pytest_trust.explain.stored import StoredExplainer
from pytest_trust.models import TransformersClassifier, load_model
from pytest_trust.models.fingerprints import CANARIES
from pytest_trust.models.kept import kept_answers, remembering
from pytest_trust.store import ResultStore
from tests.models.conftest import make_tiny as make_tiny
from tests.models.conftest import make_tokenizer as make_tokenizer

TEXTS = ["the film was good", "the story was bad", "a good film, a good story"]


@pytest.fixture
def folder(tmp_path: Path, make_tiny: Callable[..., Any], make_tokenizer: Callable[..., Any]) -> Path:
    make_tiny().save_pretrained(tmp_path / "model")
    make_tokenizer().save_pretrained(tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture
def asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """Runs a session; how many texts and neighbours the model was asked about."""
    counts: list[int] = []
    plain = TransformersClassifier._answer

    def counting(self: TransformersClassifier, batch: Any) -> object:
        counts.append(sum(not isinstance(item, str) or item not in CANARIES for item in batch))
        return plain(self, batch)

    monkeypatch.setattr(TransformersClassifier, "_answer", counting)

    def session() -> int:
        counts.clear()
        store = ResultStore(folder.parent / "results.sqlite")
        model = remembering(load_model(folder), store)
        explainer = StoredExplainer(LimeExplainer(samples=100, sampling="sequential"), store)
        kept_answers(model, TEXTS)
        list(explainer.explain_many(model, TEXTS, seed=1))
        assert [len(list(found)) for found in explainer.rounds(model, TEXTS, [0, 1, 0], seed=1)]
        store.close()
        return sum(counts)

    return session


def test_an_unchanged_model_is_not_asked(asked: Callable[[], int]) -> None:
    assert asked() > len(TEXTS)
    assert asked() == 0


def test_a_changed_weight_is_a_miss(folder: Path, asked: Callable[[], int]) -> None:
    first = asked()
    weights = folder / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert asked() == first


def test_a_changed_tokenizer_is_a_miss(folder: Path, asked: Callable[[], int]) -> None:
    first = asked()
    tokenizer = folder / "tokenizer.json"
    content = tokenizer.read_text(encoding="utf-8")
    assert '"good"' in content
    tokenizer.write_text(content.replace('"good"', '"fine"'), encoding="utf-8")
    assert 0 < asked() <= 2 * first
