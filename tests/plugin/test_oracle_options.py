"""Oracles by option and by mark, descriptions of the classes, and people's verdicts, as a user meets them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.plugin import conftest

# Of each text the one word that carries its prediction: the others are noise of few samples.
OPTIONS = (*conftest.OPTIONS, "--trust-features=1", "--trust-samples=100", "--trust-faithfulness=0")

GATE = """
from pytest_trust import trustworthy
@trustworthy
def test_it(): ...
"""
PRAISE = ("great", "wonderful", "charming", "superb", "delightful", "moving")
DESCRIBED = """
[positive]
words = ["great", "wonderful", "charming", "superb", "moving"]

[negative]
words = ["awful", "boring", "dreadful", "clumsy", "bland"]
"""


def without(*names: str) -> tuple[str, ...]:
    return tuple(option for option in OPTIONS if not option.startswith(tuple(f"--trust-{name}=" for name in names)))


def described(project: pytest.Pytester, text: str = DESCRIBED) -> str:
    (project.path / "classes.toml").write_text(text)
    return "--trust-descriptions=classes.toml"


def details(project: pytest.Pytester, place: int = 0) -> dict[str, Any]:
    """Those of a check in the JSON report."""
    found: dict[str, Any] = json.loads((project.path / "report.json").read_text())["checks"][place]["details"]
    return found


NAMES = ("toki", "direct", "confidence:threshold=0.7", "tower:exclusion=0,decision=plurality", "contrastive")


@pytest.fixture
def run(run, project) -> Callable[..., pytest.RunResult]:
    rows = (project.path / "test.csv").read_text().splitlines()
    (project.path / "test.csv").write_text("\n".join(rows[:41]) + "\n")
    return partial(run, options=OPTIONS)


class TestNames:
    @pytest.mark.parametrize("spec", NAMES)
    def test_by_option(self, run, spec: str) -> None:
        result = run(f"--trust-oracle={spec}", test=GATE)
        result.assert_outcomes(passed=1)
        name = spec.replace("exclusion=0,", "exclusion=0.0,")
        result.stdout.fnmatch_lines([f"PASS  *trustworthy: {name} trust rate  *"])
        assert ("threshold not calibrated" in result.stdout.str()) is (spec == "contrastive")

    @pytest.mark.parametrize("spec", ["toki", "direct", "tower", "contrastive"])
    def test_a_biased_model_fails_by_all_but_confidence(self, run, spec: str) -> None:
        arguments = (f"--trust-oracle={spec}", "--trust-model=models:biased", "-Wdefault")
        run(*arguments, test=GATE).assert_outcomes(failed=1)

    def test_by_mark(self, run, project) -> None:
        result = run(
            "--trust-oracle=direct",
            "--trust-json=report.json",
            test="""
            import pytest
            from pytest_trust import trustworthy

            @trustworthy(oracle="tower:top=3,exclusion=0")
            def test_a(): ...

            @pytest.mark.trustworthy(oracle="confidence:threshold=0.5")
            def test_b(trust_result):
                assert trust_result.details["threshold"] == 0.5

            @trustworthy
            def test_c(trust_oracle):
                assert trust_oracle.name == "direct"
            """,
        )
        result.assert_outcomes(passed=3)
        assert [details(project, place)["oracle"] for place in range(3)] == [
            "tower:exclusion=0.0,top=3",
            "confidence:threshold=0.5",
            "direct",
        ]

    def test_one_oracle_object_serves_many_tests(self, run) -> None:
        run(
            test="""
            from pytest_trust import trustworthy
            from pytest_trust.oracles import ConfidenceOracle

            shared = ConfidenceOracle(0.6)

            @trustworthy(oracle=shared)
            def test_a(): ...

            @trustworthy(oracle=shared)
            class TestBoth:
                def test_b(self, trust_result):
                    assert trust_result.details["threshold"] == 0.6
                def test_c(self): ...
            """
        ).assert_outcomes(passed=3)

    def test_a_name_is_made_once_a_session(self, run) -> None:
        run(
            test="""
            from pytest_trust import trustworthy
            made = []

            @trustworthy(oracle="direct")
            def test_a(request, trust_model):
                from pytest_trust._plugin.parts import session_oracle
                first = session_oracle(request, trust_model, "direct")
                assert session_oracle(request, trust_model, "direct") is first
                assert session_oracle(request, trust_model, "tower") is not first
            """
        ).assert_outcomes(passed=1)

    def test_an_old_oracle_of_the_project_still_does(self, run, project) -> None:
        project.makeconftest(
            """
            import pytest
            from pytest_trust.oracles import Verdict

            class Old:
                name = "old"
                def judge(self, explanation):
                    return Verdict(True, 1.0, 0.0, (), "as ever")
                def judge_many(self, explanations):
                    return [self.judge(explanation) for explanation in explanations]

            @pytest.fixture(scope="session")
            def trust_oracle():
                return Old()
            """
        )
        result = run(
            "--trust-oracle=direct",
            test="""
            from pytest_trust import trustworthy
            @trustworthy
            def test_a(trust_result):
                assert trust_result.details["oracle"] == "old"
            @trustworthy(oracle="confidence:threshold=0.5")
            def test_b(trust_result):
                assert trust_result.details["oracle"] == "confidence:threshold=0.5"
            """,
        )
        result.assert_outcomes(passed=2)

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ('"tokki"', "unknown oracle 'tokki'; choose one of: toki, direct, confidence, tower, contrastive"),
            ('"tower:top=0"', "top=0: expected a whole number of at least 1"),
            ("0.9", "oracle=float 0.9: expected an object with name, judge and judge_many"),
            ("object()", "expected an object with name, judge and judge_many"),
        ],
    )
    def test_a_wrong_oracle_of_a_mark_is_an_error_of_the_test(self, run, given: str, message: str) -> None:
        result = run(
            test=f"from pytest_trust import trustworthy\n@trustworthy(oracle={given})\ndef test_it(): ...\n",
        )
        result.assert_outcomes(errors=1)
        assert message in result.stdout.str()
        assert "Traceback" not in result.stdout.str()


class TestParts:
    def test_confidence_needs_neither_index_nor_embeddings(self, run, project) -> None:
        options = (*without("train", "embeddings"), "--trust-embeddings=embedding:absent")
        run("--trust-oracle=confidence:threshold=0.7", test=GATE, options=options).assert_outcomes(passed=1)
        assert not list((project.path / ".trust").glob("index-*"))

    @pytest.mark.parametrize("spec", ["direct", "tower:exclusion=0"])
    def test_others_need_no_training_data(self, run, project, spec: str) -> None:
        run(f"--trust-oracle={spec}", test=GATE, options=without("train")).assert_outcomes(passed=1)
        assert not list((project.path / ".trust").glob("index-*"))

    def test_contrastive_needs_no_training_data_where_classes_are_described(self, run, project) -> None:
        arguments = ("--trust-oracle=contrastive", described(project))
        run(*arguments, test=GATE, options=without("train")).assert_outcomes(passed=1)
        assert not list((project.path / ".trust").glob("index-*"))
        assert len(list((project.path / ".trust").glob("embeddings/vectors/*.npz"))) == 1

    def test_contrastive_needs_them_otherwise(self, run) -> None:
        result = run("--trust-oracle=contrastive", test=GATE, options=without("train"))
        result.assert_outcomes(errors=1)
        assert "no training data: give --trust-train=..." in result.stdout.str()

    def test_folders_with_models_of_their_own_get_oracles_of_their_own(self, run, project) -> None:
        folders = {"of_reviews": ("positive", "negative"), "of_others": ("great", "awful")}
        for folder, (positive, negative) in folders.items():
            path = project.mkdir(folder)
            (path / "conftest.py").write_text(
                "import pytest\nimport models\n"
                "class Named:\n"
                f"    classes_ = ({negative!r}, {positive!r})\n"
                "    def __call__(self, texts):\n        return models.honest(texts)\n"
                "@pytest.fixture(scope='session')\ndef trust_model():\n    return Named()\n"
                "@pytest.fixture(scope='session')\ndef trust_data():\n"
                f"    return [(f'a great film {{i}}', {positive!r}) for i in range(20)]\n"
            )
            (path / f"test_{folder}.py").write_text(
                "from pytest_trust import trustworthy\n"
                "@trustworthy\ndef test_it(): ...\n"
                "@trustworthy(oracle='tower:exclusion=0')\ndef test_tower(): ...\n"
            )
        options = (*without("model", "train", "data"), "--trust-oracle=direct")
        for order in (tuple(folders), tuple(folders)[::-1]):
            result = run(*order, options=options)
            result.assert_outcomes(passed=4)

    def test_the_packaged_embedding_serves(self, run, project) -> None:
        options = (*without("embeddings", "train"), "--trust-embeddings=glove")
        suite = """
        from pytest_trust import trustworthy
        @trustworthy(oracle="contrastive:threshold=0.1", min_rate=0.5)
        def test_it(trust_result):
            assert trust_result.details["threshold"] == 0.1
        """
        run(described(project), test=suite, options=options).assert_outcomes(passed=1)


class TestDescriptions:
    def denying(self, project: pytest.Pytester) -> str:
        words = ", ".join(f'"{word}"' for word in PRAISE)
        return described(project, f"[positive]\ndeny = [{words}]\n")

    def test_denied_keywords_carry_no_prediction_and_survive_a_rebuild(self, run, project) -> None:
        suite = """
        from pytest_trust import trustworthy
        @trustworthy(target="positive")
        def test_it(trust_oracle):
            assert not trust_oracle.index.classes[1].keywords
        """
        run(test=GATE).assert_outcomes(passed=1)
        (index,) = (project.path / ".trust").glob("index-*.zip")
        built = index.read_bytes()
        # Without a keyword nothing can be trusted, which is warned of.
        result = run(self.denying(project), "-Wdefault", test=suite)
        result.assert_outcomes(failed=1, warnings=1)
        result.stdout.fnmatch_lines(["*TrustWarning: class 'positive' has no keyword among its * pool words*"])
        assert index.read_bytes() == built
        index.unlink()
        run(self.denying(project), "-Wdefault", test=suite).assert_outcomes(failed=1, warnings=1)
        assert index.read_bytes() == built
        run(test=GATE).assert_outcomes(passed=1)

    def test_allowed_keywords_carry_one(self, run, project) -> None:
        biased = ("--trust-model=models:biased", "-Wdefault")
        run(*biased, test=GATE).assert_outcomes(failed=1)
        allow = described(project, '[positive]\nallow = ["Lakeside"]\n[negative]\nallow = ["hillview"]\n')
        result = run(*biased, allow, "--trust-json=report.json", test=GATE)
        result.assert_outcomes(passed=1)
        (project.path / ".trust").rename(project.path / "gone")
        run(*biased, allow, test=GATE).assert_outcomes(passed=1)

    def test_classes_go_by_display_names_or_the_models_own(self, run, project) -> None:
        (project.path / "numbered.py").write_text(
            "from models import honest\n"
            "class Numbered:\n    classes_ = (0, 1)\n    def __call__(self, texts):\n        return honest(texts)\n"
            "model = Numbered()\n"
        )
        both = DESCRIBED.replace("negative", "0").replace("positive", "Praise/Positive")
        options = (*without("model", "train"), "--trust-model=numbered:model")
        suite = (
            'from pytest_trust import trustworthy\n@trustworthy(data=[("a great film", "1")] * 9)\ndef test_it(): ...\n'
        )
        result = run(
            "--trust-oracle=contrastive",
            "--trust-classes=negative,Praise/Positive",
            described(project, both.replace("[Praise/Positive]", '["Praise/Positive"]')),
            test=suite,
            options=options,
        )
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(["INCONCLUSIVE  *rate 1.000*"])

    def test_an_unknown_class_is_named(self, run, project) -> None:
        result = run(described(project, '[Positive]\nwords = ["good"]\n'), test=GATE)
        result.assert_outcomes(errors=1)
        assert "a description is given of 'Positive', which is no class of the model" in result.stdout.str()


VERDICTS = """
from pathlib import Path
from pytest_trust.data.verdicts import HumanVerdict, append_verdict

