"""Asks, where nothing but the package and its dependencies is installed, for what each extra brings.

Every error has to name the extra. The modules of the public face are imported first: they need no extra.
"""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest_trust
from pytest_trust import check_invariant, perturb
from pytest_trust._cli import completion
from pytest_trust.attacks.tagging import make_tagger
from pytest_trust.attacks.textattack.parts import package_folder
from pytest_trust.data import load_dataset
from pytest_trust.embeddings.loading import load_ensemble
from pytest_trust.errors import TrustError
from pytest_trust.explain import make_explainer
from pytest_trust.explain.parallel import ParallelExplainer
from pytest_trust.models import as_classifier, load_model
from pytest_trust.reports.html import html_report


class Model:
    """Knows one word."""

    classes_ = ("bad", "good")

    def __call__(self, texts: list[str]) -> list[list[float]]:
        """Probabilities of shape (n, 2)."""
        return [[0.1, 0.9] if "good" in text.lower() else [0.9, 0.1] for text in texts]


def _written(name: str, content: bytes = b"{}") -> str:
    path = Path(tempfile.mkdtemp(), name)
    path.write_bytes(content)
    return str(path)


def _words(spec: str) -> None:
    load_ensemble(spec)[0].vectors(["good"])


_ASKED: Mapping[str, Callable[[], object]] = {
    "sklearn": lambda: load_model(_written("model.skops")),
    "embeddings": lambda: _words("glove"),
    "transformers": lambda: load_model(str(Path(_written("config.json")).parent)),
    "gensim": lambda: _words(_written("vectors.kv")),
    "onnx": lambda: load_model(_written("model.onnx")),
    "endpoint": lambda: load_model("http://127.0.0.1:9/model"),
    "data": lambda: load_dataset(_written("data.parquet")),
    "perturb": lambda: perturb.numbers_to_words().apply("2 films", Random(0)),
    "attack": lambda: make_tagger("pattern"),
    "hypothesis": lambda: check_invariant(
        Model(), ["a good film", "no film"], perturb.replace({"film": "movie"}), margin=0.1, search=3
    ),
    "dask": lambda: ParallelExplainer(make_explainer("lime", 100, 5), 2, "dask"),
    "ray": lambda: ParallelExplainer(make_explainer("lime", 100, 5), 2, "ray"),
    "completion": lambda: completion.run(Namespace(shell="bash"), ArgumentParser()),
    "textattack": lambda: package_folder("a recipe"),
    "html": lambda: html_report([], seed=0),
    "lime": lambda: make_explainer("lime-reference", 100, 5).explain(as_classifier(Model()), "a good film", seed=0),
}


def _answer(ask: Callable[[], object]) -> str:
    try:
        found = ask()
    except TrustError as error:
        return str(error)
    return f"no error, but {found!r}"


if __name__ == "__main__":
    for name in pytest_trust.__all__:
        getattr(pytest_trust, name)
    unknown = set(sys.argv[1:]) ^ _ASKED.keys()
    assert not unknown, f"nothing is asked of the extras {sorted(unknown)}, or there are none such"
    answers = {extra: _answer(ask) for extra, ask in _ASKED.items()}
    wrong = {extra: answer for extra, answer in answers.items() if f"pytest-trust[{extra}]" not in answer}
    assert not wrong, wrong
    print(f"{len(answers)} extras, each named by the error where it is missing")
