from __future__ import annotations

import functools
import random
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from pytest_trust import perturb
from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Edit, Perturbation, Perturbed, as_perturbation, perturb_text


def exclaim(text: str) -> str:
    return text + "!"


def shuffle_words(text: str, rng: random.Random) -> str:
    words = text.split()
    rng.shuffle(words)
    return " ".join(words)


class Broken:
    name = "broken"
    preserves_label = True

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        return self.answer  # type: ignore[return-value]


def test_a_perturbation_passes() -> None:
    given = perturb.lowercase()
    assert as_perturbation(given) is given


def test_a_function_becomes_a_perturbation() -> None:
    made = as_perturbation(exclaim)
    assert isinstance(made, Perturbation)
    assert (made.name, repr(made), made.preserves_label) == ("exclaim", "exclaim", True)
    assert perturb_text(made, "so good", 0) == Perturbed("so good!", (Edit(7, 7, "!"),))


def test_a_function_may_draw_from_the_generator() -> None:
    made = as_perturbation(shuffle_words)
    text = "a b c d e f g h i j"
    outcomes = {perturb_text(made, text, seed).text for seed in range(20)}
    assert len(outcomes) > 10
    assert perturb_text(made, text, 3) == perturb_text(made, text, 3)


def test_a_function_with_a_default_gets_the_text_alone() -> None:
    def repeat(text: str, times: int = 2) -> str:
        return text * times

    assert perturb_text(as_perturbation(repeat), "ha", 0).text == "haha"


def test_a_parameter_named_rng_gets_the_generator() -> None:
    def noisy(text: str, rng: random.Random | None = None) -> str:
        assert rng is not None
        return f"{text}{rng.randrange(10**6)}"

    first, second = (perturb_text(as_perturbation(noisy), "x", seed).text for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize(
    "function", [str.upper, lambda *words: words[0].upper(), functools.partial(re.sub, "hi", "HI")]
)
def test_builtins_and_odd_signatures(function: Callable[[str], str]) -> None:
    assert perturb_text(as_perturbation(function), "hi", 0).text == "HI"


def test_a_builtin_without_a_signature_gets_the_text_alone() -> None:
    assert perturb_text(as_perturbation(max), "hi", 0).text == "i"


def test_a_function_says_that_it_changes_the_label() -> None:
    def negate(text: str) -> str:
        return f"not {text}"

    negate.preserves_label = False  # type: ignore[attr-defined]
    assert as_perturbation(negate).preserves_label is False


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (3, "int 3"),
        ("lowercase", "str 'lowercase'"),
        (None, "NoneType None"),
        (perturb.lowercase, "lowercase itself; call it to make one"),
        (perturb.replace, "replace itself; call it to make one"),
        (Broken, "Broken itself; call it to make one"),
    ],
)
def test_anything_else_is_refused(given: object, found: str) -> None:
    with pytest.raises(ConfigurationError, match=found):
        as_perturbation(given)


@pytest.mark.parametrize(("function", "found"), [(lambda: "", r"\(\)"), (lambda a, b, c: "", r"\(a, b, c\)")])
def test_a_function_of_other_arguments_is_refused(function: object, found: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"must take \(text\) or \(text, rng\), found {found}"):
        as_perturbation(function)


def test_a_function_that_returns_no_string_is_named_with_the_text() -> None:
    def count(text: str) -> int:
        return len(text)

    with pytest.raises(
        ConfigurationError, match="the function count must return a str, found int 4 for the text 'four'"
    ):
        perturb_text(as_perturbation(count), "four", 0)


def test_an_error_within_a_function_says_for_which_text() -> None:
    def last_word(text: str) -> str:
        return text.split()[-1]

    with pytest.raises(IndexError) as caught:
        perturb_text(as_perturbation(last_word), "  ", 0)
    assert caught.value.__notes__ == ["raised by the perturbation last_word for the text '  '"]


@pytest.mark.parametrize("answer", [None, "text", Perturbed("other", ()), Perturbed("text", (Edit(0, 4, "other"),))])
def test_an_answer_that_its_edits_do_not_rebuild_is_refused(answer: object) -> None:
    with pytest.raises(ConfigurationError, match="broken must answer with a Perturbed whose edits rebuild its text"):
        perturb_text(Broken(answer), "text", 0)


def test_edits_that_change_nothing_do_not_count() -> None:
    outcome = perturb_text(Broken(Perturbed("text", (Edit(0, 4, "text"),))), "text", 0)
    assert not outcome.changed


@pytest.mark.parametrize(
    ("text", "seed", "found"),
    [(b"x", 0, "bytes b'x'"), (None, 0, "None"), ("x", "1", "seed='1': expected a whole number")],
)
def test_text_and_seed_are_checked(text: str, seed: int, found: str) -> None:
    with pytest.raises(ConfigurationError, match=found):
        perturb_text(perturb.lowercase(), text, seed)


def test_the_global_generator_is_left_alone() -> None:
    random.seed(5)
    expected = random.random()
    random.seed(5)
    perturb_text(perturb.typos(1.0), "some longer words", 1)
    assert random.random() == expected


def test_importing_loads_nothing_heavy_and_no_word_list() -> None:
    code = (
        "import sys; from pytest_trust import perturb; perturb.swap_locations(), perturb.swap_names();"
        "from pytest_trust.perturb import lexicon;"
        "assert lexicon.entries.cache_info().currsize == 0;"
        "assert not {'numpy', 'scipy', 'sklearn', 'difflib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
