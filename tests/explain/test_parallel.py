"""Explanations by several processes of this machine: the same, in order, whatever dies on the way."""

from __future__ import annotations

import itertools
import math
import os
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError, MissingExtraError, ModelError, TrustError, WorkerError
from pytest_trust.explain import Explainer, LimeExplainer, OmissionExplainer, RoundsExplainer, SettlingExplainer
from pytest_trust.explain.parallel import ParallelExplainer
from pytest_trust.explain.parallel.chunks import KnownLeaning, SignsMissingError
from pytest_trust.models import CallableClassifier, as_classifier
from pytest_trust.models.kept import remembering
from pytest_trust.models.masked import MaskedText, MaskScorer
from pytest_trust.store import ResultStore

EFFECTS = {"great": 1.5, "lovely": 1.0, "awful": -1.5, "dull": -1.0}
TEXTS = [
    f"film {i} was {'great lovely' if i % 2 else 'awful dull'} with {' '.join(f'w{i + k}' for k in range(i % 9))}"
    for i in range(44)
]


class Words:
    """The log-odds of class 1 is the summed effect of a text's words, one text at a time: alike in any company.

    Every process leaves a mark in ``folder`` where it gets the model.
    """

    classes_ = ("no", "yes")

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__ = state
        if self.folder is not None:
            with (self.folder / str(os.getpid())).open("a") as file:
                file.write("loaded\n")

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        yes = [1 / (1 + math.exp(-sum(EFFECTS.get(word, 0.0) for word in text.split()))) for text in texts]
        return np.array([[1 - p, p] for p in yes])


class DiesOnce(Words):
    """Its process dies where it first meets a certain text."""

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        assert self.folder is not None
        mark = self.folder / "died"
        if any("film 41 " in text for text in texts) and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(texts)


def by_value(model: type, *arguments: object) -> object:
    """An object whose class goes along: test modules cannot be imported in a worker."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    return as_classifier(model(*arguments))


def leaning(class_index: int, words: Sequence[str]) -> np.ndarray:
    return np.array([1.0 if word in EFFECTS else -1.0 for word in words])


@pytest.fixture(scope="module")
def two() -> Iterator[ParallelExplainer]:
    explainer = ParallelExplainer(LimeExplainer(300, sampling="sequential"), 2)
    yield explainer
    explainer.close()


@pytest.fixture(scope="module")
def one() -> LimeExplainer:
    return LimeExplainer(300, sampling="sequential")


def test_it_is_what_it_wraps(two: ParallelExplainer, one: LimeExplainer) -> None:
    assert isinstance(two, Explainer)
    assert isinstance(two, SettlingExplainer)
    assert isinstance(two, RoundsExplainer)
    assert (two.name, two.settings(), two.tokenizer) == (one.name, one.settings(), one.tokenizer)
    model = as_classifier(Words())
    assert two.explain(model, TEXTS[0], seed=3) == one.explain(model, TEXTS[0], seed=3)


def test_explanations_are_those_of_one_process(two: ParallelExplainer, one: LimeExplainer, tmp_path: Path) -> None:
    model = by_value(Words, tmp_path)
    columns = [i % 2 for i in range(len(TEXTS))]
    assert list(two.explain_many(model, TEXTS, seed=1)) == list(one.explain_many(model, TEXTS, seed=1))
    lazily = two.explain_many(model, iter(TEXTS), class_indices=iter(columns), seed=1)
    assert list(lazily) == list(one.explain_many(model, TEXTS, class_indices=columns, seed=1))
    found = list(two.explain_until_settled(model, TEXTS, columns, seed=1, leaning=leaning))
    assert found == list(one.explain_until_settled(model, TEXTS, columns, seed=1, leaning=leaning))
    assert min(item.samples for item in found) < 300, "some ended early"
    rounds = [list(found) for found in two.rounds(model, TEXTS, columns, seed=1)]
    assert rounds == [list(found) for found in one.rounds(model, TEXTS, columns, seed=1)]
    assert len(rounds) > 2
    assert list(two.explain_many(model, [], seed=1)) == []
    loads = {path.name: len(path.read_text().splitlines()) for path in tmp_path.iterdir()}
    assert set(loads.values()) == {1}, "once a worker, for all of this"
    assert str(os.getpid()) not in loads
    assert 1 <= len(loads) <= 2


class KnownByState(CallableClassifier):
    """Its pickle is another each time, as that of a model with a tokenizer may be."""

    known_by_state = True
    pickle_changes = True

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "noise": os.urandom(8)}


def test_a_model_that_is_known_by_its_state_is_sent_once(two: ParallelExplainer, tmp_path: Path) -> None:
    by_value(Words)
    model = KnownByState(Words(tmp_path))
    for _ in range(2):
        assert len(list(two.explain_many(model, TEXTS[:8], seed=1))) == 8
    assert {path.read_text() for path in tmp_path.iterdir()} == {"loaded\n"}


def test_a_killed_worker_costs_no_explanation(two: ParallelExplainer, one: LimeExplainer, tmp_path: Path) -> None:
    expected = list(one.explain_many(as_classifier(Words()), TEXTS, seed=1))
    assert list(two.explain_many(by_value(DiesOnce, tmp_path), TEXTS, seed=1)) == expected
    assert (tmp_path / "died").exists()


def test_a_text_that_kills_every_worker_is_an_error(two: ParallelExplainer) -> None:
    model = by_value(Kills)
    with pytest.raises(WorkerError, match=r"workers died again and again .*--trust-jobs=1"):
        list(two.explain_many(model, TEXTS[:4], seed=1))


class Kills(Words):
    """No process survives it."""

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        os._exit(1)


def test_errors_of_a_model_arrive_with_their_cause(two: ParallelExplainer) -> None:
    model = by_value(Breaks)
    with pytest.raises(ModelError, match=r"failed on texts: ZeroDivisionError") as raised:
        list(two.explain_many(model, TEXTS, seed=1))
    assert "ZeroDivisionError: on purpose" in str(raised.value.__cause__)
    with pytest.raises(ConfigurationError, match="class_index") as plain:
        list(two.explain_many(by_value(Words), ["a b"], class_indices=[7], seed=1))
    assert plain.value.__cause__ is None


class Breaks(Words):
    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        if any("film 3 " in text for text in texts):
            raise ZeroDivisionError("on purpose")
        return super().__call__(texts)


def test_leaving_early_harms_neither_workers_nor_threads(two: ParallelExplainer) -> None:
    """An error in a thread of loky's would be one of this test."""
    model = by_value(Words)
    for taken in (1, 3, 40):
        found = two.explain_many(model, TEXTS * 4, seed=1)
        assert len(list(itertools.islice(found, taken))) == taken
        found.close()
    assert len(list(two.explain_many(model, TEXTS[:8], seed=1))) == 8


