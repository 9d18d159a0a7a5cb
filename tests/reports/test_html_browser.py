"""The page in a real browser: it works, it is safe, it is fast, and everybody can read it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_trust.reports import html_report
from tests.reports.browser import Browser, chromium, installed
from tests.reports.records import changed, every_kind, hostile, many, prediction, record, word

TAB, ENTER, SPACE = "\ue004", "\ue007", " "

pytestmark = pytest.mark.skipif(installed() is None, reason="Chromium and chromedriver are not installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    pytest.importorskip("selenium", reason="the browser is driven by selenium, which is not installed")
    paths = installed()
    assert paths is not None
    with chromium(paths, tmp_path_factory.mktemp("profile")) as started:
        yield started


def written(folder: Path, records: list[dict[str, Any]]) -> Path:
    path = folder / "page.html"
    path.write_bytes(html_report(records, seed=0).encode())
    return path


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    good = [
        prediction(f"a fine film number {i}", i % 3 != 0, value=i / 60, probability=0.4 + i / 120, note=f"note {i}")
        for i in range(60)
    ]
    words = [word("fine", 0.4, spans=[[2, 6]]), word("film", -0.1, related=False, spans=[[7, 11]])]
    good[0]["words"] = words
    return written(tmp_path_factory.mktemp("usual"), [record(texts=good, name="the words"), *every_kind()])


def texts_shown(browser: Browser) -> list[str]:
    return browser.run("return [...document.querySelectorAll('#list .preview')].map(e => e.textContent)")


def test_it_opens_without_a_complaint_and_asks_for_nothing(browser: Browser, usual: Path) -> None:
    browser.open(usual)
    browser.open_all()
    assert browser.complaints() == []
    assert browser.requests() == [usual.as_uri()]
    assert browser.count == "1 to 50 of 75 predictions"


def test_filters_narrow_and_sort(browser: Browser, usual: Path) -> None:
    browser.open(usual)
    browser.choose("search", "NUMBER 1")
    assert browser.count == "1 to 11 of 11 predictions, of 75 in all"
    browser.choose("by-outcome", "0")
    assert sorted(texts_shown(browser)) == [f"a fine film number {i}" for i in (12, 15, 18)]
    browser.choose("sort", "-value")
    assert texts_shown(browser) == [f"a fine film number {i}" for i in (18, 15, 12)]
    browser.choose("sort", "probability")
    assert texts_shown(browser) == [f"a fine film number {i}" for i in (12, 15, 18)]
    browser.choose("search", "no such text")
    assert browser.count == "No prediction matches, of 75 in all"
    browser.run("document.querySelector('#filters [type=reset]').click()")
    browser.driver.execute_async_script("setTimeout(arguments[0])")
    assert browser.count == "1 to 50 of 75 predictions"


def test_filters_by_check_class_and_right_answers(browser: Browser, usual: Path) -> None:
    browser.open(usual)
    assert browser.run("return [...document.getElementById('by-class').options].map(o => o.text)") == [
        *("all", "good (74)", "bad (1)")
    ]
    browser.choose("by-class", "1")
    assert browser.count == "1 to 1 of 1 predictions, of 75 in all"
    browser.choose("by-class", "")
    browser.choose("right-only", True)
    assert browser.count == "1 to 50 of 68 predictions, of 75 in all"
    browser.run("document.querySelector('a[data-check=\"2\"]').click()")
    browser.driver.execute_async_script("setTimeout(arguments[0])")
    assert browser.count == "1 to 3 of 3 predictions, of 75 in all"


def test_pages_turn(browser: Browser, usual: Path) -> None:
    browser.open(usual)
    browser.run("document.getElementById('next').click()")
    assert browser.count == "51 to 75 of 75 predictions"
    assert browser.run("return [document.getElementById('next').disabled, document.activeElement.tagName]") == [
        True,
        "SUMMARY",
    ]
    browser.choose("search", "film")
    assert browser.count.startswith("1 to 50")


def test_an_opened_prediction_says_why(browser: Browser, usual: Path) -> None:
    browser.open(usual)
    browser.choose("search", "number 0")
    browser.open_all()
    body = browser.run("return document.querySelector('.body').textContent")
    for told in ("not trustworthy", "note 0", "Probability of good: 0.400", "+0.4000", "−0.1000", "unrelated", "key"):
        assert told in body
    marks = browser.run(
        "return [...document.querySelectorAll('.full mark')].map(e => [e.className, e.textContent, e.title])"
    )
    nearest = "nearest keyword: key; nearest word: near"
    assert marks == [
        ["for s5 related", "fine", f"+0.4000 for the class; related; {nearest}"],
        ["against s2 unrelated", "film", f"−0.1000 against the class; unrelated; {nearest}"],
    ]


def test_the_keyboard_reaches_and_opens_a_prediction(browser: Browser, usual: Path) -> None:
    browser.open(usual)
    reached = "return document.activeElement.matches('#list summary')"
    for _ in range(80):
        browser.press(TAB)
        seen = browser.run(
            "return [getComputedStyle(document.activeElement).outlineStyle, document.activeElement.outerHTML]"
        )
        assert seen[0] != "none", seen[1]
        if browser.run(reached):
            break
    assert browser.run(reached)
    browser.press(ENTER)
    browser.settle()
    assert browser.run("return document.querySelectorAll('#list details[open] .body').length") == 1
    browser.press(SPACE)
    assert browser.run("return document.querySelectorAll('#list details[open]').length") == 0


def test_every_control_has_a_name(browser: Browser, usual: Path) -> None:
    browser.open(usual)
    browser.open_all()
    nameless = browser.run(
        """
        const named = (e) => (e.labels && e.labels.length) || e.getAttribute('aria-label') || e.textContent.trim();
        return [...document.querySelectorAll('a, button, input, select, summary, [tabindex="0"], svg[role]')]
          .filter((e) => !named(e)).map((e) => e.outerHTML);
        """
    )
    assert nameless == []
    ids = browser.run("return [...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_texts_run_nothing_and_make_no_element(browser: Browser, tmp_path: Path) -> None:
    browser.open(written(tmp_path, hostile()))
    browser.open_all()
    assert browser.run("return window.hacked === undefined")
    assert browser.run("return document.querySelectorAll('img, iframe, #list svg, #list script').length") == 0
    assert browser.count == "1 to 50 of 60 predictions"
    assert browser.complaints() == []
    assert len(browser.requests()) == 1


def test_the_policy_stops_what_would_get_in(browser: Browser, usual: Path) -> None:
    browser.open(usual)
    stopped = browser.driver.execute_async_script(
        """
        const done = arguments[0];
        const script = document.createElement('script');
        script.textContent = 'window.hacked = true';
        document.body.append(script);
        const image = document.createElement('img');
        image.setAttribute('onerror', 'window.hacked = true');
        image.src = 'data:,';
        document.body.append(image);
        const finish = () => done(window.hacked || 'stopped');
        fetch('http://127.0.0.1:9/').then(() => done('fetched'), () => setTimeout(finish));
        """
    )
    assert stopped == "stopped"
    assert all(address.startswith(("file:", "data:")) for address in browser.requests())
    assert len([line for line in browser.complaints() if "Content Security Policy" in line]) >= 3


@pytest.mark.parametrize(("width", "scheme"), [(375, "light"), (375, "dark"), (1200, "light")])
def test_nothing_is_wider_than_the_window(browser: Browser, tmp_path: Path, width: int, scheme: str) -> None:
    browser.open(written(tmp_path, [*every_kind(), *hostile()]), width=width, scheme=scheme)
    browser.run("for (const item of document.querySelectorAll('details')) item.open = true;")
    browser.open_all()
    assert browser.run("return document.documentElement.scrollWidth") <= width
    wide = "e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'visible'"
    assert (
        browser.run(f"return [...document.querySelectorAll('li, .body, .full, figure')].filter(e => {wide}).length")
        == 0
    )


CONTRASTS = """
const numbers = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
const over = (top, below) => [0, 1, 2].map((i) => top[i] * (top[3] ?? 1) + below[i] * (1 - (top[3] ?? 1)));
function ground(element) {
  const colour = numbers(getComputedStyle(element).backgroundColor);
  const below = element.parentElement ? ground(element.parentElement) : [255, 255, 255];
  return over(colour, below);
}
const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
const light = (colour) => 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
const worst = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest(':disabled, svg')) continue;
  const behind = ground(element);
  const [a, b] = [light(over(numbers(getComputedStyle(element).color), behind)), light(behind)];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) worst.push([ratio.toFixed(2), element.className, walker.currentNode.data.slice(0, 30)]);
}
return worst;
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(browser: Browser, tmp_path: Path, scheme: str) -> None:
    scored = [word(f"w{i}", (i - 5) / 5, related=i % 2 == 0, spans=[[3 * i, 3 * i + 2]]) for i in range(10)]
    scale = prediction(" ".join(f"w{i}" for i in range(10)), words=scored)
    records = [record(outcome=outcome, advice="advice", texts=[scale]) for outcome in ("pass", "fail", "inconclusive")]
    browser.open(written(tmp_path, [*records, *every_kind()]), scheme=scheme)
    browser.run("for (const item of document.querySelectorAll('details')) item.open = true;")
    browser.open_all()
    assert browser.run(CONTRASTS) == []
    ground = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(19, 22, 26)"}[scheme]


