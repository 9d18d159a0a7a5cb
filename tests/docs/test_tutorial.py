"""Pages that are followed from the first block to the last."""

from __future__ import annotations

from pathlib import Path

from tests.docs.pages import ROOT, PageRun


def test_the_tutorial_goes_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "pytest-trust").symlink_to(ROOT, target_is_directory=True)
    run = PageRun(tmp_path)
    run.follow(ROOT / "docs" / "tutorial" / "first-gate.md")
    assert (run.folder / ".github" / "workflows" / "trust.yml").exists()


def test_a_ready_suite_is_copied_as_it_says(tmp_path: Path) -> None:
    PageRun(tmp_path).follow(ROOT / "docs" / "how-to" / "copy-a-ready-suite.md")
    assert (tmp_path / "tests" / "test_sentiment.py").exists()
