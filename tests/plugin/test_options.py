"""Options and their ini twins: precedence, and an error for every value that cannot be used."""

from __future__ import annotations

import pytest

PASSING = """
from pytest_trust import trustworthy
@trustworthy
def test_it(): ...
"""


def test_every_flag_begins_with_trust_and_has_an_ini_twin(run) -> None:
    result = run("--help", options=())
    text = result.stdout.str()
    for name in (
        "model",
        "classes",
        "train",
        "data",
        "columns",
        "index",
        "embeddings",
        "explainer",
        "samples",
        "features",
    ):
        assert f"--trust-{name}=" in text
        assert f"trust_{name} (" in text
    for name in ("seed", "json"):
        assert f"--trust-{name}=" in text
        assert f"trust_{name} (" in text
    assert "no_trust (bool)" in text
    assert "trust in text classifiers (pytest-trust):" in text


def test_markers_are_listed_with_their_arguments(run) -> None:
    result = run("--markers", options=())
    result.stdout.fnmatch_lines(
        [
            "@pytest.mark.trustworthy(min_rate=0.8, compare='bound', *): *",
            "@pytest.mark.invariant(perturb=, margin=0.1, *): *",
            "@pytest.mark.directional(perturb=, expect=, *): *",
        ]
    )


def test_everything_can_come_from_the_ini_file(run, project) -> None:
    project.makeini(
        """
        [pytest]
        trust_model = models:honest
        trust_train = train.csv
        trust_data = test.csv
        trust_embeddings = embedding:ThreeAxes
        trust_samples = 200
        trust_seed = 5
        trust_json = out.json
        """
    )
    result = run(test=PASSING, options=())
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["trust: model=models:honest, data=test.csv, train=train.csv, seed=5"])
    assert (project.path / "out.json").exists()


def test_the_command_line_wins_over_the_ini_file(run, project) -> None:
    project.makeini("[pytest]\ntrust_model = models:biased\ntrust_samples = nonsense\n")
    result = run("--trust-seed=9", test=PASSING)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["trust: model=models:honest, *seed=9"])


def test_ini_numbers_may_be_toml_integers(run, project) -> None:
    project.makefile(".toml", pytest="[pytest]\ntrust_seed = 5\n")
    result = run(test=PASSING)
    result.stdout.fnmatch_lines(["trust: *seed=5"])


def test_paths_in_the_ini_file_start_at_the_ini_file(run, project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.makeini("[pytest]\ntrust_data = test.csv\n")
    project.mkdir("below")
    (project.path / "below" / "test_it.py").write_text("def test_it(trust_data):\n    assert len(trust_data) == 120\n")
    monkeypatch.chdir(project.path / "below")
    run(options=()).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            "--trust-model=absent.joblib",
            "expected a file (.joblib, .pkl, .skops, .onnx, or a folder with config.json or model.onnx) that exists",
        ),
        ("--trust-model=.", "expected a file"),
        ("--trust-train=absent.csv", "expected a file (.csv, .tsv, .jsonl, .parquet) that exists"),
        ("--trust-data=absent.csv", "expected a file (.csv, .tsv, .jsonl, .parquet) that exists"),
        ("--trust-samples=many", "expected a whole number"),
        ("--trust-samples=1", "expected a whole number from 2 to"),
        ("--trust-features=0", "expected a whole number from 1 to"),
        ("--trust-seed=-1", "expected a whole number from 0 to"),
        ("--trust-explainer=shap", "choose one of: lime, omission, lime-reference"),
        ("--trust-embeddings=glove,word2vex", "'word2vex' is unknown, expected some of glove, use, minilm"),
        ("--trust-embeddings=glove,glove", "'glove' is named twice"),
        ("--trust-columns=txt=body", "txt"),
        ("--trust-classes=a,a", "a"),
        ("--trust-json=nowhere/out.json", "expected a file in a folder that exists"),
        ("--trust-json=.", "expected a file, found a folder"),
        ("--trust-index=.", "expected a file, found a folder"),
        ("--trust-index=train.csv", "expected a file whose name ends in .zip"),
        ("--trust-json=~nosuchuser/x", "not a path"),
        ("--trust-cache=", "expected a folder, or off, found nothing"),
        ("--trust-cache=test.csv", "expected a folder, found a file"),
        ("--trust-json=test.csv", "the file of --trust-data; expected one of its own"),
        ("--trust-save-adversarial=./train.csv", "the file of --trust-train; expected one of its own"),
    ],
)
def test_a_wrong_value_is_a_usage_error_that_names_it(run, option: str, message: str) -> None:
    result = run(option, test=PASSING)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    errors = result.stderr.str()
    assert option in errors
    assert message in errors


def test_files_that_are_written_are_kept_apart(run, project) -> None:
    (project.path / "a.json").symlink_to("main.json")
    result = run("--trust-save-baseline=main.json", "--trust-json=a.json", test=PASSING)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = "--trust-save-baseline=main.json: the file of --trust-json; expected one of its own"
    assert told in result.stderr.str()
    assert run("--trust-json=/dev/null", "--trust-markdown=/dev/null").ret == pytest.ExitCode.OK


@pytest.mark.parametrize("listing", ["--markers", "--fixtures", "--co", "--no-trust"])
def test_listings_need_no_model(run, project, listing: str) -> None:
    project.makeini("[pytest]\ntrust_model = not/yet/built.joblib\n")
    assert run(listing, options=(), test="def test_it(): ...").ret == pytest.ExitCode.OK


def test_a_wrong_ini_value_is_a_usage_error_that_names_its_key(run, project) -> None:
    project.makeini("[pytest]\ntrust_seed = nonsense\n")
    result = run(test=PASSING)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "trust_seed" in result.stderr.str()
    assert "nonsense" in result.stderr.str()


def test_a_pickle_is_announced_and_can_be_forbidden(run, project) -> None:
    joblib = pytest.importorskip("joblib")
    sklearn = pytest.importorskip("sklearn.pipeline")
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    pipeline = sklearn.make_pipeline(CountVectorizer(), LogisticRegression())
    joblib.dump(pipeline.fit(["great film", "awful film"], ["positive", "negative"]), project.path / "m.joblib")
    suite = "def test_it(trust_model):\n    assert trust_model.classes == ('negative', 'positive')\n"
    result = run("--trust-model=m.joblib", test=suite)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["trust: loading m.joblib runs code in that file (--trust-no-pickle forbids it)"])
    result = run("--trust-model=m.joblib", "--trust-no-pickle", test=suite)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*m.joblib*"])
