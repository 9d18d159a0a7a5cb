"""The lime package itself, as the reference for :class:`pytest_trust.explain.lime.LimeExplainer`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning

from pytest_trust.errors import ConfigurationError, missing_extra
from pytest_trust.explain.engine import explanation
from pytest_trust.explain.explanation import Explanation
from pytest_trust.explain.lime import LimeExplainer
from pytest_trust.explain.masks import Neighbourhood, whole_text
from pytest_trust.explain.scoring import Scored, StoppingRule, rows_per_call
from pytest_trust.explain.settling import Leaning
from pytest_trust.explain.words import WordBag
from pytest_trust.models.base import TextClassifier


class LimeReferenceExplainer(LimeExplainer):
    """Explanations by ``lime.lime_text.LimeTextExplainer``, a fresh one for each text; every draw is scored.

    The settings are those of :class:`LimeExplainer`; the lime package gets the words of a text as strings.

    Raises:
        ConfigurationError: a setting is out of its range; when explaining, also where the lime package cannot find
            the tokenizer's words in the text.
        MissingExtraError: the lime package is not installed.
    """

    __slots__ = ()

    name: ClassVar[str] = "lime-reference"

    def __post_init__(self) -> None:
        super().__post_init__()
        _lime_text()

    def _neighbours(self, bag: WordBag, seed: int) -> Neighbourhood:
        return whole_text(len(bag.words))

    def _rule(self, leaning: Leaning) -> StoppingRule | None:
        return None

    def _explanation(self, model: TextClassifier, answer: Scored) -> Explanation:
        return self._by_lime(model, answer) if answer.job.bag.words else super()._explanation(model, answer)

    def _by_lime(self, model: TextClassifier, whole: Scored) -> Explanation:
        bag = whole.job.bag
        _check_words(bag, self._strings)
        column = partial(
            _column, model, class_index=whole.class_index, rows=rows_per_call(bag.text, len(model.classes))
        )
        explainer = _lime_text().LimeTextExplainer(
            kernel_width=self.kernel_width, split_expression=self._strings, random_state=whole.job.seed
        )
        with warnings.catch_warnings():
            # Forward selection has no penalty, so that repeated columns make its systems singular.
            warnings.simplefilter("ignore", LinAlgWarning)
            warnings.filterwarnings("ignore", message="Singular matrix", category=UserWarning)
            found = explainer.explain_instance(
                bag.read_text, column, labels=(0,), num_features=self.features, num_samples=self.samples
            )
        words = tuple(bag.score(int(word), float(weight)) for word, weight in found.local_exp[0])
        return explanation(model, whole, self.name, words=words, samples=self.samples, calls=1 + self.samples)

    def _strings(self, text: str) -> list[str]:
        return [text[span.start : span.end] for span in self.tokenizer(text)]


def _column(model: TextClassifier, texts: Sequence[str], *, class_index: int, rows: int) -> NDArray[np.float64]:
    """The probabilities of one class, shape (len(texts), 1), asked for in calls of at most ``rows`` texts."""
    starts = range(0, len(texts), rows)
    return np.concatenate([model.predict_proba(texts[start : start + rows])[:, [class_index]] for start in starts])


def _check_words(bag: WordBag, strings_of: Callable[[str], list[str]]) -> None:
    """The lime package searches the text for each word anew: refuse where it finds another place."""
    found = _places(_lime_text().IndexedString(bag.read_text, split_expression=strings_of))
    expected = {
        word: [span.start - bag.read.start for span in spans] for word, spans in zip(bag.words, bag.spans, strict=True)
    }
    if found != expected:
        raise ConfigurationError(
            f"the lime package cannot use this tokenizer on {bag.text[:80]!r}: it finds words at {found}, "
            f"the tokenizer at {expected}; choose the explainer 'lime', which takes the tokenizer's spans as they are"
        )


def _places(indexed: Any) -> dict[str, list[int]]:
    starts = list(accumulate(map(len, indexed.as_list), initial=0))
    pairs = zip(indexed.inverse_vocab, indexed.positions, strict=True)
    return {str(word): [starts[i] for i in places] for word, places in pairs}


def _lime_text() -> Any:
    try:
        from lime import lime_text
    except ImportError as error:
        raise missing_extra("lime", "lime", "the explainer 'lime-reference'") from error
    return lime_text
