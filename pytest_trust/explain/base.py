"""The contract of an explainer, and explainers by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain.explanation import Explanation
from pytest_trust.explain.gradient import GradientExplainer
from pytest_trust.explain.lime import LimeExplainer, Sampling
from pytest_trust.explain.omission import OmissionExplainer
from pytest_trust.explain.reference import LimeReferenceExplainer
from pytest_trust.explain.settling import Leaning
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

        The seed of a text is derived from the session's ``seed`` and what the text holds (its number of distinct words,
        in this package), never from its place; the explanation records it, so that :meth:`explain` with that seed gives
        the same again. Errors are those of :meth:`explain`.
        """


@runtime_checkable
class SettlingExplainer(Explainer, Protocol):
    """An explainer that may end early where the verdict on an explanation is settled."""

    def explain_until_settled(
        self,
        model: TextClassifier,
        texts: Iterable[str],
        class_indices: Iterable[int],
        *,
        seed: int,
        leaning: Leaning | None,
    ) -> Iterator[Explanation]:
        """:meth:`Explainer.explain_many`, resting on so many draws as settle a verdict by ``leaning`` (all: None)."""


@runtime_checkable
class RoundsExplainer(Explainer, Protocol):
    """An explainer whose explanations may rest on few draws first, and on more round by round."""

    def rounds(
        self, model: TextClassifier, texts: Sequence[str], class_indices: Sequence[int], *, seed: int
    ) -> Iterator[Iterator[Explanation]]:
        """The explanations of ``texts`` again and again; a round has to be taken whole before the next."""


def explain_for_verdicts(
    explainer: Explainer,
    model: TextClassifier,
    texts: Iterable[str],
    class_indices: Iterable[int],
    *,
    seed: int,
    leaning: Leaning | None,
) -> Iterator[Explanation]:
    """:meth:`Explainer.explain_many`; some explainers end early where ``leaning`` settles a verdict."""
    if isinstance(explainer, SettlingExplainer):
        return explainer.explain_until_settled(model, texts, class_indices, seed=seed, leaning=leaning)
    return explainer.explain_many(model, texts, class_indices=class_indices, seed=seed)


def make_explainer(name: str, samples: int, features: int, sampling: Sampling = "fixed", cap: int = 1024) -> Explainer:
    """The explainer that ``--trust-explainer=NAME`` asks for; only "lime" samples otherwise than fixed.

    Raises:
        ConfigurationError: no such explainer, or a setting out of its range.
        MissingExtraError: the explainer needs a package that is not installed.
    """
    makers: dict[str, Callable[[], Explainer]] = {
        "lime": lambda: LimeExplainer(samples, features, sampling=sampling, cap=cap),
        "omission": lambda: OmissionExplainer(features),
        "lime-reference": lambda: LimeReferenceExplainer(samples, features),
        "gradient": lambda: GradientExplainer(features),
    }
    if name not in makers:
        raise ConfigurationError(f"unknown explainer {name!r}; choose one of: {', '.join(makers)}")
    return makers[name]()
