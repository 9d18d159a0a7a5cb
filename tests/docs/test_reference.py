"""The reference names every option, marker, fixture, command and public name."""

from __future__ import annotations

import importlib
import re

import pytest

from docs import public, tables
from pytest_trust import cli, plugin
from pytest_trust._plugin.options import OPTIONS
from tests.docs.pages import ROOT

REFERENCE = ROOT / "docs" / "reference"
DIRECTIVE = re.compile(r"^\.\. (?:auto|py:)(\w+):: (\S+)\n((?:   .*\n|\n)*)", re.MULTILINE)


def test_every_option_has_a_row() -> None:
    table = tables.options_table()
    for option in OPTIONS:
        text = option.help.replace("|", r"\|")
        assert f"| `{option.flag}={option.metavar}` | `{option.key}` | {text} |" in table
    assert "| `--no-trust` | `no_trust` |" in table
    assert "| `--trust-preview=NAME` |  |" in table


def test_every_marker_has_a_row() -> None:
    table = tables.markers_table()
    for name in ("trustworthy", "invariant", "directional", "functional", "adversarial"):
        assert f"| `@{name}(" in table
    assert "margin=0.1" in table


def test_every_fixture_has_a_row(pytester: pytest.Pytester) -> None:
    shown = pytester.runpytest_inprocess("--fixtures", "-p", "no:cacheprovider").stdout.str()
    named = re.findall(r"^(trust_\w+)(?: \[session scope\])? --", shown, re.MULTILINE)
    assert {name for name in vars(plugin) if name.startswith("trust_")} == set(named)
    for name in named:
        scope = "session" if f"{name} [session scope]" in shown else "test"
        assert f"| `{name}` | {scope} |" in tables.fixtures_table()


def test_every_command_has_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    rendered = tables.commands_help()
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    commands = re.findall(r"^    (\w+) ", capsys.readouterr().out, re.MULTILINE)
    assert commands
    for command in commands:
        assert f"## pytest-trust {command}\n" in rendered


def test_rendered_parts_stand_in_their_pages() -> None:
    for name in ("options", "markers", "fixtures", "commands"):
        assert f"```{{trust-{name}}}\n```" in (REFERENCE / f"{name}.md").read_text(encoding="utf-8")


def test_every_public_name_is_documented() -> None:
    assert set(public.public_names()) - documented() == set()


def documented() -> set[str]:
    """The names that the directives of the reference stand for."""
    names = set()
    for page in REFERENCE.glob("*.md"):
        for kind, name, options in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            names |= members(name, options) if kind == "module" else {full_name(name, options)}
    return names


def full_name(name: str, options: str) -> str:
    module = re.search(r":module: (\S+)", options)
    return f"{module[1]}.{name}" if module else name


def members(module: str, options: str) -> set[str]:
    """Classes and functions; autodoc knows other values by a comment in the module itself alone."""
    if ":members:" not in options:
        return set()
    found = importlib.import_module(module)
    excluded = re.search(r":exclude-members: (.*)", options)
    names = set(getattr(found, "__all__", vars(found))) - set(excluded[1].split(", ") if excluded else [])
    return {f"{module}.{name}" for name in names if callable(getattr(found, name))}
