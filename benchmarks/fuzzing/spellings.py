"""Readers of option values, templates and calls of perturbations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.fuzzing.target import Target
from pytest_trust._plugin import values
from pytest_trust.data import parse_columns
from pytest_trust.embeddings.loading import ensemble_names
from pytest_trust.errors import ConfigurationError
from pytest_trust.models import parse_class_names
from pytest_trust.oracles import parse_oracle
from pytest_trust.perturb.calls import factories, perturbation_of
from pytest_trust.templates import expand

_CALLS = (
    "typos(rate=0.1)", "compose(typos(), uppercase())", 'replace({"great": "awful"})', "swap_locations",
    "perturb.numbers_to_words()", "typos(kinds=['swap', 'drop'], rate=1)", "homoglyphs(rate=0.5)",
    'insert(["a", "b"], position="start")', "sample([uppercase, lowercase], n=2)",
)  # fmt: skip
_CALL_WORDS = (
    b"rate=", b"n=", b"**{}", b"*[1]", b"lambda: 0", b"__import__('os')", b"1e999", b"-1", b"None", b"True", b"'a'",
    b"[]", b"{}", b"()", b"\\d", b"1or 2", b"f'{1}'", b"0777", b"b'a'", b"{'a': 1}", b"10**9", b"...", b"1j", b"a.b()",
)  # fmt: skip
_TEMPLATES = ("{a:adjective} film", "{name1} met {name2} in {city}", "plain {{braces}}", "It is {adjective}, {name}.")


def targets(folder: Path) -> Iterator[Target]:
    """One a kind of value; as on a command line, what is not UTF-8 becomes a lone surrogate."""
    yield _target("option: columns", ("text=body,label=target", "group=source", "trustworthy=judged"), _columns)
    yield _target("option: class names", ("negative,positive|good", r"0=a\,b,1=c\|d", "0=x|y,1=z"), _class_names)
    oracles = ("toki", "tower:top=5,decision=plurality", "contrastive:threshold=0.5", "confidence:threshold=0.9")
    yield _target("option: oracle", oracles, parse_oracle)
    yield _target("option: embeddings", ("glove,use@0.35", "minilm", "a.b:c@-0.5"), _embeddings(folder))
    yield _target("option: a number", ("0", "4294967295", " 17 "), _number, (pytest.UsageError,))
    yield _target("option: seconds", ("1.5", "3e2"), _seconds, (pytest.UsageError,))
    yield _target("option: a path", ("data.csv", "a/../b", "~/x"), _path(folder), (pytest.UsageError,))
    names = tuple(name.encode() for name in factories())
    yield _target("calls of perturbations", _valid_calls(), _call, words=(*_CALL_WORDS, *names), share=1.0)
    words = (
        b"{name}",
        b"{a:city}",
        b"{",
        b"}",
        b"{0}",
        b"{name!r}",
        b"{name:>9}",
        b"{__class__}",
        b"{name.x}",
        b"{a:a:b}",
    )
    yield _target("templates", _TEMPLATES, _template, words=words, share=1.0)


def _target(
    name: str,
    seeds: tuple[str, ...],
    read: Callable[[str], object],
    refuses: tuple[type[Exception], ...] = (ConfigurationError,),
    words: tuple[bytes, ...] = (),
    share: float = 0.5,
) -> Target:
    def read_bytes(content: bytes) -> None:
        # A command line holds no NUL, but an ini file may.
        read(content.decode("utf-8", "surrogateescape"))

    special = (b",", b"=", b"|", b"\\", b"@", b":", *words)
    return Target(name, tuple(seed.encode() for seed in seeds), read_bytes, refuses, words=special, share=share)


def _columns(text: str) -> None:
    columns = parse_columns(text)
    assert columns
    assert all(columns.values())


def _class_names(text: str) -> None:
    names = parse_class_names(text)
    assert names.entries
    assert all(name and name == name.strip() for entry in names.entries for name in entry.names)
    assert len({entry.key is None for entry in names.entries}) == 1


def _embeddings(folder: Path) -> Callable[[str], None]:
    def read(text: str) -> None:
        names = ensemble_names(text, folder)
        # What is passed on to workers means the same.
        assert ensemble_names(names, folder) == names

    return read


def _path(folder: Path) -> Callable[[str], None]:
    def read(text: str) -> None:
        assert values.Found(text, "--x", folder).path().is_absolute()

    return read


def _number(text: str) -> None:
    assert 0 <= values.number({"x": values.Found(text, "--x", Path())}, "x", 1, 0) < 2**32


def _seconds(text: str) -> None:
    found = values.seconds({"x": values.Found(text, "--x", Path())}, "x")
    assert found is not None
    assert 0 < found < float("inf")


def _valid_calls() -> tuple[str, ...]:
    """Those of the calls above that this version knows."""
    valid = []
    for text in _CALLS:
        try:
            perturbation_of(text)
        except ConfigurationError:
            continue
        valid.append(text)
    return tuple(valid)


def _call(text: str) -> None:
    assert perturbation_of(text).name


def _template(text: str) -> None:
    found = expand(text, n=3, name=["Ann", "Bo", "Cy"])
    assert found
    assert all(type(item) is str for item in found)
