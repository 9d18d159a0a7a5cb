"""The keyword index and the oracles of a benchmark's subject."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.oracle.sets import Subject
from benchmarks.report import seconds
from pytest_trust.embeddings import Embedding
from pytest_trust.embeddings.kept import Keep
from pytest_trust.errors import TrustWarning
from pytest_trust.keywords import IndexOrigin, IndexSettings, KeywordIndex, dump_index
from pytest_trust.keywords.build import index_of_pools
from pytest_trust.keywords.descriptions import Descriptions, read_descriptions
from pytest_trust.keywords.index import member_settings
from pytest_trust.keywords.pool import collect_pools
from pytest_trust.models.classes import class_aliases
from pytest_trust.oracles import Oracle, make_oracle

DESCRIPTIONS = Path(__file__).with_name("descriptions.toml")
# The best and the plainest settings of TOWER's study, and each way to decide.
_TOWER = (
    "tower",
    "tower:decision=plurality",
    "tower:decision=sufficiency",
    "tower:exclusion=0,top=5",
    "tower:combination=voting,decision=plurality",
    "tower:auc_weighting=true,min_score=0.05",
)
ORACLES = ("confidence", "direct", "toki", *_TOWER, "contrastive")


@dataclass(frozen=True, slots=True)
class Named:
    """The classes of a subject, as oracles ask a model for them; it predicts nothing."""

    classes: tuple[str, ...]
    source: str

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """None is asked for."""
        raise NotImplementedError

    def fingerprint(self) -> str:
        """The digest of its name and classes."""
        return hashlib.sha256(" ".join((self.source, *self.classes)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A subject's index with what it took, and the oracles by name."""

    index: KeywordIndex
    seconds: float
    bytes: int
    oracles: dict[str, Oracle]


def described(subject: Subject) -> Descriptions:
    """The descriptions of the subject's classes."""
    return {label: item for label, item in read_descriptions(DESCRIPTIONS).items() if label in subject.classes}


def prepare(subject: Subject, members: Sequence[Embedding], keep: Keep, specs: Sequence[str] = ORACLES) -> Prepared:
    """The oracles of ``specs`` for ``subject``, over one index."""
    model, found = Named(subject.classes, subject.name), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrustWarning)
        took = seconds(lambda: found.append(_index(subject, model, members)))
        (index,) = found
        of = described(subject)
        oracles = {
            spec: make_oracle(spec, model, members=members, index=index, descriptions=of, keep=keep) for spec in specs
        }
    return Prepared(index, took, len(dump_index(index)), oracles)


def _index(subject: Subject, model: Named, members: Sequence[Embedding]) -> KeywordIndex:
    settings = IndexSettings({"explainer": "linear"}, 0, member_settings(members), class_aliases(model))
    origin = IndexOrigin(model.fingerprint(), "", settings, subject.name, subject.name)
    pools = collect_pools(subject.train, len(subject.classes))
    return index_of_pools(origin, subject.classes, pools, members, explained=len(subject.train))
