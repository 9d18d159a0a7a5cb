"""What one search may spend: queries, seconds, and words that it looks at."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_trust.attacks.base import AttackSettings
from pytest_trust.attacks.lockstep import Stopwatch

# The last query is kept for the confirmation.
_CONFIRMATION = 1
# Words that are looked at for each query: one without replacements costs no query, but time.
_WORDS_A_QUERY = 4


class Budget:
    """What is left of the budgets of ``settings``; ``is_spent`` once there was too little for what was wanted.

    ``queries`` counts the texts that the model was asked about.
    """

    def __init__(self, settings: AttackSettings, watch: Stopwatch) -> None:
        self._settings, self._watch = settings, watch
        self.queries = 0
        self.is_spent = False

    def room(self, wanted: int) -> int:
        """How many of ``wanted`` texts may be asked about now, by the pace so far."""
        settings, room = self._settings, wanted
        if settings.max_queries is not None:
            room = min(room, settings.max_queries - self.queries - _CONFIRMATION)
        if settings.max_seconds is not None:
            left, pace = settings.max_seconds - self._watch.seconds, self._watch.seconds / self.queries
            room = min(room, max(1, int(left / pace)) if left > 0 else 0)
        return max(0, room)

    def has_room(self) -> bool:
        """Whether a text may be asked about now; where none may, the budget is spent."""
        self.is_spent |= not self.room(1)
        return not self.is_spent

    def looked_at(self, places: Sequence[int]) -> list[int]:
        """The first of ``places``, as many as may be looked at: so a few queries end soon on any text."""
        most = self._settings.max_queries
        return list(places) if most is None else list(places[: most * _WORDS_A_QUERY])