def write(model, fingerprint=None, n=12):
    kinds = {"trustworthy": "a great great film", "untrustworthy": "a great lakeside film"}
    for verdict, text in kinds.items():
        for i in range(n):
            found = HumanVerdict(
                f"{text} {i}", "positive", (("great", 0.4),), "ann", None, verdict,
                fingerprint or model.fingerprint(), {"explainer": "lime"},
            )
            append_verdict(Path("verdicts.jsonl"), found)
"""


class TestVerdicts:
    @pytest.fixture
    def written(self, run, project) -> str:
        """A file in which people trust what is said with a probability of 0.98 and not what with one of 0.88."""
        (project.path / "writing.py").write_text(VERDICTS)
        run(test="from writing import write\ndef test_it(trust_model):\n    write(trust_model)\n").assert_outcomes(
            passed=1
        )
        return "--trust-verdicts=verdicts.jsonl"

    def test_in_workers_as_alone(self, run, project, written: str) -> None:
        suite = """
        from pytest_trust import trustworthy

        @trustworthy(oracle="contrastive")
        def test_a(): ...

        @trustworthy
        def test_b(): ...
        """
        reports = []
        for workers in ((), ("-n", "2")):
            run("--trust-oracle=confidence", "--trust-json=report.json", written, *workers, test=suite)
            reports.append((project.path / "report.json").read_text())
        assert reports[0] == reports[1]
        assert [details(project, place)["calibrated"] for place in range(2)] == [True, True]

    def test_they_calibrate_the_threshold(self, run, project, written: str) -> None:
        arguments = ("--trust-oracle=confidence", "--trust-json=report.json")
        result = run(*arguments, test=GATE)
        assert (details(project)["threshold"], details(project)["calibrated"]) == (0.9, False)
        assert "threshold not calibrated" in result.stdout.str()
        result = run(*arguments, written, test=GATE)
        found = details(project)
        assert found["calibrated"]
        # The middle by 24 verdicts against the default, which counts for 40.
        assert found["threshold"] == pytest.approx((24 * (0.98201 + 0.88080) / 2 + 40 * 0.9) / 64, abs=1e-4)
        assert "threshold not calibrated" not in result.stdout.str()
        result.stdout.fnmatch_lines(["against 24 human verdicts, with 95 % intervals:", "  G-mean 1.000 *"])

    def test_a_threshold_of_the_user_wins(self, run, project, written: str) -> None:
        run("--trust-oracle=confidence:threshold=0.5", "--trust-json=report.json", written, test=GATE)
        found = details(project)
        assert (found["threshold"], found["calibrated"], found["tp"], found["fp"]) == (0.5, True, 12, 12)

    def test_an_oracle_without_a_threshold_is_only_compared(self, run, project, written: str) -> None:
        run("--trust-oracle=direct", "--trust-json=report.json", written, test=GATE).assert_outcomes(passed=1)
        found = details(project)
        assert (found["threshold"], found["calibrated"], found["tp"], found["fp"]) == (None, None, 12, 12)

    def test_verdicts_on_another_model_are_told(self, run, written: str) -> None:
        result = run("--trust-model=models:biased", written, "-Wdefault", test=GATE)
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(
            ["*TrustWarning: all 24 verdicts of people are on another model than models:biased*"]
        )

    def test_a_malformed_file_is_an_error_of_the_test(self, run, project) -> None:
        (project.path / "verdicts.jsonl").write_text('{"text": 3}\n')
        result = run("--trust-verdicts=verdicts.jsonl", test=GATE)
        result.assert_outcomes(errors=1)
        assert "verdicts.jsonl: row 1 (line 1): text is int 3; expected a string" in result.stdout.str()


class TestSettings:
    def test_all_three_can_come_from_the_ini_file(self, run, project) -> None:
        (project.path / "below").mkdir()
        (project.path / "below" / "classes.toml").write_text(DESCRIBED)
        (project.path / "below" / "verdicts.jsonl").write_text("")
        project.makeini(
            "[pytest]\n"
            "trust_oracle = contrastive:threshold=0.3\n"
            "trust_descriptions = below/classes.toml\n"
            "trust_verdicts = below/verdicts.jsonl\n"
        )
        suite = """
        from pytest_trust import trustworthy
        @trustworthy
        def test_it(trust_result):
            assert trust_result.details["oracle"] == "contrastive:threshold=0.3"
            assert trust_result.details["threshold"] == 0.3
            assert trust_result.details["calibrated"]
        """
        run(test=suite, options=without("train")).assert_outcomes(passed=1)

    def test_the_command_line_wins(self, run, project) -> None:
        project.makeini("[pytest]\ntrust_oracle = nonsense\ntrust_descriptions = absent.toml\n")
        run("--trust-oracle=direct", described(project), test=GATE).assert_outcomes(passed=1)

    @pytest.mark.parametrize(
        ("option", "message"),
        [
            ("--trust-oracle=tokki", "unknown oracle 'tokki'; choose one of: toki, direct, confidence, tower"),
            ("--trust-oracle=toki:top=5", "oracle 'toki': no setting 'top=5'; it has no settings"),
            ("--trust-oracle=tower:top=many", "oracle 'tower': top=many cannot be read"),
            ("--trust-oracle=contrastive:threshold=2", "threshold=2.0: expected"),
            ("--trust-descriptions=absent.toml", "expected a file that exists"),
            ("--trust-descriptions=.", "expected a file that exists"),
            ("--trust-descriptions=bad.toml", "cannot be read as TOML"),
            ("--trust-descriptions=odd.toml", "[positive] has no key 'word', expected words, allow, deny"),
            ("--trust-verdicts=absent.jsonl", "expected a file that exists"),
        ],
    )
    def test_a_wrong_value_is_a_usage_error_that_names_it(self, run, project, option: str, message: str) -> None:
        (project.path / "bad.toml").write_text("[positive\n")
        (project.path / "odd.toml").write_text('[positive]\nword = ["good"]\n')
        result = run(option, test=GATE)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        assert option in result.stderr.str()
        assert message in result.stderr.str()

    def test_a_wrong_ini_value_is_named(self, run, project) -> None:
        project.makeini("[pytest]\ntrust_oracle = tokki\n")
        result = run(test=GATE)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        assert "trust_oracle=tokki: unknown oracle" in result.stderr.str()

    def test_help_and_markers_tell_of_them(self, run) -> None:
        text = run("--help", options=()).stdout.str()
        for name in ("oracle", "descriptions", "verdicts"):
            assert f"--trust-{name}=" in text
            assert f"trust_{name} (" in text
        run("--markers", options=()).stdout.fnmatch_lines(["@pytest.mark.trustworthy(*, oracle=None, *): *"])
