"""Class names as people give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_trust.errors import ConfigurationError
from pytest_trust.messages import listed

_ESCAPED = re.compile(r"\\([,|=])")
_NAME_BREAK = re.compile(r"\s*[/,;]\s*|\s+&\s+|(?<=\w)\.(?=\w)(?<!\d\.(?=\d))")


@dataclass(frozen=True, slots=True)
class ClassName:
    """The names of one class, the display name first; ``key`` is the model's own class in a mapping, else None."""

    names: tuple[str, ...]
    key: str | None = None


@dataclass(frozen=True, slots=True)
class ClassNames:
    """Class names as given: by position (no entry has a key) or by mapping (every entry has one)."""

    entries: tuple[ClassName, ...]

    @property
    def is_mapping(self) -> bool:
        """True where names are given for the model's own classes, whatever their order."""
        return self.entries[0].key is not None

    @property
    def display(self) -> tuple[str, ...]:
        """The display names in the order given."""
        return tuple(entry.names[0] for entry in self.entries)


def parse_class_names(values: str | Sequence[str]) -> ClassNames:
    r"""Class names from the option ``--trust-classes``, or from a list with one class an item.

    By position, ``negative,positive``, or by mapping, ``0=negative,1=positive``. Names of one class are separated by
    ``|``, the display name first: ``1=positive|good|great``. A backslash before ``,``, ``|`` or ``=`` takes its
    meaning away.

    Raises:
        ConfigurationError: a blank name, a name or key given twice, or a mix of the two forms.
    """
    items = [values] if isinstance(values, str) else list(values)
    parsed = tuple(_parse_entry(part) for item in items for part in _split(item, ","))
    _check_form(parsed, items)
    _refuse_repeated([name for entry in parsed for name in entry.names], "class name")
    _refuse_repeated([entry.key for entry in parsed if entry.key is not None], "class")
    return ClassNames(parsed)


def split_class_name(name: str) -> tuple[str, ...]:
    """The lower-cased words and phrases of a class name, to be looked up in an embedding.

    "Sci/Tech" and "alt.atheism" are two words, "credit_card" and "SciFi" one phrase of two words, "non-toxic" one word.
    """
    spaced = "".join(_camel_parts(name)).replace("_", " ").lower()
    phrases = (" ".join(part.split()) for part in _NAME_BREAK.split(spaced))
    return tuple(dict.fromkeys(phrase for phrase in phrases if phrase))


def _split(text: str, separator: str, limit: int = 0) -> list[str]:
    return re.split(rf"(?<!\\){re.escape(separator)}", text, maxsplit=limit)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text.strip())


def _parse_entry(part: str) -> ClassName:
    *key, names = _split(part, "=", limit=1)
    entry = ClassName(tuple(_unescaped(name) for name in _split(names, "|")), _unescaped(key[0]) if key else None)
    if not all(entry.names):
        raise ConfigurationError(f"a class name is blank in {part!r}; expected NAME, NAME|NAME or CLASS=NAME")
    return entry


def _check_form(entries: tuple[ClassName, ...], given: list[str]) -> None:
    keyed = sum(entry.key is not None for entry in entries)
    if not entries:
        raise ConfigurationError("no class names given; expected such as negative,positive or 0=negative,1=positive")
    if 0 < keyed < len(entries):
        raise ConfigurationError(
            f"class names {','.join(given)!r} mix two forms; expected all by position (negative,positive) "
            "or all by mapping (0=negative,1=positive)"
        )


def _refuse_repeated(names: list[str], what: str) -> None:
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise ConfigurationError(f"{what} given more than once: {listed(repeated)}; every {what} belongs to one class")


def _camel_parts(name: str) -> Iterable[str]:
    for before, letter in zip(" " + name, name, strict=False):
        yield f" {letter}" if before.islower() and letter.isupper() else letter
