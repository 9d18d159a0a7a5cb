"""The oracle that a command line asks for, with the keyword index that it may need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_trust._cli.members import load_members
from pytest_trust._cli.progress import progress_bar
from pytest_trust.data import TextDataset
from pytest_trust.embeddings import Embedding
from pytest_trust.embeddings.kept import keep_below
from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import Explainer
from pytest_trust.keywords import IndexOrigin, KeywordIndex, build_index, cached_index, default_index_path, index_origin
from pytest_trust.keywords.cache import fitting_index
from pytest_trust.keywords.descriptions import Descriptions, read_descriptions
from pytest_trust.models import TextClassifier
from pytest_trust.oracles import Oracle, OracleSpec, make_oracle, parse_oracle


@dataclass(frozen=True, slots=True)
class OracleParts:
    """An oracle as the command line names it, and what it is made of."""

    oracle: str
    train: TextDataset | None
    index: Path | None
    embeddings: str | None
    descriptions: Path | None
    seed: int
    allow_pickle: bool = True


@dataclass(frozen=True, slots=True)
class IndexParts:
    """What a keyword index is built from, and its origin."""

    model: TextClassifier
    train: TextDataset | None
    explainer: Explainer
    members: Sequence[Embedding]
    origin: IndexOrigin


def make_asked_oracle(parts: OracleParts, model: TextClassifier, explainer: Explainer) -> Oracle:
    """The oracle that ``parts`` name, for ``model``.

    Raises:
        TrustError: it is unknown, or something that it is made of is missing or cannot be used.
    """
    spec = parse_oracle(parts.oracle)
    descriptions = read_descriptions(parts.descriptions) if parts.descriptions is not None else None
    members = load_members(parts.embeddings, allow_pickle=parts.allow_pickle) if spec.needs_members else ()
    index = _index(parts, spec, model, explainer, members, descriptions)
    return make_oracle(
        spec, model, members=members, index=index, descriptions=descriptions, keep=keep_below(Path.cwd())
    )


def index_parts(
    model: TextClassifier, train: TextDataset | None, explainer: Explainer, members: Sequence[Embedding], seed: int
) -> IndexParts:
    """The parts of an index with the origin that they give it."""
    return IndexParts(model, train, explainer, members, index_origin(model, train, explainer, members, seed=seed))


def kept_index(parts: IndexParts, path: Path | None) -> KeywordIndex:
    """The index of ``parts``: from ``path`` where it lies there, else built, with progress shown, and kept there."""
    assert parts.train is not None, "only called with training data"
    train = parts.train

    def build() -> KeywordIndex:
        with progress_bar("keyword index") as progress:
            return build_index(parts.origin, parts.model, train, parts.explainer, parts.members, progress=progress)

    return cached_index(path, parts.origin, build)


def _index(
    parts: OracleParts,
    spec: OracleSpec,
    model: TextClassifier,
    explainer: Explainer,
    members: Sequence[Embedding],
    descriptions: Descriptions | None,
) -> KeywordIndex | None:
    if not spec.needs_index(model, descriptions):
        return None
    if parts.train is None and parts.index is None:
        described = (
            "" if spec.name == "toki" else ", or describe every class by five words or more (--descriptions FILE)"
        )
        raise ConfigurationError(
            f"the oracle {spec.name!r} needs a keyword index here: give --train DATA or --index FILE{described}"
        )
    found = index_parts(model, parts.train, explainer, members, parts.seed)
    if parts.train is not None:
        return kept_index(found, parts.index or default_index_path(Path.cwd(), found.origin))
    assert parts.index is not None
    return fitting_index(parts.index, found.origin, train_option="--train DATA")
