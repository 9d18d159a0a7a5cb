"""From names to oracles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_trust.embeddings.base import Embedding
from pytest_trust.embeddings.calibration import calibrate
from pytest_trust.embeddings.common import common_vectors
from pytest_trust.embeddings.kept import IN_MEMORY, Keep
from pytest_trust.embeddings.pairs import shipped_pairs
from pytest_trust.errors import ConfigurationError
from pytest_trust.keywords import KeywordIndex
from pytest_trust.keywords.build import require_names
from pytest_trust.keywords.descriptions import Descriptions, of_classes
from pytest_trust.keywords.doubts import warn_of_doubts
from pytest_trust.keywords.edits import with_edits
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.classes import class_aliases
from pytest_trust.oracles.base import Oracle
from pytest_trust.oracles.confidence import ConfidenceOracle
from pytest_trust.oracles.contrastive import ContrastiveOracle
from pytest_trust.oracles.described import describe_classes
from pytest_trust.oracles.direct import DirectOracle
from pytest_trust.oracles.specs import OracleSpec, parse_oracle
from pytest_trust.oracles.toki import TokiOracle, require_members
from pytest_trust.oracles.tower import TowerOracle
from pytest_trust.oracles.tower_settings import TowerSettings


def make_oracle(
    spec: str | OracleSpec,
    model: TextClassifier,
    *,
    members: Sequence[Embedding] = (),
    index: KeywordIndex | None = None,
    descriptions: Descriptions | None = None,
    keep: Keep = IN_MEMORY,
) -> Oracle:
    """The oracle that ``spec`` names, for ``model``.

    Args:
        spec: see :func:`~pytest_trust.oracles.parse_oracle`.
        model: its classes are judged.
        members: the ensemble; "confidence" needs none.
        index: the keyword index of the model; "toki" needs it, "contrastive" finds describing words in it.
        descriptions: of the classes, by name.
        keep: where vectors of common words are kept.

    Raises:
        ConfigurationError: the spec is wrong, something that the oracle needs is not given, or a class has no name in
            words.
        EmbeddingError: the AUC of a member cannot be computed.

    Warns:
        TrustWarning: the keywords of "toki" are doubtful (:func:`~pytest_trust.keywords.doubts.warn_of_doubts`).
    """
    parsed = parse_oracle(spec) if isinstance(spec, str) else spec
    settings: dict[str, Any] = dict(parsed.settings)
    if parsed.name == "confidence":
        return ConfidenceOracle(**settings)
    if not members:
        raise ConfigurationError(f"the oracle {parsed.name!r} needs at least one embedding")
    names, of = class_aliases(model), of_classes(descriptions, model)
    require_names(model, names)
    if parsed.name == "direct":
        return DirectOracle(model.classes, names, members)
    if parsed.name == "tower":
        return _tower(model, names, members, TowerSettings(**settings))
    if parsed.name == "contrastive":
        common = [common_vectors(member, keep) for member in members]
        return ContrastiveOracle(model.classes, describe_classes(names, of, index, members, common), **settings)
    if index is None:
        raise ConfigurationError("the oracle 'toki' needs a keyword index")
    require_members(index, members)
    edited = with_edits(index, of, members)
    warn_of_doubts(edited.classes, members[0], keep)
    return TokiOracle(edited, members)


def _tower(
    model: TextClassifier, names: Sequence[Sequence[str]], members: Sequence[Embedding], settings: TowerSettings
) -> TowerOracle:
    aucs = [calibrate(m, shipped_pairs()).auc for m in members] if settings.auc_weighting else None
    return TowerOracle(model.classes, names, members, aucs, settings)
