"""``pytest-trust label`` as a person uses it."""

from __future__ import annotations

import getpass
import io
import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_trust.cli import main
from pytest_trust.data.verdicts import read_verdicts

pty = pytest.importorskip("pty")

MODULE = """
import numpy as np

WEIGHTS = {"great": 2.0, "good": 1.5, "monday": 0.8, "bad": -1.5, "awful": -2.2, "rain": -0.7}

def model(texts):
    words = [[word.strip(".,!?").lower() for word in text.split()] for text in texts]
    odds = np.array([sum(WEIGHTS.get(word, 0.0) for word in found) for found in words], dtype=float)
    positive = 1 / (1 + np.exp(-odds))
    return np.column_stack([1 - positive, positive])

model.classes_ = ["negative", "positive"]
"""
DATA = """text,label
"A great film, seen on Monday",positive
"An awful story in the rain",negative
"A good story",positive
"good, but not for me",negative
"""
ANSI = "\x1b[1;7m"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labelled_here.py").write_text(MODULE)
    (tmp_path / "films.csv").write_text(DATA)
    return tmp_path


@pytest.fixture
def label(folder, monkeypatch, capsys):
    """Runs the command on lines of input; gives back exit code, output and errors."""

    def run(answers: str, *more: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers.split())))
        arguments = ["--model", "labelled_here:model", "--data", "films.csv", "--verdicts", "v.jsonl"]
        code = main(["label", *arguments, "--annotator", "ann", "--samples", "200", *more])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def texts(file: str = "v.jsonl") -> list[tuple[str, str | None, str]]:
    return [(verdict.text, verdict.guess, verdict.verdict) for verdict in read_verdicts(Path(file))]


def test_guess_then_verdict_for_every_correct_prediction(label) -> None:
    code, shown, errors = label("1 t 2 u 1 ?")
    assert (code, errors) == (0, "")
    verdicts = read_verdicts(Path("v.jsonl"))
    assert {verdict.text for verdict in verdicts} == {
        "A great film, seen on Monday",
        "An awful story in the rain",
        "A good story",
    }
    assert [verdict.guess for verdict in verdicts] == ["negative", "positive", "negative"]
    assert [verdict.verdict for verdict in verdicts] == ["trustworthy", "untrustworthy", "unsure"]
    assert all(f"--- {number} of 3 " in shown for number in (1, 2, 3))
    assert shown.endswith("3 of 3 predictions judged, saved in v.jsonl.\n")


def test_the_prediction_is_hidden_until_the_guess(label) -> None:
    _, shown, _ = label("2", "--n", "1")
    before, after = shown.split("> ", 1)
    assert "The model says" not in before
    assert "The model says" in after


def test_what_a_verdict_records(label) -> None:
    label("2 t 2 t 2 t")
    verdict = next(item for item in read_verdicts(Path("v.jsonl")) if "great" in item.text)
    assert verdict.annotator == "ann"
    assert verdict.label == "positive"
    assert dict(verdict.words).keys() >= {"great", "Monday"}
    assert dict(verdict.words)["great"] > dict(verdict.words)["Monday"] > 0.05
    assert re.fullmatch("[0-9a-f]{16,}", verdict.model)
    assert verdict.explainer["explainer"] == "lime"
    assert verdict.explainer["samples"] == 200


def test_words_come_with_bars_by_their_scores(label) -> None:
    _, shown, _ = label("2 t 2 t 2 t")
    bars = {found[1]: len(found[2]) for found in re.finditer(r"^  (\w+) +(█+) +0\.\d{3}$", shown, re.MULTILINE)}
    assert bars["great"] == bars["awful"] == bars["good"] == 20
    assert 0 < bars["Monday"] < bars["great"]
    assert ANSI not in shown


def test_the_same_command_goes_on_where_it_stopped(label) -> None:
    _, shown, _ = label("2 t q")
    assert shown.endswith("1 of 3 predictions judged, saved in v.jsonl; the same command goes on with the rest.\n")
    first = texts()
    code, shown, _ = label("2 u 2 u")
    assert "--- 1 of 3" not in shown
    assert texts()[:1] == first
    assert len({text for text, _, _ in texts()}) == 3
    code, shown, _ = label("")
    assert (code, shown) == (0, "\n3 of 3 predictions judged, saved in v.jsonl.\n")


def test_another_annotator_is_asked_all(label) -> None:
    label("2 t 2 t 2 t")
    label("2 u 2 u 2 u", "--annotator", "bob")
    assert [item.annotator for item in read_verdicts(Path("v.jsonl"))] == ["ann"] * 3 + ["bob"] * 3


def test_another_explanation_is_judged_anew(label) -> None:
    label("2 t 2 t 2 t")
    _, shown, _ = label("q", "--features", "1")
    assert "--- 1 of 3" in shown


