"""Plurality votes of the members of an ensemble."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def plurality(votes: NDArray[np.bool_], present: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Outcome per word, shape (n,), of ``votes`` (members, n) where ``present`` (members, n).

    A member that does not know a word abstains. Yes needs more votes than no: a tie, as between members that know any
    string, elects nothing, nor does a word that nobody knows.
    """
    yes = (votes & present).sum(axis=0)
    won: NDArray[np.bool_] = 2 * yes > present.sum(axis=0)
    return won
