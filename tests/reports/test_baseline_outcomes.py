from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.errors import BaselineError
from pytest_trust.reports.baseline.outcomes import packed_outcomes, unpacked_outcomes
from tests.reports.stored import text_result, texts_of

rows = st.tuples(
    st.text(st.characters(), max_size=8),
    st.sampled_from([True, False, None]),
    st.none() | st.floats(-1, 1),
    st.integers(0, 5),
)


@given(st.sampled_from(["trustworthy", "invariant", "functional"]), st.lists(rows, max_size=12))
def test_what_is_packed_comes_out_again(kind: str, given_rows) -> None:
    texts = [text_result(*row) for row in given_rows]
    found = unpacked_outcomes(packed_outcomes(kind, texts), "here")
    assert [item.holds for item in found] == [item.holds for item in texts]
    assert [item.value for item in found] == [
        None if item.value is None else pytest.approx(item.value, rel=1e-5) for item in texts
    ]
    assert len({item.key for item in found}) == len(found)
    same = [[a.source == b.source for b in found] for a in found]
    assert same == [[a.source == b.source for b in texts] for a in texts]


@pytest.mark.parametrize(
    ("kind", "label", "changed"),
    [
        ("trustworthy", True, False),
        ("functional", True, True),
        ("adversarial", True, False),
        ("invariant", False, True),
        ("directional", False, True),
    ],
)
def test_what_makes_a_text_the_same_in_another_run(kind: str, label: bool, changed: bool) -> None:
    def key(**changes) -> str:
        text = changes.pop("text", "a film")
        return packed_outcomes(kind, [text_result(text, True, 0.5, 0, **({"changed": "b"} | changes))])["keys"]

    assert key(text="a movie") != key()
    assert (key(label="bad") != key()) is label
    assert (key(changed="c") != key()) is changed


def test_a_text_that_stands_twice_is_two() -> None:
    found = unpacked_outcomes(packed_outcomes("invariant", [text_result("a", True, 0.1, 0)] * 3), "here")
    assert [item.key.partition("#")[2] for item in found] == ["", "2", "3"]


def test_a_value_that_no_test_could_bound_is_none() -> None:
    packed = packed_outcomes("trustworthy", texts_of([True, False, True], [1.0000000001, -3.5, None]))
    assert packed["values"] == "1 - -"


def test_ten_thousand_texts_take_less_than_half_a_megabyte() -> None:
    texts = texts_of([True] * 10_000, [i / 9_999 for i in range(10_000)], [i // 2 for i in range(10_000)])
    packed = packed_outcomes("functional", texts)
    assert sum(map(len, packed.values())) < 500_000
    assert len(set(packed["keys"].split())) == 10_000


GOOD = packed_outcomes("invariant", texts_of([True, False], [0.1, None]))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"keys": "zz 123456789abc"}, r"keys: entry 1 is str 'zz', which cannot be read"),
        ({"keys": GOOD["keys"].split()[0]}, r"\[1, 2, 2, 1\] keys, holds, values and sources; expected as many"),
        ({"holds": "1x"}, r"holds: entry 2 is str 'x'"),
        ({"values": "0.1 nan"}, r"values: entry 2 is str 'nan'"),
        ({"values": "0.1 1e999"}, r"values: entry 2"),
        ({"values": "0.1 7"}, r"values: entry 2"),
        ({"sources": "0 -1"}, r"sources: entry 2"),
        ({"sources": "0 ²"}, r"sources: entry 2"),
        ({"sources": 3}, r"outcomes are dict .*; expected strings: keys, holds, values, sources"),
    ],
)
def test_anything_else_is_refused(change, told: str) -> None:
    with pytest.raises(BaselineError, match=r"here: ") as error:
        unpacked_outcomes(GOOD | change, "here")
    assert re.search(told, str(error.value))


@pytest.mark.parametrize("packed", [None, [], "x", {}])
def test_no_outcomes_are_refused(packed: object) -> None:
    with pytest.raises(BaselineError, match=r"here: outcomes are"):
        unpacked_outcomes(packed, "here")
