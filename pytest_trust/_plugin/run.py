"""Running the checks that a test's marks ask for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_trust._plugin.baseline import index_settings, judging_settings, undecided_yet
from pytest_trust._plugin.budget import not_begun, session_deadline
from pytest_trust._plugin.junit import set_properties
from pytest_trust._plugin.marks import DEFAULT_ATTACK, MarkedCheck, marked_checks
from pytest_trust._plugin.options import CONFIG, TrustConfig
from pytest_trust._plugin.parts import (
    active_config,
    adapt_model,
    attack_of_test,
    oracle_of_test,
    plain_errors,
    read_data,
    session_explainer,
)
from pytest_trust.errors import BudgetSpentError, ConfigurationError
from pytest_trust.results import CheckResult

if TYPE_CHECKING:
    from pytest_trust.data import TextDataset
    from pytest_trust.models import TextClassifier

CHECKS = pytest.StashKey[list[MarkedCheck]]()
EVIDENCE = "trust evidence, worst first"
"""The section of a report in which the texts stand that keep a check from passing."""

RECORDS = pytest.StashKey[list[dict[str, Any]]]()

# What a check is made with that may take long to make.
_PARTS = {"trustworthy": "oracle", "adversarial": "attack"}


@dataclass(frozen=True)
class Ran:
    """A check that ran, and what it ran on."""

    result: CheckResult
    subject: Mapping[str, Any]

    def record(self, nodeid: str, *, texts: bool) -> dict[str, Any]:
        """Plain values, which cross from a worker to the controller: a wrong one is found here, not on the way.

        With ``texts`` they hold what was found on each text.
        """
        from pytest_trust.reports import packed_outcomes

        values = {"nodeid": nodeid, **self.result.to_dict(), "subject": dict(self.subject)}
        values["outcomes"] = packed_outcomes(self.result.kind, self.result.texts)
        if texts:
            values["texts"] = [item.to_dict() for item in self.result.texts]
        content = json.dumps(values, allow_nan=False, ensure_ascii=False)
        # Lone surrogates cannot cross either.
        record: dict[str, Any] = json.loads(content.encode(errors="replace"))
        return record


def run_checks(request: pytest.FixtureRequest) -> list[CheckResult]:
    """Runs every check of the test, keeps the records in its stash, and returns the results in order.

    Raises:
        ConfigurationError: the test has no mark of ours.
        TrustError: a part is missing or malformed.
    """
    checks = request.node.stash.get(CHECKS, [])
    if not checks:
        raise ConfigurationError(
            f"{request.node.nodeid} asks for trust_result, but has no mark of a check, such as @trustworthy"
        )
    records = request.node.stash[RECORDS] = []
    ran = []
    for check in checks:
        ran.append(_run(request, check))
        records.append(ran[-1].record(request.node.nodeid, texts=request.config.stash[CONFIG].keeps_texts))
        set_properties(request.node, records)
    return [item.result for item in ran]


def _run(request: pytest.FixtureRequest, check: MarkedCheck) -> Ran:
    settings = request.config.stash[CONFIG]
    settled = {key: value for key, value in check.arguments.items() if value is not None} | {"seed": settings.seed}
    model = adapt_model(request.config, request.getfixturevalue("trust_model"))
    data = (_cases if check.kind == "functional" else _own_data)(request, settled)
    subject = {
        "model": model.described,
        "data": {"name": data.name, "n": len(data), "fingerprint": data.fingerprint},
        "settings": {},
    }
    settled["budget"] = session_deadline(request.config)
    what = settled.get(_PARTS.get(check.kind, ""))
    try:
        if check.kind == "adversarial":
            _take_attack(request, settled, subject)
        if check.kind != "trustworthy":
            return Ran(_plain_check(check.kind)(model.classifier, data, **settled), subject)
        return _run_trustworthy(request, model.classifier, data, settled, subject)
    except BudgetSpentError as error:
        name = what if isinstance(what, str) else _default_part(check.kind, settings)
        return Ran(not_begun(check.kind, settled, len(data), name, error), subject)


def _default_part(kind: str, settings: TrustConfig) -> str:
    return DEFAULT_ATTACK if kind == "adversarial" else settings.oracle


def _take_attack(request: pytest.FixtureRequest, settled: dict[str, Any], subject: dict[str, Any]) -> None:
    """Puts the attack itself in the place of its name and budgets."""
    budgets = {name: settled.pop(name, None) for name in ("max_queries", "max_seconds")}
    given = settled.get("attack", DEFAULT_ATTACK)
    settled["attack"] = attack_of_test(request, given, budgets)
    if isinstance(given, str) and settled["attack"].name == "toki":  # in whatever case of letters
        subject["settings"] = index_settings(request, request.getfixturevalue("trust_index"))


def _own_data(request: pytest.FixtureRequest, settled: dict[str, Any]) -> TextDataset:
    """The data of a check, taken out of its arguments; the session's by default."""
    return _data(request, settled.pop("data", None))


def _cases(request: pytest.FixtureRequest, settled: dict[str, Any]) -> TextDataset:
    """The cases of a functional check; its arguments keep the data that ``within`` compares them with."""
    given = {name: settled.pop(name) for name in ("cases", "file") if name in settled}
    if len(given) > 1:
        raise ConfigurationError("@functional: both cases= and file= are given; expected one of them")
    if not given:
        if "within" in settled:
            raise ConfigurationError("@functional: within= compares cases with the data; give cases= or file=")
        return _own_data(request, settled)
    if "within" in settled:
        settled["data"] = _own_data(request, settled)
    elif settled.pop("data", None) is not None:
        raise ConfigurationError("@functional: data= beside cases= is for within= alone, which is not given")
    return _path(request, given["file"]) if "file" in given else _data(request, given["cases"], role="cases")


