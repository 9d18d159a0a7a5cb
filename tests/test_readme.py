"""The README's test file runs, and the documents name only what exists."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def python_blocks(document: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture
def reviews(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    source = ROOT / "fixtures" / "reviews"
    for name in ("models.py", "embedding.py", "train.csv"):
        shutil.copy(source / name, pytester.path)
    with (source / "test.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    # Reviews as they are name no place that there is, so that a swap of places would have nothing to swap.
    placed = [[f"{text} near London", *rest] for text, *rest in rows]
    with (pytester.path / "test.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *placed])
    monkeypatch.syspath_prepend(str(pytester.path))
    return pytester


def run(reviews: pytest.Pytester, *options: str) -> pytest.RunResult:
    return reviews.runpytest_inprocess(
        "--trust-model=models:honest",
        "--trust-train=train.csv",
        "--trust-data=test.csv",
        "--trust-embeddings=embedding:ThreeAxes",
        "--trust-samples=100",
        "-Werror",
        *options,
    )


def test_the_test_file_of_the_readme_runs(reviews: pytest.Pytester) -> None:
    reviews.makepyfile(test_sentiment_behaviour=python_blocks(ROOT / "README.md")[0])
    run(reviews).assert_outcomes(passed=3)


def test_the_examples_of_how_to_perturb_texts_run(reviews: pytest.Pytester) -> None:
    for number, block in enumerate(python_blocks(ROOT / "docs" / "how-to" / "perturb-texts.md")):
        reviews.makepyfile(**{f"test_block_{number}": block})
    run(reviews, "-p", "no:cacheprovider").assert_outcomes(passed=4)


def test_the_examples_of_the_how_to_run(reviews: pytest.Pytester) -> None:
    for number, block in enumerate(python_blocks(ROOT / "docs" / "how-to" / "write-a-suite.md")):
        reviews.makepyfile(**{f"test_block_{number}": block})
    result = run(reviews)
    outcomes = result.parseoutcomes()
    assert outcomes["passed"] >= 4
    # Reviews have no signatures and say nothing that the regret outweighs: those gates tell so.
    assert set(re.findall(r"^(?:FAIL|INCONCLUSIVE) +\S+::(\w+)", result.stdout.str(), re.MULTILINE)) == {
        "test_signatures_do_not_matter",
        "test_regret_lowers_positive",
    }


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_every_option_is_in_the_reference() -> None:
    from pytest_trust._plugin.options import OPTIONS

    reference = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    for option in OPTIONS:
        assert f"`{option.flag}={option.metavar}` | `{option.key}`" in reference
