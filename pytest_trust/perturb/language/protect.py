"""Parts of a text that perturbations leave alone: addresses, handles, hashtags, code and markup."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

import regex

from pytest_trust.text import Span

# \w of the regex module holds letters, marks, digits and connectors. Every branch runs in linear time:
# it starts at a fixed character or, by its look-behind, only where a run of its characters starts.
_PROTECTED = regex.compile(
    r"""
      ```.*?```
    | `[^`\n]+`
    | </?[a-z][^<>]*>                                         # markup
    | &\#?\w{1,10};                                           # a character reference
    | (?<!\w)[a-z][a-z0-9+.\-]{1,20}://[^\s<>"]+
    | (?<!\w)www\.[^\s<>"]+
    | (?<![\w.+\-])[\w.+\-]++@[\w\-]+(?:\.[\w\-]+)*
    | (?<![\w.\-])(?:[\w\-]++\.){1,9}                            # of at most ten parts, for linear time
      (?:(?:com|org|net|edu|gov|mil|info|biz|io|ai|dev|co\.\w\w|ac\.\w\w)(?!\w)(?:/[^\s<>"]*)?
      | [a-z]{2,24}+/[^\s<>"]*)                                # t.me/name
    | (?<!\w)[@\#]\w+
    """,
    regex.VERBOSE | regex.IGNORECASE | regex.DOTALL,
)


# What every protected span holds; most texts hold none of it.
_SIGN = re.compile(r"[`<&@#]|://|\.\w")


def protected_spans(text: str) -> list[Span]:
    """Where URLs, e-mail addresses, host names, @handles, #hashtags, `code` and markup stand, in order."""
    if not _SIGN.search(text):
        return []
    return [Span(*match.span()) for match in _PROTECTED.finditer(text)]


def free_spans(text: str) -> Iterator[Span]:
    """The rest of ``text``: what lies between its protected spans, in order."""
    return gaps(protected_spans(text), len(text))


def gaps(spans: Iterable[Span], length: int) -> Iterator[Span]:
    """What ``spans``, which may overlap, leave of ``length`` characters, in order."""
    at = 0
    for span in sorted(spans, key=lambda span: span.start):
        if span.start > at:
            yield Span(at, span.start)
        at = max(at, span.end)
    if at < length:
        yield Span(at, length)


def overlaps(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether ``[start, end)`` shares a character with one of ``spans``, which are in order and apart."""
    index = bisect_right(spans, start, key=lambda span: span.end)
    return index < len(spans) and spans[index].start < end
