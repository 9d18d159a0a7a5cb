"""How a classifier behind an HTTP endpoint is asked, and its address as messages may show it."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from pytest_trust.arguments import require_between, require_count
from pytest_trust.errors import ConfigurationError, ModelError

TOKEN_VARIABLE = "PYTEST_TRUST_ENDPOINT_TOKEN"
SCHEMES = ("http", "https")

HIDDEN = "***"
_SHORTEST_HIDDEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """How an endpoint is asked.

    ``batch_size`` texts go into one request, ``threads`` requests are under way at once, at most ``rate`` are begun
    per second (None: no limit). An attempt that has no complete answer after ``timeout`` seconds has failed; a request
    is tried anew up to ``retries`` times, after about ``backoff`` seconds, twice that, four times that (or what the
    server asks for), until ``total_timeout`` seconds have passed since it was first sent.

    The body of a request is ``{text_field: [text, ...], **other_fields}``. ``headers`` are sent along, and shown
    nowhere.

    Raises:
        ConfigurationError: a number is out of its range, or ``text_field`` is among ``other_fields``.
    """

    batch_size: int = 32
    threads: int = 4
    rate: float | None = None
    timeout: float = 30.0
    total_timeout: float = 120.0
    retries: int = 5
    backoff: float = 0.5
    text_field: str = "texts"
    other_fields: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        require_count("batch_size", self.batch_size)
        require_count("threads", self.threads)
        require_count("retries", self.retries, least=0)
        for name in ("timeout", "total_timeout"):
            require_between(name, getattr(self, name), 0.0, math.inf)
        require_between("backoff", self.backoff, 0.0, math.inf, low_included=True)
        if self.rate is not None:
            require_between("rate", self.rate, 0.0, math.inf)
        if self.text_field in self.other_fields:
            raise ConfigurationError(f"other_fields has {self.text_field!r}, which is the field of the texts")


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an endpoint: ``url`` is what is asked, without user and password; ``shown`` is for people.

    ``authorization`` is what user and password make of that header ("" where there are none), ``secrets`` is what must
    not be shown.
    """

    shown: str
    url: str = field(repr=False)
    authorization: str = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, spec: str) -> Address:
        """The parts of ``spec``.

        Raises:
            ModelError: it is no HTTP address.
        """
        parts = _split(spec)
        if parts is None or parts.scheme not in SCHEMES or not parts.hostname:
            raise ModelError(f"model {redacted(spec)} is no address of an endpoint; expected https://HOST[:PORT]/PATH")
        credentials, _, host = parts.netloc.rpartition("@")
        basic = base64.b64encode(unquote(credentials).encode()).decode()
        user, _, password = credentials.partition(":")
        values = [password or user, *(pair.rpartition("=")[2] for pair in parts.query.split("&"))]
        return cls(
            shown=redacted(spec),
            url=parts._replace(netloc=host, fragment="").geturl(),
            authorization=f"Basic {basic}" if basic else "",
            secrets=(basic, *values, *map(unquote, values)),
        )


def is_address(spec: str) -> bool:
    """True for what begins like an HTTP address."""
    scheme, colon, _ = spec.partition("://")
    return bool(colon) and scheme.lower() in SCHEMES


def redacted(spec: str) -> str:
    """``spec``, an address, without user, password, query and fragment, any of which may hold a key."""
    parts = _split(spec)
    if parts is None:
        return f"{spec.partition(':')[0]}://{HIDDEN}"
    user, _, host = parts.netloc.rpartition("@")
    shown = parts._replace(netloc=f"{HIDDEN}@{host}" if user else host, query="", fragment="").geturl()
    return f"{shown}?{HIDDEN}" if parts.query else shown


def hidden(text: str, secrets: Iterable[str]) -> str:
    """``text`` without ``secrets``; those of less than four characters would tear holes into any text, and stay."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        if len(secret) >= _SHORTEST_HIDDEN:
            text = text.replace(secret, HIDDEN)
    return text


def _split(spec: str) -> SplitResult | None:
    """The parts of an address; None where it cannot be read."""
    try:
        parts = urlsplit(spec)
        # A port that is no number is most likely the first half of a password.
        _ = parts.port
    except ValueError:
        return None
    return parts
