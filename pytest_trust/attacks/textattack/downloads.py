"""Whether TextAttack may download, and how it is kept from it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from pytest_trust.attacks.textattack.parts import textattack_cache

ALLOW_DOWNLOADS = "PYTEST_TRUST_ALLOW_DOWNLOADS"

# Errors, by name, that say that something would have been downloaded.
_OFFLINE = frozenset({"DownloadRefusedError", "OfflineModeIsEnabled", "LocalEntryNotFoundError"})


class DownloadRefusedError(OSError):
    """Something wanted the network."""


def downloads_allowed() -> bool:
    """Whether the user allows them."""
    return os.environ.get(ALLOW_DOWNLOADS) == "1"


def refuse_network() -> None:
    """From here on no connection leaves this process."""

    def refuse(*_address: object, **_options: object) -> NoReturn:
        raise DownloadRefusedError(f"{DownloadRefusedError.__name__}: connections are not allowed")

    for name in ("connect", "connect_ex"):
        setattr(socket.socket, name, refuse)
    for name in ("create_connection", "getaddrinfo", "gethostbyname"):
        setattr(socket, name, refuse)


def wanted_network(error: BaseException | None) -> bool:
    """Whether ``error``, or what led to it, is a download that was refused."""
    while error is not None and not downloads_allowed():
        if type(error).__name__ in _OFFLINE or DownloadRefusedError.__name__ in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


@contextmanager
def no_post_install() -> Iterator[None]:
    """TextAttack's first import downloads data for NLTK: keeps it from trying, and from noting that it has."""
    import nltk

    note = textattack_cache() / "post_install_check_3"
    was_there = note.exists()
    # For good: some recipes download when they are made, what is there or not.
    nltk.download = lambda *names, **options: False
    try:
        yield
    finally:
        if not was_there:
            note.unlink(missing_ok=True)
