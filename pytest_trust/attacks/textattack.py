"""Recipes of TextAttack against a model of this process, run in a process of their own.

TextAttack closes log handlers, sets variables of the environment, reseeds the global generators and takes seconds to
import. None of that happens here: the other process asks for probabilities through pipes, and the model stays.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

import numpy as np

from pytest_trust.arguments import require_between, require_count
from pytest_trust.attacks.base import AttackOutcome, AttackResult, SentenceEncoder, WordChange
from pytest_trust.attacks.textattack_parts import ALLOW_DOWNLOADS, package_folder
from pytest_trust.attacks.textattack_protocol import Message, ProtocolError, receive, send
from pytest_trust.attacks.textattack_recipes import Recipe, recipe_named
from pytest_trust.errors import ConfigurationError, DataError, TrustError
from pytest_trust.models import TextClassifier, as_classifier, label_indices
from pytest_trust.models.base import Probabilities
from pytest_trust.stats.sampling import seed_for
from pytest_trust.text import Span, word_spans

# -P: modules of the working folder, or beside the worker, must not stand in for installed ones.
WORKER = (sys.executable, "-P", "-m", "pytest_trust.attacks.textattack_worker")
# Seconds that the other process may be silent beyond a text's own, and while it imports and makes a recipe.
PATIENCE = 300.0
_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")
# So much of what the process printed is shown when it has died.
_PRINTED = 600
_LEAST_WORDS = 2
# Outcomes of texts for which the other process is not needed.
_NOT_ASKED = (AttackOutcome.SKIPPED_SHORT, AttackOutcome.SKIPPED_WRONG)
# Queries outside the search: the model's view of the text before it, and of the final text after it.
_OUTSIDE = 2


class TextAttackError(TrustError, RuntimeError):
    """The process that runs TextAttack failed, died, or did not answer in time."""


class _LostError(TextAttackError):
    """The process was lost on a text, of which there is a ``result``."""

    def __init__(self, message: str, result: AttackResult) -> None:
        super().__init__(message)
        self.result = result


def attack_with_recipe(
    model: object,
    texts: Sequence[str],
    labels: Sequence[str],
    recipe: str,
    *,
    max_queries: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    encoder: SentenceEncoder | None = None,
) -> list[AttackResult]:
    """Attack ``texts`` by TextAttack's ``recipe`` in a process that lives as long as the call.

    For the arguments and errors see :meth:`TextAttackRunner.attack`.
    """
    with TextAttackRunner() as runner:
        return runner.attack(
            model, texts, labels, recipe, max_queries=max_queries, seconds=seconds, seed=seed, encoder=encoder
        )


@dataclass(frozen=True, slots=True)
class _Limits:
    """What one search may spend; None for no bound."""

    max_queries: int | None
    seconds: float | None


class TextAttackRunner:
    """Runs recipes of TextAttack in one process, which starts with the first attack and ends with :meth:`close`.

    After an error the next attack starts another. ``patience`` is how long, in seconds, the process may be silent:
    while it imports TextAttack and makes a recipe, and, beyond the time given for a text, between two requests to the
    model. ``command`` starts it.
    """

    def __init__(self, *, patience: float = PATIENCE, command: Sequence[str] = WORKER) -> None:
        self._patience = require_between("patience", patience, 0.0, math.inf)
        self._command = tuple(command)
        self._process: _Process | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def attack(
        self,
        model: object,
        texts: Sequence[str],
        labels: Sequence[str],
        recipe: str,
        *,
        max_queries: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        encoder: SentenceEncoder | None = None,
    ) -> list[AttackResult]:
        """What becomes of each text under the ``recipe``, named by its class or as TextAttack's command line does.

        A success is scored again here, on the final text alone. Texts of fewer than two words, those that the model
        gets wrong, and those on which TextAttack fails, are skipped. The recipe bad-characters, which aims at one
        class, gets the likeliest wrong one.

        Args:
            model: a classifier, in any form that :func:`~pytest_trust.models.as_classifier` takes.
            texts: the texts to attack.
            labels: the class of each.
            recipe: its name, in any case of letters.
            max_queries: the most texts that the model is asked about for each text, at least 3; None for no bound.
            seconds: the longest search for each text, looked at before each batch; None for no bound.
            seed: with one seed a text is attacked in the same way, whatever the company.
            encoder: tells the similarity of results, which is None without.

        Raises:
            ConfigurationError: there is no such recipe, it cannot attack a classifier from another process, it needs
                what is not on this machine, or a bound is out of its range.
            DataError: a label is no class of the model, or there are not as many as texts.
            MissingExtraError: TextAttack is not installed.
            ModelError: the model's answer is none.
            TextAttackError: TextAttack could not make the recipe, or its process died or did not answer in time on two
                texts in a row, or without having answered any.
        """
        known, limits = recipe_named(recipe), _limits(max_queries, seconds)
        classifier = as_classifier(model)
        if len(texts) != len(labels):
            raise DataError(f"{len(labels)} labels for {len(texts)} texts; expected one for each")
        columns = label_indices(labels, classifier)
        battle = _Battle(classifier, known, limits, self._patience, seed, encoder)
        try:
            return self._all(battle, texts, columns)
        except BaseException:
            # Half an exchange may be left in the pipes.
            self.close()
            raise

    def _all(self, battle: _Battle, texts: Sequence[str], columns: Sequence[int]) -> list[AttackResult]:
        """The results; a process that is lost on a text, but answers others, is that text's own failure."""
        results: list[AttackResult] = []
        lost: _LostError | None = None
        has_answered = False
        for text, label in zip(texts, columns, strict=True):
            try:
                results.append(self._one(battle, text, label))
            except _LostError as error:
                self.close()
                if lost is not None:
                    raise
                lost = error
                results.append(error.result)
            else:
                if results[-1].outcome not in _NOT_ASKED:
                    lost, has_answered = None, True
        if lost is not None and not has_answered:
            raise lost
        return results

    def _one(self, battle: _Battle, text: str, label: int) -> AttackResult:
        if len(word_spans(text)) < _LEAST_WORDS:
            return _skipped(text, label, AttackOutcome.SKIPPED_SHORT, ())
        before = battle.model.predict_proba([text])[0]
        if int(before.argmax()) != label:
            return _skipped(text, label, AttackOutcome.SKIPPED_WRONG, _plain(before))
        process = self._ready(battle)
        started = time.monotonic()
        failed = _skipped(text, label, AttackOutcome.SKIPPED_FAILED, _plain(before))
        try:
            answer, asked = _exchange(process, battle, battle.request(text, label, before))
        except TextAttackError as error:
            raise _LostError(str(error), replace(failed, note=str(error))) from error.__cause__
        if "failed" in answer:
            return replace(failed, queries=failed.queries + asked, note=f"TextAttack failed: {answer['failed']}")
        return battle.result(text, label, before, answer, started)

    def _ready(self, battle: _Battle) -> _Process:
        """The process, which has made the recipe."""
        if self._process is None:
            package_folder(f"the attack {battle.recipe.short or battle.recipe.name!r}")
            self._process = _Process(self._command)
        process = self._process
        if battle.recipe.name not in process.recipes:
            _made(process.ask({"recipe": battle.recipe.name}, self._patience))
            process.recipes.add(battle.recipe.name)
        return process


