"""Words by the Unicode rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.text import word_spans, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm positive the result was positive", ["I'm", "positive", "the", "result", "was", "positive"]),
        ("don't can’t", ["don't", "can’t"]),
        ("costs 3.14, or 10,000!", ["costs", "3.14", "or", "10,000"]),
        ("thanks", ["thanks"]),
        ("", []),
        ("   \n", []),
        ("!!! ... --", []),
        ("👍🏽", ["👍🏽"]),
        ("great👩‍👩‍👧 🇩🇪🇫🇷 ❤️", ["great", "👩‍👩‍👧", "🇩🇪", "🇫🇷", "❤️"]),
        ("press #️⃣ or 1️⃣", ["press", "#️⃣", "or", "1️⃣"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("我爱北京。", ["我", "爱", "北", "京"]),
        ("cafe\u0301 naïve", ["cafe\u0301", "naïve"]),
        ("العربية جيدة", ["العربية", "جيدة"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_spans_are_in_order_and_drop_no_letter(text: str) -> None:
    spans = word_spans(text)
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(span.start < span.end for span in spans)
    inside = {i for span in spans for i in range(span.start, span.end)}
    assert all(i in inside for i, character in enumerate(text) if character.isalnum())