def test_differences_are_whole(browser: Browser, tmp_path: Path) -> None:
    chosen = random.Random(1)
    pairs = [("", "new"), ("old", ""), ("same  spaces\n", "same spaces\n"), ("don't", "do not"), ("é 👩", "e 👩")]
    pairs += [(mixed(chosen, chosen.randint(0, 60)), mixed(chosen, chosen.randint(0, 60))) for _ in range(30)]
    pairs += [edited(chosen, mixed(chosen, 40)) for _ in range(14)]
    browser.open(written(tmp_path, [record("invariant", [changed(*pair) for pair in pairs])]))
    browser.choose("sort", "order")
    browser.open_all()
    shown = browser.run(
        """
        const without = (box, name) => [...box.childNodes].filter((node) => node.nodeName !== name);
        const side = (box, name) => without(box, name).map((node) => node.textContent).join('');
        return [...document.querySelectorAll('.full')].map((box) => [side(box, 'INS'), side(box, 'DEL')]);
        """
    )
    assert [tuple(pair) for pair in shown] == pairs


def test_differences_show_what_changed_alone(browser: Browser, tmp_path: Path) -> None:
    before = " ".join(f"word{i}" for i in range(100))
    after = before.replace("word50 word51", "other thing").replace("word90", "")
    browser.open(written(tmp_path, [record("invariant", [changed(before, after)])]))
    browser.open_all()
    edits = browser.run(
        "return [...document.querySelectorAll('.full :is(del, ins)')].map(e => [e.tagName, e.textContent])"
    )
    assert edits == [["DEL", "word50 word51"], ["INS", "other thing"], ["DEL", "word90"]]
    preview = texts_shown(browser)[0]
    assert preview.startswith("…")
    assert "word49 word50 word51other thing word52" in preview
    assert len(preview) < len(before) / 2


