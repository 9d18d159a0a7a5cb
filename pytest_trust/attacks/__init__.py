"""Adversarial attacks: replacing words until a model's prediction flips."""

from pytest_trust.attacks.attack import Attack
from pytest_trust.attacks.base import (
    AttackOutcome,
    AttackResult,
    AttackSettings,
    NearbyEncoder,
    NearbyTexts,
    SentenceEncoder,
    Substitution,
    Tagger,
    WordChange,
)
from pytest_trust.attacks.counterfit import CounterFitting, counter_fit
from pytest_trust.attacks.encoding import SENTENCE_ENCODERS, make_encoder
from pytest_trust.attacks.synonyms import SynonymSubstitution
from pytest_trust.attacks.tagging import TAGGERS, make_tagger
from pytest_trust.attacks.toki import TokiSettings, TokiSubstitution
from pytest_trust.attacks.words import function_words

__all__ = [
    "SENTENCE_ENCODERS",
    "TAGGERS",
    "Attack",
    "AttackOutcome",
    "AttackResult",
    "AttackSettings",
    "CounterFitting",
    "NearbyEncoder",
    "NearbyTexts",
    "SentenceEncoder",
    "Substitution",
    "SynonymSubstitution",
    "Tagger",
    "TokiSettings",
    "TokiSubstitution",
    "WordChange",
    "counter_fit",
    "function_words",
    "make_encoder",
    "make_tagger",
]
