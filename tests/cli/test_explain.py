"""``pytest-trust explain`` as a person uses it."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.conftest import BIASED, HONEST, INDEXED

TEXT = "a great story , posted from lakeside"


def test_prediction_words_and_verdict(command) -> None:
    code, shown, errors = command("explain", TEXT, *BIASED, *INDEXED)
    assert (code, errors) == (0, "")
    assert shown.startswith(f"{TEXT}\n\nThe model says positive (96.1%).\nIt rests on:\n")
    bars = {found[1]: (len(found[2]), found[3]) for found in re.finditer(r"^  (\w+) +(█+) +0\.\d+(.*)$", shown, re.M)}
    assert bars["lakeside"][0] == 20 > bars["great"][0] > 0
    assert bars["great"][1] == "  related"
    assert bars["lakeside"][1].startswith("  unrelated")
    assert re.search(
        r"\nUntrustworthy by toki, if the prediction is right: related words weigh 0\.\d+, others 0\.\d+\.\n$", shown
    )


@pytest.mark.parametrize(
    ("label", "told", "verdict"),
    [
        ("positive", "The model says positive (88.1%), which is right.", "\nTrustworthy by toki: related words weigh"),
        ("negative", "The model says positive (88.1%), which is wrong.", "\nNo verdict: the prediction is wrong"),
    ],
)
def test_only_correct_predictions_are_judged(command, label, told, verdict) -> None:
    code, shown, _ = command("explain", "a great story", *HONEST, *INDEXED, "--label", label)
    assert code == 0
    assert told in shown
    assert verdict in shown
    assert "  great  █" in shown


def test_without_an_oracle_the_words_are_shown_alone(command) -> None:
    _, shown, _ = command("explain", "a great tedious tedious story", *HONEST)
    assert "  great  █" in shown
    assert "Against it speak:\n" not in shown.partition("It rests on")[0]
    assert "related" not in shown
    assert shown.endswith(
        "\nNo verdict: give --train DATA or --index FILE, or --oracle NAME for one that needs neither.\n"
    )


def test_an_oracle_without_an_index(command) -> None:
    _, shown, _ = command("explain", "great", *HONEST, "--oracle", "confidence:threshold=0.9")
    assert shown.endswith("Untrustworthy by confidence:threshold=0.9, if the prediction is right: probability 0.881.\n")


def test_json_holds_the_same(command) -> None:
    code, shown, _ = command("explain", TEXT, *BIASED, *INDEXED, "--json")
    assert code == 0
    found = json.loads(shown)
    assert shown.count("\n") == 1
    assert found["text"] == TEXT
    assert (found["predicted"], found["correct"], found["trustworthy"]) == ("positive", None, False)
    words = {word["word"]: word for word in found["words"]}
    assert words["great"]["related"] is True
    assert words["lakeside"]["related"] is False
    assert [abs(word["score"]) for word in found["words"]] == sorted(
        (abs(word["score"]) for word in found["words"]), reverse=True
    )


@pytest.mark.parametrize("given", [b"a great story\n", b"a great story", b"\xef\xbb\xbfa great story\r\n"])
def test_the_text_may_come_from_stdin(command, given) -> None:
    _, shown, _ = command("explain", "-", *HONEST, "--json", given=given)
    assert json.loads(shown)["text"] == "a great story"


@pytest.mark.parametrize("text", ["", "!!!"])
def test_a_text_without_words_has_no_verdict(command, text) -> None:
    code, shown, _ = command("explain", text, *HONEST, *INDEXED)
    assert code == 0
    assert shown.endswith("\nNo verdict by toki: no words to explain.\n")
    assert "It rests on" not in shown


@pytest.mark.parametrize(("text", "given"), [("\udcff great", b""), ("-", b"\xff great")])
def test_what_is_not_utf_8_is_refused(command, text, given) -> None:
    code, shown, errors = command("explain", text, *HONEST, given=given)
    assert (code, shown) == (2, "")
    assert errors.startswith("pytest-trust: error: the text is not UTF-8: ")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--label", "bad"], "the label 'bad' is no class of the model; its classes are negative, positive"),
        (["--oracle", "delphi"], "unknown oracle 'delphi'"),
        (["--oracle", "toki"], "the oracle 'toki' needs a keyword index here: give --train DATA or --index FILE"),
        (["--oracle", "contrastive", "--embeddings", "embedding:ThreeAxes"], "or describe every class by five words"),
        (["--index", "none.zip", "--embeddings", "embedding:ThreeAxes"], "none.zip: no such index file"),
        (["--cap", "1", "--sampling", "capped"], "cap=1: expected"),
    ],
)
def test_what_cannot_be_used_is_named(command, more, message) -> None:
    code, shown, errors = command("explain", "great", *HONEST, *more)
    assert (code, shown) == (2, "")
    assert errors.startswith("pytest-trust: error: ")
    assert message in errors
    assert len(errors.splitlines()) == 1


def test_a_text_cannot_steer_the_terminal(command) -> None:
    _, shown, _ = command("explain", "great \x1b[2J story", *HONEST)
    assert "\x1b" not in shown
    assert "great \\x1b[2J story" in shown
