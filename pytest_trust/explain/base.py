"""The contract of an explainer, and explainers by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, runtime_checkable

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain.explanation import Explanation
from pytest_trust.explain.lime import LimeExplainer
from pytest_trust.explain.omission import OmissionExplainer
from pytest_trust.explain.reference import LimeReferenceExplainer
from pytest_trust.models.base import TextClassifier


@runtime_checkable
class Explainer(Protocol):
    """Says which words of a text a prediction rests on.

    The same text, seed, settings and model give the same explanation, whatever was explained before it (provided
    that the model answers a text alike in any company). A text without words ("", "!!!") has an explanation
    without words whose ``note`` says so; the model is asked for its prediction alone.
    """

    @property
    def name(self) -> str:
        """Short name, as in ``--trust-explainer``."""

    def settings(self) -> dict[str, str | int | float | bool]:
        """All that shapes an explanation, beside the model, the text and the seed."""

    def explain(self, model: TextClassifier, text: str, *, class_index: int | None = None, seed: int) -> Explanation:
        """Explain why ``model`` gives its probability to the class of column ``class_index`` for ``text``.

        The default class is the predicted one, the first of the most probable. ``seed``, between 0 and 2**32 - 1,
        is the random generator's own.

        Raises:
            ConfigurationError: the class is not one of the model's, the seed is out of range, or the tokenizer's
                spans are not in order.
            ModelError: from the model.
        """

    def explain_many(
        self, model: TextClassifier, texts: Iterable[str], *, class_indices: Iterable[int] | None = None, seed: int
    ) -> Iterator[Explanation]:
        """Explain each of ``texts`` for its class in ``class_indices`` (the predicted one by default), in order.

        The seed of a text is derived from the session's ``seed`` and the text, never from its place; the explanation
        records it, so that :meth:`explain` with that seed gives the same again. Errors are those of :meth:`explain`.
        """


def make_explainer(name: str, samples: int, features: int) -> Explainer:
    """The explainer that ``--trust-explainer=NAME`` asks for; word omission draws no samples.

    Raises:
        ConfigurationError: no such explainer, or a setting out of its range.
        MissingExtraError: the explainer needs a package that is not installed.
    """
    makers: dict[str, Callable[[], Explainer]] = {
        "lime": lambda: LimeExplainer(samples, features),
        "omission": lambda: OmissionExplainer(features),
        "lime-reference": lambda: LimeReferenceExplainer(samples, features),
    }
    if name not in makers:
        raise ConfigurationError(f"unknown explainer {name!r}; choose one of: {', '.join(makers)}")
    return makers[name]()