def test_what_cannot_be_sent_is_named(two: ParallelExplainer) -> None:
    lock = threading.Lock()

    def guarded(texts: list[str]) -> np.ndarray:
        with lock:
            return np.tile([0.4, 0.6], (len(texts), 1))

    model = as_classifier(guarded, classes=["no", "yes"], source="the guarded model")
    with pytest.raises(
        ModelError,
        match=r"the guarded model with the explainer 'lime' cannot be sent to other processes: .*--trust-jobs=1",
    ):
        list(two.explain_many(model, TEXTS, seed=1))


def test_an_endpoint_stays_in_its_process(two: ParallelExplainer) -> None:
    pytest.importorskip("httpx")
    from pytest_trust.models.endpoint_client import EndpointClient
    from pytest_trust.models.endpoint_settings import Address, EndpointSettings

    model = as_classifier(Words())
    model.client = EndpointClient(Address.of("http://name:secret@127.0.0.1:9/"), EndpointSettings())  # type: ignore[attr-defined]
    with pytest.raises(ModelError, match=r"keeps its keys and its pace; --trust-jobs=1") as raised:
        list(two.explain_many(model, TEXTS, seed=1))
    assert "secret" not in str(raised.value)


def test_what_a_model_keeps_between_sessions_stays_here(two: ParallelExplainer, tmp_path: Path, two_classes) -> None:
    store = ResultStore(tmp_path / "results.sqlite")
    model = remembering(as_classifier(two_classes._pipeline), store)
    assert model.memory is not None  # type: ignore[attr-defined]
    assert len(list(two.explain_many(model, ["a poem", "the bank"], seed=1))) == 2
    store.close()


class Unloadable:
    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return __import__, ("no_such_module_there",)


def test_what_cannot_be_unpacked_there_is_told(two: ParallelExplainer) -> None:
    model = by_value(Words)
    model.function.part = Unloadable()  # type: ignore[attr-defined]
    with pytest.raises(ModelError, match=r"cannot be unpacked in a worker: ModuleNotFoundError.*no_such_module_there"):
        list(two.explain_many(model, TEXTS, seed=1))


class OwnExplainer:
    """An explainer of a user's own: its explanations cannot go on from others, and it tells no words."""

    name = "own"

    def settings(self) -> dict[str, str]:
        return {}

    def explain(self, model, text, *, class_index=None, seed):
        return OmissionExplainer().explain(model, text, class_index=class_index, seed=seed)

    def explain_many(self, model, texts: Iterable[str], *, class_indices=None, seed):
        return OmissionExplainer().explain_many(model, texts, class_indices=class_indices, seed=seed)

    def explain_until_settled(self, model, texts: Iterable[str], class_indices, *, seed, leaning):
        for item in self.explain_many(model, texts, class_indices=class_indices, seed=seed):
            assert (leaning(1, ["great"]) == 1).all()
            yield item