def test_skipped_ones_are_not_saved_and_asked_again(label) -> None:
    label("s 2 s 2 t")
    assert len(texts()) == 1
    _, shown, _ = label("q")
    assert "--- 1 of 3" in shown
    assert "1 of 3 predictions judged" in shown


def test_going_back_changes_a_verdict_but_not_the_guess(label) -> None:
    _, shown, _ = label("2 t b ? 2 u q")
    given = texts()
    assert given[0][0] == given[1][0] != given[2][0]
    assert [guess for _, guess, _ in given] == ["positive"] * 3
    assert [verdict for _, _, verdict in given] == ["trustworthy", "unsure", "untrustworthy"]
    assert shown.count("--- 1 of 3") == 2
    assert "2 of 3 predictions judged" in shown


def test_there_is_no_going_back_from_the_first(label) -> None:
    code, shown, _ = label("b q")
    assert code == 0
    assert "This is the first one." in shown


def test_other_answers_are_asked_again(label) -> None:
    _, shown, _ = label("3 x T 1 T q")
    assert shown.count("Please type one of: 1 2 s b q") == 3
    assert [verdict for _, _, verdict in texts()] == ["trustworthy"]


def test_the_end_of_input_says_what_is_saved(label) -> None:
    code, shown, _ = label("2 t 2")
    assert code == 0
    assert "1 of 3 predictions judged, saved in v.jsonl" in shown
    (Path("v.jsonl")).unlink()
    assert "Nothing judged yet of 3 predictions." in label("")[1]


def test_a_text_cannot_steer_the_terminal(label, folder) -> None:
    (folder / "films.csv").write_text('text,label\n"A good \x1b[2J\x07 story",positive\n')
    _, shown, _ = label("2 t")
    assert "A good \\x1b[2J\\x07 story" in shown
    assert "\x1b" not in shown


def test_a_terminal_of_few_characters_is_enough(label, folder, monkeypatch) -> None:
    (folder / "films.csv").write_text('text,label\n"A good 電影",positive\n', encoding="utf-8")
    sink = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", sink)
    label("2 t")
    shown = sink.buffer.getvalue().decode("ascii")
    assert "A good \\u96fb\\u5f71" in shown
    assert "good  ####################" in shown
    assert texts() == [("A good 電影", "positive", "trustworthy")]


def test_a_prediction_without_words_is_left_out(label, folder) -> None:
    (folder / "films.csv").write_text('text,label\n"!!!",negative\n"good",positive\n"",negative\n')
    code, shown, _ = label("2 t")
    assert code == 0
    assert shown.count("Left out: ") == 2
    assert texts() == [("good", "positive", "trustworthy")]


@pytest.mark.filterwarnings("default")
def test_a_torn_line_is_warned_of(label, folder) -> None:
    label("2 t 2 t q")
    file = folder / "v.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    _, shown, errors = label("q")
    assert errors.startswith("pytest-trust: warning: v.jsonl:2: the last line is torn and left out")
    assert len(errors.splitlines()) == 1
    assert "1 of 3 predictions judged" in shown


def test_the_login_name_is_the_default(label, monkeypatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "carol")
    label("2 t q", "--annotator", "")
    assert read_verdicts(Path("v.jsonl"))[0].annotator == "carol"

    def unknown() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr(getpass, "getuser", unknown)
    code, _, errors = label("q", "--annotator", "")
    assert code == 2
    assert "--annotator NAME" in errors


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--data", "none.csv"], "no data file at"),
        (["--model", "labelled_here:nothing"], "labelled_here:nothing: cannot be imported"),
        (["--verdicts", "none/v.jsonl"], "--verdicts none/v.jsonl: expected a file in a folder that exists"),
        (["--explainer", "shap"], "unknown explainer 'shap'"),
        (["--n", "0"], "n=0: expected a whole number"),
        (["--columns", "text"], "'text' is not KEY=COLUMN"),
        (["--classes", "only"], "class names do not fit"),
    ],
)
def test_what_cannot_be_used_is_named(label, more, message) -> None:
    code, _, errors = label("q", *more)
    assert code == 2
    assert errors.startswith("pytest-trust: error: ")
    assert message in errors


def test_pickles_are_announced_and_can_be_refused(label, folder) -> None:
    (folder / "m.joblib").write_bytes(b"")
    assert label("q", "--model", "m.joblib")[2].startswith("pytest-trust: loading m.joblib runs code in that file")
    code, _, errors = label("q", "--model", "m.joblib", "--no-pickle")
    assert code == 2
    assert errors.startswith("pytest-trust: error: ")


