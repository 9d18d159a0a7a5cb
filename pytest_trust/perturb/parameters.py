"""What the factories of perturbations share: the check of a rate, and the name of what they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pytest_trust.arguments import require_between
from pytest_trust.errors import ConfigurationError
from pytest_trust.messages import shown


def require_rate(rate: Any, name: str = "rate") -> float:
    """``rate`` as a float.

    Raises:
        ConfigurationError: it is no number in [0, 1].
    """
    return require_between(name, rate, 0.0, 1.0, low_included=True, high_included=True)


def require_texts(texts: Any, role: str = "texts") -> None:
    """Accept a sequence that is not empty and no str itself; its items are checked where they are used.

    Raises:
        ConfigurationError: ``texts`` is something else.
    """
    if isinstance(texts, str) or not isinstance(texts, Sequence) or not texts:
        raise ConfigurationError(f"{role} must be a sequence of at least one str, found {shown(texts)}")


def called(factory: Callable[..., object], *values: object) -> str:
    """The name of what ``factory`` makes of ``values``, its first parameters in order: ``typos(kinds=swap)``.

    In brackets stand those that are not the default, by name once one before is left out, and where they take no place.
    """
    import inspect

    given: list[str] = []
    for place, (value, parameter) in enumerate(
        zip(values, inspect.signature(factory).parameters.values(), strict=False)
    ):
        if value != parameter.default:
            has_place = place == len(given) and parameter.kind is not parameter.KEYWORD_ONLY
            given.append(_shown(value) if has_place else f"{parameter.name}={_shown(value)}")
    return f"{factory.__name__}({', '.join(given)})" if given else factory.__name__


def excerpt(text: str, longest: int = 24) -> str:
    """``text`` in one line; of a longer one the beginning and a digest, by which it differs from others."""
    line = " ".join(text.split())
    return line if line == text and len(line) <= longest else f"{line[: longest - 3].rstrip()}... {_digest(text)}"


def _digest(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:4]


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]" if len(value) > 1 else _shown(value[0])
    return f"{value:g}" if isinstance(value, float) else str(value)
