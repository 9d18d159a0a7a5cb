"""The settings that TOWER is studied with (Cho et al., 2024)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, get_args

from pytest_trust.arguments import require_between, require_choice, require_count

Combination = Literal["aggregation", "voting"]
Decision = Literal["average", "plurality", "sufficiency"]


@dataclass(frozen=True, slots=True)
class TowerSettings:
    """The settings that TOWER is studied with (Cho et al., Sec. III), as they are read here.

    ``exclusion``: a word whose similarity lies nearer to the threshold of relatedness than this is undefined.
    ``auc_weighting``: members weigh by the area under their ROC curve over related and unrelated pairs, else alike.
    ``combination``: "aggregation" averages the members' distances from their thresholds, "voting" counts their votes.
    ``min_score``: words of a lower score are left out. ``top``: the most words that are looked at.
    ``decision``: "average" takes the sign of the mean over the words, "plurality" the more frequent kind, and for
    "sufficiency" one related word suffices.

    Raises:
        ConfigurationError: a value cannot be used.
    """

    exclusion: float = 0.07
    auc_weighting: bool = False
    combination: Combination = "aggregation"
    min_score: float = 0.0
    top: int = 10
    decision: Decision = "average"

    def __post_init__(self) -> None:
        require_between("exclusion", self.exclusion, 0, 1, low_included=True)
        require_choice("combination", self.combination, get_args(Combination))
        require_between("min_score", self.min_score, 0, 1, low_included=True)
        require_count("top", self.top)
        require_choice("decision", self.decision, get_args(Decision))

    def named(self, name: str) -> str:
        """``name`` with those settings that are not the default ones, as ``--trust-oracle`` takes it."""
        own = [f"{key}={str(value).lower()}" for key, value in asdict(self).items() if value != getattr(_DEFAULTS, key)]
        return f"{name}:{','.join(own)}" if own else name


_DEFAULTS = TowerSettings()
