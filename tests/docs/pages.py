"""Reads the fenced blocks of Markdown pages, and follows a page as its reader would: files, changes, commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_FILE_NAME = re.compile(r"# ([\w./-]+\.\w+)$")
# What takes a network, or belongs to the reader's machine; the extras named in it are checked elsewhere.
_NOT_RUN = ("pip ", "python -m pip ", "git ")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; ``file`` is the name in the comment of its first line, "" for none."""

    language: str
    text: str
    line: int

    @property
    def file(self) -> str:
        named = _FILE_NAME.match(self.text.partition("\n")[0])
        return named[1] if named else ""


def blocks(page: Path, *languages: str) -> list[Block]:
    """The fenced blocks of ``page`` in these languages, in order; all by default."""
    text = page.read_text(encoding="utf-8")
    found = [
        Block(
            match[2], re.sub(rf"^{match[1]}", "", match[3], flags=re.MULTILINE), text.count("\n", 0, match.start()) + 1
        )
        for match in _FENCE.finditer(text)
    ]
    return [block for block in found if not languages or block.language in languages]


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output shown for it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


class PageRun:
    """A folder in which the blocks of a page are followed one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def follow(self, page: Path) -> None:
        """Writes the files of the page, makes its changes, runs its commands and compares what they print."""
        for block in blocks(page):
            if block.language == "console":
                for command, shown in commands(block):
                    self._run(command, shown, f"{page.name}:{block.line}")
            elif block.language == "diff":
                self._change(block)
            elif block.file:
                path = self.folder / block.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")

    def _change(self, block: Block) -> None:
        """Applies a diff of one file, whose removed lines stand together and once in it."""
        _, named, *lines = block.text.splitlines()
        path = self.folder / named.removeprefix("+++ ")
        old, new = ("".join(line[1:] + "\n" for line in lines if line[0] in signs) for signs in (" -", " +"))
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path.name} does not hold once:\n{old}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def _run(self, command: str, shown: str, where: str) -> None:
        if command.startswith(_NOT_RUN):
            return
        if command.startswith("cd "):
            self.folder = (self.folder / command.removeprefix("cd ")).resolve(strict=True)
            return
        done = subprocess.run(
            command, shell=True, cwd=self.folder, env=_environment(), text=True, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
        )  # fmt: skip
        assert done.returncode == (1 if re.search(r"\d+ failed", shown) else 0), f"{where}: $ {command}\n{done.stdout}"
        assert is_shown(shown, done.stdout), f"{where}: $ {command}\nshown:\n{shown}\nfound:\n{done.stdout}"


def is_shown(shown: str, output: str) -> bool:
    """Whether ``shown`` is ``output``, where "..." stands for anything; times and widths of rules do not count."""
    pattern = re.escape(_stable(shown)).replace(re.escape("..."), ".*?")
    return not shown.strip() or re.fullmatch(pattern, _stable(output), re.DOTALL) is not None


def _stable(text: str) -> str:
    text = re.sub(r"([=_-])\1{2,}", r"\1\1\1", text)
    text = re.sub(r"\d+\.\d+s\b", "0.00s", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _environment() -> dict[str, str]:
    """That of a reader: this Python's programs first on the path, nothing of the pytest around, no further plugins."""
    outer = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV_", "PYTHONPATH"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return outer | {"PATH": path, "COLUMNS": "80", "PYTEST_ADDOPTS": "-p no:hypothesispytest -p no:xdist"}
