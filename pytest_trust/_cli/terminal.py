"""Lines to and from a person at a terminal."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TextIO

from pytest_trust.text import Span

_ON, _OFF = "\x1b[1;7m", "\x1b[0m"
_BAR_WIDTH = 20


class Terminal:
    """Writes to ``sink`` and reads answers from ``source``, a line each.

    Words are highlighted where ``sink`` is a terminal that shows colours and NO_COLOR is not set. What the terminal's
    encoding lacks is written as an escape, and so are control characters of a text: they cannot steer the terminal.
    """

    def __init__(self, source: TextIO, sink: TextIO) -> None:
        self._source = source
        self._sink = sink
        self._colours = sink.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self._encoding = sink.encoding or "utf-8"
        self._block = "█" if self._can_show("█") else "#"

    def say(self, text: str = "") -> None:
        """Writes a line."""
        self._write(printable(text) + "\n")

    def show(self, text: str, spans: Sequence[Span] = ()) -> None:
        """Writes ``text`` with its ``spans`` highlighted."""
        parts, end = [], 0
        for span in sorted(spans, key=lambda span: span.start) if self._colours else ():
            word = printable(text[span.start : span.end])
            parts += [printable(text[end : span.start]), _ON, word, _OFF]
            end = span.end
        self._write("".join([*parts, printable(text[end:])]) + "\n")

    def weigh(self, words: Iterable[tuple[str, float, str]], largest: float) -> None:
        """Writes a line for each word with its score, as a bar beside that of the ``largest`` score, and a remark."""
        lines = [(printable(word), score, remark) for word, score, remark in words]
        width = max((len(word) for word, _, _ in lines), default=0)
        for word, score, remark in lines:
            self.say(f"  {word:<{width}}  {self._bar(abs(score) / largest)}  {score:.3f}  {remark}".rstrip())

    def _bar(self, share: float) -> str:
        """A bar for ``share``, between 0 and 1, padded to its full width."""
        return (self._block * max(1, round(share * _BAR_WIDTH))).ljust(_BAR_WIDTH)

    def ask(self, question: str, answers: Sequence[str]) -> str:
        """One of ``answers``, asked for until it is given; letter case and white space around it do not matter.

        Raises:
            EOFError: the input ended.
        """
        self.say(question)
        while True:
            self._write("> ")
            line = self._source.readline()
            if not line:
                raise EOFError
            if line.strip().lower() in answers:
                return line.strip().lower()
            self.say(f"Please type one of: {' '.join(answers)}")

    def _write(self, text: str) -> None:
        self._sink.write(text.encode(self._encoding, "backslashreplace").decode(self._encoding))
        self._sink.flush()

    def _can_show(self, text: str) -> bool:
        try:
            text.encode(self._encoding)
        except UnicodeEncodeError:
            return False
        return True


def printable(text: str) -> str:
    """``text`` with control characters other than line ends and tabs as escapes."""
    lines = text.replace("\r\n", "\n")
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) != "Cc" else ascii(char)[1:-1] for char in lines
    )
