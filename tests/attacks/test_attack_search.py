"""The search: what it keeps, what it asks, and when it ends."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from pytest_trust.attacks import Attack, AttackOutcome, AttackResult, AttackSettings
from pytest_trust.attacks import lockstep as lockstep_module
from pytest_trust.attacks.importance import Occurrences
from pytest_trust.errors import ConfigurationError, ModelError
from pytest_trust.models import as_classifier
from pytest_trust.text import Span, words

from .conftest import WordCounts

GOOD, BAD = 1, 0
# Words of a made-up language, each with a weight for class 1, so that random texts have answers.
WEIGHTS = {f"w{'abcdefghij'[i]}{'xyz'[j]}": (i - 4) * 0.4 + j * 0.1 for i in range(10) for j in range(3)}
TABLE = {word: [other for other in WEIGHTS if other != word][:: 2 + place % 3] for place, word in enumerate(WEIGHTS)}
ANYTHING = AttackSettings(min_similarity=-1.0)


def made_texts(n: int, least: int = 2, most: int = 40, seed: int = 0) -> list[str]:
    rng = random.Random(seed)
    vocabulary = [*WEIGHTS, "the", "not", "zzly"]
    return [" ".join(rng.choices(vocabulary, k=rng.randint(least, most))) for _ in range(n)]


def attack_all(attack: Attack, texts: Sequence[str]) -> list[AttackResult]:
    labels = attack.model.predict_proba(texts).argmax(axis=1).tolist()
    attack.model.function.calls.clear()
    return list(attack.run(texts, labels))


def without_time(result: AttackResult) -> dict:
    return {key: value for key, value in result.to_dict().items() if key != "seconds"}


def test_a_flip_is_found_and_described(make_attack) -> None:
    attack = make_attack({"great": 2.0, "fine": 0.5, "poor": -1.0}, {"great": ["fine", "poor"]}, settings=ANYTHING)
    result = attack.run_one("A great film", GOOD)
    assert result.outcome is AttackOutcome.SUCCESS
    assert result.adversarial == "A poor film"
    (change,) = result.changes
    assert (change.before, change.after, change.original, change.replacement) == (
        "great",
        "poor",
        Span(2, 7),
        Span(2, 6),
    )
    assert result.new_label == BAD
    assert result.before[GOOD] > 0.5 > result.after[GOOD]
    # The text, the text without the one word that has candidates, these, and the confirmation.
    assert result.queries == 1 + 1 + 2 + 1
    assert sum(map(len, attack.model.function.calls)) == result.queries


def test_constraints_hold_on_every_result(make_attack) -> None:
    settings = AttackSettings(min_similarity=0.8)
    encoder = WordCounts()
    attack = make_attack(WEIGHTS, TABLE, encoder, settings=settings)
    results = attack_all(attack, made_texts(60))
    assert {result.outcome for result in results} >= {AttackOutcome.SUCCESS, AttackOutcome.FAILURE}
    for result in results:
        before, after = words(result.text), words(result.adversarial)
        changed = [place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        assert len(changed) == len(result.changes) <= max(-(-len(before) // 10), 4)
        assert {before[place] for place in changed}.isdisjoint(attack.fixed)
        assert all(after[place] in TABLE[before[place]] for place in changed)
        vectors = encoder.encode([result.text, result.adversarial]).astype(np.float64)
        assert result.similarity == pytest.approx(vectors[0] @ vectors[1])
        assert result.similarity >= 0.8 - 1e-6
        for change in result.changes:
            assert result.text[change.original.start : change.original.end] == change.before
            assert result.adversarial[change.replacement.start : change.replacement.end] == change.after


def test_a_success_flips_the_model(make_attack) -> None:
    attack = make_attack(WEIGHTS, TABLE, settings=ANYTHING)
    results = [result for result in attack_all(attack, made_texts(40)) if result.outcome is AttackOutcome.SUCCESS]
    assert len(results) > 5
    for result in results:
        assert attack.model.predict_proba([result.adversarial])[0].argmax() == result.new_label != result.label
        assert result.after == pytest.approx(attack.model.predict_proba([result.adversarial])[0])


def test_lockstep_gives_what_one_by_one_gives(make_attack, monkeypatch) -> None:
    monkeypatch.setattr(lockstep_module, "_MAX_OPEN", 5)
    texts = ["", "one", *made_texts(30)]
    attack = make_attack(WEIGHTS, TABLE, settings=AttackSettings(min_similarity=0.8))
    together = [without_time(result) for result in attack_all(attack, texts)]
    calls = len(attack.model.function.calls)
    labels = [result["label"] for result in together]
    alone = [without_time(attack.run_one(text, label)) for text, label in zip(texts, labels, strict=True)]
    assert together == alone
    assert calls < len(attack.model.function.calls) - calls  # and calls were shared


def test_results_do_not_depend_on_the_order(make_attack) -> None:
    texts = made_texts(20)
    forth = attack_all(make_attack(WEIGHTS, TABLE), texts)
    back = attack_all(make_attack(WEIGHTS, TABLE), texts[::-1])
    assert [without_time(result) for result in forth] == [without_time(result) for result in back[::-1]]


def test_no_call_holds_more_than_256_texts(make_attack, monkeypatch) -> None:
    attack = make_attack(WEIGHTS, TABLE, settings=ANYTHING)
    attack_all(attack, made_texts(70))
    sizes = [len(call) for call in attack.model.function.calls]
    assert 200 < max(sizes) <= 256
    monkeypatch.setattr(lockstep_module, "MAX_TEXTS", 7)
    attack_all(attack, made_texts(70))
    assert max(len(call) for call in attack.model.function.calls) == 7


@pytest.mark.parametrize("text", ["", "...", "great", " great! "])
def test_short_texts_are_skipped_without_a_call(make_attack, text: str) -> None:
    attack = make_attack({"great": 2.0, "poor": -2.0}, {"great": ["poor"]}, settings=ANYTHING)
    result = attack.run_one(text, GOOD)
    assert (result.outcome, result.adversarial, result.queries) == (AttackOutcome.SKIPPED_SHORT, text, 0)
    assert result.before == result.after == ()
    assert result.new_label is None
    assert not attack.model.function.calls
    assert not result.outcome.is_attacked


def test_what_is_wrong_at_the_start_is_skipped(make_attack) -> None:
    attack = make_attack({"great": 2.0}, {"great": ["poor"]}, settings=ANYTHING)
    result = attack.run_one("great film", BAD)
    assert (result.outcome, result.queries, result.changes) == (AttackOutcome.SKIPPED_WRONG, 1, ())


def test_a_text_without_words_that_may_change_is_skipped(make_attack) -> None:
    attack = make_attack({"not": 2.0, "no": -3.0}, {"not": ["no"]}, settings=ANYTHING)
    result = attack.run_one("why not", GOOD)
    assert (result.outcome, result.queries) == (AttackOutcome.SKIPPED_FIXED, 1)
    assert not result.outcome.is_attacked


def test_function_words_are_not_put_in(make_attack) -> None:
    attack = make_attack({"really": 2.0, "not": -9.0, "badly": -3.0}, {"really": ["not", "badly"]}, settings=ANYTHING)
    assert attack.run_one("really great", GOOD).adversarial == "badly great"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'GREAT' film", "'POOR' film"),
        (">>>> Great <<<< film", ">>>> Poor <<<< film"),
        ("film: great", "film: poor"),
        ("(GREAT!) film\n", "(POOR!) film\n"),
    ],
)
def test_case_and_punctuation_are_kept(make_attack, text: str, expected: str) -> None:
    attack = make_attack({}, {"great": ["poor"]}, settings=ANYTHING)
    attack.model.function.weights = {word: 2.0 for word in text.lower().split() if "great" in word}
    attack.model.function.bias = -1.0
    result = attack.run_one(text, GOOD)
    assert (result.outcome, result.adversarial) == (AttackOutcome.SUCCESS, expected)


@pytest.mark.parametrize(
    "text", ["good http://great.com/great", "good @great", "good mail me@great.org", "good great2"]
)
def test_protected_words_stay(make_attack, text: str) -> None:
    attack = make_attack({"good": 1.0}, {"great": ["poor"], "great2": ["poor"], "com": ["net"]}, settings=ANYTHING)
    assert attack.run_one(text, GOOD).adversarial == text


@dataclass
class Infinitives:
    """A tagger by context: a word behind "to" is a verb."""

    name: str = "infinitives"

    def tags(self, words: Sequence[str]) -> list[str]:
        return ["VERB" if before == "to" else "NOUN" for before in ["", *words][:-1]]


def test_the_part_of_speech_is_that_in_the_context(make_attack) -> None:
    parts = make_attack({"like": 2.0, "to": 0.1, "dislike": -3.0}, {"like": ["dislike"]})
    seen = []

    class Watching(Infinitives):
        def tags(self, words: Sequence[str]) -> list[str]:
            seen.append(list(words))
            return super().tags(words)

    attack = Attack(parts.model, parts.substitution, Watching(), parts.encoder, ANYTHING, frozenset({"to"}))
    result = attack.run_one("a b c d e to Like f g h i j", GOOD)
    assert result.adversarial == "a b c d e to Dislike f g h i j"
    assert seen == [[*"cde", "to", word, *"fghi"] for word in ("Like", "Dislike")]


@pytest.mark.parametrize("word", ["brightly", "two words", "Poor", "poor-ish", "b4d", "great", ""])
def test_inadmissible_candidates_cost_no_query(make_attack, word: str) -> None:
    attack = make_attack({"great": 2.0}, {"great": [word]}, settings=ANYTHING)
    result = attack.run_one("great film", GOOD)
    assert (result.outcome, result.queries) == (AttackOutcome.SKIPPED_FIXED, 2)  # the text, and that without "great"


def test_a_candidate_far_from_the_original_costs_no_query(make_attack) -> None:
    encoder = WordCounts({"great": 5.0})
    attack = make_attack({"great": 2.0, "poor": -2.0}, {"great": ["poor"]}, encoder)
    result = attack.run_one("great film", GOOD)
    assert (result.outcome, result.queries) == (AttackOutcome.FAILURE, 2)
    assert "poor film" in encoder.encoded


def test_similarity_is_to_the_original_not_to_the_last_step(make_attack) -> None:
    filler = " ".join(f"filler{i}ly" for i in range(12))
    table = {"one": ["uno"], "two": ["dos"], "three": ["tres"]}
    weights = {"one": 1.0, "two": 1.0, "three": 1.0}
    attack = make_attack(weights, table, settings=AttackSettings(min_similarity=0.85))
    attack.model.function.bias = -0.5
    result = attack.run_one(f"one two three {filler}", GOOD)
    # Each step keeps 14 of 15 words; two of them together keep 13 of 15, three no more than 12.
    assert result.outcome is AttackOutcome.FAILURE
    assert len(result.changes) == 2


def test_the_number_of_changes_is_bounded(make_attack) -> None:
    weights = {f"w{letter}": 1.0 for letter in "abcdefgh"}
    table = {word: ["zero"] for word in weights}
    text = " ".join(weights)
    changed = make_attack(weights, table, settings=ANYTHING).run_one(text, GOOD)
    assert (changed.outcome, len(changed.changes)) == (AttackOutcome.FAILURE, 4)
    settings = AttackSettings(min_similarity=-1.0, least_words=0, max_share=0.25)
    assert len(make_attack(weights, table, settings=settings).run_one(text, GOOD).changes) == 2


@pytest.mark.parametrize(("n_words", "most"), [(5, 4), (40, 4), (41, 5), (70, 7), (71, 8)])
def test_a_share_is_rounded_up_to_whole_words(n_words: int, most: int) -> None:
    assert AttackSettings().most_changes(n_words) == most


def test_a_share_is_not_rounded_up_for_what_a_float_cannot_hold() -> None:
    assert AttackSettings(max_share=0.07).most_changes(100) == 7


def test_the_most_important_words_come_first(make_attack) -> None:
    attack = make_attack({"great": 3.0, "fine": 1.0, "poor": -3.0}, {"fine": ["poor"], "great": ["poor"]})
    attack = Attack(attack.model, attack.substitution, attack.tagger, attack.encoder, ANYTHING)
    assert [change.before for change in attack.run_one("fine great film", GOOD).changes] == ["great"]


def test_of_several_flips_the_nearest_to_the_original_is_taken(make_attack) -> None:
    encoder = WordCounts({"awful": 3.0, "great": 1.0, "poor": 1.0})
    weights = {"great": 2.0, "awful": -5.0, "poor": -1.0}
    attack = make_attack(weights, {"great": ["awful", "poor"]}, encoder, settings=ANYTHING)
    assert attack.run_one("great film", GOOD).adversarial == "poor film"


def test_a_replacement_that_does_not_lower_the_probability_is_not_kept(make_attack) -> None:
    attack = make_attack({"great": 2.0, "superb": 3.0, "fab": 2.0}, {"great": ["superb", "fab"]}, settings=ANYTHING)
    result = attack.run_one("great film", GOOD)
    assert (result.outcome, result.changes, result.similarity) == (AttackOutcome.FAILURE, (), 1.0)
    assert result.after == result.before


@pytest.mark.parametrize("budget", range(1, 30))
def test_the_query_budget_holds(make_attack, budget: int) -> None:
    settings = AttackSettings(min_similarity=-1.0, max_queries=budget)
    results = attack_all(make_attack(WEIGHTS, TABLE, settings=settings), made_texts(20, least=5))
    assert all(result.queries <= budget for result in results)
    assert all(result.changes or result.outcome is not AttackOutcome.SUCCESS for result in results)
    if budget < 3:
        assert {result.outcome for result in results} == {AttackOutcome.BUDGET}


def test_the_query_budget_holds_within_the_first_word(make_attack) -> None:
    table = {"great": [f"word{'abcdefghij'[i]}" for i in range(10)] + ["poor"]}
    weights = {"great": 2.0, "film": 0.1, "poor": -1.0}
    attack = make_attack(weights, table, settings=AttackSettings(min_similarity=-1.0, max_queries=8))
    cut = attack.run_one("great film", GOOD)
    assert (cut.outcome, cut.queries) == (AttackOutcome.BUDGET, 7)  # one is kept for a confirmation
    attack = make_attack(weights, table, settings=AttackSettings(min_similarity=-1.0, max_queries=14))
    assert attack.run_one("great film", GOOD).outcome is AttackOutcome.SUCCESS


def test_a_small_budget_is_not_all_spent_on_the_ranking(make_attack) -> None:
    weights = {"great": 2.0, "poor": -1.0} | {f"filler{letter}": 0.1 for letter in "abcdefgh"}
    table = {word: ["poor"] for word in weights}
    settings = AttackSettings(min_similarity=-1.0, max_queries=8)
    result = make_attack(weights, table, settings=settings).run_one("great " + " ".join([*weights][2:]), GOOD)
    assert result.outcome is AttackOutcome.SUCCESS


def long_words(n: int) -> list[str]:
    """So many words of five letters, each another one."""
    return ["w" + "".join("abcdefghij"[int(digit)] for digit in f"{number:04}") for number in range(n)]


def counting(model_calls: list[int]):
    """A model that has seen texts of so many characters in each call, and is moved by nothing."""

    def model(texts: list[str]) -> np.ndarray:
        model_calls.append(sum(map(len, texts)))
        return np.tile([0.2, 0.8], (len(texts), 1))

    return as_classifier(model, classes=("bad", "good"))


def test_a_long_text_takes_memory_for_some_of_its_texts_alone(make_attack) -> None:
    parts, calls = make_attack({}, {word: ["brightly"] for word in long_words(4000)}), []
    attack = Attack(counting(calls), parts.substitution, parts.tagger, parts.encoder, ANYTHING)
    text = " ".join(long_words(4000))
    tracemalloc.start()
    result = attack.run_one(text, GOOD)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (result.outcome, result.queries) == (AttackOutcome.SKIPPED_FIXED, 1 + 4000)
    assert max(calls) <= 1 << 22
    assert peak < 20e6  # the text without each of its words is 96 MB in all


@pytest.mark.parametrize("offered", [(), ("two words",), ("brightly",)])
def test_a_query_budget_bounds_the_words_that_are_looked_at(make_attack, offered: tuple[str, ...]) -> None:
    text, settings = " ".join(long_words(2000)), AttackSettings(min_similarity=-1.0, max_queries=10)
    attack = make_attack({}, dict.fromkeys(long_words(2000), offered), settings=settings)
    attack.model.function.bias = 1.0
    result = attack.run_one(text, GOOD)
    assert result.outcome is AttackOutcome.BUDGET
    assert len(set(attack.substitution.asked)) == 40
    assert result.queries <= 10


def test_a_text_of_few_words_is_looked_at_in_full(make_attack) -> None:
    attack = make_attack({}, {}, settings=AttackSettings(min_similarity=-1.0, max_queries=10))
    attack.model.function.bias = 1.0
    assert attack.run_one(" ".join(long_words(40)), GOOD).outcome is AttackOutcome.SKIPPED_FIXED


def test_of_a_long_text_the_words_with_the_largest_gradients_are_looked_at(make_attack) -> None:
    words_of_text = long_words(100)
    plain = make_attack({words_of_text[-1]: 2.0, "poor": -1.0}, {words_of_text[-1]: ["poor"]})
    settings = AttackSettings(min_similarity=-1.0, max_queries=5)
    attack = Attack(Graded(plain.model), plain.substitution, plain.tagger, plain.encoder, settings)
    result = attack.run_one(" ".join(words_of_text), GOOD)
    assert (result.outcome, result.changes[0].before) == (AttackOutcome.SUCCESS, words_of_text[-1])


def test_words_that_the_budget_leaves_unranked_come_last(make_attack) -> None:
    weights = {"alpha": 0.2, "beta": 0.1, "gamma": 2.0, "poor": -3.0}
    table = {"alpha": ["oak"], "beta": ["tea"], "gamma": ["poor"]}
    settings = AttackSettings(min_similarity=-1.0, max_queries=7)
    result = make_attack(weights, table, settings=settings).run_one("alpha beta gamma", GOOD)
    # The text, two words ranked, a candidate for each of the three, the confirmation.
    assert (result.outcome, result.queries) == (AttackOutcome.SUCCESS, 1 + 2 + 3 + 1)


def test_words_are_left_out_of_what_is_read() -> None:
    occurrences = Occurrences.of("one two, three four", Span(3, 14))
    assert occurrences.first == 1
    assert occurrences.without([2, 1]) == [" two, ", " , three"]


def test_any_other_class_is_a_flip(make_attack) -> None:
    parts = make_attack({}, {"great": ["fine", "poor"]})
    rows = {"great film": [0.1, 0.2, 0.7], "fine film": [0.3, 0.3, 0.4], "poor film": [0.1, 0.5, 0.4]}

    def three(texts: list[str]) -> np.ndarray:
        return np.array([rows.get(text, [0.2, 0.2, 0.6]) for text in texts])

    model = as_classifier(three, classes=("bad", "so-so", "good"))
    result = Attack(model, parts.substitution, parts.tagger, parts.encoder, ANYTHING).run_one("great film", 2)
    assert (result.outcome, result.adversarial, result.new_label) == (AttackOutcome.SUCCESS, "poor film", 1)


@dataclass
class Clock:
    """Time that passes by a second for each text that a model is asked about."""

    now: float = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.mark.parametrize("seconds", [0.5, 3.5, 6.5, 9.5])
def test_the_time_budget_holds_within_the_first_word(make_attack, monkeypatch, seconds: float) -> None:
    clock = Clock()
    monkeypatch.setattr(lockstep_module, "time", clock)
    table = {"great": [f"word{'abcdefghij'[i]}" for i in range(10)]}
    settings = AttackSettings(min_similarity=-1.0, max_seconds=seconds)
    attack = make_attack({"great": 2.0, "film": 0.1}, table, settings=settings)
    answer = attack.model.function.__class__.__call__

    def slow(self, texts):
        clock.now += len(texts)
        return answer(self, texts)

    monkeypatch.setattr(attack.model.function.__class__, "__call__", slow)
    result = attack.run_one("great film", GOOD)
    assert result.outcome is AttackOutcome.BUDGET
    assert result.seconds == result.queries <= np.ceil(seconds)


@dataclass
class Fickle:
    """Gives a text another class when it is asked about alone."""

    classes_: tuple[str, str] = ("bad", "good")
    calls: list[int] = field(default_factory=list)

    def __call__(self, texts: list[str]) -> np.ndarray:
        self.calls.append(len(texts))
        good = [0.9 if len(texts) == 1 else 0.1 for _ in texts]
        return np.column_stack([1 - np.array(good), good])


def test_a_flip_that_is_not_confirmed_is_a_failure(make_attack) -> None:
    parts = make_attack({}, {"great": ["poor", "fine"]})
    model = as_classifier(Fickle())
    result = Attack(model, parts.substitution, parts.tagger, parts.encoder, ANYTHING).run_one("great film", GOOD)
    assert (result.outcome, result.new_label) == (AttackOutcome.FAILURE, GOOD)
    assert model.function.calls[-2:] == [2, 1]


def test_a_confirmation_shares_its_call_with_no_other_text(make_attack) -> None:
    attack = make_attack(WEIGHTS, TABLE, settings=ANYTHING)
    results = attack_all(attack, made_texts(40))
    fooled = [result.adversarial for result in results if result.outcome is AttackOutcome.SUCCESS]
    alone = [call[0] for call in attack.model.function.calls if len(call) == 1]
    assert len(fooled) > 5
    assert sorted(set(fooled) - set(alone)) == []


@dataclass
class Graded:
    """A model with gradients: what each occurrence adds to the log-odds of class 1, reading a text's first words."""

    inner: object
    reads: int = 1000
    answer: object = None

    @property
    def classes(self) -> tuple[str, ...]:
        return self.inner.classes

    source = "graded"

    def predict_proba(self, texts):
        return self.inner.predict_proba([text[: self.reads] for text in texts])

    def fingerprint(self) -> str:
        return "graded"

    def read_span(self, text: str) -> Span:
        return Span(0, min(self.reads, len(text)))

    def word_gradients(self, text, class_index: int):
        if self.answer is not None:
            return self.answer
        sign = 1.0 if class_index else -1.0
        return np.array([sign * self.inner.function.weights.get(word.lower(), 0.0) for word in text.occurrences])


