"""What a perturbation does to texts, for a person to sign off before tests rest on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_trust.arguments import require_count
from pytest_trust.perturb.base import Perturbation, Perturbed, as_perturbation, perturb_text
from pytest_trust.perturb.calls import perturbation_of
from pytest_trust.perturb.parameters import require_texts

_SHOWN_ROWS = 10
_LONGEST_TEXT = 400  # characters; of a longer text what stands around the edits is shown
_AROUND = 40


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A text that was changed, and how."""

    text: str
    outcome: Perturbed

    @property
    def marked(self) -> str:
        """The text with its edits marked as ``[-old-]{+new+}``; of a long one only what stands around them."""
        return "".join(_pieces(self.text, self.outcome))


@dataclass(frozen=True, slots=True)
class Preview:
    """``n_changed`` of ``n_total`` texts were changed; ``rows`` are a seeded sample of them. Printing it shows them."""

    name: str
    preserves_label: bool
    n_total: int
    n_changed: int
    rows: tuple[PreviewRow, ...]

    @property
    def unchanged(self) -> float:
        """The share of texts left as they are."""
        return 1.0 - self.n_changed / self.n_total

    def __str__(self) -> str:
        kept = "preserves the label" if self.preserves_label else "may change the label"
        changed = f"{self.n_changed} of {self.n_total} texts changed, {self.unchanged:.1%} left as they are"
        return "\n".join(
            [
                f"{self.name} ({kept}): {changed}",
                *(f"{number:>3}. {row.marked}" for number, row in enumerate(self.rows, start=1)),
            ]
        )


def preview(perturbation: object, texts: Sequence[str], *, n: int = _SHOWN_ROWS, seed: int = 0) -> Preview:
    """What ``perturbation`` does to ``texts``, as a check with the same seed would have it done.

    Args:
        perturbation: one, a function from text to text, or a str that reads like a call in a test file:
            ``"swap_gender"``, ``"typos(rate=0.1)"``.
        texts: the texts; at least one.
        n: how many of the changed texts are kept as rows.
        seed: of the perturbation and of the rows.

    Raises:
        ConfigurationError: an argument has a value that cannot be used.
    """
    from pytest_trust.stats import sample_indices

    made = perturbation_of(perturbation) if isinstance(perturbation, str) else as_perturbation(perturbation)
    require_texts(texts, "texts to preview")
    require_count("n", n, least=0)
    changed = [row for row in _rows(made, texts, seed) if row.outcome.changed]
    chosen = sample_indices(len(changed), n, seed) if n else []
    return Preview(made.name, made.preserves_label, len(texts), len(changed), tuple(changed[place] for place in chosen))


def _rows(perturbation: Perturbation, texts: Sequence[str], seed: int) -> Iterator[PreviewRow]:
    from pytest_trust.stats import seed_for

    for text in texts:
        yield PreviewRow(text, perturb_text(perturbation, text, seed_for(seed, perturbation.name, text)))


def _pieces(text: str, outcome: Perturbed) -> Iterator[str]:
    at = 0
    for edit in outcome.edits:
        yield _between(text, at, edit.start)
        yield f"[-{text[edit.start : edit.end]}-]" if edit.end > edit.start else ""
        yield f"{{+{edit.replacement}+}}" if edit.replacement else ""
        at = edit.end
    yield _between(text, at, len(text))


def _between(text: str, start: int, end: int) -> str:
    """What stands between two edits, or beside one: of a long text the words next to them."""
    if len(text) <= _LONGEST_TEXT or end - start <= 2 * _AROUND:
        return text[start:end]
    head, tail = text[start : start + _AROUND], text[end - _AROUND : end]
    before = "" if start == 0 else f"{head.rpartition(' ')[0] or head} "
    after = "" if end == len(text) else f" {tail.partition(' ')[2] or tail}"
    return f"{before}...{after}"
