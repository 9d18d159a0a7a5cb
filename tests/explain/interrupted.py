"""Builds an index in processes that are killed (``interrupted.py FOLDER KILLS``); prints what came of it as JSON."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from test_stored import WORDS, Model, sentences

from pytest_trust.data import load_dataset
from pytest_trust.embeddings.base import WordVectors
from pytest_trust.explain import LimeExplainer, scoring
from pytest_trust.explain.stored import StoredExplainer, keeping
from pytest_trust.keywords import build_index, dump_index, index_origin
from pytest_trust.store import ResultStore

# Small chunks, so that what a kill costs is little beside the whole.
keeping.CHUNK = scoring._MAX_OPEN = IN_FLIGHT = 4
SAMPLES = 150
TEXTS = sentences(300, 13)


class Places:
    """An embedding in which every word has a place of its own."""

    name, threshold, fingerprint = "places", 0.5, "places"

    def vectors(self, words: Sequence[str]) -> WordVectors:
        places = {word: place for place, word in enumerate((*Model.classes, *WORDS))}
        known = np.array([word in places for word in words], dtype=np.bool_)
        angles = np.array([0.1 * places.get(word, 0) for word in words])
        return WordVectors(np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32), known)


class Logged(Model):
    """Writes down how many texts it answers."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.log = path.open("a")

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        self.log.write(f"{len(texts)}\n")
        self.log.flush()
        return super().predict_proba(texts)


def build(folder: Path) -> None:
    """One session."""
    model, members = Logged(folder / "asked"), [Places()]
    labels = [model.classes[int(row.argmax())] for row in Model().predict_proba(TEXTS)]
    train = load_dataset(list(zip(TEXTS, labels, strict=True)))
    store = ResultStore(folder / "results.sqlite")
    explainer = StoredExplainer(LimeExplainer(samples=SAMPLES, sampling="sequential"), store)
    origin = index_origin(model, train, explainer, members, seed=3)
    index = build_index(origin, model, train, explainer, members)
    store.close()
    (folder / "index").write_text(hashlib.sha256(dump_index(index)).hexdigest())


def in_a_process(folder: Path, seconds: float | None) -> bool:
    """Builds in a process of its own; whether that was killed, after ``seconds``."""
    folder.mkdir(exist_ok=True)
    child = os.fork()
    if child == 0:
        build(folder)
        os._exit(0)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL), code
    return code != 0


def main(folder: Path, kills: int) -> None:
    start = time.monotonic()
    in_a_process(folder / "whole", None)
    longest = (time.monotonic() - start) * 2 / kills
    chance = random.Random(0)
    killed = sum(in_a_process(folder / "killed", chance.uniform(0.0, longest)) for _ in range(kills))
    in_a_process(folder / "killed", None)
    found = {name: (folder / name / "index").read_text() for name in ("whole", "killed")}
    asked = {name: sum(map(int, (folder / name / "asked").read_text().split())) for name in found}
    # A kill costs the calls under way and the explanations that are not kept yet.
    print(json.dumps({"index": found, "asked": asked, "killed": killed, "lost": 2 * IN_FLIGHT * SAMPLES}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
