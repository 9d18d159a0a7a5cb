"""Adapters that make a TextClassifier of what people have: a callable, or a scikit-learn estimator."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_choice, require_count
from pytest_trust.errors import ConfigurationError, ModelError, TrustError
from pytest_trust.messages import in_short
from pytest_trust.models.answers import check_answer
from pytest_trust.models.base import Probabilities, TextClassifier
from pytest_trust.models.classes import ClassSet, class_set_of, resolve_classes
from pytest_trust.models.fingerprints import behaviour_digest, qualified_name, state_digest
from pytest_trust.models.masked import MaskedText, MaskScorer
from pytest_trust.models.names import ClassNames
from pytest_trust.models.precision import FLOAT32, PRECISIONS
from pytest_trust.models.threads import for_each
from pytest_trust.models.transformers_objects import is_of_transformers, name_of, parts_of

if TYPE_CHECKING:
    from pytest_trust.models.kept import AnswerMemory
    from pytest_trust.models.white_box import WhiteBox

BATCH_SIZE = 1024
# Calls under way at once to a callable that says it is thread-safe.
SAFE_THREADS = 8

GivenNames = ClassNames | Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a model came from.

    ``identity`` is a digest that stands for it in fingerprints (None: taken from the object itself).
    """

    source: str
    identity: str | None = None


class Adapter(ABC):
    """What the adapters share: class names, batches of at most ``batch_size`` texts, and the check of each answer.

    ``model_classes`` are the model's own classes, to which names by position or by mapping refer, however often the
    model is adapted; None where it has none. Batches are asked about one after the other, or in ``threads`` threads.
    ``pickle_changes`` says that the pickle of an unchanged model may be another after it was asked.
    The versions of ``libraries`` shape answers too; a ``memory`` is for answers that outlive the session.
    ``state_at_first`` is what :meth:`_state` gave when a model was read from a file.
    """

    batch_size: int = BATCH_SIZE
    threads: int = 1
    libraries: tuple[str, ...] = ()
    pickle_changes: bool = False
    memory: AnswerMemory | None = None
    state_at_first: str | None = None

    def __init__(self, model_classes: Sequence[object] | None, class_set: ClassSet, origin: Origin) -> None:
        self.model_classes = model_classes
        self.class_set = class_set
        self._origin = origin

    @property
    def classes(self) -> tuple[str, ...]:
        """Display names of the k classes, in the order of the columns."""
        return self.class_set.names

    @property
    def source(self) -> str:
        """A path, an import path, or a qualified name."""
        return self._origin.source

    def predict_proba(self, texts: Sequence[str]) -> Probabilities:
        """Probabilities, shape ``(len(texts), k)``, float64, rows summing to one; no call is made for no texts.

        Raises:
            ModelError: the model raised an error, or its answer fails :func:`~pytest_trust.models.check_answer`.
            TypeError: ``texts`` is a single string.
        """
        if isinstance(texts, str):
            raise TypeError("texts is one string; expected a sequence of strings")
        answer = np.empty((len(texts), len(self.classes)))

        def fill(start: int) -> None:
            rows = answer[start : start + self.batch_size]
            # A list of its own, which the model may empty or sort.
            given = self._ask(list(texts[start : start + len(rows)]))
            rows[:] = check_answer(given, len(rows), self.classes, self.source, first_row=start)

        for_each(fill, range(0, len(texts), self.batch_size), self.threads)
        return answer

    def fingerprint(self) -> str:
        """SHA-256 over the model's state, its class names and its answers to a few fixed texts.

        The state is the bytes of the file it was loaded from, or what an estimator in memory holds, as one does that
        was changed after it was loaded. Callables, and estimators that hold what cannot be pickled, are known by their
        qualified name and their answers alone.
        The digest is made anew at each call: the model may have been fitted again.

        Raises:
            ModelError: the model answers none of the fixed texts.
        """
        return behaviour_digest(self._known_as(), self.class_set, self.predict_proba)

    @property
    def known_by_state(self) -> bool:
        """Whether the fingerprint rests on all that shapes an answer: state, and code that comes with versions."""
        return False

    def renamed(self, class_set: ClassSet, source: str) -> Self:
        """The same model under other class names, with all its abilities; ``source`` is what messages call it."""
        twin = copy.copy(self)
        twin.class_set = class_set
        twin._origin = replace(self._origin, source=source)
        return twin

    def _ask(self, batch: list[str]) -> object:
        try:
            return self._answer(batch)
        except TrustError:
            raise
        except Exception as error:
            raise ModelError(
                f"model {self.source} failed on texts: {in_short(error)}; expected a model that takes a "
                "list of strings (a classifier of features goes into one pipeline with its vectorizer)"
            ) from error

    @abstractmethod
    def _answer(self, batch: list[str]) -> object:
        """The model's own answer, not checked yet."""

    def _known_as(self) -> str:
        """What stands for the state: the digest of the file for as long as the model holds what was in there."""
        identity = self._origin.identity
        return identity if identity and self._state() == self.state_at_first else self._identity()

    def _remember_state(self) -> None:
        """Called where the model is whole: what a file's digest stands for."""
        if self._origin.identity:
            self.state_at_first = self._state()

    def _state(self) -> str | None:
        """A digest of all that the model holds now; None where it cannot be changed, or told."""
        return None

    @abstractmethod
    def _identity(self) -> str:
        """What the model is known by, where its origin has no digest, or the model is no more what it was there."""


