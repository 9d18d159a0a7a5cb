"""One reader under fuzzing, and what comes of its inputs."""

from __future__ import annotations

import resource
import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from benchmarks.fuzzing.mutations import Change, encoded_otherwise, mutated_bytes
from pytest_trust.errors import TrustError, TrustWarning

# Of the processor's time, so that a busy machine is no finding.
LONGEST = 2.0
MOST_MEMORY = 2**30
_MOST_SEEDS = 400
_KEPT_FINDINGS = 20


class TooLong(BaseException):
    """An input took longer than :data:`LONGEST`; no reader catches this."""


@dataclass(frozen=True, slots=True)
class Target:
    """A reader, called with each input.

    ``read`` raises an error of ``refuses`` where it refuses its input, AssertionError where what it accepts is not
    what was promised. A refusal speaks of ``named`` where that is given. ``share`` is how many inputs it gets beside
    other targets. ``changes`` are those of the format, beside changes of bytes.
    """

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], None]
    refuses: tuple[type[Exception], ...] = (TrustError,)
    named: str = ""
    words: tuple[bytes, ...] = ()
    changes: tuple[Change, ...] = ()
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that a reader did not deal with; ``content`` in hex."""

    number: int
    problem: str
    content: str


@dataclass(slots=True)
class Outcome:
    """What came of ``inputs``: accepted, refused (in so many different ``places``), or found wanting."""

    name: str
    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    places: int = 0
    slowest: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def fuzz(target: Target, n: int, seed: int, last: Path | None = None) -> Outcome:
    """``n`` inputs for ``target``, the same for the same ``seed``; the file ``last`` holds the one being read.

    The valid seeds come first and have to be accepted. An input that ends where none did before is changed further.
    """
    rng = Random(f"{seed} {target.name}")
    outcome, places, pool = Outcome(target.name), Counter[object](), list(target.seeds)
    for number in range(n):
        content = target.seeds[number] if number < len(target.seeds) else _input(rng, target, pool)
        if last is not None:
            last.write_bytes(content)
        place = _tried(target, outcome, number, content)
        if place is not None and number < len(target.seeds):
            outcome.findings.append(Finding(number, f"a valid input is refused: {place}", content.hex()))
        places[place] += 1
        if places[place] == 1 and len(pool) < _MOST_SEEDS and len(content) < 2**16:
            pool.append(content)
        if len(outcome.findings) >= _KEPT_FINDINGS:
            break
    outcome.places = len(places)
    return outcome


def _input(rng: Random, target: Target, pool: Sequence[bytes]) -> bytes:
    # The valid ones half of the time: what is broken twice seldom gets far.
    content = rng.choice(target.seeds if rng.random() < 0.5 else pool)
    if target.changes and rng.random() < 0.6:
        content = rng.choice(target.changes)(rng, content)
        return content if rng.random() < 0.8 else mutated_bytes(rng, content, target.words)
    return encoded_otherwise(rng, content) if rng.random() < 0.03 else mutated_bytes(rng, content, target.words)


def _tried(target: Target, outcome: Outcome, number: int, content: bytes) -> object:
    """Where the reading of ``content`` ended: None where it was accepted."""
    started, before = time.process_time(), _memory()
    place, problem = _read(target, content)
    outcome.inputs += 1
    taken = time.process_time() - started
    outcome.slowest = max(outcome.slowest, taken)
    if _memory() - before > MOST_MEMORY:
        problem = f"took {(_memory() - before) / 2**20:.0f} MiB for {len(content)} bytes"
    if problem:
        # One input for each kind of problem.
        if problem.splitlines()[-1:] not in [item.problem.splitlines()[-1:] for item in outcome.findings]:
            outcome.findings.append(Finding(number, problem, content.hex()))
    elif place is None:
        outcome.accepted += 1
    else:
        outcome.refused += 1
    return place


def _read(target: Target, content: bytes) -> tuple[object, str]:
    """Where the reading ended, and what is wrong about that, if anything."""
    place: object = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with _limited():
                target.read(content)
        except target.refuses as error:
            place = _place(error)
            if target.named and target.named not in str(error):
                return place, f"does not name {target.named!r}: {error}"
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a panic in Rust is no Exception, either
            return _place(error), "".join(traceback.format_exception(error)[-4:])[-1000:]
    strange = [item for item in caught if not issubclass(item.category, TrustWarning)]
    return place, f"warns: {strange[0].category.__name__}: {strange[0].message}" if strange else ""


def _place(error: BaseException) -> object:
    return type(error).__name__, *((frame.name, frame.lineno) for frame in traceback.extract_tb(error.__traceback__))


def _memory() -> int:
    """The most memory that the process has held so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@contextmanager
def _limited() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"more than {LONGEST} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def writer(path: Path, read: Callable[[Path], None]) -> Callable[[bytes], None]:
    """Writes an input to the file at ``path`` for ``read``."""

    def written(content: bytes) -> None:
        path.write_bytes(content)
        read(path)

    return written
