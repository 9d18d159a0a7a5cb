"""Perturbations: changes of a text that a classifier is tested under."""

from pytest_trust.perturb.base import Perturbation, Perturbed, as_perturbation, perturb_text
from pytest_trust.perturb.compose import chain, one_of, with_probability
from pytest_trust.perturb.edits import Edit, apply_edits
from pytest_trust.perturb.entities.dates import change_dates
from pytest_trust.perturb.entities.numbers import change_ages, change_numbers
from pytest_trust.perturb.entities.swaps import swap, swap_locations, swap_names
from pytest_trust.perturb.fairness.gender import swap_gender
from pytest_trust.perturb.fairness.groups import NAME_GROUPS, swap_countries, swap_group_names
from pytest_trust.perturb.fairness.nationalities import swap_nationalities
from pytest_trust.perturb.fairness.religions import swap_religions
from pytest_trust.perturb.form.contractions import contract, expand_contractions
from pytest_trust.perturb.form.disguise import homoglyphs, invisible_characters
from pytest_trust.perturb.form.numerals import numbers_to_words
from pytest_trust.perturb.form.slips import ocr_slips, typos
from pytest_trust.perturb.form.spelling import abbreviate, american_spelling, british_spelling, homophones
from pytest_trust.perturb.form.whitespace import extra_whitespace, line_breaks, tabs
from pytest_trust.perturb.form.writing import (
    add_punctuation,
    final_punctuation,
    lowercase,
    strip_accents,
    strip_punctuation,
    titlecase,
    uppercase,
)
from pytest_trust.perturb.meaning.insertions import (
    add_criticism,
    add_handle,
    add_neutral,
    add_praise,
    add_prefix,
    add_suffix,
    add_url,
)
from pytest_trust.perturb.meaning.negation import negate, remove_negation
from pytest_trust.perturb.meaning.opinions import other_opinion, swap_comparison, used_to
from pytest_trust.perturb.preview import Preview, preview
from pytest_trust.perturb.words.degrees import add_intensifiers, add_reducers
from pytest_trust.perturb.words.fillers import drop_neutral_words, repeat_words
from pytest_trust.perturb.words.synonyms import synonyms
from pytest_trust.perturb.words.tables import replace

__all__ = [
    "NAME_GROUPS",
    "Edit",
    "Perturbation",
    "Perturbed",
    "Preview",
    "abbreviate",
    "add_criticism",
    "add_handle",
    "add_intensifiers",
    "add_neutral",
    "add_praise",
    "add_prefix",
    "add_punctuation",
    "add_reducers",
    "add_suffix",
    "add_url",
    "american_spelling",
    "apply_edits",
    "as_perturbation",
    "british_spelling",
    "chain",
    "change_ages",
    "change_dates",
    "change_numbers",
    "contract",
    "drop_neutral_words",
    "expand_contractions",
    "extra_whitespace",
    "final_punctuation",
    "homoglyphs",
    "homophones",
    "invisible_characters",
    "line_breaks",
    "lowercase",
    "negate",
    "numbers_to_words",
    "ocr_slips",
    "one_of",
    "other_opinion",
    "perturb_text",
    "preview",
    "remove_negation",
    "repeat_words",
    "replace",
    "strip_accents",
    "strip_punctuation",
    "swap",
    "swap_comparison",
    "swap_countries",
    "swap_gender",
    "swap_group_names",
    "swap_locations",
    "swap_names",
    "swap_nationalities",
    "swap_religions",
    "synonyms",
    "tabs",
    "titlecase",
    "typos",
    "uppercase",
    "used_to",
    "with_probability",
]
