"""Fixtures: from options, from a conftest.py, and what is said where a part is missing."""

from __future__ import annotations

import pytest

from pytest_trust.errors import TrustWarning

GATE = """
from pytest_trust import trustworthy
@trustworthy
def test_it(): ...
"""


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("model", "no model under test: give --trust-model=... (or trust_model in the ini file), or override the"),
        ("train", "no training data: give --trust-train=..."),
        ("data", "no data to test on: give --trust-data=..."),
    ],
)  # fmt: skip
def test_a_missing_part_is_an_error_never_a_pass(run, missing: str, message: str) -> None:
    from tests.plugin.conftest import OPTIONS

    options = tuple(option for option in OPTIONS if not option.startswith(f"--trust-{missing}="))
    result = run(test=GATE, options=options)
    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert message in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


def test_fixtures_can_be_overridden(run, project) -> None:
    project.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def trust_model():
            from models import honest
            return lambda texts: honest(texts)[:, ::-1].copy()

        @pytest.fixture(scope="session")
        def trust_train():
            return [("a great film", "positive"), ("an awful film", "negative")]

        @pytest.fixture(scope="session")
        def trust_data():
            praise = [(f"great cast in part {i}", "positive") for i in range(30)]
            return praise + [(f"awful cast in part {i}", "negative") for i in range(30)]
        """
    )
    result = run(
        "--trust-classes=positive,negative",
        "--trust-embeddings=embedding:ThreeAxes",
        "--trust-samples=100",
        test=GATE,
        options=(),
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*rate 1.000 * >= 0.8"])


def test_an_oracle_of_the_project_may_take_over(run, project) -> None:
    project.makeconftest(
        """
        import pytest
        from pytest_trust.oracles import Verdict

        class Suspicious:
            name = "suspicious"
            def judge(self, explanation):
                return Verdict(False, 0.0, 1.0, ())
            def judge_many(self, explanations):
                return [self.judge(explanation) for explanation in explanations]

        @pytest.fixture(scope="session")
        def trust_oracle():
            return Suspicious()
        """
    )
    result = run(test=GATE)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["FAIL trustworthy: suspicious trust rate"])


def test_the_index_prints_readable_lists(run) -> None:
    result = run("-s", test="def test_it(trust_index):\n    print(trust_index)\n")
    result.stdout.fnmatch_lines(
        ["class positive (names: positive): * pool words", "  6 keywords: *great*", "  * others: *lakeside*"]
    )


def test_a_named_index_file_is_used_without_training_data(run, project) -> None:
    run("--trust-index=mine.zip", test=GATE).assert_outcomes(passed=1)
    assert (project.path / "mine.zip").exists()
    options = (
        "--trust-model=models:honest",
        "--trust-data=test.csv",
        "--trust-index=mine.zip",
        "--trust-embeddings=embedding:ThreeAxes",
        "--trust-samples=200",
    )
    run(test=GATE, options=options).assert_outcomes(passed=1)
    result = run("--trust-model=models:biased", "--trust-samples=100", test=GATE, options=options)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*mine.zip was built from another model or with other settings*(model, explainer)*"])


def test_a_changed_model_gets_a_new_index(run, project) -> None:
    run("--trust-index=mine.zip", test=GATE).assert_outcomes(passed=1)
    first = (project.path / "mine.zip").read_bytes()
    run("--trust-index=mine.zip", "--trust-model=models:biased", test=GATE).assert_outcomes(failed=1)
    assert (project.path / "mine.zip").read_bytes() != first


@pytest.mark.filterwarnings("default")
def test_a_half_written_index_is_refused_and_rebuilt(run, project) -> None:
    run("--trust-index=mine.zip", test=GATE).assert_outcomes(passed=1)
    whole = (project.path / "mine.zip").read_bytes()
    (project.path / "mine.zip").write_bytes(whole[: len(whole) // 2])
    result = run("--trust-index=mine.zip", "-Wdefault", test=GATE)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines([f"*{TrustWarning.__name__}: refused as a keyword index, kept as mine.zip.refused*"])
    assert (project.path / "mine.zip").read_bytes() == whole


def test_an_unreadable_model_file_is_an_error_at_setup(run, project) -> None:
    (project.path / "m.joblib").write_bytes(b"not a model")
    result = run("--trust-model=m.joblib", test=GATE)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*m.joblib*"])


def test_the_traceback_of_a_failing_model_is_kept(run, project) -> None:
    (project.path / "broken.py").write_text(
        "def model(texts):\n    raise RuntimeError('out of memory')\nmodel.classes_ = ['a', 'b']\n"
    )
    result = run("--trust-model=broken:model", test=GATE)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*broken.py:2: RuntimeError*", "*ModelError: *failed on texts: RuntimeError: out of memory*"]
    )


def test_labels_that_are_no_classes_are_refused(run, project) -> None:
    (project.path / "odd.csv").write_text("text,label\ngreat film,wonderful\n")
    result = run("--trust-data=odd.csv", test=GATE)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*wonderful*negative, positive*"])


def test_a_progress_bar_is_drawn_on_a_terminal_alone(run) -> None:
    quiet = run("--trust-index=a.zip", test=GATE)
    assert "trust: keyword index [" not in quiet.stdout.str()
    drawn = run("--trust-index=b.zip", "--color=yes", test=GATE)
    assert "trust: keyword index [##############################] 72/72" in drawn.stdout.str()


def test_workers_build_the_index_once(run, project) -> None:
    (project.path / "counted.py").write_text(
        "import os\nfrom models import honest\n"
        "class Counted:\n"
        "    classes_ = honest.classes_\n"
        "    def __call__(self, texts):\n"
        "        if len(texts) > 500:\n"
        "            with open('calls', 'a') as log:\n"
        "                log.write(f'{len(texts)}\\n')\n"
        "        return honest(texts)\n"
        "model = Counted()\n"
    )
    suite = """
    import pytest
    @pytest.mark.parametrize("number", range(4))
    def test_it(trust_index, number): ...
    """
    # Nothing is kept: answers from the store would be no calls.
    options = ("--trust-model=counted:model", "--trust-cache=off")
    run(*options, test=suite).assert_outcomes(passed=4)
    alone = (project.path / "calls").read_text().count("\n")
    (project.path / "calls").unlink()
    run(*options, "--trust-index=other.zip", "-n", "2", test=suite).assert_outcomes(passed=4)
    assert (project.path / "calls").read_text().count("\n") == alone


def test_folders_with_models_of_their_own_are_judged_by_their_own_index(run, project) -> None:
    for name in ("honest", "biased"):
        folder = project.mkdir(f"of_{name}")
        (folder / "conftest.py").write_text(
            "import pytest\nimport models\n"
            f"@pytest.fixture(scope='session')\ndef trust_model():\n    return models.{name}\n"
        )
        (folder / f"test_{name}.py").write_text(
            "from pytest_trust import trustworthy\n@trustworthy\ndef test_it(): ...\n"
        )
    from tests.plugin.conftest import OPTIONS

    options = tuple(option for option in OPTIONS if not option.startswith("--trust-model="))
    for folders in (("of_honest", "of_biased"), ("of_biased", "of_honest")):
        result = run(*folders, options=options)
        result.assert_outcomes(passed=1, failed=1)
        result.stdout.fnmatch_lines(["FAILED of_biased/*"])


def test_a_model_fixture_may_return_an_import_path(run, project) -> None:
    project.makeconftest(
        "import pytest\n@pytest.fixture(scope='session')\ndef trust_model():\n    return 'models:biased'\n"
    )
    run(test=GATE).assert_outcomes(failed=1)


def test_a_data_fixture_that_gives_nothing_is_named(run, project) -> None:
    project.makeconftest("import pytest\n@pytest.fixture(scope='session')\ndef trust_data():\n    pass\n")
    result = run(test=GATE)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["the fixture trust_data gave None; expected data: *"])
