"""A transformer explained, beside the lime package with the usual way to predict, and its rate of matrix products."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.explain.finetune import encoder_folder
from benchmarks.report import REPEATS, Row, seconds, side_by_side
from benchmarks.texts import DATA, texts_of
from pytest_trust.explain import Explanation, LimeExplainer
from pytest_trust.models import TransformersClassifier
from pytest_trust.models.logits import has_bfloat16_instructions

# Words of a text: what the speed-up must reach, what it should, and the samples that a run of minutes leaves room for.
LENGTHS = {15: (3.0, 3.3), 60: (1.9, 2.2), 250: (2.1, 2.5)}
SAMPLES = {15: 5000, 60: 1500, 250: 600}
FEW_SAMPLES = 20
# Two texts of a length: every other one is an edit of the one before it.
_TEXTS = slice(0, 8, 4)
USUAL_BATCH = 32
SEED = 0
_PEAK_SIZE = 2048
_PEAK_PRODUCTS = 15
_WORDS_OF_RATE = 60


@dataclass(frozen=True, slots=True)
class Subject:
    """A model under measurement, asked in our way and in the usual one."""

    model: Any
    tokenizer: Any

    @classmethod
    def of(cls, folder: Path) -> Subject:
        """The model in ``folder``."""
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        model = AutoModelForSequenceClassification.from_pretrained(folder)
        return cls(model.eval(), AutoTokenizer.from_pretrained(folder))

    def classifier(self, precision: str = "float32") -> TransformersClassifier:
        """Our side."""
        return TransformersClassifier(self.model, self.tokenizer, precision=precision)

    def predict(self, texts: list[str]) -> np.ndarray[Any, Any]:
        """The usual way: 32 texts at once as they come, padded to the longest of them."""
        import torch

        batches = [texts[start : start + USUAL_BATCH] for start in range(0, len(texts), USUAL_BATCH)]
        with torch.inference_mode():
            return np.concatenate([self._probabilities(batch) for batch in batches])

    def _probabilities(self, batch: list[str]) -> np.ndarray[Any, Any]:
        encoded = self.tokenizer(batch, padding=True, truncation=True, return_tensors="pt")
        answer: np.ndarray[Any, Any] = self.model(**encoded).logits.softmax(-1).numpy()
        return answer


def subject() -> Subject:
    """MiniLM (six layers) from its package under a head of two classes that nobody trained."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(SEED)
    model = AutoModelForSequenceClassification.from_pretrained(encoder_folder(), num_labels=2).eval()
    return Subject(model, AutoTokenizer.from_pretrained(encoder_folder()))


def rows(data: Path = DATA, repeats: int = REPEATS, samples: Mapping[int, int] = SAMPLES) -> list[Row]:
    """All figures, on one thread; ``samples`` are those of a text of so many words."""
    with one_thread():
        thing = subject()
        exact = [speed_up(thing, n_words, samples[n_words], data, repeats) for n_words in LENGTHS]
        return [*exact, coarse(thing, samples[_WORDS_OF_RATE], data, repeats), rate(thing, samples, data, repeats)]


def speed_up(thing: Subject, n_words: int, samples: int, data: Path, repeats: int) -> Row:
    """How often faster the exact explanation of texts of ``n_words`` is."""
    texts = texts_of(n_words, _TEXTS.stop, data)[_TEXTS]
    compared = side_by_side(by_lime(thing, texts, samples), by_ours(thing.classifier(), texts, samples), repeats)
    must, aim = LENGTHS[n_words]
    note = f"{len(texts)} texts, {samples} samples; {compared.theirs:.3g} s against {compared.ours:.3g} s"
    return Row(
        f"MiniLM encoder + head, float32, exact, {n_words} words", compared.ratio, "x", must=must, aim=aim, note=note
    )


def coarse(thing: Subject, samples: int, data: Path, repeats: int) -> Row:
    """The same in bfloat16, for one neighbour: what dropping duplicates saves is left out."""
    able = has_bfloat16_instructions()
    samples, repeats = (samples, repeats) if able else (FEW_SAMPLES, 1)
    texts = texts_of(_WORDS_OF_RATE, 1, data)
    ours = by_ours(thing.classifier("bfloat16"), texts, samples)
    compared = side_by_side(by_lime(thing, texts, samples), ours, repeats)
    note = f"{samples} samples" if able else f"{samples} samples; this processor has no instructions for bfloat16"
    value = compared.ratio * ours()[0].calls / samples
    return Row("MiniLM, bfloat16, before dropping duplicates", value, "x", must=3.0, aim=4.0, note=note)


def rate(thing: Subject, samples: Mapping[int, int], data: Path, repeats: int) -> Row:
    """Matrix products a second of whole explanations, as a share of what one large product reaches beside them."""
    texts = texts_of(_WORDS_OF_RATE, 1, data)
    ours = by_ours(thing.classifier(), texts, samples[_WORDS_OF_RATE])
    # What is proved but once is proved before.
    ours()
    with counted_products(thing.model) as count:
        ours()
    shares = []
    for _ in range(repeats):
        before = peak()
        reached = count.operations / seconds(ours)
        shares.append(reached / median([before, peak()]))
    return Row("engine's matrix rate in float32, of the machine's peak", median(shares), "", must=0.8, aim=0.9)


def by_ours(model: TransformersClassifier, texts: Sequence[str], samples: int) -> Callable[[], list[Explanation]]:
    """Explains ``texts`` with our explainer."""
    explainer = LimeExplainer(samples=samples)
    return lambda: [explainer.explain(model, text, seed=SEED) for text in texts]


def by_lime(thing: Subject, texts: Sequence[str], samples: int) -> Callable[[], object]:
    """Explains ``texts`` with the lime package."""
    from lime.lime_text import LimeTextExplainer

    def explain(text: str) -> object:
        explainer = LimeTextExplainer(random_state=SEED)
        return explainer.explain_instance(text, thing.predict, num_features=10, num_samples=samples)

    return lambda: [explain(text) for text in texts]


def peak() -> float:
    """Operations a second of large products of matrices, one after the other."""
    import torch

    matrix = torch.rand(_PEAK_SIZE, _PEAK_SIZE)
    return 2 * _PEAK_SIZE**3 / median(seconds(lambda: matrix @ matrix) for _ in range(_PEAK_PRODUCTS))


@dataclass(slots=True)
class Count:
    """Operations of matrix products, a multiplication and an addition being two."""

    operations: int = 0


@contextmanager
def counted_products(model: Any) -> Iterator[Count]:
    """Counts the products of ``model``, of BERT's kind, meanwhile: its linear layers and its attention.

    What takes the place of keys and values in a last layer of the first token alone is left out: it is below 1 %.
    """
    import torch

    count = Count()

    def linear(module: Any, given: Any, output: Any) -> None:
        count.operations += 2 * output.numel() * module.in_features

    def attention(layer: Any, given: Any, output: Any) -> None:
        states = output[0] if isinstance(output, tuple) else output
        # Queries with keys, and weights with values.
        count.operations += 4 * states.numel() * given[0].shape[1]

    linears = [module for module in model.modules() if isinstance(module, torch.nn.Linear)]
    handles = [module.register_forward_hook(linear) for module in linears]
    handles += [layer.register_forward_hook(attention) for layer in model.bert.encoder.layer]
    try:
        yield count
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread of PyTorch meanwhile."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
