"""``pytest-trust index``: build, show, edit."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from pytest_trust.keywords import load_index
from tests.cli.conftest import BIASED, HONEST, INDEXED


@pytest.fixture
def index(command) -> Path:
    assert command("index", "build", *HONEST, *INDEXED, "--out", "index.zip")[0] == 0
    return Path("index.zip")


def keywords(file: str, label: str = "positive") -> frozenset[str]:
    return next(item.keywords for item in load_index(Path(file)).classes if item.label == label)


def edit(command, *arguments: str) -> tuple[int, str, str]:
    return command("index", "edit", "index.zip", "--class", "positive", "--out", "edited.zip", *arguments)


def test_an_index_is_built_once(command) -> None:
    build = ("index", "build", *HONEST, *INDEXED, "--out", "index.zip")
    code, shown, errors = command(*build)
    assert (code, errors) == (0, "")
    assert shown.startswith("index.zip written: 72 explained predictions; keywords among pool words: negative 6 of ")
    before = Path("index.zip").read_bytes()
    assert command(*build)[1].startswith("index.zip is up to date: 72 explained predictions; ")
    assert Path("index.zip").read_bytes() == before
    assert command(*build, "--seed", "1")[1].startswith("index.zip written: ")


def test_the_default_place_is_that_of_judging_and_explaining(command, reviews) -> None:
    _, shown, _ = command("index", "build", *BIASED, *INDEXED)
    (made,) = (reviews / ".trust").glob("index-*.zip")
    assert shown.startswith(f"{made} written: ")
    before = made.stat().st_mtime_ns
    assert command("explain", "great", *BIASED, *INDEXED)[0] == 0
    assert command("judge", *BIASED, *INDEXED, given=b'{"text": "great"}')[0] == 0
    assert [file.stat().st_mtime_ns for file in (reviews / ".trust").glob("index-*.zip")] == [before]


def test_a_built_index_judges_without_training_data(command, index) -> None:
    more = ("--index", "index.zip", "--embeddings", "embedding:ThreeAxes")
    code, shown, _ = command("explain", "a great story", *HONEST, *more)
    assert code == 0
    assert "\nTrustworthy by toki" in shown
    code, _, errors = command("explain", "a great story", *BIASED, *more)
    assert code == 2
    assert errors.startswith("pytest-trust: error: index.zip was built from another model or with other settings")
    assert errors.endswith("(model); give --train DATA to rebuild it\n")


@pytest.mark.parametrize("out", ["index.txt", "none/index.zip", "."])
def test_a_place_where_no_index_can_lie_is_refused(command, out) -> None:
    code, shown, errors = command("index", "build", *HONEST, *INDEXED, "--out", out)
    assert (code, shown) == (2, "")
    assert errors == (f"pytest-trust: error: --out {out}: expected a file that ends in .zip, in a folder that exists\n")


def test_progress_is_drawn_on_a_terminal_alone(command, monkeypatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    command("index", "build", *HONEST, *INDEXED, "--out", "index.zip")
    drawn = sys.stderr.getvalue()
    assert drawn.startswith("\rkeyword index [")
    assert drawn.endswith("[##############################] 72/72\n")


def test_an_index_is_shown(command, index) -> None:
    code, shown, errors = command("index", "show", "index.zip")
    assert (code, errors) == (0, "")
    assert shown.startswith("keyword index of models:honest over train.csv (72 explained predictions)\n")
    assert "class positive (names: positive):" in shown
    assert "\nembeddings: embedding:ThreeAxes@0.6\n" in shown or "\nembeddings: axes@0.6\n" in shown
    assert "samples=200" in shown


def test_an_index_as_json(command, index) -> None:
    found = json.loads(command("index", "show", "index.zip", "--json")[1])
    assert [item["label"] for item in found["classes"]] == ["negative", "positive"]
    positive = found["classes"][1]
    assert {word["word"] for word in positive["keywords"]} == keywords("index.zip")
    assert positive["pool"] == len(positive["keywords"]) + len(positive["others"])
    assert found["explained"] == 72
    assert found["doubts"] == []


def test_doubts_are_shown(command, index) -> None:
    edit(command, "--deny", ",".join(keywords("index.zip")))
    code, shown, _ = command("index", "show", "edited.zip")
    assert code == 0
    assert "\ndoubtful: class 'positive' has no keyword among its " in shown
    assert "so that no prediction of it can be trustworthy" in shown


def test_words_are_allowed_and_denied(command, index) -> None:
    code, shown, errors = edit(
        command, "--allow", "Lakeside, wondrous, great", "--deny", "superb", "--embeddings", "embedding:ThreeAxes"
    )
    assert (code, errors) == (0, "")
    assert shown == (
        "edited.zip written; class 'positive': keywords now: lakeside, wondrous; no keywords any more: superb; "
        "unchanged: great; new in the pool: wondrous\n"
    )
    assert keywords("edited.zip") == keywords("index.zip") - {"superb"} | {"lakeside", "wondrous"}
    assert keywords("edited.zip", "negative") == keywords("index.zip", "negative")
    more = ("--index", "edited.zip", "--embeddings", "embedding:ThreeAxes")
    assert "lakeside" in command("explain", "a lakeside story", *HONEST, *more)[1]


def test_known_words_need_no_embedding(command, index) -> None:
    (Path.cwd() / "embedding.py").unlink()
    sys.modules.pop("embedding")
    assert edit(command, "--deny", "superb")[0] == 0
    code, _, errors = edit(command, "--deny", "neverseen")
    assert code == 2
    assert errors.startswith(
        "pytest-trust: error: the index lacks the word neverseen, and the embeddings to look it up cannot be loaded by "
        "their names; give them with --embeddings (embeddings: 'axes' is unknown"
    )


def test_an_index_may_be_edited_in_place(command, index) -> None:
    command("index", "edit", "index.zip", "--class", "positive", "--deny", "superb", "--out", "index.zip")
    assert "superb" not in keywords("index.zip")
    assert not list(Path.cwd().glob("*.part"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--class", "good", "--deny", "x"], "the index has no class 'good'; its classes are negative, positive"),
        ([], "nothing to edit: give --allow WORDS or --deny WORDS"),
        (["--allow", " , "], "nothing to edit"),
        (["--allow", "fine", "--deny", "Fine"], "index edit: [positive] both allows and denies 'fine'"),
        (["--allow", "\u200b"], "expected a list of words"),
        (["--allow", "fine", "--embeddings", "glove"], "the index was built with the embeddings"),
        (["--deny", "superb", "--out", "none/x.zip"], "--out none/x.zip: expected a file that ends in .zip"),
    ],
)
def test_edits_that_cannot_be_made_are_named(command, index, arguments, message) -> None:
    code, shown, errors = edit(command, *arguments)
    assert (code, shown) == (2, "")
    assert message in errors
    assert not Path("edited.zip").exists()


@pytest.mark.parametrize("arguments", [["show"], ["edit", "--class", "a", "--deny", "x", "--out", "y.zip"]])
def test_what_is_no_index_is_refused(command, arguments) -> None:
    code, _, errors = command("index", arguments[0], "train.csv", *arguments[1:])
    assert code == 2
    assert errors.startswith("pytest-trust: error: train.csv: not a whole keyword index")


def test_a_build_goes_on_from_what_is_kept(command, monkeypatch) -> None:
    from pytest_trust.explain import lime

    explained = []

    def counted(model, jobs):
        for answer in lime_scored(model, jobs):
            explained.append(answer.job.bag.text)
            yield answer

    lime_scored = lime.scored
    monkeypatch.setattr(lime, "scored", counted)
    build = ("index", "build", *HONEST, *INDEXED, "--sampling", "sequential", "--out", "index.zip")
    assert command(*build)[0] == 0
    assert len(explained) >= 72
    before, explained[:] = load_index(Path("index.zip")).to_dict(), []
    Path("index.zip").unlink()
    assert command(*build)[0] == 0
    assert (load_index(Path("index.zip")).to_dict(), explained) == (before, [])