def mixed(chosen: random.Random, n: int) -> str:
    return "".join(chosen.choice(["a", "b", "cd", " ", " ", ", ", "\n", "!"]) for _ in range(n))


def edited(chosen: random.Random, text: str) -> tuple[str, str]:
    at = chosen.randrange(len(text))
    return text, text[:at] + chosen.choice(["x", " y ", ""]) + text[at + chosen.randint(0, 3) :]


def test_ten_thousand_predictions_are_filtered_at_once(browser: Browser, tmp_path: Path) -> None:
    browser.open(written(tmp_path, [many(10_000, words=8)]))
    assert browser.count == "1 to 50 of 10,000 predictions"
    times = browser.run(
        """
        const took = (id, value) => {
          const control = document.getElementById(id);
          control.value = value;
          const start = performance.now();
          control.dispatchEvent(new Event('input', {bubbles: true}));
          document.body.offsetHeight;
          return performance.now() - start;
        };
        const best = (id, values) => Math.min(...values.map((value) => took(id, value)));
        return [best('search', ['ab', 'abc', 'b', 'bc']), best('by-outcome', ['0', '1', '2', '']),
          best('sort', ['-value', 'probability', 'value', 'outcome'])];
        """
    )
    assert max(times) < 100, f"milliseconds to search, filter and sort: {times}"
