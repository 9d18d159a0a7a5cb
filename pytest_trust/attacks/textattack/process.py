"""The process that runs TextAttack, as this one sees it."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from pytest_trust.attacks.textattack.downloads import downloads_allowed
from pytest_trust.attacks.textattack.protocol import Message, ProtocolError, receive, send
from pytest_trust.errors import ConfigurationError, TrustError

_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")
# So much of what the process printed is shown when it has died.
_PRINTED = 600


class TextAttackError(TrustError, RuntimeError):
    """The process that runs TextAttack failed, died, or did not answer in time."""


class Process:
    """The other process and the pipes to it; ``recipes`` are those that it has made."""

    def __init__(self, command: Sequence[str]) -> None:
        self.recipes: set[str] = set()
        # What libraries print must not show in the terminal, but tells why the process died.
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 - closed by end()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._printed, env=_environment()
        )
        # Also at the end of this process, and where a runner is forgotten.
        self._end = weakref.finalize(self, _end, self._process, cast(BinaryIO, self._printed))

    def end(self) -> None:
        """Kill the process and wait for its death."""
        self._end()

    def ask(self, request: Message, seconds: float) -> Message:
        """The next message of the process, which has ``seconds`` for it.

        Raises:
            ConfigurationError: what is asked for cannot be had.
            TextAttackError: it has died, takes longer, or says what cannot be read.
        """
        late = threading.Event()
        watch = threading.Timer(seconds, _kill, (late, self._process))
        watch.daemon = True
        watch.start()
        try:
            answer = self._passed(request)
        except (OSError, ProtocolError) as error:
            raise self._failure(late.is_set(), seconds, f" ({error})") from error
        finally:
            watch.cancel()
        if answer is None:
            raise self._failure(late.is_set(), seconds, "")
        if "refused" in answer:
            raise ConfigurationError(answer["refused"])
        return answer

    def _passed(self, request: Message) -> Message | None:
        to_it, from_it = self._process.stdin, self._process.stdout
        assert to_it is not None
        assert from_it is not None
        send(cast(BinaryIO, to_it), request)
        return receive(cast(BinaryIO, from_it))

    def _failure(self, late: bool, seconds: float, reason: str) -> TextAttackError:
        self._process.kill()
        status = self._process.wait()
        if late:
            return TextAttackError(f"the process that runs TextAttack said nothing for {seconds:.3g} s and was ended")
        return TextAttackError(
            f"the process that runs TextAttack ended with status {status}{reason}; "
            f"it printed last: {self._last_words()}"
        )

    def _last_words(self) -> str:
        self._printed.seek(0)
        text = self._printed.read().decode("utf-8", "replace").strip()
        return text[-_PRINTED:] or "nothing"


def _environment() -> dict[str, str]:
    """That of this process, with downloads forbidden unless the user allows them, and one order of sets."""
    given = dict(os.environ)
    if not downloads_allowed():
        given |= dict.fromkeys(_OFFLINE, "1")
    # Warnings of TextAttack's are no errors, whatever this process makes of its own.
    given.pop("PYTHONWARNINGS", None)
    given["PYTHONHASHSEED"] = "0"
    root = str(Path(__file__).parents[3])
    given["PYTHONPATH"] = os.pathsep.join(filter(None, (root, given.get("PYTHONPATH"))))
    return given


def _kill(late: threading.Event, process: subprocess.Popen[bytes]) -> None:
    late.set()
    process.kill()


def _end(process: subprocess.Popen[bytes], printed: BinaryIO) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, printed):
        _close(stream)


def _close(stream: object) -> None:
    close = cast(Callable[[], None], getattr(stream, "close", lambda: None))
    try:
        close()
    except BrokenPipeError:
        # What was not sent to a dead process is of no use.
        return
