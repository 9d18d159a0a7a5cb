"""Input x gradient at word level (the paper's TOKI-grad): one pass back through the model for each text."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ConfigurationError, ModelError
from pytest_trust.explain.engine import explanation
from pytest_trust.explain.explanation import Explanation
from pytest_trust.explain.masks import Neighbourhood, whole_text
from pytest_trust.explain.omission import OmissionExplainer
from pytest_trust.explain.scoring import Scored
from pytest_trust.explain.surrogate import by_size
from pytest_trust.explain.words import WordBag
from pytest_trust.models.abilities import WordGradients
from pytest_trust.models.base import TextClassifier


class GradientExplainer(OmissionExplainer):
    """Scores a word by its input times the gradient of the class's logit, summed over its occurrences.

    The settings are those of :class:`OmissionExplainer`. Scores are in units of the logit, not of probability. An
    explanation's ``calls`` are two, the text scored and the pass back, and its ``samples`` one, the text itself. The
    predictions of many texts share model calls.

    Raises:
        ConfigurationError: a setting is out of its range; when explaining, also where the model gives no gradients.
        ModelError: the gradients are not one finite number for each occurrence of a word.
    """

    __slots__ = ()

    name: ClassVar[str] = "gradient"

    def _neighbours(self, bag: WordBag, seed: int) -> Neighbourhood:
        return whole_text(len(bag.words))

    def _explanation(self, model: TextClassifier, answer: Scored) -> Explanation:
        return self._by_gradient(model, answer) if answer.job.bag.words else super()._explanation(model, answer)

    def _by_gradient(self, model: TextClassifier, whole: Scored) -> Explanation:
        bag = whole.job.bag
        totals = np.zeros(len(bag.words))
        np.add.at(totals, bag.ids, _gradients(model, bag, whole.class_index))
        words = tuple(bag.score(word, totals[word]) for word in by_size(totals)[: self.features])
        return explanation(model, whole, self.name, words=words, samples=1, calls=2)


def _gradients(model: TextClassifier, bag: WordBag, class_index: int) -> NDArray[np.float64]:
    """Input times gradient of each of the t occurrences, shape (t,)."""
    found = model.word_gradients(bag.masked(), class_index) if isinstance(model, WordGradients) else None
    if found is None:
        raise ConfigurationError(
            f"the model {model.source} gives no gradients for the words of {bag.text[:80]!r}, which the explainer "
            "'gradient' needs; choose the explainer 'lime' or 'omission', which take any model"
        )
    if found.shape != bag.ids.shape or not np.isfinite(found).all():
        raise ModelError(
            f"the model {model.source} returned gradients of shape {found.shape}, {np.isfinite(found).sum()} of them "
            f"finite, for {bag.text[:80]!r}; expected one finite value for each of its {len(bag.ids)} words"
        )
    return found
