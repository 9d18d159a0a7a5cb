"""Making texts of any origin safe to stand in a page."""

from __future__ import annotations

import re
from typing import Any

# What a page cannot hold: control characters but tab and line ends, lone surrogates, non-characters.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

# Ends of scripts and comments begin with <; the two line separators end a line in old scripts.
_FOR_SCRIPT = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029\x7f"}
_SURROGATE = re.compile("[\ud800-\udfff]")


def printable(value: Any) -> Any:
    """``value`` as a template prints it: in a text, what a page cannot hold becomes U+FFFD."""
    return _UNPRINTABLE.sub("\ufffd", value) if type(value) is str else value


def for_script(document: str) -> str:
    """The JSON ``document`` in a form that can stand in a script element."""
    return _SURROGATE.sub("\ufffd", document.translate(_FOR_SCRIPT))
