"""The parts of the reference that are read off the plugin itself, as Markdown: options, markers, fixtures, commands."""

from __future__ import annotations

import argparse
import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

from pytest_trust import cli, plugin
from pytest_trust._plugin import marks

# Help is wrapped to the terminal; here always to the same one.
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class RegisteredOption:
    """An option as the plugin registers it: ``flag`` with its metavar, the ``key`` of its ini twin ("" for none)."""

    flag: str
    key: str
    help: str


@dataclass
class _Recorder:
    """Stands in for pytest's parser and config, and keeps what a plugin registers there."""

    options: list[tuple[str, str, str]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)

    def getgroup(self, *_: object, **__: object) -> Self:
        return self

    def addoption(self, *flags: str, dest: str = "", metavar: str = "", help: str = "", **_: object) -> None:
        value = f"={metavar}" if metavar else ""
        self.options.append((flags[-1] + value, dest, help))

    def addini(self, name: str, *_: object, **__: object) -> None:
        self.keys.add(name)

    def addinivalue_line(self, _name: str, line: str) -> None:
        self.lines.append(line)


def registered_options() -> list[RegisteredOption]:
    """Every option that the plugin registers, in its order."""
    recorder = _Recorder()
    plugin.pytest_addoption(recorder)  # type: ignore[arg-type]
    twins = recorder.keys
    return [RegisteredOption(flag, dest if dest in twins else "", text) for flag, dest, text in recorder.options]


def options_table() -> str:
    """A row for each option: flag, ini key and help."""
    rows = [(_code(option.flag), _code(option.key), option.help) for option in registered_options()]
    return _table(("option", "ini key", "meaning"), rows)


def markers_table() -> str:
    """A row for each marker: its signature with defaults, and what it asks for."""
    recorder = _Recorder()
    marks.register(recorder)  # type: ignore[arg-type]
    rows = [line.partition("): ") for line in recorder.lines]
    return _table(("marker", "asks that"), [(_code(f"@{head})"), text) for head, _, text in rows])


def fixtures_table() -> str:
    """A row for each fixture: name, scope and the first paragraph of its docstring."""
    return _table(("fixture", "scope", "what it is"), list(_fixtures()))


def commands_help() -> str:
    """The help of ``pytest-trust`` and of each of its commands, as fenced blocks under headings."""
    return "\n\n".join(f"## {name}\n\n```text\n{text}```" for name, text in _helps(cli._parser()))


def _fixtures() -> Iterator[tuple[str, str, str]]:
    """Read off the source, since pytest wraps fixtures in objects of its own."""
    for node in ast.parse(inspect.getsource(plugin)).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("trust_"):
            summary = (ast.get_docstring(node) or "").partition("\n\n")[0]
            yield _code(node.name), _scope(node), " ".join(summary.split()).replace("``", "`")


def _scope(node: ast.FunctionDef) -> str:
    keywords = [word for call in node.decorator_list if isinstance(call, ast.Call) for word in call.keywords]
    scopes = [ast.literal_eval(word.value) for word in keywords if word.arg == "scope"]
    return scopes[0] if scopes and scopes[0] != "function" else "test"


def _helps(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    parser.formatter_class = _wrapped(parser.formatter_class)
    yield parser.prog, parser.format_help()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in dict.fromkeys(action.choices.values()):
                yield from _helps(command)


def _wrapped(formatter: Any) -> Any:
    return lambda prog: formatter(prog, width=_WIDTH)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)
