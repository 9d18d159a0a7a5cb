"""What the process that runs TextAttack is made of: messages, recipes, their parts and the worker itself."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_trust.attacks.textattack import as_transformation
from pytest_trust.attacks.textattack.changes import word_changes
from pytest_trust.attacks.textattack.downloads import DownloadRefusedError
from pytest_trust.attacks.textattack.parts import GivenStopWords, missing_parts
from pytest_trust.attacks.textattack.protocol import ProtocolError, receive, send
from pytest_trust.attacks.textattack.recipes import RECIPES, Part, Source, is_recipe, recipe_named
from pytest_trust.attacks.textattack.worker import Ended, RemoteModel, TimeSpentError, Worker
from pytest_trust.errors import MissingExtraError


def test_names_of_recipes() -> None:
    assert recipe_named("textfooler") is recipe_named("TextFoolerJin2019") is recipe_named("TEXTFOOLER")
    assert is_recipe("hotflip")
    assert not is_recipe("toki")
    names = [name for recipe in RECIPES for name in (recipe.name, recipe.short) if name]
    assert len(names) == len({name.lower() for name in names})


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("a good film", "a good film", []),
        ("a good film", "a GOOD film", [("good", "GOOD")]),
        ("a good film", "a go od film", [("good", "go"), ("", "od")]),
        ("a good film", "good film", [("a", "")]),
        ("good", "so good", [("", "so")]),
        ("'CCC' is fine", "'CCD' is fime", [("CCC", "CCD"), ("fine", "fime")]),
        ("good film", "", [("good", ""), ("film", "")]),
        ("", "so good", [("", "so"), ("", "good")]),
    ],
)
def test_changed_words_are_paired(text: str, other: str, expected: list[tuple[str, str]]) -> None:
    changes = word_changes(text, other)
    assert [(change.before, change.after) for change in changes] == expected
    for change in changes:
        assert text[change.original.start : change.original.end] == change.before
        assert other[change.replacement.start : change.replacement.end] == change.after


def test_messages_come_through_whole() -> None:
    stream = io.BytesIO()
    messages = [{"texts": ["naïve \ud800 🙂", ""]}, {"probabilities": [[0.1, 1 / 3]]}]
    for message in messages:
        send(stream, message)
    stream.seek(0)
    assert [receive(stream), receive(stream), receive(stream)] == [*messages, None]


@pytest.mark.parametrize("found", [b"\0\0", b"\0\0\0\x05{}", b"Loading ...", b"\0\0\0\x02[]", b"\0\0\0\x02\xff\xff"])
def test_what_is_no_message(found: bytes) -> None:
    with pytest.raises(ProtocolError):
        receive(io.BytesIO(found))


def remote_model(*answers: dict[str, Any]) -> tuple[RemoteModel, io.BytesIO]:
    inbox, outbox = io.BytesIO(), io.BytesIO()
    for answer in answers:
        send(inbox, answer)
    inbox.seek(0)
    return RemoteModel(inbox, outbox), outbox


def test_the_remote_model_gives_rows_that_textattack_takes_as_they_are() -> None:
    model, outbox = remote_model({"probabilities": [[0.2005, 0.8], [0.5, 0.4995]]})
    rows = model(["a", "b"])
    assert rows.sum(axis=1) == pytest.approx([1.0, 1.0], abs=1e-15)
    assert rows[0, 1] == pytest.approx(0.8 / 1.0005)
    outbox.seek(0)
    assert receive(outbox) == {"texts": ["a", "b"]}


def test_the_remote_model_ends_with_the_time_and_with_the_other_process() -> None:
    model, outbox = remote_model()
    with pytest.raises(Ended):
        model(["a"])
    model.last_moment = time.monotonic() - 1
    written = outbox.tell()
    with pytest.raises(TimeSpentError):
        model(["a"])
    assert outbox.tell() == written


def worker_with(search: Callable[[Any], object]) -> Worker:
    """A worker whose recipe deepwordbug is ``search``, which is given the goal function."""
    goal = SimpleNamespace(num_queries=0)

    def attack(text: str, label: int) -> object:
        found = search(goal)
        return SimpleNamespace(perturbed_result=SimpleNamespace(attacked_text=SimpleNamespace(text=found)))

    worker = Worker(remote_model()[0])
    made = SimpleNamespace(goal_function=goal, attack=attack, clear_cache=lambda: None)
    worker._attacks["DeepWordBugGao2018"] = made
    return worker


REQUEST = {
    "recipe": "deepwordbug", "text": "good film", "label": 1, "target": 0, "seconds": None, "max_queries": 5, "seed": 1,
}  # fmt: skip


@pytest.fixture
def unseeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generators of this process stay as they are."""
    monkeypatch.setattr("pytest_trust.attacks.textattack.worker._seed", lambda seed: None)


