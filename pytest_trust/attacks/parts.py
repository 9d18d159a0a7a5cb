"""Parts of attacks, which may be a user's own: that they are what they should be, and what they offer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_trust.attacks.base import Substitution
from pytest_trust.errors import ConfigurationError
from pytest_trust.messages import shown


def require_part(name: str, part: object, kind: type) -> None:
    """Accept a ``part`` that has all that ``kind``, a protocol, asks for.

    Raises:
        ConfigurationError: it has not.
    """
    if isinstance(part, type) or not isinstance(part, kind):
        abilities = sorted(ability for ability in vars(kind) if not ability.startswith("_"))
        raise ConfigurationError(f"{name}={shown(part)}: expected an object with {', '.join(abilities)}")


def offered(substitution: Substitution, word: str, label: int) -> Sequence[str]:
    """What ``substitution`` offers for ``word``, each once.

    Raises:
        ConfigurationError: it is no sequence of words.
    """
    found = substitution.candidates(word, label)
    if isinstance(found, str) or not isinstance(found, Iterable) or not all(isinstance(new, str) for new in found):
        raise ConfigurationError(
            f"the substitution {substitution.name!r} offers {shown(found)} for {word!r}; expected a sequence of words"
        )
    return list(dict.fromkeys(found))
