from __future__ import annotations

from types import FunctionType

import pytest

from pytest_trust import perturb
from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import perturb_text, preview, replace
from pytest_trust.perturb.calls import factories, perturbation_of
from pytest_trust.stats import seed_for

TEXTS = ["a good film", "nothing here", "so good, good"]


def test_it_shows_the_changes_and_how_many_texts_were_left() -> None:
    shown = preview(replace({"good": "bad"}), TEXTS)
    assert (shown.n_changed, shown.n_total, shown.unchanged) == (2, 3, pytest.approx(1 / 3))
    assert str(shown).splitlines() == [
        "replace(good -> bad) (preserves the label): 2 of 3 texts changed, 33.3% left as they are",
        "  1. a [-good-]{+bad+} film",
        "  2. so [-good-]{+bad+}, [-good-]{+bad+}",
    ]


def test_the_changes_are_those_of_a_check() -> None:
    texts = [f"extraordinary circumstances {n}" for n in range(40)]
    row = preview("typos(0.2)", texts, seed=7, n=3).rows[2]
    assert row.outcome == perturb_text(perturbation_of("typos(0.2)"), row.text, seed_for(7, "typos(0.2)", row.text))


def test_rows_are_a_sample_of_the_changed_texts() -> None:
    assert len(preview("uppercase", [f"text {n}" for n in range(40)]).rows) == 10
    assert preview(str.upper, ["A", "B"]).rows == ()
    assert preview("add_suffix('Bye.', preserves_label=False)", ["A"]).rows[0].marked == "A{+ Bye.+}"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("lowercase", "lowercase"),
        ("lowercase()", "lowercase"),
        (" typos(rate=0.1) ", "typos(0.1)"),
        ("perturb.uppercase()", "uppercase"),
        ("perturb.chain(perturb.lowercase, typos())", "chain(lowercase, typos)"),
        ("chain(lowercase, typos(kinds='swap'))", "chain(lowercase, typos(kinds=swap))"),
        ("replace({'good': ['bad', 'odd']})", "replace(good -> bad|...)"),
        ("chain(lowercase(), with_probability(0.5, typos()))", "chain(lowercase, with_probability(0.5, typos))"),
    ],
)
def test_a_perturbation_is_written_as_in_a_test_file(text: str, name: str) -> None:
    assert perturbation_of(text).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no call of one of: "),
        ("lowercase(", "is no call of one of: "),
        ("unknown", "is no call of one of: .*typos"),
        ("preview", "is no call of one of: "),
        ("str.upper", "is no call of one of: "),
        ("__import__('os')", "is no call of one of: "),
        ("typos(rate=__import__('os'))", "is no call of one of: "),
        ("replace({[]: 'bad'})", "is no call of one of: "),
        ("typos(*[0.1])", "is no call of one of: "),
        ("typos(unknown)", "is no call of one of: "),
        ("chain(preview)", "is no call of one of: "),
        (f"typos({'-' * 9000}1)", "is no call of one of: "),
        ("typos(rate=2)", "rate=2: expected a number from 0 to 1"),
        ("typos(speed=2)", "cannot be made: .*speed"),
        ("typos(**{'rate': 0.1})", r"found \*\*{'rate': 0.1}, expected arguments one by one"),
        ("perturb.preview", "is no call of one of: "),
        ("a.perturb.uppercase()", "is no call of one of: "),
        ("add_suffix", "cannot be made: .*text"),
    ],
)
def test_nothing_else_is_evaluated(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        perturbation_of(text)


def test_every_factory_is_known() -> None:
    public = {name for name in perturb.__all__ if isinstance(getattr(perturb, name), FunctionType)}
    assert public - factories().keys() == {"apply_edits", "as_perturbation", "perturb_text", "preview"}


@pytest.mark.parametrize("texts", [[], "a text", None])
def test_texts_are_needed(texts: object) -> None:
    with pytest.raises(ConfigurationError, match="texts to preview must be a sequence"):
        preview("lowercase", texts)  # type: ignore[arg-type]


def test_of_a_long_text_what_stands_around_the_edits_is_shown() -> None:
    filler = "word " * 80
    [row] = preview(replace({"good": "bad"}), [f"{filler}good, {filler}good {filler}good"]).rows
    around = "word word word word word word word"
    assert row.marked == (
        f"... {around} [-good-]{{+bad+}}, {around} ... {around} [-good-]{{+bad+}} "
        f"{around} ... {around} [-good-]{{+bad+}}"
    )
    [row] = preview(replace({"好": "坏"}), ["," * 500 + "好" + "," * 500]).rows
    assert row.marked == f"... {',' * 40}[-好-]{{+坏+}}{',' * 40} ..."
