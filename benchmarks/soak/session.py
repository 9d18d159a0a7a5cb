"""One session: an index and verdicts over a store, in a process of its own that may be killed at any moment."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_trust import check_trustworthy
from pytest_trust.data import TextDataset, load_dataset
from pytest_trust.errors import TrustWarning
from pytest_trust.explain import LimeExplainer
from pytest_trust.explain.stored import StoredExplainer, keeping
from pytest_trust.keywords import build_index, cached_index, default_index_path, index_origin
from pytest_trust.models import TextClassifier, as_classifier
from pytest_trust.oracles import TokiOracle
from pytest_trust.store import RESULTS, ResultStore, publish

REVIEWS = Path(__file__).parents[2] / "fixtures" / "reviews"
_SAMPLES = 600
# Small, so that a session is killed between many commits.
_CHUNK = 8
_DIGEST = 16


@dataclass(frozen=True, slots=True)
class Parts:
    """What all sessions share: they are made before the first process is forked."""

    model: TextClassifier
    train: TextDataset
    data: TextDataset
    members: Sequence[Any]


def make_parts(n: int | None = None) -> Parts:
    """A scikit-learn pipeline fitted to the reviews of ``fixtures/``, and these; ``n`` texts of each set, or all."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    sys.path.insert(0, str(REVIEWS))
    try:
        from embedding import ThreeAxes
    finally:
        sys.path.remove(str(REVIEWS))
    train, data = (load_dataset(REVIEWS / name) for name in ("train.csv", "test.csv"))
    estimator = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(list(train.texts), list(train.labels))
    some = [part if n is None else part.take(range(n)) for part in (train, data)]
    return Parts(as_classifier(estimator), *some, [ThreeAxes()])


class LoggedStore(ResultStore):
    """Writes down each record once it is committed: its key, and a digest of its value."""

    def __init__(self, path: Path, log: Path) -> None:
        super().__init__(path)
        self._log = log.open("a")

    def put_many(self, records: Mapping[bytes, bytes]) -> None:
        """As in the store."""
        super().put_many(records)
        lines = [f"{key.hex()} {digest(value)}\n" for key, value in records.items() if key not in self._memory]
        self._log.write("".join(lines))
        self._log.flush()


def digest(value: bytes) -> str:
    """What a value is known by in logs."""
    return hashlib.sha256(value).hexdigest()[:_DIGEST]


def store_path(folder: Path) -> Path:
    """The file of the store in a project's folder."""
    return folder / ".trust" / RESULTS


def run(parts: Parts, folder: Path, seed: int, name: str) -> None:
    """Builds or reads the index below ``folder``, judges, and writes verdicts and warnings to the file ``name``."""
    keeping.CHUNK = _CHUNK
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        store = LoggedStore(store_path(folder), folder / f"{name}.log")
        explainer = StoredExplainer(LimeExplainer(samples=_SAMPLES), store)
        origin = index_origin(parts.model, parts.train, explainer, parts.members, seed=seed)
        index = cached_index(
            default_index_path(folder, origin),
            origin,
            lambda: build_index(origin, parts.model, parts.train, explainer, parts.members),
        )
        oracle = TokiOracle(index, parts.members)
        found = check_trustworthy(parts.model, parts.data, oracle, min_rate=0.5, explainer=explainer, seed=seed)
        store.close()
    strange = [str(item.message) for item in caught if not issubclass(item.category, TrustWarning)]
    assert not strange, strange
    verdicts = {"outcome": found.outcome, "estimate": found.estimate, "texts": [text.to_dict() for text in found.texts]}
    told = [str(item.message) for item in caught]
    publish(folder / name, json.dumps({"verdicts": verdicts, "warnings": told}).encode())


def fork(work: Callable[[], None]) -> int:
    """Does ``work`` in a process of its own, which ends with 0, or with 1 after an error; its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)