def graded(attack: Attack, **more) -> Attack:
    return Attack(Graded(attack.model, **more), attack.substitution, attack.tagger, attack.encoder, ANYTHING)


def test_gradients_rank_words_for_one_query(make_attack) -> None:
    plain = make_attack({"great": 3.0, "fine": 1.0, "poor": -4.0}, {"fine": ["poor"], "great": ["poor"]})
    result = graded(plain).run_one("fine great film", GOOD)
    assert [change.before for change in result.changes] == ["great"]
    assert result.queries == 1 + 1 + 1 + 1  # the text, the gradients, the candidate, the confirmation


def test_what_the_model_does_not_read_is_left_alone(make_attack) -> None:
    plain = make_attack({"great": 3.0, "poor": -4.0}, {"great": ["fine"]})
    result = graded(plain, reads=11).run_one("great film great", GOOD)
    assert [change.original for change in result.changes] == [Span(0, 5)]


@pytest.mark.parametrize("answer", [np.array([1.0]), np.array([1.0, np.nan])])
def test_malformed_gradients_are_refused(make_attack, answer: np.ndarray) -> None:
    attack = graded(make_attack({"great": 3.0}, {"great": ["fine"]}), answer=answer)
    with pytest.raises(ModelError, match="expected one finite value for each of its 2 words"):
        attack.run_one("great film", GOOD)


