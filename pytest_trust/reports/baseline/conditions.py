"""What two runs of a check have to share for their texts to be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_trust.checks.attacked import attack_figures
from pytest_trust.reports.baseline.file import StoredRun
from pytest_trust.reports.figures import Record
from pytest_trust.reports.text import shorten

# What gives the outcome on a text its meaning. Bounds, margins, samples and levels do not: they decide over many texts.
_MEANING = {
    "trustworthy": ("oracle", "explainer", "target"),
    "invariant": ("perturbation", "target"),
    "directional": ("perturbation", "target", "expect"),
    "functional": (),
}
# What of an attack's details is neither a figure nor a setting of it.
_NO_MEANING = ("compare", "budget", "unfinished")
_DIGEST = 64
_SHOWN_DIGEST = 8
_SHOWN_VALUE = 80


def check_differences(before: Record, now: Record, *, there: str = "there", here: str = "here") -> list[str]:
    """What keeps two runs of a check from being compared, in words; none where nothing does.

    The models may differ, and with them the words that an index holds. Its training data, embeddings, class names and
    explainer may not, nor may data, seed, oracle, perturbation or attack.
    """
    theirs, ours = _conditions(before), _conditions(now)
    names = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
    lines = [
        f"{shorten(name)} differ: {_shown(ours.get(name))} {here}, {_shown(theirs.get(name))} {there}" for name in names
    ]
    old, new = before["subject"]["data"], now["subject"]["data"]
    if old["fingerprint"] != new["fingerprint"]:
        lines.insert(0, f"data differ: {_data(new)} {here}, {_data(old)} {there}")
    return lines


def run_differences(before: StoredRun, *, version: str, seed: int, explainer: Mapping[str, Any]) -> list[str]:
    """What of a stored run keeps all its checks from being compared with a session of these settings."""
    found = version_differences(before.version, version)
    if before.seed != seed:
        found.append(f"seeds differ: {seed} here, {before.seed} there")
    settings = [check.record["subject"]["settings"] for check in before.checks.values()]
    theirs = next((item["explainer"] for item in settings if isinstance(item.get("explainer"), dict)), None)
    if theirs is not None:
        names = [name for name in {**explainer, **theirs} if explainer.get(name) != theirs.get(name)]
        found += [
            f"explainer {shorten(name)} differ: {_shown(explainer.get(name))} here, {_shown(theirs.get(name))} there"
            for name in names
        ]
    return found


def version_differences(before: str, now: str, *, there: str = "there", here: str = "here") -> list[str]:
    """Versions of the package between which verdicts may mean something else: before 1.0 minor ones count too."""
    if _generation(before) == _generation(now):
        return []
    return [f"versions of pytest-trust differ: {now} {here}, {before} {there}"]


def _generation(version: str) -> list[str]:
    major, *rest = version.split(".")
    return [major, *rest[:1]] if major == "0" else [major]


def _conditions(record: Record) -> dict[str, Any]:
    details, subject = record["details"], record["subject"]
    return {
        "seed": record["seed"],
        "classes": subject["model"]["classes"],
        **{name: details.get(name) for name in _meaning(record)},
        **dict(_flat(subject["settings"])),
    }


def _meaning(record: Record) -> list[str]:
    details = record["details"]
    if record["kind"] == "adversarial":
        return [name for name in details if name not in {*attack_figures(()), *_NO_MEANING}]
    names = [*_MEANING[record["kind"]]]
    # A threshold that people's verdicts set is fitted to the scores that the model's own words get.
    if record["kind"] == "trustworthy" and details.get("human") != "verdicts":
        names.append("threshold")
    return names


def _flat(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The settings, those that have parts by part."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from ((f"{name} {part}", inner) for part, inner in value.items())
        else:
            yield name, value


def _data(data: Mapping[str, Any]) -> str:
    return f"{data['n']:,} texts (fingerprint {_shown(data['fingerprint'])})"


def _shown(value: object) -> str:
    """A value for people; digests cut short."""
    if isinstance(value, str) and len(value) == _DIGEST:
        return f"{shorten(value[:_SHOWN_DIGEST])}…"
    return shorten(str(value), _SHOWN_VALUE)