@pytest.mark.usefixtures("unseeded")
def test_a_search_that_stumbles_over_its_budget_has_spent_it() -> None:
    def spend(goal: Any) -> object:
        goal.num_queries = goal.query_budget
        return [][0]

    assert worker_with(spend).answer(REQUEST) == {"text": None, "queries": 5}


@pytest.mark.usefixtures("unseeded")
def test_a_search_that_stumbles_earlier_has_failed() -> None:
    assert worker_with(lambda goal: [][0]).answer(REQUEST) == {"failed": "IndexError: list index out of range"}


@pytest.mark.usefixtures("unseeded")
def test_a_search_says_whether_the_budget_is_spent() -> None:
    def search(goal: Any) -> str:
        goal.num_queries = 3
        return "goood film"

    assert worker_with(search).answer(REQUEST) == {"text": "goood film", "queries": 3, "spent": False}
    assert worker_with(search).answer({**REQUEST, "max_queries": 3})["spent"] is True


@pytest.mark.usefixtures("unseeded")
def test_a_download_within_a_search_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def search(goal: Any) -> object:
        try:
            raise DownloadRefusedError
        except OSError as error:
            raise RuntimeError("cannot load\nthe tagger") from error

    monkeypatch.delenv("PYTEST_TRUST_ALLOW_DOWNLOADS", raising=False)
    assert worker_with(search).answer(REQUEST) == {
        "refused": "TextAttack's recipe 'deepwordbug' wanted to download something, which is not allowed "
        "(RuntimeError: cannot load the tagger); PYTEST_TRUST_ALLOW_DOWNLOADS=1 in the environment allows it"
    }
    monkeypatch.setenv("PYTEST_TRUST_ALLOW_DOWNLOADS", "1")
    assert worker_with(search).answer(REQUEST) == {"failed": "RuntimeError: cannot load the tagger"}


def test_no_connection_leaves_the_process() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"""
import socket, urllib.request
from pytest_trust.attacks.textattack.transformation import as_transformation
from pytest_trust.attacks.textattack.downloads import refuse_network
refuse_network()
for attempt in (
    lambda: socket.create_connection(("127.0.0.1", {port})),
    lambda: socket.socket().connect(("127.0.0.1", {port})),
    lambda: urllib.request.urlopen("http://127.0.0.1:{port}/"),
):
    try:
        attempt()
    except OSError as error:
        print("DownloadRefusedError" in str(error))
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["True"] * 3


def test_missing_parts_are_named_with_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TFHUB_CACHE_DIR", str(tmp_path))
    vectors = Part(Source.CACHE, "word_embeddings/paragramcf", "the vectors")
    encoder = Part(Source.TENSORFLOW_HUB, "https://tfhub.dev/google/universal-sentence-encoder/4", "the encoder")
    package = Part(Source.PACKAGE, "no_such_package", "the package no_such_package")
    here = Part(Source.PACKAGE, "json", "json")
    place = tmp_path / "word_embeddings" / "paragramcf"
    # The name of this model's folder is known from many machines.
    folder = tmp_path / "063d866c06683311b44b4992fd46003be952409c"
    assert missing_parts([vectors, encoder, package, here]) == [
        f"the vectors (to be put at {place})",
        f"the encoder (to be put at {folder})",
        "the package no_such_package (pip install no-such-package)",
    ]
    place.mkdir(parents=True)
    folder.mkdir()
    assert missing_parts([vectors, encoder, here]) == []


def test_a_transformation_needs_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_trust.attacks.textattack.parts.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pytest-trust\[textattack\]"):
        as_transformation(SimpleNamespace(name="fixed", candidates=lambda word, label: []), lambda text: 0)


def test_the_stop_words_that_come_along() -> None:
    words = GivenStopWords().words("english")
    assert len(words) == len(set(words)) == 198
    assert {"the", "wasn't", "ve"} <= set(words)
    with pytest.raises(LookupError, match="french"):
        GivenStopWords().words("french")
