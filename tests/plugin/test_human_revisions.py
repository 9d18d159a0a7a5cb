"""Film reviews and their human revisions with the opposite label: real pairs for the paired checks."""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from pathlib import Path

import joblib
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

BENCH = Path(__file__).parents[3] / "shared" / "bench" / "text" / "cad_imdb.csv.gz"

SUITE = """
import json
from pathlib import Path
from pytest_trust import directional, invariant

REVISIONS = json.loads(Path(__file__).with_name("revisions.json").read_text(encoding="utf-8"))
NEGATIVE = list(REVISIONS)

def revise(text):
    return REVISIONS[text]


@directional(revise, target="positive", expect="increase", data=NEGATIVE)
def test_a_revision_to_praise_raises_positive(trust_result):
    assert trust_result.n > 400

@invariant(revise, data=NEGATIVE)
def test_a_revision_to_praise_does_not_matter(): ...
"""


@pytest.mark.skipif(not BENCH.exists(), reason=f"real reviews are not present at {BENCH}")
def test_revisions_pass_a_directional_and_fail_an_invariance_check(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    with gzip.open(BENCH, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    train = [row for row in rows if row["split"] == "train"]
    model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(C=10))
    model.fit([row["text"] for row in train], [row["label"] for row in train])
    joblib.dump(model, pytester.path / "model.joblib")
    pairs: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        if row["split"] == "test":
            pairs[row["pair"]][row["label"]] = row["text"]
    revisions = {pair["negative"]: pair["positive"] for pair in pairs.values()}
    (pytester.path / "revisions.json").write_text(json.dumps(revisions), encoding="utf-8")
    pytester.makepyfile(test_revisions=SUITE)

    result = pytester.runpytest_inprocess("--trust-model=model.joblib", "-Werror")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "FAIL *test_a_revision_to_praise_does_not_matter *",
            "PASS *test_a_revision_to_praise_raises_positive *p<0.001*",
        ]
    )