class CallableClassifier(Adapter):
    """Any callable that takes a list of n texts and returns probabilities of shape (n, k).

    The names of the classes are ``classes``, or an attribute ``classes_`` of the callable. A callable whose attribute
    ``thread_safe`` is True is asked about up to eight batches at once, in threads; any other is only ever called from
    the caller's own thread.

    Raises:
        ModelError: there are neither, or the names do not fit ``classes_``.
    """

    def __init__(
        self,
        function: Callable[[list[str]], object],
        *,
        classes: GivenNames = None,
        origin: Origin | None = None,
    ) -> None:
        origin = origin or Origin(qualified_name(function))
        own = getattr(function, "classes_", None)
        super().__init__(own, resolve_classes(own, classes, origin.source), origin)
        self.function = function
        if getattr(function, "thread_safe", False) is True:
            self.threads = SAFE_THREADS

    def _answer(self, batch: list[str]) -> object:
        return self.function(batch)

    def _identity(self) -> str:
        return qualified_name(self.function)


class EstimatorClassifier(Adapter):
    """A fitted scikit-learn classifier of texts (a pipeline), or another object with ``predict_proba``.

    The estimator is neither fitted nor changed. It is known by its state where all its parts are of scikit-learn: code
    of a user's own may change unseen.

    Raises:
        ModelError: it has no ``predict_proba``, is not fitted, has several outputs, or ``classes`` do not fit its own.
    """

    def __init__(
        self,
        estimator: Any,
        *,
        classes: GivenNames = None,
        origin: Origin | None = None,
    ) -> None:
        origin = origin or Origin(qualified_name(estimator))
        _check_estimator(estimator, origin.source)
        own = getattr(estimator, "classes_", None)
        super().__init__(own, resolve_classes(own, classes, origin.source), origin)
        self.estimator = estimator
        self._white_box: WhiteBox | None = None
        self._remember_state()

    libraries = ("scikit-learn",)

    @property
    def known_by_state(self) -> bool:
        """See :class:`Adapter`."""
        return self._state() is not None

    def mask_scorer(self, text: MaskedText) -> MaskScorer | None:
        """See :class:`~pytest_trust.models.masked.MaskScoring`: for pipelines that begin with vectorizers."""
        white_box = self._current_white_box()
        scorer = None if white_box is None else white_box.scorer(text)
        if scorer is None:
            return None
        return lambda masks: check_answer(scorer(masks), len(masks), self.classes, self.source)

    def word_gradients(self, text: MaskedText, class_index: int) -> NDArray[np.float64] | None:
        """See :class:`~pytest_trust.models.abilities.WordGradients`: for linear classifiers behind vectorizers."""
        white_box = self._current_white_box()
        return None if white_box is None else white_box.word_gradients(text, class_index)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_white_box": None}  # made anew where it is needed

    def _current_white_box(self) -> WhiteBox | None:
        """The white box of the estimator as it is fitted now; None where there is none."""
        if self._white_box is None or not self._white_box.is_current:
            from pytest_trust.models.white_box import WhiteBox

            self._white_box = WhiteBox.of(self.estimator)
        return self._white_box

    def _answer(self, batch: list[str]) -> object:
        return self.estimator.predict_proba(batch)

    def _state(self) -> str | None:
        # Code of a user's own may keep there what it was asked.
        return state_digest(self.estimator) if _is_all_of_sklearn(self.estimator) else None

    def _identity(self) -> str:
        return state_digest(self.estimator) or qualified_name(self.estimator)


class RenamedClassifier(Adapter):
    """A TextClassifier that is none of ours under other class names, with its own fingerprint behind them."""

    def __init__(self, model: TextClassifier, class_set: ClassSet, origin: Origin) -> None:
        super().__init__(model.classes, class_set, origin)
        self.model = model

    def _answer(self, batch: list[str]) -> object:
        return self.model.predict_proba(batch)

    def _identity(self) -> str:
        return self.model.fingerprint()


