"""The embeddings that a command names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytest_trust._cli.pickles import announce_pickle
from pytest_trust.embeddings import Embedding, ensemble_names, load_ensemble, pickled_embeddings


def load_members(names: str | Sequence[str] | None, *, allow_pickle: bool) -> tuple[Embedding, ...]:
    """The members that ``names`` give, from the working folder; says of each file that loading it runs code.

    Raises:
        TrustError: one is unknown, forbidden or cannot be loaded.
    """
    for name in pickled_embeddings(ensemble_names(names)) if allow_pickle else ():
        announce_pickle(name)
    return load_ensemble(names, rootpath=Path.cwd(), allow_pickle=allow_pickle)
