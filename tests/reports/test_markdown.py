from __future__ import annotations

import re

import pytest

from pytest_trust.reports import markdown_report
from pytest_trust.reports.markdown import code, plain
from pytest_trust.stats import wilson
from tests.reports.records import HOSTILE, changed, every_kind, hostile, prediction, record, word


def test_headline_and_tables() -> None:
    records = [
        record(name="good", n_total=10),
        record("invariant", name="bad", outcome="fail", estimate=-0.2, low=-0.3, high=-0.1, bound=0.05, p_value=0.4),
        record("functional", name="open", outcome="inconclusive", estimate=None, low=None, high=None, n=0),
    ]
    lines = markdown_report(records).splitlines()
    assert lines[0] == "## Trust: 1 failed, 1 inconclusive, 1 passed"
    assert lines[2:7] == [
        "|  | check | estimate | asked for | n |",
        "| --- | --- | --- | --- | --- |",
        "| ❌ fail | **bad** invariant<br><code>test&#95;x.py::test&#95;y</code> "
        "| shift -0.200 &#91;-0.300, -0.100&#93; | within ±0.05 | 10 of 12 |",
        "| ❔ inconclusive | **open** functional<br><code>test&#95;x.py::test&#95;y</code> "
        "| none | &#62;= 0.7 | 0 of 12 |",
        "| ✅ pass | **good** trustworthy<br><code>test&#95;x.py::test&#95;y</code> "
        "| rate 0.800 &#91;0.700, 0.900&#93; | &#62;= 0.7 | 10 |",
    ]
    rate = wilson(8, 10)
    assert f"| trust rate | 0.800 | &#91;{rate.low:.3f}, {rate.high:.3f}&#93; | of 10 correct predictions |" in lines
    assert any(line.startswith("| G-mean | 0.750 | &#91;") for line in lines)


def test_capabilities_and_attacks() -> None:
    lines = markdown_report(every_kind()).splitlines()
    assert "| checks that passed | functional | invariant | directional | adversarial | trustworthy |" in lines
    assert "| negation | 0 of 1 | 0 of 1 | 0 of 1 | 0 of 1 | 0 of 1 |" in lines
    assert any(line.startswith("| attack success rate (toki) | 0.500 |") for line in lines)


def test_no_check_ran() -> None:
    assert markdown_report([]) == "## Trust: no check ran\n"


def test_evidence_of_what_did_not_pass() -> None:
    rows = [
        changed("a fine film", "a dull film", note="label flipped"),
        prediction("another", words=[word("fine", 0.25), word("odd", -0.5, related=False)]),
        *[prediction("more")] * 3,
    ]
    report = markdown_report([record(name="bad", outcome="fail", advice="do this", evidence=rows), record(name="good")])
    assert report[report.index("<details>") :] == (
        "<details><summary>❌ bad: a reason</summary>\n\nAdvice: do this\n"
        "\n1. good 0.900 → 0.400 (label flipped)<br><code>a fine film</code><br>→ <code>a dull film</code>\n"
        "\n2. good 0.900<br><code>another</code><br><code>fine</code> +0.250 related; "
        "<code>odd</code> -0.500 unrelated\n"
        "\n3. good 0.900<br><code>more</code>\n"
        "\n2 more in the log.\n"
        "\n</details>\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b `c` *d* _e_", "a&#124;b &#96;c&#96; &#42;d&#42; &#95;e&#95;"),
        ("<b> &amp; \\", "&#60;b&#62; &#38;\u200bamp; &#92;"),
        ("line\nbreaks\r\n\n# head", "line breaks &#35; head"),
        ("[a](http://b) ![c](d)", "&#91;a&#93;(http&#58;//b) &#33;&#91;c&#93;(d)"),
        ("see www.example.org", "see www&#46;example.org"),
        ("ask @someone, #12 !3", "ask &#64;\u200bsomeone, &#35;\u200b12 &#33;\u200b3"),
        ("63.3% [0.1, -0.2] +0.5", "63.3% &#91;0.1, -0.2&#93; +0.5"),
    ],
)
def test_nothing_in_a_text_is_markup(text: str, shown: str) -> None:
    assert plain(text) == shown
    assert code(text) == f"<code>{shown}</code>".replace("\u200b", "")


def test_hostile_texts_keep_the_form() -> None:
    report = markdown_report(hostile())
    allowed = {"details", "/details", "summary", "/summary", "code", "/code", "br"}
    assert set(re.findall(r"<([^>]*)>", report)) == allowed
    for line in report.splitlines():
        if line.startswith("| ") and "---" not in line:
            assert line.endswith(" |")
            assert line.count("|") in (4, 5, 6), line
    assert "@" not in report
    assert "`" not in report
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u2028\u2029\u202e\ud800-\udfff]", report)
    assert len(HOSTILE) * 2 == report.count("<details>")
