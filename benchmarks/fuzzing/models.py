"""Readers of models that hold no pickle: skops, tokenizers, and the settings beside them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.fuzzing.mutations import mutated_bytes, mutated_json
from benchmarks.fuzzing.target import Target, writer
from pytest_trust.errors import ModelError
from pytest_trust.models import load_model
from pytest_trust.models.tokenizer_file import FileTokenizer, longest_input

_TEXTS = ["a fine film", "a dull film", "so fine", "so dull"]


def targets(folder: Path) -> Iterator[Target]:
    """One a file."""
    path = folder / "model.skops"
    read = writer(path, _read_model)
    yield Target("model.skops", (skops_model(),), read, (ModelError,), path.name, changes=(_schema,), share=0.1)
    for name, seed in (
        ("tokenizer.json", _tokenizer()),
        ("tokenizer_config.json", {"model_max_length": 512, "truncation_side": "right", "pad_token": {"content": "a"}}),
        ("config.json", {"max_position_embeddings": 514, "model_type": "roberta", "pad_token_id": 1}),
    ):
        path = folder / f"beside {name}" / name
        path.parent.mkdir()
        path.with_name("tokenizer.json").write_text(json.dumps(_tokenizer()))
        read = writer(path, _read_tokenizer)
        raw = json.dumps(seed).encode()
        yield Target(name, (raw,), read, (ModelError,), name, changes=(mutated_json,), share=0.3)


def skops_model() -> bytes:
    """A pipeline that knows a few words, as skops writes it."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from skops import io as skops_io

    model = make_pipeline(CountVectorizer(), LogisticRegression()).fit(_TEXTS, ["good", "bad", "good", "bad"])
    return bytes(skops_io.dumps(model))


def _read_model(path: Path) -> None:
    found = load_model(str(path), allow_pickle=False).predict_proba(_TEXTS)
    assert found.shape[0] == len(_TEXTS)
    assert np.isfinite(found).all()


def _schema(rng: Random, content: bytes) -> bytes:
    """Another description of what the file holds."""
    buffer = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
            for name in old.namelist():
                part = old.read(name)
                part = mutated_json(rng, part) if name == "schema.json" else part
                new.writestr(zipfile.ZipInfo(name), part)
    except Exception:
        return mutated_bytes(rng, content)
    return buffer.getvalue()


def _tokenizer() -> dict[str, object]:
    """The settings of a tokenizer of a few whole words."""
    vocabulary = {"[UNK]": 0, "a": 1, "fine": 2, "dull": 3, "film": 4}
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 8, "strategy": "LongestFirst", "stride": 0},
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }


def _read_tokenizer(path: Path) -> None:
    longest = longest_input(path.parent)
    assert longest is None or (type(longest) is int and longest > 0)
    tokenizer = FileTokenizer(path.parent, ["input_ids"], longest)
    found = tokenizer("A fine film, so dull", truncation=True)
    assert len(found["input_ids"]) == len(found["offset_mapping"])
