"""The process that runs TextAttack, seen from this side: stand-ins play its part, so TextAttack need not be there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pytest_trust.attacks import AttackOutcome
from pytest_trust.attacks.textattack import TextAttackError, TextAttackRunner, attack_with_recipe
from pytest_trust.errors import ConfigurationError, DataError, MissingExtraError, ModelError

# Plays the worker's part, after the protocol as it is written down: a length of four bytes, then JSON.
STAND_IN = """
import json, os, struct, sys, time

def receive():
    head = sys.stdin.buffer.read(4)
    return json.loads(sys.stdin.buffer.read(*struct.unpack(">I", head))) if head else sys.exit()

def send(**message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(struct.pack(">I", len(body)) + body)
    sys.stdout.buffer.flush()

def ask(texts):
    send(texts=texts)
    return receive()["probabilities"]

open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
print("noise of a library", file=sys.stderr)
while True:
    request = receive()
    if "text" not in request:
        send(ready=request["recipe"])
        continue
"""
ANSWERS = {
    "flip": "ask([request['text']]); send(text=request['text'].replace('good', 'goood'), queries=7, spent=False)",
    "claim": "send(text=request['text'], queries=1, spent=False)",
    "spent": "send(text=None, queries=5)",
    "request": "send(failed=json.dumps(request))",
    "environment": "send(failed=json.dumps({**os.environ, 'unset': not sys.warnoptions}))",
    "stumble": (
        "ask(['x', 'y']); send(failed='IndexError: no such word') if 'odd' in request['text'] else "
        "send(text=request['text'], queries=1, spent=False)"
    ),
    "refuse": "send(refused='the vectors are not here')",
    "die": "print('out of memory', file=sys.stderr); sys.stderr.flush(); os._exit(9)",
    "die on odd": "os._exit(9) if 'odd' in request['text'] else send(text=request['text'], queries=1, spent=False)",
    "die asking": "send(texts=['good film']); os._exit(9)",
    "hang": "time.sleep(60)",
    "print": "sys.stdout.buffer.write(b'Loading weights from somewhere'); sys.stdout.buffer.flush(); time.sleep(60)",
    "half": "sys.stdout.buffer.write(b'\\0\\0'); sys.stdout.buffer.flush(); os._exit(0)",
    "list": "sys.stdout.buffer.write(struct.pack('>I', 2) + b'[]'); sys.stdout.buffer.flush()",
}
FIND = "pytest_trust.attacks.textattack.parts.find_spec"
RunnerFactory = Callable[..., TextAttackRunner]


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    return tmp_path / "pids"


@pytest.fixture
def make_runner(pids: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> RunnerFactory:
    """Runners whose process is a stand-in; TextAttack passes for installed."""
    monkeypatch.setattr(FIND, lambda name: SimpleNamespace(origin=__file__))

    def make(answer: str, patience: float = 30.0) -> TextAttackRunner:
        script = STAND_IN + f"    {ANSWERS[answer]}\n"
        runner = TextAttackRunner(patience=patience, command=[sys.executable, "-c", script, str(pids)])
        request.addfinalizer(runner.close)
        return runner

    return make


@pytest.fixture
def model(make_word_model: Callable[..., Any]) -> Any:
    return make_word_model({"good": 2.0, "bad": -2.0, "goood": -1.0})


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def started(pids: Path) -> list[int]:
    return [int(line) for line in pids.read_text().split()]


def told(runner: TextAttackRunner, model: Any, **settings: Any) -> dict[str, Any]:
    """What a stand-in says when it is asked about one text."""
    [result] = runner.attack(model, ["good film"], ["good"], "deepwordbug", **settings)
    found: dict[str, Any] = json.loads(result.note.removeprefix("TextAttack failed: "))
    return found


def test_a_success_is_confirmed_and_shows_what_changed(make_runner: RunnerFactory, model: Any) -> None:
    [result] = make_runner("flip").attack(model, ["A good film."], ["good"], "DeepWordBugGao2018")
    assert result.outcome is AttackOutcome.SUCCESS
    assert (result.text, result.adversarial, result.label) == ("A good film.", "A goood film.", 1)
    assert [(change.before, change.after) for change in result.changes] == [("good", "goood")]
    assert result.before[1] > 0.5 > result.after[1]
    assert result.queries == 9  # those of the search, one before it and one after
    assert result.similarity is None


def test_a_claim_that_does_not_hold_is_a_failure(make_runner: RunnerFactory, model: Any) -> None:
    [result] = make_runner("claim").attack(model, ["good film"], ["good"], "deepwordbug")
    assert (result.outcome, result.changes, result.similarity) == (AttackOutcome.FAILURE, (), 1.0)


def test_a_search_that_ended_early_is_told_from_one_that_found_nothing(make_runner: RunnerFactory, model: Any) -> None:
    [result] = make_runner("spent").attack(model, ["good film"], ["good"], "deepwordbug")
    assert (result.outcome, result.adversarial) == (AttackOutcome.BUDGET, "good film")


def test_a_text_on_which_textattack_fails_is_skipped_and_the_others_go_on(
    make_runner: RunnerFactory, model: Any, pids: Path
) -> None:
    texts = ["good film", "good odd film", "a good one"]
    results = make_runner("stumble").attack(model, texts, ["good"] * 3, "deepwordbug")
    assert [result.outcome for result in results] == [
        AttackOutcome.FAILURE,
        AttackOutcome.SKIPPED_FAILED,
        AttackOutcome.FAILURE,
    ]
    failed = results[1]
    assert failed.note == failed.to_dict()["note"] == "TextAttack failed: IndexError: no such word"
    assert (failed.adversarial, failed.changes, failed.queries) == ("good odd film", (), 3)
    assert not failed.outcome.is_attacked
    assert len(started(pids)) == 1


def test_a_text_on_which_the_process_dies_is_skipped_and_the_others_go_on(
    make_runner: RunnerFactory, model: Any, pids: Path
) -> None:
    texts = ["good odd film", "good", "good film", "an odd good film", "a good one", "good odd"]
    results = make_runner("die on odd").attack(model, texts, ["good"] * 6, "deepwordbug")
    failed, short, attacked = AttackOutcome.SKIPPED_FAILED, AttackOutcome.SKIPPED_SHORT, AttackOutcome.FAILURE
    assert [result.outcome for result in results] == [failed, short, attacked, failed, attacked, failed]
    assert "ended with status 9" in results[0].note
    assert len(started(pids)) == 3
    assert not any(map(is_alive, started(pids)))


@pytest.mark.parametrize("texts", [["good film", "odd good", "good odd", "a good one"], ["good", "odd good"]])
def test_a_process_that_dies_again_and_again_is_an_error(
    make_runner: RunnerFactory, model: Any, texts: list[str]
) -> None:
    with pytest.raises(TextAttackError, match="ended with status 9"):
        make_runner("die on odd").attack(model, texts, ["good"] * len(texts), "deepwordbug")


@pytest.mark.usefixtures("make_runner")
def test_a_recipe_that_cannot_be_made_is_an_error(model: Any, pids: Path) -> None:
    script = STAND_IN.replace('send(ready=request["recipe"])', "send(failed='OSError: no such weights')")
    runner = TextAttackRunner(command=[sys.executable, "-c", script, str(pids)])
    with pytest.raises(TextAttackError, match=r"^TextAttack failed: OSError: no such weights$"):
        runner.attack(model, ["good film"], ["good"], "deepwordbug")
    assert not is_alive(started(pids)[0])


def test_short_texts_and_wrong_predictions_are_skipped_without_a_process(
    make_runner: RunnerFactory, model: Any, pids: Path
) -> None:
    texts = ["", "good", ">>>> ... <<<<", "bad film"]
    results = make_runner("flip").attack(model, texts, ["good"] * 4, "deepwordbug")
    assert [result.outcome for result in results] == [AttackOutcome.SKIPPED_SHORT] * 3 + [AttackOutcome.SKIPPED_WRONG]
    assert [result.queries for result in results] == [0, 0, 0, 1]
    assert not pids.exists()


def test_similarity_comes_from_the_encoder(make_runner: RunnerFactory, model: Any) -> None:
    class Encoder:
        name = "tilted"

        def encode(self, texts: list[str]) -> np.ndarray:
            assert texts == ["good film", "goood film"]
            return np.array([[1.0, 0.0], [0.6, 0.8]], dtype=np.float32)

    [result] = make_runner("flip").attack(model, ["good film"], ["good"], "deepwordbug", encoder=Encoder())
    assert result.similarity == pytest.approx(0.6)


def test_one_process_serves_many_texts_and_recipes_and_dies_with_the_runner(
    make_runner: RunnerFactory, model: Any, pids: Path
) -> None:
    with make_runner("flip") as runner:
        for recipe in ("deepwordbug", "pruthi"):
            runner.attack(model, ["good film", "a good one"], ["good"] * 2, recipe)
        [pid] = started(pids)
        assert is_alive(pid)
    assert not is_alive(pid)


def test_a_forgotten_runner_leaves_no_process(
    make_runner: RunnerFactory, model: Any, pids: Path, tmp_path: Path
) -> None:
    script = tmp_path / "forgetful.py"
    stand_in = STAND_IN + f"    {ANSWERS['claim']}\n"
    script.write_text(
        "import json, sys\n"
        "from pytest_trust.attacks.textattack import TextAttackRunner, parts\n"
        "parts.find_spec = lambda name: json.__spec__\n"
        f"runner = TextAttackRunner(command=[sys.executable, '-c', {stand_in!r}, {str(pids)!r}])\n"
        "class Model:\n"
        "    classes_ = ['bad', 'good']\n"
        "    def __call__(self, texts): return [[0.2, 0.8]] * len(texts)\n"
        "runner.attack(Model(), ['good film'], ['good'], 'deepwordbug')\n"
    )
    subprocess.run([sys.executable, str(script)], check=True, timeout=60)
    [pid] = started(pids)
    assert not is_alive(pid)


def test_what_the_process_is_told(make_runner: RunnerFactory, model: Any) -> None:
    request = told(make_runner("request"), model, max_queries=50, seconds=2.5, seed=7)
    seed = request.pop("seed")
    assert request == {
        "recipe": "DeepWordBugGao2018",
        "text": "good film",
        "label": 1,
        "target": 0,
        "max_queries": 48,
        "seconds": 2.5,
    }
    assert told(make_runner("request"), model, seed=7)["seed"] == seed
    assert told(make_runner("request"), model, seed=8)["seed"] != seed


def test_the_process_may_not_download_unless_the_user_says_so(
    make_runner: RunnerFactory, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    offline = told(make_runner("environment"), model)
    assert (offline["HF_HUB_OFFLINE"], offline["TRANSFORMERS_OFFLINE"]) == ("1", "1")
    assert offline["unset"] is True
    monkeypatch.setenv("PYTEST_TRUST_ALLOW_DOWNLOADS", "1")
    assert "HF_HUB_OFFLINE" not in told(make_runner("environment"), model)
    assert "HF_HUB_OFFLINE" not in os.environ


def test_what_cannot_be_had_is_a_configuration_error(make_runner: RunnerFactory, model: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"^the vectors are not here$"):
        make_runner("refuse").attack(model, ["good film"], ["good"], "iga")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("die", "ended with status 9; it printed last: noise of a library\nout of memory"),
        ("die asking", "ended with status"),
        ("half", "the start of a message alone"),
        ("print", "instead of a message"),
        ("list", "a list instead of a message"),
    ],
)
def test_a_process_that_dies_or_babbles_is_one_error_and_the_next_attack_starts_another(
    make_runner: RunnerFactory, model: Any, pids: Path, answer: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    runner = make_runner(answer)
    for _ in range(2):
        with pytest.raises(TextAttackError) as caught:
            runner.attack(model, ["good film"], ["good"], "deepwordbug")
        assert message in str(caught.value)
    first, second = started(pids)
    assert first != second
    assert not is_alive(first)
    assert not is_alive(second)
    assert capfd.readouterr() == ("", "")


def test_a_process_that_hangs_is_ended(make_runner: RunnerFactory, model: Any, pids: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(TextAttackError, match=r"said nothing for 1\.5 s and was ended"):
        make_runner("hang", patience=1.0).attack(model, ["good film"], ["good"], "deepwordbug", seconds=0.5)
    assert time.monotonic() - begin < 20
    assert not is_alive(started(pids)[0])


def test_an_error_of_the_model_comes_through_and_ends_the_process(
    make_runner: RunnerFactory, model: Any, pids: Path
) -> None:
    class Failing:
        classes_ = ("bad", "good")
        n_calls = 0

        def __call__(self, texts: list[str]) -> np.ndarray:
            self.n_calls += 1
            if self.n_calls == 2:
                raise ZeroDivisionError("no such weights")
            return np.array([[0.2, 0.8]] * len(texts))

    runner = make_runner("flip")
    with pytest.raises(ModelError, match="no such weights"):
        runner.attack(Failing(), ["good film"], ["good"], "deepwordbug")
    assert not is_alive(started(pids)[0])
    [result] = runner.attack(model, ["good film"], ["good"], "deepwordbug")
    assert result.outcome is AttackOutcome.SUCCESS


def test_each_worker_of_xdist_has_a_process_of_its_own(pytester: pytest.Pytester, pids: Path) -> None:
    pytest.importorskip("xdist")
    stand_in = STAND_IN + f"    {ANSWERS['flip']}\n"
    pytester.makepyfile(
        f"""
        import json, sys
        import pytest
        from pytest_trust.attacks import textattack

        @pytest.mark.parametrize("n", range(4))
        def test_attack(n, monkeypatch):
            monkeypatch.setattr({FIND!r}, lambda name: json.__spec__)
            def model(texts):
                return [[0.2, 0.8] if "good" in text else [0.8, 0.2] for text in texts]
            model.classes_ = ["bad", "good"]
            with textattack.TextAttackRunner(command=[sys.executable, "-c", {stand_in!r}, {str(pids)!r}]) as runner:
                [result] = runner.attack(model, [f"good film {{n}}"], ["good"], "deepwordbug")
            assert result.adversarial == f"goood film {{n}}"
        """
    )
    result = pytester.runpytest_subprocess("-n2", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=4)
    assert len(set(started(pids))) == 4


def test_a_missing_package_names_the_extra(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FIND, lambda name: None)
    with pytest.raises(MissingExtraError, match=r"'deepwordbug' needs the package 'textattack'.*\[textattack\]"):
        attack_with_recipe(model, ["good film"], ["good"], "deepwordbug")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_queries": 2}, "max_queries=2: expected a whole number of at least 3"),
        ({"seconds": 0}, "seconds=0"),
        ({"recipe": "textfoolery"}, "TextAttack has no recipe 'textfoolery'; it has bae, bert-attack"),
        ({"recipe": "hotflip"}, "follows the gradients of the model"),
        ({"recipe": "A2TYoo2021"}, "an attack 'a2t' of its own"),
        ({"recipe": "seq2sick"}, "models that write texts"),
        ({"recipe": "input-reduction"}, "looks for no flip"),
    ],
)
def test_what_cannot_be_asked_for(model: Any, settings: dict[str, Any], message: str) -> None:
    given = {"recipe": "deepwordbug", **settings}
    with pytest.raises(ConfigurationError, match=message):
        attack_with_recipe(model, ["good film"], ["good"], **given)


def test_labels_have_to_fit(model: Any) -> None:
    with pytest.raises(DataError, match="1 labels for 2 texts"):
        attack_with_recipe(model, ["good film", "bad film"], ["good"], "deepwordbug")
    with pytest.raises(DataError, match="ugly"):
        attack_with_recipe(model, ["good film"], ["ugly"], "deepwordbug")


def test_patience_has_an_end() -> None:
    with pytest.raises(ConfigurationError, match="patience"):
        TextAttackRunner(patience=0)
