from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import pytest_trust
from pytest_trust.explain import (
    Explainer,
    Explanation,
    LimeExplainer,
    OmissionExplainer,
    WordScore,
    faithfulness_figures,
)
from pytest_trust.explain.base import RoundsExplainer, SettlingExplainer, explain_for_verdicts
from pytest_trust.explain.parallel import ParallelExplainer
from pytest_trust.explain.stored import StoredExplainer
from pytest_trust.explain.stored.records import explanation_bytes, explanation_of
from pytest_trust.models import kept
from pytest_trust.store import ResultStore
from pytest_trust.text import Span, word_spans

WORDS = ("the", "cup", "was", "deep", "green", "old", "and", "lid", "of", "tin", "far", "too", "thin", "stood")
WEIGHTS = {"deep": 2.0, "green": 1.0, "thin": -1.5, "tin": -0.5, "old": 0.4}


class Model:
    """Log-odds of the second class are the summed weights of words; texts that it was asked about are counted."""

    classes = ("bad", "good")
    source = "a test's"

    def __init__(self, state: str = "first", *, known_by_state: bool = True) -> None:
        self.state = state
        self.known_by_state = known_by_state
        self.weights = dict(WEIGHTS)
        self.asked: list[str] = []

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        odds = np.array([sum(self.weights.get(word, 0.01) for word in text.split()) for text in texts])
        good = 1 / (1 + np.exp(-odds))
        return np.column_stack([1 - good, good])

    def fingerprint(self) -> str:
        return self.state


def sentences(count: int, words: int = 9, seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.sample(WORDS, words)) for _ in range(count)]


TEXTS = [*sentences(20), "", "!!!", "deep", "a lone surrogate \ud800 is thin"]
COLUMNS = [i % 2 for i in range(len(TEXTS))]

Explain = Callable[[Explainer, Model], list[Explanation]]


def leaning(column: int, words: Sequence[str]) -> np.ndarray:
    return np.array([1.0 if (word in WEIGHTS) == (column == 1) else -1.0 for word in words])


def many(explainer: Explainer, model: Model) -> list[Explanation]:
    return list(explainer.explain_many(model, TEXTS, class_indices=COLUMNS, seed=7))


def predicted(explainer: Explainer, model: Model) -> list[Explanation]:
    return list(explainer.explain_many(model, iter(TEXTS), seed=7))


def settled(explainer: Explainer, model: Model) -> list[Explanation]:
    return list(explain_for_verdicts(explainer, model, TEXTS, COLUMNS, seed=7, leaning=leaning))


def rounds(explainer: Explainer, model: Model) -> list[Explanation]:
    if not isinstance(explainer, RoundsExplainer):
        return many(explainer, model)
    return [item for found in explainer.rounds(model, TEXTS, COLUMNS, seed=7) for item in found]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.sqlite"


@pytest.fixture
def stores(path: Path) -> Iterator[Callable[[], ResultStore]]:
    """Opens the same file again, as a later session does."""
    opened: list[ResultStore] = []

    def make() -> ResultStore:
        opened.append(ResultStore(path))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.mark.parametrize("explain", [many, predicted, settled, rounds])
@pytest.mark.parametrize(
    "explainer",
    [
        LimeExplainer(samples=300),
        LimeExplainer(samples=600, sampling="sequential"),
        LimeExplainer(samples=600, sampling="capped", cap=64),
        OmissionExplainer(),
        OmissionExplainer(positions=True),
    ],
    ids=["fixed", "sequential", "capped", "omission", "positions"],
)
def test_a_later_session_asks_nothing_and_finds_the_same(
    stores: Callable[[], ResultStore], explainer: Explainer, explain: Explain
) -> None:
    expected = explain(explainer, Model())
    assert explain(StoredExplainer(explainer, stores()), Model()) == expected
    later = Model()
    assert explain(StoredExplainer(explainer, stores()), later) == expected
    assert later.asked == []


def test_it_is_what_callers_look_for(stores: Callable[[], ResultStore]) -> None:
    stored = StoredExplainer(LimeExplainer(), stores())
    assert isinstance(stored, Explainer)
    assert isinstance(stored, SettlingExplainer)
    assert isinstance(stored, RoundsExplainer)
    assert (stored.name, stored.settings()) == ("lime", LimeExplainer().settings())
    assert stored.tokenizer is word_spans


def test_what_is_known_and_new_comes_in_order(stores: Callable[[], ResultStore]) -> None:
    explainer = LimeExplainer(samples=100)
    list(StoredExplainer(explainer, stores()).explain_many(Model(), TEXTS[::3], seed=7))
    model = Model()
    found = predicted(StoredExplainer(explainer, stores()), model)
    assert found == predicted(explainer, Model())
    assert not set(TEXTS[::3]) & set(model.asked)


def test_known_texts_come_as_lazily_as_new_ones(stores: Callable[[], ResultStore]) -> None:
    stored = StoredExplainer(OmissionExplainer(), stores())
    for _ in range(2):
        endless = itertools.cycle(TEXTS)
        assert len(list(itertools.islice(stored.explain_many(Model(), endless, seed=7), 30))) == 30
    assert len(list(stored.explain_many(Model(), TEXTS * 200, seed=7))) == 200 * len(TEXTS)