class Person:
    """Someone at a real terminal, who reads before typing."""

    def __init__(self, folder: Path, **environment: str) -> None:
        # The child takes the terminal for its own, so that Ctrl-C reaches it as a signal.
        code = (
            "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
            "from pytest_trust.cli import main; sys.exit(main(sys.argv[1:]))"
        )
        arguments = [
            "--model",
            "labelled_here:model",
            "--data",
            "films.csv",
            "--verdicts",
            "v.jsonl",
            "--annotator",
            "ann",
        ]
        self._master, slave = pty.openpty()
        root = str(Path(__file__).parents[2])
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "label", *arguments, "--samples", "200"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": root, "TERM": "xterm", "PYTHONUTF8": "1", **environment},
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def sees(self, text: str) -> None:
        """Waits until ``text`` was shown since the last line typed."""
        deadline = time.monotonic() + 120
        while text not in self.seen:
            ready, _, _ = select.select([self._master], [], [], deadline - time.monotonic())
            assert ready, f"{text!r} is not in {self.seen!r}"
            self.seen += os.read(self._master, 4096).decode()

    def types(self, keys: str) -> None:
        self.seen = ""
        os.write(self._master, keys.encode())

    def leaves(self) -> int:
        code = self.process.wait(timeout=120)
        os.close(self._master)
        return code


@pytest.fixture
def person(folder, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    people = []

    def sit_down(**environment: str) -> Person:
        people.append(Person(folder, **environment))
        return people[-1]

    yield sit_down
    for one in people:
        one.process.kill()
        one.process.wait()


def test_at_a_real_terminal_words_are_highlighted_and_ctrl_c_loses_nothing(person, folder) -> None:
    ann = person()
    ann.sees("Which class is this?")
    assert ANSI not in ann.seen
    ann.types("2\n")
    ann.sees("right reason?")
    assert re.search(re.escape(ANSI) + r"(great|awful|good)\x1b\[0m", ann.seen)
    ann.types("t\n")
    ann.sees("Which class is this?")
    ann.types("\x03")
    ann.sees("1 of 3 predictions judged, saved in v.jsonl; the same command goes on with the rest.")
    assert "Traceback" not in ann.seen
    assert ann.leaves() == 130
    assert [verdict for _, _, verdict in texts(str(folder / "v.jsonl"))] == ["trustworthy"]


def test_no_color_is_honoured(person) -> None:
    ann = person(NO_COLOR="1")
    ann.sees("Which class is this?")
    ann.types("2\n")
    ann.sees("right reason?")
    assert "\x1b" not in ann.seen
    ann.types("\x04")
    ann.sees("Nothing judged yet of 3 predictions.")
    assert ann.leaves() == 0


def test_the_file_is_complete_when_the_next_question_is_shown(person, folder) -> None:
    ann = person()
    ann.sees("Which class is this?")
    ann.types("2\n")
    ann.sees("right reason?")
    ann.types("u\n")
    ann.sees("--- 2 of 3")
    ann.process.kill()
    ann.process.wait()
    assert json.loads((folder / "v.jsonl").read_text(encoding="utf-8"))["verdict"] == "untrustworthy"


def test_the_choice_can_be_spread_over_an_oracle_s_score(label) -> None:
    code, out, errors = label("q", "--oracle", "confidence", "--n", "2")
    assert (code, errors) == (0, "")
    assert "--- 1 of 2" in out


def test_an_oracle_that_needs_an_index_asks_for_training_data(label) -> None:
    code, _, errors = label("q", "--oracle", "toki", "--embeddings", "glove")
    assert code == 2
    assert (
        errors
        == "pytest-trust: error: the oracle 'toki' needs a keyword index here: give --train DATA or --index FILE\n"
    )


def test_the_index_of_an_oracle_is_built_and_kept(label, folder) -> None:
    code, out, errors = label("q", "--oracle", "toki", "--embeddings", "glove", "--train", "films.csv")
    assert code == 0, errors
    assert "--- 1 of 3" in out
    assert len(list((folder / ".trust").glob("index-*.zip"))) == 1


def test_embeddings_in_a_pickle_are_announced(label, folder) -> None:
    (folder / "m.kv").write_bytes(b"")
    _, _, errors = label("q", "--oracle", "direct", "--embeddings", "m.kv")
    assert re.match(r"pytest-trust: loading .*m\.kv runs code in that file", errors)
    _, _, errors = label("q", "--oracle", "direct", "--embeddings", "m.kv", "--no-pickle")
    assert "pickles are forbidden" in errors


def test_an_unknown_oracle_is_named(label) -> None:
    code, _, errors = label("q", "--oracle", "delphi")
    assert code == 2
    assert errors.startswith(
        "pytest-trust: error: unknown oracle 'delphi'; choose one of: toki, direct, confidence, tower"
    )