def _plain_check(kind: str) -> Any:
    """A check that needs no explanation."""
    from pytest_trust import checks

    return getattr(checks, f"check_{kind}")


def _run_trustworthy(
    request: pytest.FixtureRequest, model: TextClassifier, data: TextDataset, settled: Any, subject: dict[str, Any]
) -> Ran:
    from pytest_trust.checks import check_trustworthy
    from pytest_trust.keywords import KeywordIndex

    given = settled.pop("oracle", None)
    oracle = oracle_of_test(request, given)
    subject["settings"] = judging_settings(request, oracle, given)
    settings = request.config.stash[CONFIG]
    settled = {"faithfulness": settings.faithfulness, "verdicts": settings.verdicts, **settled}
    result = check_trustworthy(model, data, oracle, explainer=session_explainer(request.config), **settled)
    if isinstance(getattr(oracle, "index", None), KeywordIndex):
        subject["index"] = oracle.index.to_dict()
    return Ran(result, subject)


def _data(request: pytest.FixtureRequest, source: object, role: str = "data") -> TextDataset:
    """The data of a mark: a fixture's name, a path, or values; ``role`` is the argument that they are."""
    settings = request.config.stash[CONFIG]
    if source is None:
        return read_data(settings, request.getfixturevalue("trust_data"), origin="the fixture trust_data")
    if isinstance(source, str) and source.isidentifier():
        return read_data(settings, _fixture(request, source, role), origin=f"the fixture {source}", own=True)
    return _path(request, source) if isinstance(source, str | Path) else read_data(settings, source, own=True)


def _path(request: pytest.FixtureRequest, source: Any) -> TextDataset:
    """The data in a file beside the test file, or below the root folder."""
    if not isinstance(source, str | Path):
        raise ConfigurationError(f"file={source!r}: expected a path")
    beside = request.path.parent / source
    return read_data(request.config.stash[CONFIG], beside if beside.exists() else source, own=True)


def _fixture(request: pytest.FixtureRequest, name: str, role: str) -> object:
    try:
        return request.getfixturevalue(name)
    except pytest.FixtureLookupError as error:
        if error.argname != name:
            raise
        raise ConfigurationError(
            f"{role}={name!r}: there is no fixture of this name; a path needs its ending, such as {name}.csv"
        ) from None


def prepare(item: pytest.Item) -> None:
    """Reads the marks of ``item`` and has it ask for the fixture that runs their checks."""
    with plain_errors():
        checks = _checks(item)
    if not checks:
        return
    active_config(item.config)
    session_deadline(item.config)
    item.stash[CHECKS] = checks
    names = getattr(item, "fixturenames", None)
    if names is None:
        pytest.fail(f"a {type(item).__name__} cannot carry @{checks[0].kind}: only test functions can", pytrace=False)
    if "trust_results" not in names:
        # A list of its own: that of the function is shared by all its parameters.
        item.fixturenames = [*names, "trust_results"]  # type: ignore[attr-defined]


def _checks(item: pytest.Item) -> list[MarkedCheck]:
    if _skipped_by_unittest(item):
        return []
    return marked_checks(item, in_use=item.config.stash[CONFIG].model is not None or _model_overridden(item))


def _skipped_by_unittest(item: pytest.Item) -> bool:
    return any(getattr(getattr(item, name, None), "__unittest_skip__", False) for name in ("obj", "cls"))


def _model_overridden(item: pytest.Item) -> bool:
    """Whether a conftest.py or the test's module has a fixture trust_model of its own."""
    definitions = item.session._fixturemanager.getfixturedefs("trust_model", item)
    return definitions is not None and len(definitions) > 1


def gate(item: pytest.Item) -> None:
    """Fails the test where any of its checks did not pass, or did not run."""
    __tracebackhide__ = True
    records = item.stash.get(RECORDS, [])
    with plain_errors():
        expected = len(_checks(item))
    if expected and not item.config.stash[CONFIG].disabled and len(records) != expected:
        pytest.fail(
            f"{len(records)} of {expected} checks ran: the fixture trust_results was replaced, or a mark came after "
            "the set-up",
            pytrace=False,
        )
    later, problems = undecided_yet(item, records)
    bad = [record for record, waits in zip(records, later, strict=True) if record["outcome"] != "pass" and not waits]
    if bad or problems:
        pytest.fail("\n".join([*problems, *map(_failure, bad)]), pytrace=False)


def annotate(item: pytest.Item, report: pytest.TestReport) -> None:
    """Puts records and evidence on the report of the test's call, and says of an error that it is a trust test's."""
    if report.when == "setup" and report.failed and item.stash.get(CHECKS, None):
        report.trust_test = True  # type: ignore[attr-defined]
    records = item.stash.get(RECORDS, None)
    if not records or not (report.when == "call" or (report.when == "setup" and report.failed)):
        return
    from pytest_trust.reports import evidence_lines

    report.trust_records = records  # type: ignore[attr-defined]
    lines = [line for record in records if record["outcome"] != "pass" for line in evidence_lines(record)]
    if lines:
        report.sections.append((EVIDENCE, "\n".join(lines)))


def _failure(record: Mapping[str, Any]) -> str:
    advice = f"\n  {record['advice']}" if record["advice"] else ""
    return f"{record['outcome'].upper()} {record['kind']}: {record['name']}\n  {record['reason']}{advice}"