def test_substitutions_are_asked_in_lower_case_with_the_label(make_attack) -> None:
    attack = make_attack({"great": 2.0}, {}, settings=ANYTHING)
    attack.run_one("GREAT film", GOOD)
    assert {("great", GOOD), ("film", GOOD)} == set(attack.substitution.asked)


def test_no_more_candidates_are_tried_than_asked_for(make_attack) -> None:
    table = {"great": ["worda", "wordb", "poor"]}
    settings = AttackSettings(min_similarity=-1.0, max_candidates=2)
    result = make_attack({"great": 2.0, "film": 0.1, "poor": -1.0}, table, settings=settings).run_one(
        "great film", GOOD
    )
    assert (result.outcome, result.queries) == (AttackOutcome.FAILURE, 1 + 1 + 2)


def test_a_candidate_that_is_offered_twice_is_tried_once(make_attack) -> None:
    table = {"great": ["worda", "worda", "wordb", "worda"]}
    result = make_attack({"great": 2.0, "film": 0.1}, table, settings=ANYTHING).run_one("great film", GOOD)
    assert (result.outcome, result.queries) == (AttackOutcome.FAILURE, 1 + 1 + 2)


@pytest.mark.parametrize(
    ("offered", "shown"),
    [(None, "NoneType None"), ("poor", "str 'poor'"), ([1], "list"), ([b"poor"], "list"), (7, "int")],
)
def test_what_is_no_sequence_of_words_is_refused(make_attack, offered: object, shown: str) -> None:
    attack = make_attack({"great": 2.0}, {"great": offered}, settings=ANYTHING)
    with pytest.raises(ConfigurationError, match=f"the substitution 'offers' offers {shown}.* for 'great'; expected a"):
        attack.run_one("great film", GOOD)


