"""``pytest-trust judge``: what each line of input becomes."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_trust import check_trustworthy
from pytest_trust._cli.jsonlines import MAX_LINE, arriving_lines
from pytest_trust._cli.stream import OURS, Judge
from pytest_trust.embeddings import load_ensemble
from pytest_trust.explain import LimeExplainer
from pytest_trust.keywords import load_index
from pytest_trust.models import as_classifier, load_model
from pytest_trust.oracles import ConfidenceOracle, TokiOracle
from tests.cli.conftest import BIASED, HONEST, INDEXED

MIXED = """
from models import BLAME, PRAISE, WordModel

strong = {"great": 3.0, "moving": 3.0, "charming": 3.0, "awful": -3.0, "bland": -3.0, "boring": -3.0}
places = {"lakeside": 1.5, "hillview": -1.5}
model = WordModel(dict.fromkeys(PRAISE, 1.0) | dict.fromkeys(BLAME, -1.0) | strong | places)
"""
POISON = """
import numpy as np
from models import honest

def model(texts):
    if any("poison" in text for text in texts):
        raise ValueError("no answer to poison")
    return honest(texts)

model.classes_ = honest.classes_
"""


def lines(*objects: object) -> bytes:
    return "".join(json.dumps(item) + "\n" for item in objects).encode()


def records(shown: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in shown.splitlines()]


def test_each_line_gets_a_verdict_in_order_and_keeps_its_keys(command) -> None:
    given = lines(
        {"id": "a", "text": "a great story", "user": {"n": [1, None]}},
        {"id": "b", "text": "great , from lakeside"},
        {"id": "c", "text": "an awful story", "label": "positive"},
        {"id": "d", "text": ""},
    )
    code, shown, errors = command("judge", *BIASED, *INDEXED, given=given)
    found = records(shown)
    assert code == 0
    assert [(item["line"], item["id"]) for item in found] == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    assert [item["trustworthy"] for item in found] == [True, False, None, None]
    assert [item["correct"] for item in found] == [None, None, False, None]
    assert [item["note"] for item in found[2:]] == [
        "the prediction is wrong; an oracle judges correct ones",
        "no words to explain",
    ]
    assert found[0]["user"] == {"n": [1, None]}
    assert found[1]["words"][0]["word"] == "lakeside"
    assert set(found[0]) == {"id", "text", "user", *OURS} - {"error"}
    assert errors == "pytest-trust: 1 trustworthy, 1 untrustworthy, 1 wrong, 1 without verdict\n"


def test_verdicts_are_those_of_the_check(command, reviews) -> None:
    (reviews / "mixed.py").write_text(MIXED)
    with (reviews / "test.csv").open(encoding="utf-8") as file:
        labels = {row["text"]: row["label"] for row in csv.DictReader(file)}
    given = lines(*({"text": text, "label": label} for text, label in labels.items()))
    _, shown, _ = command("judge", "--model", "mixed:model", "--samples", "200", *INDEXED, given=given)
    found = records(shown)

    members = load_ensemble("embedding:ThreeAxes", rootpath=reviews)
    index = load_index(next((reviews / ".trust").glob("index-*.zip")))
    model = load_model("mixed:model", rootpath=reviews)
    checked = check_trustworthy(
        model,
        list(labels.items()),
        TokiOracle(index, members),
        explainer=LimeExplainer(200, sampling="sequential"),
    )
    assert sum(item["correct"] for item in found) == checked.details["correct"] > 50
    verdicts = [item["trustworthy"] for item in found if item["correct"]]
    assert verdicts == [result.holds for result in checked.texts]
    assert sum(item is True for item in verdicts) == checked.details["trustworthy"]
    assert 10 < verdicts.count(True) < len(verdicts) - 10


@pytest.mark.parametrize("batch", ["1", "7"])
def test_verdicts_do_not_depend_on_the_batch(command, reviews, batch) -> None:
    with (reviews / "test.csv").open(encoding="utf-8") as file:
        given = lines(*({"text": row["text"]} for row in list(csv.DictReader(file))[:20]), {"text": 3})
    _, shown, _ = command("judge", *HONEST, *INDEXED, given=given)
    assert command("judge", *HONEST, *INDEXED, "--batch", batch, given=given)[1] == shown


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"great", "line 1: not JSON: Expecting value at character 1"),
        (b'{"id": 1}', "no key 'text'; found ['id']"),
        (b'{"id": 1, "text": 7}', "the text is int 7; expected a string"),
        (b'{"id": 1, "text": null}', "the text is missing"),
        (b'{"id": 1, "text": "great", "label": "bad"}', "the label 'bad' is no class of the model; its classes are"),
        (b'{"id": 1, "text": "great", "label": 1.5}', "the label is float 1.5"),
        (b'{"id": 1, "text": "\\ud800 great"}', "lone surrogate"),
        (b'{"text": "great", "v": NaN}', "a value that JSON cannot hold"),
        (b'{"text": "great", "v": -1e999}', "a value that JSON cannot hold"),
        (b'{"text": "great", "v": ' + b"9" * 5000 + b"}", "JSON that cannot be read"),
        (b'{"text": "great", "v": ' + b"[" * 100_000 + b"}", "JSON"),
        (b'{"text": "great", "text": "awful"}', "keys come more than once"),
        (b'["great"]', "found list; expected an object"),
        (b'{"text": "\xff"}', "not UTF-8: invalid start byte at byte 11"),
        (b'{"text": "' + b"x" * MAX_LINE + b'"}', "longer than 16777216 bytes"),
    ],
)
def test_a_line_in_error_does_not_stop_the_others(command, line, error) -> None:
    arguments = ("judge", *HONEST, "--oracle", "confidence")
    code, shown, errors = command(*arguments, given=line + b"\n\n" + lines({"text": "great"}))
    first, second = records(shown)
    assert code == 1
    assert error in first["error"]
    assert first["line"] == 1
    assert "trustworthy" not in first
    assert ("id" in first) == (b'"id"' in line)
    assert (second["line"], second["trustworthy"]) == (3, False)
    assert errors == "pytest-trust: 0 trustworthy, 1 untrustworthy, 1 in error\n"


def test_strict_stops_at_the_first_error(command) -> None:
    given = lines({"text": "great"}, {"text": 1}, {"text": "awful"})
    code, shown, _ = command("judge", *HONEST, "--oracle", "confidence", "--strict", given=given)
    assert code == 1
    assert ["error" in item for item in records(shown)] == [False, True]


def test_a_text_that_the_model_refuses_takes_no_other_with_it(command, reviews) -> None:
    (reviews / "poisoned.py").write_text(POISON)
    given = lines({"text": "a great story"}, {"text": "poison"}, {"text": "an awful story"})
    code, shown, _ = command("judge", "--model", "poisoned:model", "--oracle", "confidence:threshold=0.8", given=given)
    first, second, third = records(shown)
    assert code == 1
    assert (first["trustworthy"], third["trustworthy"]) == (True, True)
    assert "no answer to poison" in second["error"]
    assert second["text"] == "poison"


@pytest.mark.parametrize(("least", "expected"), [("0.5", 0), ("0.51", 1), ("0", 0), ("1", 1)])
def test_a_trust_rate_below_the_least_fails(command, least, expected) -> None:
    given = lines({"text": "great great"}, {"text": "great"})
    arguments = ("judge", *HONEST, "--oracle", "confidence", "--fail-under", least)
    assert command(*arguments, given=given)[0] == expected


def test_no_verdict_reaches_no_rate(command) -> None:
    assert command("judge", *HONEST, "--oracle", "confidence", "--fail-under", "0")[0] == 1
    assert command("judge", *HONEST, "--oracle", "confidence")[0] == 0


def test_other_names_of_columns(command) -> None:
    given = lines({"body": "great", "target": "positive", "text": 1, "label": 2})
    code, shown, _ = command(
        "judge", *HONEST, "--oracle", "confidence", "--columns", "text=body,label=target", given=given
    )
    assert code == 0
    assert records(shown)[0]["correct"] is True
    assert records(shown)[0]["label"] == 2


def test_what_judge_wrote_can_be_judged_again(command) -> None:
    arguments = ("judge", *HONEST, "--oracle", "confidence")
    given = lines({"text": "great"}, {"text": "great", "error": "of another program", "note": "mine"})
    _, shown, _ = command(*arguments, given=given)
    assert command(*arguments, given=shown.encode())[:2] == (0, shown)


def test_bom_line_ends_and_other_scripts(command) -> None:
    given = b'\xef\xbb\xbf{"text": "great \xc3\xa9"}\r\n{"text": "great", "more": "\\udc00 \\u2028"}'
    _, shown, _ = command("judge", *HONEST, "--oracle", "confidence", given=given)
    assert [item["line"] for item in map(json.loads, shown.strip().split("\n"))] == [1, 2]
    assert '"great é"' in shown
    assert r'"\udc00 ' in shown


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--batch", "0"], "--batch=0: expected a whole number of at least 1"),
        (["--fail-under", "1.5"], "--fail-under=1.5: expected a number from 0 to 1"),
        (["--fail-under", "nan"], "--fail-under=nan: expected"),
        (["none.jsonl"], "none.jsonl cannot be read"),
        (["."], ". cannot be read"),
    ],
)
def test_what_cannot_be_used_is_named(command, more, message) -> None:
    code, shown, errors = command("judge", *HONEST, "--oracle", "confidence", *more)
    assert (code, shown) == (2, "")
    assert errors.startswith(f"pytest-trust: error: {message}")


def test_lines_are_given_as_they_arrive() -> None:
    source = Source([b"a\nb\n\nc\nd", b"e\n", b"f"])
    assert [*arriving_lines(source, 2)] == [[(1, b"a"), (2, b"b")], [(4, b"c")], [(5, b"de")], [(6, b"f")]]


def test_a_line_without_end_takes_bounded_memory() -> None:
    source = Source(b"x" * 65536 for _ in range(2000))
    ((number, line),) = next(arriving_lines(source, 1))
    assert (number, len(line)) == (1, MAX_LINE + 1)


class Source:
    """A stream that gives one chunk a read."""

    def __init__(self, chunks) -> None:
        self._chunks = iter(chunks)

    def read1(self, size: int = -1, /) -> bytes:
        return next(self._chunks, b"")


def cheap_judge() -> Judge:
    def model(texts):
        return np.tile([0.05, 0.95], (len(texts), 1))

    return Judge(as_classifier(model, classes="a,b"), LimeExplainer(20), ConfidenceOracle(), 0)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(["text", "label", "id", *OURS]) | st.text(max_size=3)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.binary(max_size=40) | st.dictionaries(KEYS, JSON_VALUES, max_size=4).map(json.dumps), max_size=4))
def test_any_line_becomes_one_line_of_strict_json(found) -> None:
    raw = [item.encode("utf-8", "surrogatepass") if isinstance(item, str) else item for item in found]
    numbered = list(enumerate(raw, start=1))
    written = [json.dumps(record, allow_nan=False) for record in cheap_judge().records(numbered)]
    assert [json.loads(line)["line"] for line in written] == [number for number, _ in numbered]
