"""Common words, against which the relatedness of others is measured.

``common_words.txt`` is every third of the 6,000 most frequent words that carry meaning in GloVe's vocabulary of
Wikipedia and Gigaword (Pennington et al., 2014; Public Domain Dedication and License; ``benchmarks/common_words.py``).
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.embeddings.kept import Keep


@cache
def common_words() -> tuple[str, ...]:
    """2,000 common English words that carry meaning, by falling frequency."""
    file = resources.files("pytest_trust.embeddings").joinpath("common_words.txt")
    return tuple(file.read_text(encoding="utf-8").split())


def common_vectors(member: Embedding, keep: Keep) -> WordVectors:
    """The vectors of :func:`common_words` by ``member``, kept by its fingerprint: encoders take seconds for them."""
    words = common_words()
    digest = hashlib.sha256("\n".join(words).encode()).hexdigest()
    return keep.vectors(member.fingerprint, digest, lambda: member.vectors(words))