@pytest.mark.parametrize(
    ("part", "given", "expected"),
    [
        ("model", len, "classes, fingerprint, predict_proba, source"),
        ("substitution", "toki", "candidates, name"),
        ("substitution", WordCounts, "candidates, name"),
        ("tagger", "nltk", "name, tags"),
        ("tagger", None, "name, tags"),
        ("encoder", None, "encode, name"),
    ],
)
def test_parts_are_checked(make_attack, part: str, given: object, expected: str) -> None:
    attack = make_attack({}, {})
    parts = {name: getattr(attack, name) for name in ("model", "substitution", "tagger", "encoder")}
    with pytest.raises(ConfigurationError, match=f"^{part}=.*: expected an object with {expected}$"):
        Attack(**{**parts, part: given})


@pytest.mark.parametrize("label", [-1, 2, "good", True])
def test_labels_are_columns(make_attack, label: object) -> None:
    with pytest.raises(ConfigurationError, match=r"label=.*: expected a whole number from 0 to 1"):
        make_attack({}, {}).run_one("great film", label)


def test_as_many_labels_as_texts(make_attack) -> None:
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        list(make_attack({}, {}).run(["a b", "c d"], [0]))


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("max_share", -0.1),
        ("max_share", 1.1),
        ("least_words", -1),
        ("min_similarity", 1.5),
        ("max_candidates", 0),
        ("max_queries", 0),
        ("max_queries", 2.5),
        ("max_seconds", 0.0),
    ],
)
def test_settings_out_of_range(setting: str, value: float) -> None:
    with pytest.raises(ConfigurationError, match=setting):
        AttackSettings(**{setting: value})


def test_what_shapes_the_results_is_told(make_attack) -> None:
    told = make_attack({}, {}).describe()
    assert told == {
        "substitution": "offers",
        "tagger": "suffixes",
        "encoder": "counts",
        "max_share": 0.1,
        "least_words": 4,
        "min_similarity": 0.9,
        "max_candidates": 100,
        "max_queries": 10_000,
        "max_seconds": None,
    }


def test_a_substitution_may_tell_its_settings(make_attack) -> None:
    attack = make_attack({}, {})
    attack.substitution.describe = lambda: {"least": 0.5}
    assert attack.describe()["least"] == 0.5


def test_results_are_plain_values(make_attack) -> None:
    import json

    result = make_attack({"great": 2.0, "poor": -1.0}, {"great": ["poor"]}, settings=ANYTHING).run_one("great x", GOOD)
    plain = json.loads(json.dumps(result.to_dict()))
    assert plain["outcome"] == "success"
    assert plain["changes"] == [{"original": [0, 5], "replacement": [0, 4], "before": "great", "after": "poor"}]
