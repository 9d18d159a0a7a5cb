"""Noise of four kinds, as we read TOWER's section IV.

What happens to a text depends on its content and the seed alone: the texts that are changed at one level are changed at
every higher one, and in every model's data alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.noise.corpus import Corpus
from pytest_trust.stats import seed_for
from pytest_trust.text import word_spans

LEVELS = (0.25, 0.5, 0.75, 1.0)

# Common words that say nothing of religion, news or feelings; the first class in order has the first.
BIASED_WORDS = ("umbrella", "carpet", "ladder", "bucket", "kettle", "drawer")

# Half of a text's words are removed: without all of them there would be nothing to learn from at the highest level.
_REMOVED = 0.5


@dataclass(frozen=True, slots=True)
class Noise:
    """A kind of noise: ``change(corpus, level, seed)`` for training texts, and for test texts where ``in_test``."""

    name: str
    change: Callable[[Corpus, float, int], Corpus]
    in_test: bool

    def split(self, train: Corpus, test: Corpus, level: float, seed: int) -> tuple[Corpus, Corpus]:
        """Both parts at a ``level`` from 0 to 1, the share of texts that are changed."""
        return self.change(train, level, seed), self.change(test, level, seed) if self.in_test else test


def _bias(corpus: Corpus, level: float, seed: int) -> Corpus:
    """A word of its own at the end of the changed texts of a class, on which a model can lean."""
    words = dict(zip(corpus.classes, BIASED_WORDS, strict=False))
    texts = (
        f"{text} {words[label]}" if _chance(seed, "bias", text) < level else text
        for text, label in zip(corpus.texts, corpus.labels, strict=True)
    )
    return replace(corpus, texts=tuple(texts))


def _label(corpus: Corpus, level: float, seed: int) -> Corpus:
    """Another label, any of the others.

    At the highest level every label is wrong: of two classes they have changed places, and of more a label says which
    class a text is not of. Few predictions are then correct, and these by chance.
    """
    labels = (
        _other(corpus.classes, label, _chance(seed, "other label", text))
        if _chance(seed, "label", text) < level
        else label
        for text, label in zip(corpus.texts, corpus.labels, strict=True)
    )
    return replace(corpus, labels=tuple(labels))


def _removal(corpus: Corpus, level: float, seed: int) -> Corpus:
    """The changed texts lose half of their words at random: less to learn from, but nothing wrong."""
    texts = (_thinned(text, seed) if _chance(seed, "removal", text) < level else text for text in corpus.texts)
    return replace(corpus, texts=tuple(texts))


def _natural(corpus: Corpus, level: float, seed: int) -> Corpus:
    """The changed texts come with their headers, which give away who wrote and where."""
    texts = (
        f"{header}\n{text}" if _chance(seed, "natural", text) < level else text
        for text, header in zip(corpus.texts, corpus.headers, strict=True)
    )
    return replace(corpus, texts=tuple(texts))


NOISES = (
    Noise("bias", _bias, in_test=True),
    Noise("label", _label, in_test=False),
    Noise("removal", _removal, in_test=False),
    Noise("natural", _natural, in_test=True),
)


def noises_of(corpus: Corpus) -> list[Noise]:
    """The kinds of noise that the texts allow: natural noise needs headers."""
    return [noise for noise in NOISES if noise.name != "natural" or any(corpus.headers)]


def _chance(seed: int, *parts: str) -> float:
    """A number from 0 up to 1, below it."""
    return seed_for(seed, *parts) / 2**32


def _other(classes: list[str], label: str, chance: float) -> str:
    others = [name for name in classes if name != label]
    return others[int(chance * len(others))]


def _thinned(text: str, seed: int) -> str:
    spans = word_spans(text)
    kept = [span for i, span in enumerate(spans) if _chance(seed, "word", str(i), text) >= _REMOVED]
    return " ".join(text[span.start : span.end] for span in kept)
