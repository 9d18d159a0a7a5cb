"""Building a keyword index from training data (TOKI, keyword identification)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pytest_trust.data import TextDataset
from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.errors import ConfigurationError, DataError
from pytest_trust.explain import Explainer, Explanation, RoundsExplainer
from pytest_trust.keywords.clusters import keyword_mask
from pytest_trust.keywords.index import (
    ClassKeywords,
    IndexOrigin,
    IndexSettings,
    KeywordIndex,
    member_settings,
    vocabulary_of,
)
from pytest_trust.keywords.pool import PoolWord, collect_pools
from pytest_trust.keywords.settled import are_settled
from pytest_trust.keywords.votes import plurality
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.classes import class_aliases
from pytest_trust.models.correct import correct_predictions
from pytest_trust.models.fingerprints import answer_bytes
from pytest_trust.models.kept import is_known_by_state
from pytest_trust.stats import sample_indices

# Training texts whose answers tell one callable from another: few enough to cost nothing beside explaining.
_ANSWERED = 512

Progress = Callable[[int, int], None]


def index_origin(
    model: TextClassifier, train: TextDataset | None, explainer: Explainer, members: Sequence[Embedding], *, seed: int
) -> IndexOrigin:
    """What an index of these parts would be built from, without building it; no ``train`` where it is not at hand.

    Raises:
        ConfigurationError: there is no embedding, or a class has no name that a word could be compared with.
    """
    if not members:
        raise ConfigurationError("no embedding is given; expected at least one member of an ensemble")
    names = class_aliases(model)
    require_names(model, names)
    settings = IndexSettings(
        explainer=explainer.settings(),
        seed=seed,
        members=member_settings(members),
        class_names=names,
    )
    data, data_name = (_answered(model, train), train.name) if train is not None else ("", "")
    return IndexOrigin(model.fingerprint(), data, settings, model.source, data_name)


def require_names(model: TextClassifier, names: Sequence[Sequence[str]]) -> None:
    """Refuses classes known by number alone: some words lie near any number, which would pass for related.

    Raises:
        ConfigurationError: a class has no name with a letter in it.
    """
    for label, of_class in zip(model.classes, names, strict=True):
        if not any(character.isalpha() for name in of_class for character in name):
            raise ConfigurationError(
                f"class {label!r} of {model.source} has no name in words, which words could be related to; name the "
                "classes, as in --trust-classes=0=negative,1=positive (as_classifier(..., classes=...) in code)"
            )


def _answered(model: TextClassifier, train: TextDataset) -> str:
    """Hex digest of the training data and, for a callable, an endpoint or code of a user's own, of answers to some.

    The fingerprint of these rests on a few fixed texts, which may hold none of the words that they know.
    """
    if is_known_by_state(model):
        return train.fingerprint
    sample = sample_indices(len(train), _ANSWERED, 0)
    answers = model.predict_proba([train.texts[i] for i in sample])
    return hashlib.sha256(train.fingerprint.encode() + answer_bytes(answers)).hexdigest()


def build_index(
    origin: IndexOrigin,
    model: TextClassifier,
    train: TextDataset,
    explainer: Explainer,
    members: Sequence[Embedding],
    *,
    progress: Progress | None = None,
) -> KeywordIndex:
    """Explain every correct prediction on ``train``, pool the words of each class and find its keywords.

    With sequential or capped sampling the explanations rest on so many draws as settle the scores of the leading pool
    words (:mod:`pytest_trust.keywords.settled`).

    ``origin`` is that of the same parts (:func:`index_origin`); ``progress`` is called with (explained, total) after
    every explanation, from 1 again in each round of such draws.

    Raises:
        DataError: the model predicts no training text correctly.
        ModelError: labels of the data are not classes of the model, or the model's answers are malformed.
    """
    texts, columns = _correctly_predicted(model, train)
    rounds = _rounds(explainer, model, texts, columns, origin.settings.seed)
    pools = _settled_pools((_told(found, len(texts), progress) for found in rounds), len(model.classes))
    return index_of_pools(origin, model.classes, pools, members, explained=len(texts))


def index_of_pools(
    origin: IndexOrigin,
    labels: Sequence[str],
    pools: Sequence[tuple[PoolWord, ...]],
    members: Sequence[Embedding],
    *,
    explained: int,
) -> KeywordIndex:
    """The index of word pools that are at hand, one for each of ``labels``; ``explained`` texts gave them."""
    classes = [
        ClassKeywords(label, names, pool, frozenset())
        for label, names, pool in zip(labels, origin.settings.class_names, pools, strict=True)
    ]
    vectors = {member.name: member.vectors(vocabulary_of(classes)) for member in members}
    index = KeywordIndex(origin, tuple(classes), vectors, explained=explained)
    elected = tuple(replace(item, keywords=elect(index, item, members)) for item in classes)
    return replace(index, classes=elected)


def elect(index: KeywordIndex, item: ClassKeywords, members: Sequence[Embedding]) -> frozenset[str]:
    """The words of a class's pool that the ensemble elects as its keywords (Eq. 2 to 4)."""
    if not item.pool:
        return frozenset()
    pools = [index.pool_vectors(item, member.name) for member in members]
    votes = [
        _votes(member, item.names, pool, index.origin.settings.max_distance)
        for member, pool in zip(members, pools, strict=True)
    ]
    elected = plurality(np.stack(votes), np.stack([pool.known for pool in pools]))
    return frozenset(word.word for word, chosen in zip(item.pool, elected, strict=True) if chosen)


def _votes(member: Embedding, names: Sequence[str], pool: WordVectors, max_distance: float) -> NDArray[np.bool_]:
    """One member's votes on a pool, shape (n,); False where it does not know the word."""
    of_class = member.vectors(names)
    votes = np.zeros(len(pool.known), dtype=np.bool_)
    votes[pool.known] = keyword_mask(
        pool.matrix[pool.known], of_class.matrix[of_class.known], max_distance, member.threshold
    )
    return votes


def _correctly_predicted(model: TextClassifier, train: TextDataset) -> tuple[list[str], list[int]]:
    """The texts that the model predicts correctly, each once, and their columns."""
    right = {
        train.texts[item.place]: item.class_index for item in correct_predictions(model, train.texts, train.labels)
    }
    if not right:
        raise DataError(
            f"{train.name}: {model.source} predicts none of the {len(train)} training texts correctly, "
            "so there is nothing to find keywords in; check the labels and the order of the classes"
        )
    return list(right), list(right.values())


def _rounds(
    explainer: Explainer, model: TextClassifier, texts: Sequence[str], columns: Sequence[int], seed: int
) -> Iterator[Iterator[Explanation]]:
    if isinstance(explainer, RoundsExplainer):
        return explainer.rounds(model, texts, columns, seed=seed)
    return iter([explainer.explain_many(model, texts, class_indices=columns, seed=seed)])


def _settled_pools(rounds: Iterator[Iterator[Explanation]], n_classes: int) -> list[tuple[PoolWord, ...]]:
    """The pools of the first round that differs little from the one before it, or of the last."""
    pools = collect_pools(next(rounds), n_classes)
    for explanations in rounds:
        before, pools = pools, collect_pools(explanations, n_classes)
        if are_settled(before, pools):
            break
    return pools


def _told(explanations: Iterator[Explanation], total: int, progress: Progress | None) -> Iterator[Explanation]:
    for done, explanation in enumerate(explanations, start=1):
        yield explanation
        if progress is not None:
            progress(done, total)
