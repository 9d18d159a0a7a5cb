"""Explanations that are kept between sessions, by all that shapes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, repeat, tee
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pytest_trust.explain.around import ExplainerAround
from pytest_trust.explain.base import Explainer, SettlingExplainer, explain_for_verdicts
from pytest_trust.explain.engine import EngineExplainer
from pytest_trust.explain.explanation import Explanation
from pytest_trust.explain.faithfulness import Faithfulness, measure_faithfulness
from pytest_trust.explain.parallel import ParallelExplainer
from pytest_trust.explain.rounds import Resumable, ResumableExplainer
from pytest_trust.explain.settling import Leaning
from pytest_trust.explain.stored.keeping import Asked, ChunkWriter, kept_or_made
from pytest_trust.explain.stored.records import (
    explanation_bytes,
    explanation_of,
    faithfulness_bytes,
    faithfulness_of,
    resumable_bytes,
    resumable_of,
)
from pytest_trust.explain.stored.signatures import Signatures
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.fingerprints import answer_bytes, qualified_name
from pytest_trust.models.kept import ModelKeys, digest_of, is_known_by_state
from pytest_trust.store import ResultStore
from pytest_trust.text import Tokenizer

T = TypeVar("T")

Settings = dict[str, str | int | float | bool]
Row = tuple[str, int | None, NDArray[np.float64] | None]
Make = Callable[[Iterable[str], Iterable[Any]], Iterator[Explanation]]

# Texts that are looked up together.
_AT_ONCE = 256


@runtime_checkable
class KeptExplainer(Explainer, Protocol):
    """An explainer whose explanations may be kept between sessions."""

    def kept_as(self) -> Settings | None:
        """All that shapes an explanation beside model, text, class, seed and oracle; None where nothing may be kept.

        Unlike :meth:`Explainer.settings` it tells apart whatever may end with different explanations. What an explainer
        of a user's own does has to change this where it changes.
        """


class StoredExplainer(ExplainerAround):
    """An explainer that looks into ``store`` first, and keeps there what ``explainer`` makes.

    Explanations, their order and their errors are those of ``explainer``. They are kept in chunks of some seconds' work
    and where the iterator ends or is left, so that a process that is killed loses no more than that. A key holds the
    model's fingerprint, the text, class, seed, all settings, what the oracle holds of the text's words where that ends
    sampling, and the versions of what takes part. A model whose fingerprint rests on some answers alone (a callable, an
    endpoint, code of a user's own) is asked about each text once more, and the answer is part of the key.

    Nothing is kept of models that answer differently each time, nor of explainers of a user's own without ``kept_as``
    (:class:`KeptExplainer`) or with a tokenizer of one; :meth:`explain`, for single predictions, keeps nothing either.

    Args:
        explainer: makes the explanations.
        store: keeps them.
        keys: what models are known by; one of its own by default.
    """

    def __init__(self, explainer: Explainer, store: ResultStore, keys: ModelKeys | None = None) -> None:
        super().__init__(explainer)
        self.store = store
        self._keys = keys or ModelKeys()

    def explain_many(
        self, model: TextClassifier, texts: Iterable[str], *, class_indices: Iterable[int] | None = None, seed: int
    ) -> Iterator[Explanation]:
        """Explain many predictions; see :class:`pytest_trust.explain.base.Explainer`."""

        def make(some: Iterable[str], columns: Iterable[Any]) -> Iterator[Explanation]:
            wanted = None if class_indices is None else columns
            return self.explainer.explain_many(model, some, class_indices=wanted, seed=seed)

        return self._explained(model, texts, class_indices, seed, None, make)

    def explain_until_settled(
        self,
        model: TextClassifier,
        texts: Iterable[str],
        class_indices: Iterable[int],
        *,
        seed: int,
        leaning: Leaning | None,
    ) -> Iterator[Explanation]:
        """Explain for verdicts; see :class:`pytest_trust.explain.base.SettlingExplainer`."""

        def make(some: Iterable[str], columns: Iterable[Any]) -> Iterator[Explanation]:
            return explain_for_verdicts(self.explainer, model, some, columns, seed=seed, leaning=leaning)

        settles = isinstance(self._innermost, SettlingExplainer)
        return self._explained(model, texts, class_indices, seed, leaning if settles else None, make)

    def resumed(
        self,
        model: TextClassifier,
        texts: Sequence[str],
        class_indices: Sequence[int],
        known: Sequence[NDArray[np.float64]],
        *,
        seed: int,
        count: int | None,
    ) -> Iterator[Resumable]:
        """See :class:`pytest_trust.explain.rounds.ResumableExplainer`."""
        explainer = self.explainer
        assert isinstance(explainer, ResumableExplainer), "asked of no other"
        base = self._base(model, ["round", seed, count])
        if base is None:
            return explainer.resumed(model, texts, class_indices, known, seed=seed, count=count)

        def make(missing: Iterator[Asked[Resumable]]) -> Iterator[Resumable]:
            some: list[Any] = [(item.text, item.class_index, item.known) for item in missing]
            columns = [list(column) for column in zip(*some, strict=True)] or [[], [], []]
            return explainer.resumed(model, *columns, seed=seed, count=count)

        asked = self._looked_up(model, base, zip(texts, class_indices, known, strict=True), None, resumable_of)
        return self._kept(asked, make, resumable_bytes)

    def measure_faithfulness(
        self, model: TextClassifier, explanations: Sequence[Explanation], *, seed: int, tokenizer: Tokenizer
    ) -> Faithfulness:
        """See :class:`~pytest_trust.explain.faithfulness.MeasuringExplainer`."""
        base = self._base(model, ["faithfulness", seed, qualified_name(tokenizer)])
        if base is None or tokenizer is not self.tokenizer:
            return measure_faithfulness(model, explanations, seed=seed, tokenizer=tokenizer)
        texts = [item.text for item in explanations]
        contents = [explanation_bytes(item).hex() for item in explanations]
        key = digest_of([base, texts, contents, _own_answers(model)(texts)])
        kept = self.store.get_many([key]).get(key)
        if kept is not None:
            return faithfulness_of(kept)
        measured = measure_faithfulness(model, explanations, seed=seed, tokenizer=tokenizer)
        self.store.put_many({key: faithfulness_bytes(measured)})
        return measured

    @property
    def _innermost(self) -> Explainer:
        """The explainer that shapes explanations, however many processes share its work."""
        return self.explainer.explainer if isinstance(self.explainer, ParallelExplainer) else self.explainer

    def _base(self, model: TextClassifier, kind: Sequence[str | int | None]) -> str | None:
        """What all keys of a call have in common; None where nothing is to be kept."""
        settings = self._innermost.kept_as() if isinstance(self._innermost, KeptExplainer) else None
        model_key = None if settings is None else self._keys.of(model)
        return None if model_key is None else digest_of([kind, model_key, settings]).hex()

    def _explained(
        self,
        model: TextClassifier,
        texts: Iterable[str],
        class_indices: Iterable[int] | None,
        seed: int,
        leaning: Leaning | None,
        make: Make,
    ) -> Iterator[Explanation]:
        base = self._base(model, ["explanation", seed])
        known_leaning = leaning is None or isinstance(self._innermost, EngineExplainer)
        if base is None or not known_leaning:
            return make(texts, repeat(None) if class_indices is None else class_indices)

        def make_missing(missing: Iterator[Asked[Explanation]]) -> Iterator[Explanation]:
            first, second = tee(missing)
            return make((item.text for item in first), (item.class_index for item in second))

        wanted = zip(texts, repeat(None)) if class_indices is None else zip(texts, class_indices, strict=True)
        rows = ((text, column, None) for text, column in wanted)
        asked = self._looked_up(model, base, rows, leaning, explanation_of)
        return self._kept(asked, make_missing, explanation_bytes)

    def _looked_up(
        self,
        model: TextClassifier,
        base: str,
        rows: Iterable[Row],
        leaning: Leaning | None,
        decode: Callable[[str, bytes], T],
    ) -> Iterator[Asked[T]]:
        """What is asked for, with what the store has of it."""
        signatures = None if leaning is None else self._signatures(model, leaning)
        own_answers, waiting = _own_answers(model), iter(rows)
        while part := list(islice(waiting, _AT_ONCE)):
            texts, columns = [text for text, *_ in part], [column for _, column, _ in part]
            signs = [""] * len(part) if signatures is None else signatures.of(texts, columns)  # type: ignore[arg-type]
            named = zip(texts, columns, signs, own_answers(texts), strict=True)
            keys = [digest_of([base, *parts]) for parts in named]
            kept = self.store.get_many(keys)
            for (text, column, known), key, sign in zip(part, keys, signs, strict=True):
                early = leaning is None or bool(sign)
                yield Asked(text, column, known, key, early, decode(text, kept[key]) if key in kept else None)

    def _signatures(self, model: TextClassifier, leaning: Leaning) -> Signatures:
        assert isinstance(self._innermost, EngineExplainer), "only asked of such"
        return Signatures(self._innermost, model, leaning)

    def _kept(
        self,
        asked: Iterator[Asked[T]],
        make: Callable[[Iterator[Asked[T]]], Iterator[T]],
        encode: Callable[[T], bytes],
    ) -> Iterator[T]:
        writer = ChunkWriter(self.store)

        def keep(item: Asked[T], result: T) -> None:
            if item.may_end_early or self._is_whole(result):
                writer.add(item.key, encode(result))

        try:
            yield from kept_or_made(asked, make, keep)
        finally:
            writer.flush()

    def _is_whole(self, result: object) -> bool:
        """Whether an explanation rests on all draws, so that no oracle had a part in it."""
        if not isinstance(result, Explanation):
            return True
        return not result.words or result.samples >= int(self.settings().get("samples", 0))


def _own_answers(model: TextClassifier) -> Callable[[Sequence[str]], list[str]]:
    """What ``model`` says of each of some texts itself, where its fingerprint may miss a change of it; else ""."""
    if is_known_by_state(model):
        return lambda texts: [""] * len(texts)
    return lambda texts: [answer_bytes(row).hex() for row in model.predict_proba(texts)]
