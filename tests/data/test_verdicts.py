"""The file of people's verdicts: what is written is read, what is torn is lost alone, what is wrong is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_trust.data.verdicts import HumanVerdict, append_verdict, by_plurality, read_verdicts
from pytest_trust.errors import DataError, TrustWarning

VERDICT = HumanVerdict(
    text='A "great" film\u2028電影 👍🏽\n',
    label="positive",
    words=(("great", 0.4), ("film", -0.1)),
    annotator="ann",
    guess=None,
    verdict="trustworthy",
    model="abc",
    explainer={"explainer": "lime", "samples": 5000, "kernel_width": 25.0},
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "verdicts.jsonl"


def said(annotator: str, verdict: str, text: str = "t", label: str = "c") -> HumanVerdict:
    return replace(VERDICT, annotator=annotator, verdict=verdict, text=text, label=label)


class TestFile:
    def test_what_is_appended_is_read_in_order(self, file: Path) -> None:
        given = [VERDICT, replace(VERDICT, guess="negative", verdict="unsure", words=())]
        for verdict in given:
            append_verdict(file, verdict)
        assert read_verdicts(file) == given
        assert len(file.read_bytes().split(b"\n")) == 3

    def test_texts_stay_readable(self, file: Path) -> None:
        append_verdict(file, VERDICT)
        assert "電影 👍🏽" in file.read_text(encoding="utf-8")

    def test_no_file_holds_no_verdicts(self, file: Path) -> None:
        assert read_verdicts(file) == []
        file.write_bytes(b"\n")
        assert read_verdicts(file) == []

    def test_a_lone_surrogate_survives(self, file: Path) -> None:
        append_verdict(file, replace(VERDICT, label="\udc80"))
        assert read_verdicts(file)[0].label == "\udc80"

    @pytest.mark.parametrize("left", range(1, 12))
    def test_a_torn_last_line_is_left_out_then_cut_off(self, file: Path, left: int) -> None:
        append_verdict(file, VERDICT)
        whole = file.read_bytes()
        # Every tenth place, the middle of a character of several bytes among them.
        file.write_bytes(whole + whole[: left * (len(whole) - 2) // 11])
        with pytest.warns(TrustWarning, match=r"verdicts\.jsonl:2: the last line is torn"):
            assert read_verdicts(file) == [VERDICT]
        append_verdict(file, replace(VERDICT, annotator="bob"))
        assert [verdict.annotator for verdict in read_verdicts(file)] == ["ann", "bob"]

    def test_a_torn_character_tears_the_line(self, file: Path) -> None:
        append_verdict(file, VERDICT)
        whole = file.read_bytes()
        file.write_bytes(whole[: whole.index("影".encode()) + 1])
        with pytest.warns(TrustWarning, match=r"verdicts\.jsonl:1: the last line is torn"):
            assert read_verdicts(file) == []

    def test_a_last_line_without_its_end_counts(self, file: Path) -> None:
        append_verdict(file, VERDICT)
        file.write_bytes(file.read_bytes().rstrip(b"\n"))
        assert read_verdicts(file) == [VERDICT]
        append_verdict(file, replace(VERDICT, annotator="bob"))
        assert [verdict.annotator for verdict in read_verdicts(file)] == ["ann", "bob"]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"text": 3}, "text is int 3; expected a string"),
            ({"text": None}, "text is missing; expected a string"),
            ({"guess": ["a"]}, r"guess is list \['a'\]; expected a string or null"),
            ({"verdict": "yes"}, "verdict is str 'yes'; expected one of trustworthy, untrustworthy, unsure"),
            ({"verdict": ["unsure"]}, "verdict is list"),
            ({"words": [["great"]]}, "words is list .*; expected pairs of a word and its score"),
            ({"words": [["great", True]]}, "words is list"),
            ({"words": [["great", float("nan")]]}, "words is list"),
            ({"explainer": "lime"}, "explainer is str 'lime'; expected an object of settings"),
        ],
    )
    def test_a_malformed_line_is_named(self, file: Path, change: dict[str, object], message: str) -> None:
        append_verdict(file, VERDICT)
        record = json.loads(file.read_bytes()) | change
        with file.open("a") as stream:
            stream.write("\n" + json.dumps(record) + "\n")
        with pytest.raises(DataError, match=rf"verdicts\.jsonl: row 2 \(line 3\): {message}"):
            read_verdicts(file)

    def test_a_broken_line_that_is_not_the_last_is_no_torn_one(self, file: Path) -> None:
        file.write_text('{"text": \n')
        append_verdict(file, VERDICT)
        with pytest.raises(DataError, match=r"verdicts\.jsonl:1: not JSON"):
            read_verdicts(file)

    def test_a_file_that_cannot_be_used_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="cannot be read"):
            read_verdicts(tmp_path)
        with pytest.raises(DataError, match="cannot be saved"):
            append_verdict(tmp_path / "nowhere" / "v.jsonl", VERDICT)


class TestPlurality:
    @pytest.mark.parametrize(
        ("answers", "expected"),
        [
            (["trustworthy"], True),
            (["untrustworthy"], False),
            (["unsure"], None),
            (["trustworthy", "untrustworthy"], None),
            (["trustworthy", "unsure"], None),
            (["trustworthy", "trustworthy", "untrustworthy"], True),
            (["unsure", "untrustworthy", "untrustworthy"], False),
            (["unsure", "unsure", "trustworthy"], None),
            (["unsure", "unsure", "trustworthy", "trustworthy", "untrustworthy"], None),
        ],
    )
    def test_most_votes_win(self, answers: list[str], expected: bool | None) -> None:
        verdicts = [said(f"a{i}", answer) for i, answer in enumerate(answers)]
        assert by_plurality(verdicts) == {("t", "c"): expected}
        assert by_plurality(reversed(verdicts)) == {("t", "c"): expected}

    def test_the_later_verdict_of_one_annotator_replaces_the_earlier(self) -> None:
        verdicts = [said("ann", "untrustworthy"), said("bob", "trustworthy"), said("ann", "trustworthy")]
        assert by_plurality(verdicts) == {("t", "c"): True}

    def test_predictions_are_told_apart_by_text_and_class(self) -> None:
        verdicts = [said("ann", "trustworthy"), said("ann", "untrustworthy", label="d"), said("ann", "unsure", "u")]
        assert by_plurality(verdicts) == {("t", "c"): True, ("t", "d"): False, ("u", "c"): None}

    def test_nothing_says_nothing(self) -> None:
        assert by_plurality([]) == {}
