"""What makes an index doubtful: names that mean something else than the texts do, and classes with few keywords."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

import numpy as np

from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.embeddings.common import common_vectors, common_words
from pytest_trust.embeddings.kept import IN_MEMORY, Keep
from pytest_trust.errors import TrustWarning
from pytest_trust.keywords.index import ClassKeywords

_FEW_KEYWORDS = 5
# A pool of fewer words cannot be expected to hold more.
_SMALL_POOL = 50
# Common words nearest to a name that are looked for in the pools, and pool words from which on that says something.
_NEAREST = 20
_LEAST_POOL = 1000
_SHOWN = 8


def warn_of_doubts(classes: Sequence[ClassKeywords], member: Embedding, keep: Keep) -> None:
    """Warns of classes whose names or keywords make verdicts doubtful.

    Names are looked at by ``member``, whose vectors of common words are kept in ``keep``.

    Warns:
        TrustWarning: a class has no keyword, or fewer than five in a pool of fifty words or more; or the common words
            nearest to its names occur among the words of all pools no more often than other
            common words do, so that the names may mean something else there ("toxic" lies among words of chemistry).
    """
    for doubt in doubts(classes, member, keep):
        warnings.warn(doubt, TrustWarning, stacklevel=3)


def doubts(classes: Sequence[ClassKeywords], member: Embedding | None = None, keep: Keep = IN_MEMORY) -> Iterator[str]:
    """What :func:`warn_of_doubts` warns of; names are not looked at where there is no ``member``."""
    yield from _few_keywords(classes)
    if member is not None:
        yield from _strange_names(classes, member, keep)


def _few_keywords(classes: Sequence[ClassKeywords]) -> Iterator[str]:
    for item in classes:
        if not item.keywords or (len(item.keywords) < _FEW_KEYWORDS and len(item.pool) >= _SMALL_POOL):
            yield f"{_few(item)}; are {', '.join(item.names)} good names for it?"


def _few(item: ClassKeywords) -> str:
    found = f"class {item.label!r} has {len(item.keywords) or 'no'} keyword{'s' if len(item.keywords) > 1 else ''}"
    found += f" among its {len(item.pool)} pool words"
    return found if item.keywords else f"{found}, so that no prediction of it can be trustworthy"


def _strange_names(classes: Sequence[ClassKeywords], member: Embedding, keep: Keep) -> Iterator[str]:
    pools = {word.word for item in classes for word in item.pool}
    if len(pools) < _LEAST_POOL:
        return
    common = common_vectors(member, keep)
    usual = float(np.mean([word in pools for word in common_words()]))
    for item in classes:
        near = _nearest(member.vectors(item.names), common)
        share = float(np.mean([word in pools for word in near])) if near else 1.0
        if share <= usual:
            yield (
                f"class {item.label!r}: the common words nearest to its names ({', '.join(near[:_SHOWN])}, ...) are "
                f"seldom among the words that predictions rest on ({share:.0%}, of all common words {usual:.0%}); they "
                "may mean something else here; give further names (--trust-classes), or describe the class "
                "(--trust-descriptions, for the contrastive oracle)"
            )


def _nearest(names: WordVectors, common: WordVectors) -> list[str]:
    """The common words nearest to any of the names; none where no name is known."""
    if not names.known.any():
        return []
    cosines = (common.matrix.astype(np.float64) @ names.matrix[names.known].T.astype(np.float64)).max(axis=1)
    return [common_words()[place] for place in np.argsort(-cosines, kind="stable")[:_NEAREST]]
