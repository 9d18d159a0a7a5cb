"""``pytest-trust explain``: why a model says what it says of one text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pytest_trust._cli.options import add_columns, add_explainer, add_model, add_oracle, add_parser
from pytest_trust.errors import DataError

if TYPE_CHECKING:
    from pytest_trust._cli.judging import Explained
    from pytest_trust._cli.terminal import Terminal
    from pytest_trust.oracles import Oracle, Verdict
    from pytest_trust.results import WordEvidence

_ABOUT = """\
Shows a model's prediction on a text, the words that it rests on with their scores, and whether an oracle finds it
trustworthy. Oracles judge correct predictions: without --label the verdict holds if the prediction is right.
"""
_EXAMPLE = """
pytest-trust explain "A wonderful film" --model sentiment.joblib --train train.csv
echo "A wonderful film" | pytest-trust explain - --model sentiment.joblib --json
"""
_WHO = "who judges, as for --trust-oracle (default: toki, where --train or --index is given)"


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = add_parser(commands, "explain", help="explain and judge one prediction", about=_ABOUT, example=_EXAMPLE)
    parser.add_argument("text", metavar="TEXT", help="the text; - reads it from stdin")
    parser.add_argument("--label", metavar="CLASS", help="the true class of the text")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_model(parser)
    add_explainer(parser, sampling=True)
    add_oracle(parser, about=_WHO)
    add_columns(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the explanation and the verdict."""
    from pytest_trust._cli.jsonlines import write_json
    from pytest_trust._cli.judging import column_of, explain, predict
    from pytest_trust._cli.parts import explainer_of, model_of, oracle_of
    from pytest_trust._cli.terminal import Terminal

    text = _text(options.text)
    explainer, model = explainer_of(options), model_of(options)
    predictions = predict(model, [text], [column_of(options.label, model)])
    asked = any(given is not None for given in (options.oracle, options.train, options.index))
    oracle = oracle_of(options, model, explainer) if asked else None
    found = next(explain(model, explainer, oracle, predictions, options.seed))
    if options.json:
        write_json({"text": text, **found.to_dict()})
    else:
        _show(Terminal(sys.stdin, sys.stdout), found, oracle)
    return 0


def _text(given: str) -> str:
    """``given``, or what stdin holds.

    Raises:
        DataError: it is not UTF-8.
    """
    try:
        if given == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig").removesuffix("\n").removesuffix("\r")
        given.encode("utf-8")  # bytes of an argument that are none stand as lone surrogates
    except (UnicodeDecodeError, UnicodeEncodeError) as error:
        raise DataError(f"the text is not UTF-8: {error.reason}") from None
    return given


def _show(terminal: Terminal, found: Explained, oracle: Oracle | None) -> None:
    prediction, words = found.prediction, found.words()
    speaking = [word for word in words if word.score > 0]
    against = [word for word in words if word.score < 0]
    spans = [
        span for word in (found.explanation.words if found.explanation else ()) if word.score > 0 for span in word.spans
    ]
    terminal.show(prediction.text, spans)
    terminal.say(f"\nThe model says {prediction.label} ({prediction.probability:.1%}){_correctness(found)}.")
    for title, listed in (("It rests on:", speaking), ("Against it speak:", against)):
        if listed:
            terminal.say(title)
            terminal.weigh(((word.word, word.score, _relation(word)) for word in listed), abs(words[0].score))
    for line in _remarks(found, oracle):
        terminal.say(line)


def _correctness(found: Explained) -> str:
    correct = found.prediction.correct
    return "" if correct is None else ", which is right" if correct else ", which is wrong"


def _relation(word: WordEvidence) -> str:
    if word.related is None:
        return ""
    if word.related:
        return "related" if word.nearest in (None, word.word.lower()) else f"related: nearest to {word.nearest}"
    near = [f"nearest to {word.nearest}"] if word.nearest not in (None, word.word.lower()) else []
    near += [f"nearest keyword {word.keyword}"] if word.keyword is not None else []
    return f"unrelated: {', '.join(near)}" if near else "unrelated"


def _remarks(found: Explained, oracle: Oracle | None) -> Iterator[str]:
    explanation, verdict = found.explanation, found.verdict
    if explanation is not None and explanation.unread:
        yield f"The model did not read the last {explanation.unread} characters."
    if verdict is not None and oracle is not None:
        yield f"\n{_verdict(verdict, oracle, sure=bool(found.prediction.correct))}"
    elif oracle is not None:
        yield f"\nNo verdict: {found.note()}."
    else:
        yield "\nNo verdict: give --train DATA or --index FILE, or --oracle NAME for one that needs neither."


def _verdict(verdict: Verdict, oracle: Oracle, *, sure: bool) -> str:
    if verdict.trustworthy is None:
        return f"No verdict by {oracle.name}: {verdict.note}."
    why = verdict.note or f"related words weigh {verdict.related:.3f}, others {verdict.unrelated:.3f}"
    condition = "" if sure else ", if the prediction is right"
    return f"{'Trustworthy' if verdict.trustworthy else 'Untrustworthy'} by {oracle.name}{condition}: {why}."