def as_classifier(
    obj: object,
    *,
    classes: GivenNames = None,
    source: str | None = None,
    batch_size: int | None = None,
    precision: str = FLOAT32,
) -> TextClassifier:
    """A TextClassifier of ``obj``: one already, an object with ``predict_proba``, or a callable.

    A model of the transformers library is given with its tokenizer, as the pair ``(model, tokenizer)``, or as a
    pipeline for text-classification.

    ``classes`` are names for its classes, by position or by mapping (see :func:`parse_class_names`); ``source`` is what
    messages and reports call it, ``batch_size`` the most texts that it is asked about at once (by default 1,024, and
    8,192 for a model of transformers). The ``precision`` "bfloat16" is for models of transformers; "float32" takes any
    model as it is. A TextClassifier is returned as it is, unless it gets other names or another precision.

    Raises:
        ModelError: ``obj`` is none of these, or ``classes`` do not fit it.
        ConfigurationError: ``batch_size`` is below 1, or the model cannot be asked in that precision.
    """
    size = None if batch_size is None else require_count("batch_size", batch_size)
    model = adapt(obj, classes, Origin(source or _source_of(obj)), precision)
    if size is not None and isinstance(model, Adapter) and model is not obj:
        model.batch_size = size
    return model


def adapt(model: object, classes: GivenNames, origin: Origin, precision: str = FLOAT32) -> TextClassifier:
    """:func:`as_classifier` for a model of known ``origin``."""
    require_choice("precision", precision, PRECISIONS)
    adapted = _adapted(model, classes, origin)
    return adapted if precision == FLOAT32 else _in_precision(adapted, precision)


def _adapted(model: object, classes: GivenNames, origin: Origin) -> TextClassifier:
    if isinstance(model, type):
        raise ModelError(f"model {origin.source} is the class {qualified_name(model)}; expected an object of it")
    if isinstance(model, TextClassifier):
        return _renamed(model, classes, origin)
    if is_of_transformers(model):
        return _of_transformers(model, classes, origin)
    if hasattr(model, "predict_proba") or _is_estimator(model):
        return EstimatorClassifier(model, classes=classes, origin=origin)
    if callable(model):
        return CallableClassifier(model, classes=classes, origin=origin)
    raise ModelError(
        f"model {origin.source} is of type {qualified_name(model)}; expected an object with predict_proba, "
        "a callable from a list of texts to probabilities, a pair (model, tokenizer) of transformers, or a "
        "TextClassifier"
    )


def _renamed(model: TextClassifier, classes: GivenNames, origin: Origin) -> TextClassifier:
    """``model`` itself, where it has the names already."""
    own = class_set_of(model)
    names = own if classes is None else resolve_classes(_own_classes(model), classes, origin.source)
    if names == own:
        return model
    if isinstance(model, Adapter):
        return model.renamed(names, origin.source)
    return RenamedClassifier(model, names, origin)


def _of_transformers(model: object, classes: GivenNames, origin: Origin) -> TextClassifier:
    from pytest_trust.models.transformers import TransformersClassifier

    parts = parts_of(model, origin.source)
    return TransformersClassifier(
        parts.model, parts.tokenizer, classes=classes, origin=origin, max_length=parts.max_length
    )


def _in_precision(model: TextClassifier, precision: str) -> TextClassifier:
    from pytest_trust.models.transformers import TransformersClassifier

    if not isinstance(model, TransformersClassifier):
        raise ConfigurationError(
            f"precision={precision!r}: model {model.source} is no model of transformers; expected {FLOAT32!r}, which "
            "takes it as it is"
        )
    return model.in_precision(precision)


def _own_classes(model: TextClassifier) -> Sequence[object] | None:
    return model.model_classes if isinstance(model, Adapter) else model.classes


def _source_of(obj: object) -> str:
    if is_of_transformers(obj):
        return name_of(obj)
    return obj.source if isinstance(obj, TextClassifier) and not isinstance(obj, type) else qualified_name(obj)


def _is_estimator(model: object) -> bool:
    return all(hasattr(model, name) for name in ("fit", "predict", "get_params"))


def _is_all_of_sklearn(estimator: Any) -> bool:
    """Whether the estimator, its steps and all functions among their parameters are of scikit-learn and its base."""
    if not hasattr(estimator, "get_params"):
        return False
    try:
        parts = [estimator, *estimator.get_params(deep=True).values()]
    except AttributeError:
        return False  # written by another version, it lacks a parameter of this one
    modules = {getattr(part, "__module__", None) or type(part).__module__ for part in parts}
    return {module.partition(".")[0] for module in modules} <= {"sklearn", "numpy", "scipy", "builtins"}


def _check_estimator(estimator: Any, source: str) -> None:
    if not hasattr(estimator, "predict_proba"):
        raise ModelError(
            f"model {source} ({qualified_name(estimator)}) has no predict_proba; expected probabilities: a "
            "classifier such as LinearSVC gets them by fitting it within sklearn.calibration.CalibratedClassifierCV"
        )
    own = getattr(estimator, "classes_", None)
    if own is None and hasattr(estimator, "fit"):
        raise ModelError(f"model {source} has no classes_; expected a classifier that is fitted already")
    if own is not None and any(np.ndim(value) for value in own):
        raise ModelError(
            f"model {source} has {len(own)} outputs, each with classes of its own; "
            "expected one output: give a multi-output model as one classifier per output"
        )
