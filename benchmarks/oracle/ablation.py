"""What each part of the contrastive oracle adds: the same oracle without it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.oracle.sets import Subject
from benchmarks.oracle.subjects import Named, described
from pytest_trust.embeddings import Embedding
from pytest_trust.embeddings.common import common_vectors
from pytest_trust.embeddings.kept import Keep
from pytest_trust.keywords import KeywordIndex
from pytest_trust.keywords.descriptions import ClassDescription, of_classes
from pytest_trust.models.classes import class_aliases
from pytest_trust.oracles import Concepts, ContrastiveOracle, Oracle
from pytest_trust.oracles.described import describe_classes, negated


def ablations(subject: Subject, index: KeywordIndex, members: Sequence[Embedding], keep: Keep) -> dict[str, Oracle]:
    """The oracle without each of its parts, by name."""
    model = Named(subject.classes, subject.name)
    names, descriptions = class_aliases(model), of_classes(described(subject), model)
    common = [common_vectors(member, keep) for member in members]
    bare = tuple(item if _is_negative(subject, i) else ClassDescription() for i, item in enumerate(descriptions))

    def concepts(of: Sequence[ClassDescription] = descriptions, chosen: slice = slice(None)) -> Concepts:
        return describe_classes(names, of, index, members[chosen], common[chosen])

    whole = concepts()
    found: dict[str, Oracle] = {
        "contrastive, names and pool words alone": ContrastiveOracle(subject.classes, concepts(of=bare)),
        "contrastive, words weigh alike": ContrastiveOracle(subject.classes, whole, weigh=_alike),
        "contrastive, words weigh by score": ContrastiveOracle(subject.classes, whole, weigh=_by_score),
    }
    for place, member in enumerate(members):
        found[f"contrastive, {member.name} alone"] = ContrastiveOracle(
            subject.classes, concepts(chosen=slice(place, place + 1))
        )
    return found


def _is_negative(subject: Subject, column: int) -> bool:
    """A class that is named as the opposite of another has no positive name of its own."""
    return negated(subject.classes[column], subject.classes) is not None


def _alike(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return (scores > 0).astype(np.float64)


def _by_score(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return scores
