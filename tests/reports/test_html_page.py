"""The page as a file: nothing of a text is markup, nothing is fetched, and nothing is lost."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from html.parser import HTMLParser
from typing import Any

import pytest

from pytest_trust.errors import MissingExtraError
from pytest_trust.reports import html_report
from pytest_trust.reports.html.predictions import encode
from tests.reports.records import HOSTILE, every_kind, hostile, many, prediction, record, word


class Page(HTMLParser):
    """Elements with their attributes, and the text outside of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, str]] = []
        self._open = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        self.inside.append((self._open, data))

    @property
    def text(self) -> str:
        return "".join(data for tag, data in self.inside if tag not in ("script", "style"))

    def content(self, tag: str) -> list[str]:
        return [data for name, data in self.inside if name == tag]

    @property
    def policy(self) -> str:
        return next(str(given["content"]) for _, given in self.elements if "http-equiv" in given)


def data_of(page: Page) -> dict[str, Any]:
    return json.loads(page.content("script")[0])


def test_nothing_is_fetched() -> None:
    page = Page(html_report(every_kind(), seed=0))
    for tag, given in page.elements:
        assert tag not in ("iframe", "object", "embed", "base", "img", "audio", "video", "source")
        for name in ("href", "src", "action", "formaction", "srcset", "data", "xlink:href"):
            assert (given.get(name) or "#").startswith(("#", "data:,")), (tag, name)
    for content in (*page.content("style"), page.content("script")[1]):
        assert not re.search(r"@import|url\((?!#)|https?://|fetch|XMLHttpRequest|innerHTML|eval", content)


def test_the_policy_allows_this_script_and_style_alone() -> None:
    page = Page(html_report(every_kind(), seed=0))
    hashes = {
        kind: "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        for kind, content in (("script", page.content("script")[1]), ("style", page.content("style")[0]))
    }
    assert page.policy.split("; ") == [
        "default-src 'none'",
        f"script-src '{hashes['script']}'",
        f"style-src '{hashes['style']}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert not [given for _, given in page.elements if "style" in given or any(name.startswith("on") for name in given)]


def test_hostile_texts_make_no_element() -> None:
    ordinary = {tag for tag, _ in Page(html_report(every_kind(), seed=0)).elements}
    page = Page(html_report(hostile(), seed=0))
    elements = [tag for tag, _ in page.elements]
    assert set(elements) <= ordinary
    assert elements.count("script") == 2
    attributes = {name for _, given in page.elements for name in given}
    assert not [name for name in attributes if name.startswith("on")]


def test_hostile_texts_are_shown_as_they_are() -> None:
    page = Page(html_report(hostile(), seed=0))
    for text in HOSTILE:
        shown = re.sub("[\x00-\x08\x0e-\x1f\ud800-\udfff]", "\ufffd", text)
        assert shown in page.text
    data = data_of(page)
    assert {re.sub("[\ud800-\udfff]", "\ufffd", text) for text in HOSTILE} <= set(data["texts_table"])
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", html_report(hostile(), seed=0))


def test_without_scripts_the_summary_is_there_and_what_is_missing_is_said() -> None:
    page = Page(html_report(every_kind(), seed=3))
    for told in ("check of invariant", "a reason", "5 failed", "negation", "trust rate", "attack success rate (toki)"):
        assert told in " ".join(page.text.split())
    assert "the 15 predictions, with their words and changes, are in this file but cannot be shown" in page.text


def test_what_asks_most_of_a_reader_comes_first() -> None:
    outcomes = ("pass", "inconclusive", "fail")
    page = Page(html_report([record(outcome=outcome, name=f"it is {outcome}") for outcome in outcomes], seed=0))
    places = [page.text.index(f"it is {outcome}") for outcome in outcomes]
    assert places == sorted(places, reverse=True)


def test_a_session_without_checks_and_records_without_texts() -> None:
    assert "No check ran." in html_report([], seed=0)
    bare = {key: value for key, value in record().items() if key != "texts"}
    assert "The results hold no single texts." in html_report([bare], seed=0)
    unknown = record(estimate=None, low=None, high=None, n=0)
    assert "nothing to estimate" in html_report([unknown], seed=0)


def test_the_page_is_the_same_each_time() -> None:
    assert html_report(every_kind(), seed=0) == html_report(every_kind(), seed=0)


def decoded(encoded: dict[str, Any], row: int) -> list[tuple[str, float, list[str]]]:
    """Word, score, and what stands in the text at its places, as a script reads them."""
    units = encoded["texts_table"][encoded["text"][row]].encode("utf-16-le", "surrogatepass")
    flat = encoded["words"][row]
    words = [(encoded["words_table"][flat[i]][0], flat[i + 1], []) for i in range(0, len(flat), 2)]
    end = 0
    places = encoded["places"][row]
    for i in range(0, len(places), 3):
        start = end + places[i]
        end = start + places[i + 1]
        words[places[i + 2]][2].append(units[2 * start : 2 * end].decode("utf-16-le"))
    return words


@pytest.mark.parametrize("between", [" ", " 👩\u200d👧 ", "\u00e9\U0001d400"])
def test_words_are_found_where_they_stand(between: str) -> None:
    text = between.join(("one", "two", "𝕠ne", "one"))
    spans = [[match.start(), match.end()] for match in re.finditer("one", text)]
    wide = text.index("𝕠ne")
    words = [word("one", 0.25, spans=spans), word("𝕠ne", -0.125, spans=[[wide, wide + 3]]), word("gone", 0.1)]
    encoded = encode([record(texts=[prediction(text, words=words)])])
    assert decoded(encoded, 0) == [("one", 0.25, ["one", "one"]), ("𝕠ne", -0.125, ["𝕠ne"]), ("gone", 0.1, [])]


def test_of_words_that_overlap_the_first_is_marked() -> None:
    words = [word("ice cream", spans=[[0, 9]]), word("cream", spans=[[4, 9]])]
    assert [places for *_, places in decoded(encode([record(texts=[prediction("ice cream", words=words)])]), 0)] == [
        ["ice cream"],
        [],
    ]


def test_only_answers_known_to_be_right_are_right() -> None:
    encoded = encode(every_kind())
    kinds = [encoded["checks"][number]["kind"] for number in encoded["check"]]
    assert list(zip(kinds, encoded["right"], strict=True)) == [
        *[("trustworthy", 1)] * 3,
        *[("invariant", 2)] * 3,
        *[("directional", 2)] * 3,
        *[("adversarial", 1)] * 3,
        *[("functional", 1), ("functional", 0), ("functional", 1)],
    ]


def test_ten_thousand_predictions_are_a_small_file() -> None:
    # A tenth of them, since size is linear: 10,000 of 30 scored words stay below 15 MB.
    page = html_report([many(1000)], seed=0)
    assert len(page.encode()) < 1.5e6


def test_without_jinja2_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match=r"--trust-html needs the package 'Jinja2'.*pytest-trust\[html\]"):
        html_report([record()], seed=0)