@dataclass(frozen=True, slots=True)
class _Battle:
    """A model under the attack of a recipe."""

    model: TextClassifier
    recipe: Recipe
    limits: _Limits
    patience: float
    seed: int
    encoder: SentenceEncoder | None

    def request(self, text: str, label: int, before: Probabilities) -> Message:
        """The request to attack ``text``, to which the model gives the probabilities ``before``."""
        others = np.array(before)
        others[label] = -1.0
        return {
            "recipe": self.recipe.name,
            "text": text,
            "label": label,
            "target": int(others.argmax()),
            "max_queries": self.limits.max_queries and self.limits.max_queries - _OUTSIDE,
            "seconds": self.limits.seconds,
            "seed": seed_for(self.seed, text),
        }

    def result(self, text: str, label: int, before: Probabilities, answer: Message, started: float) -> AttackResult:
        """What became of ``text``, by the worker's answer and by the model's view of the final text."""
        final = answer["text"]
        found = text if final is None else final
        # Asked once more alone: the search saw the text in a batch.
        after = self.model.predict_proba([found])[0]
        return AttackResult(
            text=text,
            label=label,
            outcome=_outcome(int(after.argmax()) != label, final is None or answer["spent"]),
            adversarial=found,
            changes=word_changes(text, found),
            similarity=self._similarity(text, found),
            before=_plain(before),
            after=_plain(after),
            queries=answer["queries"] + _OUTSIDE,
            seconds=time.monotonic() - started,
        )

    def _similarity(self, text: str, found: str) -> float | None:
        if text == found:
            return 1.0
        if self.encoder is None:
            return None
        a, b = self.encoder.encode([text, found]).astype(np.float64)
        return float(a @ b)


