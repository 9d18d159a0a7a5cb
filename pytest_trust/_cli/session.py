"""The dialogue in which a person judges predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_trust._cli.picking import Prediction
from pytest_trust._cli.terminal import Terminal
from pytest_trust.data.verdicts import Answer, HumanVerdict, append_verdict
from pytest_trust.explain import Explanation

_SKIP, _BACK, _QUIT = "s", "b", "q"
_LEFT_OUT = "left out"
_MOVES = (_SKIP, _BACK, _QUIT)
_MOVES_HELP = "s skip   b back   q quit"
_VERDICTS: dict[str, Answer] = {"t": "trustworthy", "u": "untrustworthy", "?": "unsure"}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What every verdict of a session records: who judges, which model, how it was explained."""

    annotator: str
    model: str
    explainer: dict[str, str | int | float | bool]


class _MovedError(Exception):
    """The person skips, goes back or quits instead of answering."""

    def __init__(self, move: str) -> None:
        self.move = move


@dataclass
class LabelSession:
    """Asks about ``predictions`` one after the other and appends each verdict to ``file`` as it is given.

    ``judged`` holds those that this person judged before, which are not asked again; this session's come to it.
    """

    terminal: Terminal
    predictions: Sequence[Prediction]
    classes: Sequence[str]
    explain: Callable[[Prediction], Explanation]
    file: Path
    circumstances: Circumstances
    judged: set[Prediction] = field(default_factory=set)
    _guesses: dict[Prediction, str] = field(default_factory=dict)

    def run(self) -> None:
        """Asks until all are judged or skipped, or the person quits.

        Raises:
            EOFError: the input ended.
            DataError: a verdict cannot be saved.
        """
        places = [i for i, prediction in enumerate(self.predictions) if prediction not in self.judged]
        at = 0
        while at < len(places):
            move = self._ask_about(places[at])
            if move == _QUIT:
                return
            if move == _LEFT_OUT:
                del places[at]
            elif move == _BACK:
                at = self._place_before(at)
            else:
                at += 1

    def _place_before(self, at: int) -> int:
        if at == 0:
            self.terminal.say("This is the first one.")
        return max(0, at - 1)

    def _ask_about(self, place: int) -> str:
        """Asks for guess and verdict and saves them; the move where the person made one, else "skip" to the next."""
        prediction = self.predictions[place]
        self.terminal.say(f"\n--- {place + 1} of {len(self.predictions)} " + "-" * 40)
        explanation = self.explain(prediction)
        if not any(word.score > 0 for word in explanation.words):
            self.terminal.say(f"Left out: {explanation.note or 'no word speaks for the prediction'}.")
            return _LEFT_OUT
        try:
            self._guess(prediction)
            self._show(prediction, explanation)
            self._save(prediction, explanation, self._verdict())
        except _MovedError as moved:
            return moved.move
        return _SKIP

    def _guess(self, prediction: Prediction) -> None:
        """Asks which class the text is of, unless that was answered: after the prediction is seen it is no guess."""
        if prediction in self._guesses:
            return
        self.terminal.say()
        self.terminal.show(prediction.text)
        choices = {str(number): label for number, label in enumerate(self.classes, start=1)}
        listing = "   ".join(f"{number} {label}" for number, label in choices.items())
        answer = self._ask(f"\nWhich class is this?\n{listing}   ({_MOVES_HELP})", list(choices))
        self._guesses[prediction] = choices[answer]

    def _show(self, prediction: Prediction, explanation: Explanation) -> None:
        """The prediction, and the words that speak for it."""
        words = [word for word in explanation.words if word.score > 0]
        terminal = self.terminal
        terminal.say()
        terminal.show(prediction.text, [span for word in words for span in word.spans])
        guess = self._guesses[prediction]
        agreement = "as you guessed" if guess == prediction.label else f"you guessed {guess}"
        terminal.say(f"\nThe model says {prediction.label} ({prediction.probability:.0%}), {agreement}. It rests on:")
        terminal.weigh(((word.word, word.score, "") for word in words), words[0].score)
        if explanation.unread:
            terminal.say(f"It did not read the last {explanation.unread} characters.")

    def _verdict(self) -> Answer:
        question = "\nIs it right for the right reason?\nt trustworthy   u untrustworthy   ? unsure"
        return _VERDICTS[self._ask(f"{question}   ({_MOVES_HELP})", list(_VERDICTS))]

    def _ask(self, question: str, answers: Sequence[str]) -> str:
        answer = self.terminal.ask(question, [*answers, *_MOVES])
        if answer in _MOVES:
            raise _MovedError(answer)
        return answer

    def _save(self, prediction: Prediction, explanation: Explanation, verdict: Answer) -> None:
        append_verdict(
            self.file,
            HumanVerdict(
                text=prediction.text,
                label=prediction.label,
                words=tuple((word.word, word.score) for word in explanation.words),
                annotator=self.circumstances.annotator,
                guess=self._guesses[prediction],
                verdict=verdict,
                model=self.circumstances.model,
                explainer=self.circumstances.explainer,
            ),
        )
        self.judged.add(prediction)
