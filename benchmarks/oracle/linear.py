"""A linear classifier of words and its exact explanations: the contribution of each word to the predicted class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_trust.explain import Explanation, WordScore

MOST_WORDS = 10


class LinearWords:
    """TF-IDF of single words with logistic regression (C = 10, classes balanced), explained without sampling."""

    def __init__(self, texts: Sequence[str], labels: Sequence[str]) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        self._vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=1)
        self._model = LogisticRegression(C=10, class_weight="balanced", max_iter=1000)
        self._model.fit(self._vectorizer.fit_transform(texts), labels)
        self.classes = tuple(map(str, self._model.classes_))
        self._names = self._vectorizer.get_feature_names_out()

    def explain_correct(self, texts: Sequence[str], labels: Sequence[str]) -> Iterator[tuple[int, Explanation]]:
        """For every text that is predicted correctly its place and the ten words that speak most for the class."""
        matrix = self._vectorizer.transform(texts)
        probabilities = self._model.predict_proba(matrix)
        for place, (text, label) in enumerate(zip(texts, labels, strict=True)):
            column = int(probabilities[place].argmax())
            if self.classes[column] == label:
                words = self._words(matrix[place], column)
                yield place, explanation(text, label, column, float(probabilities[place, column]), words)

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities of the classes for n texts, shape (n, k)."""
        found: NDArray[np.float64] = self._model.predict_proba(self._vectorizer.transform(texts))
        return found

    def _words(self, row: object, column: int) -> list[tuple[str, float]]:
        """The words with the largest positive contributions to the margin of ``column`` over the mean of the others."""
        parts = row.data * self._weights()[column, row.indices]  # type: ignore[attr-defined]
        order = np.argsort(-parts, kind="stable")[:MOST_WORDS]
        return [(str(self._names[row.indices[i]]), float(parts[i])) for i in order if parts[i] > 0]  # type: ignore[attr-defined]

    def _weights(self) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = self._model.coef_
        return np.vstack([-weights, weights]) if len(weights) == 1 else weights


def explanation(text: str, label: str, column: int, probability: float, words: list[tuple[str, float]]) -> Explanation:
    """An explanation of which only the words and their scores are known."""
    scored = tuple(WordScore(word, score, ()) for word, score in words)
    return Explanation(text, label, column, probability, scored, "linear", 1, 1, 0)