class _Process:
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


def _made(answer: Message) -> None:
    """Accepts the answer to the wish for a recipe.

    Raises:
        ConfigurationError: the recipe cannot be had.
        TextAttackError: TextAttack failed to make it.
    """
    _not_refused(answer)
    if "failed" in answer:
        raise TextAttackError(f"TextAttack failed: {answer['failed']}")


def _not_refused(answer: Message) -> Message:
    if "refused" in answer:
        raise ConfigurationError(answer["refused"])
    return answer


def _exchange(process: _Process, battle: _Battle, request: Message) -> tuple[Message, int]:
    """The answer to ``request``, and of how many texts the model was asked in between.

    Each message is waited for as long as a text may take.

    Raises:
        ConfigurationError: what the search needs cannot be had.
    """
    seconds, asked = (battle.limits.seconds or 0.0) + battle.patience, 0
    answer = process.ask(request, seconds)
    while "texts" in answer:
        asked += len(answer["texts"])
        probabilities = battle.model.predict_proba(answer["texts"])
        answer = process.ask({"probabilities": probabilities.tolist()}, seconds)
    return _not_refused(answer), asked


def word_changes(text: str, other: str) -> tuple[WordChange, ...]:
    """The words that are others in ``other``, each counted once; a word put in or taken out has an empty partner.

    A replaced stretch is paired word by word from its start.
    """
    here, there = word_spans(text), word_spans(other)
    before = [text[span.start : span.end] for span in here]
    after = [other[span.start : span.end] for span in there]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    changes: list[WordChange] = []
    for kind, a, a_end, b, b_end in matcher.get_opcodes():
        if kind != "equal":
            changes += _paired((text, here, a, a_end), (other, there, b, b_end))
    return tuple(changes)


_Stretch = tuple[str, list[Span], int, int]


def _paired(old: _Stretch, new: _Stretch) -> list[WordChange]:
    pairs = range(max(old[3] - old[2], new[3] - new[2]))
    sides = [(_span_at(old, i), _span_at(new, i)) for i in pairs]
    return [WordChange(a, b, old[0][a.start : a.end], new[0][b.start : b.end]) for a, b in sides]


def _span_at(stretch: _Stretch, i: int) -> Span:
    """The span of the word ``i`` of a stretch; an empty one after the last."""
    _, spans, start, end = stretch
    if start + i < end:
        return spans[start + i]
    place = spans[end - 1].end if end else 0
    return Span(place, place)


def _outcome(flipped: bool, spent: bool) -> AttackOutcome:
    if flipped:
        return AttackOutcome.SUCCESS
    return AttackOutcome.BUDGET if spent else AttackOutcome.FAILURE


def _skipped(text: str, label: int, outcome: AttackOutcome, before: tuple[float, ...]) -> AttackResult:
    return AttackResult(text, label, outcome, text, (), 1.0, before, before, queries=len(before[:1]), seconds=0.0)


def _plain(probabilities: Probabilities) -> tuple[float, ...]:
    return tuple(float(value) for value in probabilities)


def _limits(max_queries: int | None, seconds: float | None) -> _Limits:
    return _Limits(
        None if max_queries is None else require_count("max_queries", max_queries, least=_OUTSIDE + 1),
        None if seconds is None else require_between("seconds", seconds, 0.0, math.inf),
    )


def _environment() -> dict[str, str]:
    """That of this process, with downloads forbidden unless the user allows them, and one order of sets."""
    given = dict(os.environ)
    if given.get(ALLOW_DOWNLOADS) != "1":
        given |= dict.fromkeys(_OFFLINE, "1")
    # Warnings of TextAttack's are no errors, whatever this process makes of its own.
    given.pop("PYTHONWARNINGS", None)
    given["PYTHONHASHSEED"] = "0"
    root = str(Path(__file__).parents[2])
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
