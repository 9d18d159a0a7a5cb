from __future__ import annotations

from pytest_trust.reports import MOST_BYTES, Annotation, annotation_command, job_summary, markdown_parts
from tests.reports.records import every_kind, record


def test_a_command_is_escaped_as_github_asks() -> None:
    annotation = Annotation("tests/a,b:c.py", 12, "100% of test[x:y,z]", "FAIL 5%:\n  a, b\r\n::error::no")
    assert annotation_command(annotation) == (
        "::error file=tests/a%2Cb%3Ac.py,line=12,title=100%25 of test[x%3Ay%2Cz]::FAIL 5%25:%0A  a, b%0D%0A::error::no"
    )


def test_a_test_without_a_line() -> None:
    assert annotation_command(Annotation("a.py", None, "t", "m")) == "::error file=a.py,title=t::m"


def test_a_summary_that_fits_is_whole() -> None:
    parts = list(markdown_parts(every_kind()))
    assert job_summary(parts) == "".join(parts)
    assert job_summary(parts, room=len("".join(parts).encode())) == "".join(parts)


def test_a_long_summary_is_cut_between_parts_with_a_note() -> None:
    parts = list(markdown_parts([record(name=f"{i} " + "é" * 100, outcome="fail") for i in range(2400)]))
    summary = job_summary(parts)
    assert MOST_BYTES - 1000 < len(summary.encode()) <= MOST_BYTES
    kept, note = summary.rsplit("\n\n", 1)
    assert note.startswith("*The rest was cut: GitHub shows at most 1 MiB.")
    assert "".join(parts).startswith(kept)
    assert summary.count("<details>") == summary.count("</details>") > 100


def test_no_room_is_nothing() -> None:
    assert job_summary(["a" * 100], room=20) == ""
    assert job_summary(["a"], room=-1) == ""