def test_explainers_of_other_kinds_are_shared_as_well() -> None:
    own, model = OwnExplainer(), by_value(Words)
    shared = ParallelExplainer(own, 2)
    columns = [1] * 12
    expected = list(own.explain_many(model, TEXTS[:12], class_indices=columns, seed=0))
    assert list(shared.explain_until_settled(model, TEXTS[:12], columns, seed=0, leaning=leaning)) == expected
    assert [list(found) for found in shared.rounds(model, TEXTS[:12], columns, seed=0)] == [expected]
    omission = ParallelExplainer(OmissionExplainer(), 2)
    assert list(omission.explain_until_settled(model, TEXTS[:12], columns, seed=0, leaning=leaning)) == expected


def test_one_job_stays_in_this_process(one: LimeExplainer) -> None:
    local = as_classifier(lambda texts: Words()(texts), classes=["no", "yes"])
    local.function.lock = threading.Lock()  # type: ignore[attr-defined]  # nothing is pickled
    shared = ParallelExplainer(one, 1)
    assert list(shared.explain_many(local, TEXTS[:5], seed=0)) == list(one.explain_many(local, TEXTS[:5], seed=0))


def test_signs_are_of_the_words_that_came_along() -> None:
    known = KnownLeaning({(1, "great"): 1.0, (1, "film"): -1.0})
    assert known(1, ["film", "great"]).tolist() == [-1.0, 1.0]
    with pytest.raises(SignsMissingError):
        known(0, ["film"])


@pytest.mark.parametrize(
    ("jobs", "backend", "match"), [(0, "loky", "jobs=0"), (2, "spark", "backend='spark'"), (True, "loky", "jobs=True")]
)
def test_arguments_are_checked(jobs, backend, match) -> None:
    with pytest.raises(ConfigurationError, match=match):
        ParallelExplainer(LimeExplainer(), jobs, backend)


@pytest.mark.parametrize(("backend", "package"), [("dask", "distributed"), ("ray", "ray")])
def test_a_missing_package_is_named_with_its_extra(monkeypatch, backend, package) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"'{package}'.*pytest-trust\[{backend}\]"):
        ParallelExplainer(LimeExplainer(), 2, backend)


class TestRay:
    """Ray itself is not installed in the tests' environments: its own face of joblib, over threads."""

    @pytest.fixture
    def ray(self, monkeypatch: pytest.MonkeyPatch) -> types.SimpleNamespace:
        from joblib import register_parallel_backend
        from joblib._parallel_backends import ThreadingBackend

        store: list[bytes] = []
        ray = types.ModuleType("ray")
        vars(ray).update(
            calls=[],
            exceptions=types.SimpleNamespace(RayActorError=type("RayActorError", (Exception,), {})),
            is_initialized=lambda: "init" in ray.calls,
            init=lambda: ray.calls.append("init"),
            put=lambda content: ray.calls.append("put") or store.append(content) or len(store) - 1,
            get=lambda place: ray.calls.append("get") or store[place],
        )
        joblib_face = types.ModuleType("ray.util.joblib")

        def register_ray() -> None:
            ray.calls.append("register")
            register_parallel_backend("ray", ThreadingBackend)

        joblib_face.register_ray = register_ray
        monkeypatch.setitem(sys.modules, "ray", ray)
        monkeypatch.setitem(sys.modules, "ray.util", types.ModuleType("ray.util"))
        monkeypatch.setitem(sys.modules, "ray.util.joblib", joblib_face)
        return ray

    def test_it_is_registered_and_holds_the_model_once(self, ray, one: LimeExplainer, two_classes) -> None:
        model = as_classifier(two_classes._pipeline)
        shared = ParallelExplainer(one, 2, "ray")
        for _ in range(2):
            assert list(shared.explain_many(model, TEXTS, seed=1)) == list(one.explain_many(model, TEXTS, seed=1))
        assert ray.calls == ["register", "init", "put", "get"]
        shared.close()

    def test_a_cluster_that_does_not_start_is_an_error(self, ray, one: LimeExplainer) -> None:
        def refuse() -> None:
            raise ConnectionError("no cluster there")

        ray.init = refuse
        with pytest.raises(WorkerError, match=r"no cluster of Ray.*no cluster there"):
            list(ParallelExplainer(one, 2, "ray").explain_many(by_value(Words), TEXTS, seed=1))


def test_worker_errors_are_ours() -> None:
    assert issubclass(WorkerError, TrustError)


class SomeMasks(Words):
    """Scores the masks of texts of films with an even number alone, and strings of all."""

    classes, source = ("no", "yes"), "some masks"

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        return self(texts)

    def fingerprint(self) -> str:
        return "some"

    def mask_scorer(self, text: MaskedText) -> MaskScorer | None:
        number = int(text.occurrences[1])
        return None if number % 2 else lambda masks: self(text.strings(masks))


def test_chunks_that_turn_out_to_need_the_oracle_are_explained_here(two: ParallelExplainer, one: LimeExplainer) -> None:
    by_value(Words)
    model, columns = SomeMasks(), [i % 2 for i in range(len(TEXTS))]
    found = list(two.explain_until_settled(model, TEXTS, columns, seed=1, leaning=leaning))
    assert found == list(one.explain_until_settled(model, TEXTS, columns, seed=1, leaning=leaning))