def other_settings() -> list[tuple[str, Explainer]]:
    base = {"samples": 600, "sampling": "sequential"}
    return [
        ("samples", LimeExplainer(**{**base, "samples": 500})),
        ("features", LimeExplainer(**base, features=4)),
        ("kernel", LimeExplainer(**base, kernel_width=10.0)),
        ("sampling", LimeExplainer(samples=600)),
        ("capped", LimeExplainer(samples=600, sampling="capped", cap=64)),
        ("cap", LimeExplainer(samples=600, sampling="capped", cap=96)),
        ("explainer", OmissionExplainer()),
    ]


def test_each_setting_is_a_miss(stores: Callable[[], ResultStore]) -> None:
    settled(StoredExplainer(LimeExplainer(samples=600, sampling="sequential"), stores()), Model())
    for name, explainer in other_settings():
        model = Model()
        assert settled(StoredExplainer(explainer, stores()), model) == settled(explainer, Model()), name
        assert model.asked, name


@pytest.mark.parametrize("changed", ["model", "classes", "text", "column", "seed", "version", "code", "library"])
def test_each_part_is_a_miss(stores: Callable[[], ResultStore], monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    explainer = OmissionExplainer()
    text, column, seed, model = "deep green cup", 1, 7, Model()
    list(StoredExplainer(explainer, stores()).explain_many(model, [text], class_indices=[column], seed=seed))
    model = Model("second" if changed == "model" else "first")
    if changed == "classes":
        model.classes = ("worse", "better")  # type: ignore[assignment]
    elif changed == "text":
        text += " "
    elif changed == "column":
        column = 0
    elif changed == "seed":
        seed = 8
    elif changed == "version":
        monkeypatch.setattr(kept, "__version__", "99")
    elif changed == "code":
        monkeypatch.setattr(kept, "_own_code", lambda: "other")
    elif changed == "library":
        monkeypatch.setattr(kept, "_version", lambda name: f"{name} 99")
    list(StoredExplainer(explainer, stores()).explain_many(model, [text], class_indices=[column], seed=seed))
    assert model.asked


def test_all_code_that_shapes_explanations_is_part_of_the_key() -> None:
    package = Path(pytest_trust.__file__).parent
    assert set((package / "explain").rglob("*.py")) <= set(kept._sources(package))


def test_what_an_oracle_holds_of_a_text_is_part_of_the_key(stores: Callable[[], ResultStore]) -> None:
    explainer = LimeExplainer(samples=600, sampling="sequential")
    long_texts = sentences(6, 13)

    def judged(holds: Callable[[int, Sequence[str]], np.ndarray], model: Model) -> list[Explanation]:
        stored = StoredExplainer(explainer, stores())
        return list(explain_for_verdicts(stored, model, long_texts, [1] * 6, seed=7, leaning=holds))

    judged(leaning, Model())

    def turned(word: str) -> Callable[[int, Sequence[str]], np.ndarray]:
        return lambda column, words: leaning(column, words) * [-1.0 if item == word else 1.0 for item in words]

    turned.__qualname__ = leaning.__qualname__
    without = next(word for word in WORDS if any(word not in text.split() for text in long_texts))
    holders = {}
    for word in (without, "unheard-of"):
        holds = turned(word)
        holds.__qualname__, holds.__module__ = leaning.__qualname__, leaning.__module__
        model = Model()
        found = judged(holds, model)
        assert found == list(explain_for_verdicts(explainer, Model(), long_texts, [1] * 6, seed=7, leaning=holds))
        holders[word] = {text for text in long_texts if text in model.asked}
    assert holders == {without: {text for text in long_texts if without in text.split()}, "unheard-of": set()}


def test_a_model_known_by_answers_is_explained_anew_where_its_answer_changed(
    stores: Callable[[], ResultStore],
) -> None:
    explainer = OmissionExplainer()
    first = Model(known_by_state=False)
    many(StoredExplainer(explainer, stores()), first)
    again = Model(known_by_state=False)
    assert many(StoredExplainer(explainer, stores()), again) == many(explainer, Model())
    assert again.asked == TEXTS  # once each, and no neighbour
    changed = Model(known_by_state=False)
    changed.weights["lid"] = 3.0
    found = many(StoredExplainer(explainer, stores()), changed)
    expected = Model()
    expected.weights["lid"] = 3.0
    assert found == many(explainer, expected)


def test_nothing_is_kept_of_a_model_that_is_never_the_same(path: Path, stores: Callable[[], ResultStore]) -> None:
    class Moody(Model):
        def fingerprint(self) -> str:
            return str(time.perf_counter_ns())

    assert many(StoredExplainer(OmissionExplainer(), stores()), Moody()) == many(OmissionExplainer(), Model())
    assert not path.exists()


def by_letters(text: str) -> list[Span]:
    return [Span(i, i + 1) for i, letter in enumerate(text) if letter.isalpha()]


class OwnOmission(OmissionExplainer):
    """A user's own explainer."""


@pytest.mark.parametrize("explainer", [OmissionExplainer(tokenizer=by_letters), OwnOmission()], ids=["words", "class"])
def test_nothing_is_kept_where_code_of_a_users_own_is_at_work(
    path: Path, stores: Callable[[], ResultStore], explainer: Explainer
) -> None:
    assert many(StoredExplainer(explainer, stores()), Model()) == many(explainer, Model())
    assert settled(StoredExplainer(explainer, stores()), Model()) == settled(explainer, Model())
    assert not path.exists()


def test_a_users_explainer_may_say_what_it_is_kept_as(stores: Callable[[], ResultStore]) -> None:
    class Kept(OwnOmission):
        def kept_as(self) -> dict[str, str | int | float | bool]:
            return {**self.settings(), "mine": 1}

    many(StoredExplainer(Kept(), stores()), Model())
    model = Model()
    assert many(StoredExplainer(Kept(), stores()), model) == many(OmissionExplainer(), Model())
    assert model.asked == []


def test_what_is_left_early_or_fails_is_kept_so_far(stores: Callable[[], ResultStore]) -> None:
    class Failing(Model):
        def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
            if any("fatal" in text for text in texts):
                raise RuntimeError("as asked")
            return super().predict_proba(texts)

    texts = [*sentences(40, 13), "fatal", *sentences(300, 13, seed=2)]
    explainer = LimeExplainer(samples=5000)  # several texts fill a call
    with pytest.raises(RuntimeError, match="as asked"):
        list(StoredExplainer(explainer, stores()).explain_many(Failing(), texts, seed=7))
    found = StoredExplainer(explainer, stores()).explain_many(Model(), texts[41:], seed=7)
    first = list(itertools.islice(found, 3))
    found.close()  # type: ignore[attr-defined]
    model = Model()
    assert list(StoredExplainer(explainer, stores()).explain_many(model, texts[41:44], seed=7)) == first
    assert model.asked == []
    list(StoredExplainer(explainer, stores()).explain_many(model, texts[:30], seed=7))
    assert texts[0] not in model.asked


def test_explanations_are_kept_to_the_last_digit() -> None:
    words = (
        WordScore("naïve \ud800", 0.1 + 0.2, (Span(0, 7), Span(9, 16))),
        WordScore("tiny", -5e-324, ()),
        WordScore("huge", 1.7976931348623157e308, (Span(20, 24),)),
    )
    explanation = Explanation(
        "text \ud800", "good \ud800", 1, 1 / 3, words, "lime", 5000, 4711, 2**32 - 1, "a note", 5, True
    )
    assert explanation_of("text \ud800", explanation_bytes(explanation)) == explanation


def test_faithfulness_is_not_measured_again(stores: Callable[[], ResultStore]) -> None:
    explainer = LimeExplainer(samples=600, sampling="sequential")

    def figures(used: Explainer, model: Model, seed: int = 7) -> dict[str, float | int | None]:
        explanations = settled(used, model)
        return faithfulness_figures(used, model, explanations, seed=seed, n=10, leaning=leaning)

    expected = figures(explainer, Model())
    assert figures(StoredExplainer(explainer, stores()), Model()) == expected
    later = Model()
    assert figures(StoredExplainer(explainer, stores()), later) == expected
    assert later.asked == []
    figures(StoredExplainer(explainer, stores()), later, seed=8)
    assert later.asked


def test_the_work_of_many_processes_is_kept_as_that_of_one(stores: Callable[[], ResultStore]) -> None:
    explainer = LimeExplainer(samples=600, sampling="sequential")
    for explain in (settled, rounds, many):
        expected = explain(StoredExplainer(explainer, stores()), Model())
        later = Model()
        assert explain(StoredExplainer(ParallelExplainer(explainer, 2), stores()), later) == expected
        assert later.asked == []


def test_rounds_go_on_where_they_were_left(stores: Callable[[], ResultStore]) -> None:
    explainer, texts = LimeExplainer(samples=400, sampling="sequential"), sentences(90, 13)
    whole = Model()
    expected = [list(found) for found in explainer.rounds(whole, texts, [1] * 90, seed=7)]
    asked: list[str] = []
    for stop in (10, 100, 250):  # in the first, second and third round
        model = Model()
        found = itertools.chain.from_iterable(
            StoredExplainer(explainer, stores()).rounds(model, texts, [1] * 90, seed=7)
        )
        list(itertools.islice(found, stop))
        del found
        asked += model.asked
    last = Model()
    assert [list(f) for f in StoredExplainer(explainer, stores()).rounds(last, texts, [1] * 90, seed=7)] == expected
    asked += last.asked
    # What was under way when it was left is asked again, and nothing else.
    assert len(whole.asked) <= len(asked) < 1.5 * len(whole.asked)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_build_that_is_killed_twenty_times_goes_on(tmp_path: Path) -> None:
    program = Path(__file__).with_name("interrupted.py")
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path), "20"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["index"]["killed"] == told["index"]["whole"]
    assert told["killed"] >= 15
    assert told["asked"]["killed"] - told["asked"]["whole"] <= told["killed"] * told["lost"] < told["asked"]["whole"]
