"""Small fitted scikit-learn pipelines; every test gets one of its own, so that it may spoil it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

TEXTS = ["good film", "great plot", "a great, good cast", "bad film", "awful plot", "a bad, awful cast"]
LABELS = ["pos", "pos", "pos", "neg", "neg", "neg"]


@pytest.fixture
def make_pipeline() -> Callable[..., Any]:
    def make(classifier: Any = None, labels: list[Any] = LABELS, fit: bool = True) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline as pipeline_of

        pipeline = pipeline_of(TfidfVectorizer(), LogisticRegression() if classifier is None else classifier)
        return pipeline.fit(TEXTS, labels) if fit else pipeline

    return make
