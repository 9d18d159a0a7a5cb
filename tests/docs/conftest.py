"""A project with the reviews of ``fixtures/`` in it, each of which names a place."""

from __future__ import annotations

import csv
import shutil

import pytest

from tests.docs.pages import ROOT


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
