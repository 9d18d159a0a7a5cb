"""Perturbations: changes of a text that a classifier is tested under."""

from pytest_trust.perturb.base import Perturbation, Perturbed, as_perturbation, perturb_text
from pytest_trust.perturb.compose import chain, one_of, with_probability
from pytest_trust.perturb.context import add_prefix, add_suffix
from pytest_trust.perturb.edits import Edit, apply_edits
from pytest_trust.perturb.entities import swap, swap_locations, swap_names
from pytest_trust.perturb.forms import lowercase, strip_punctuation, typos, uppercase
from pytest_trust.perturb.tables import replace

__all__ = [
    "Edit",
    "Perturbation",
    "Perturbed",
    "add_prefix",
    "add_suffix",
    "apply_edits",
    "as_perturbation",
    "chain",
    "lowercase",
    "one_of",
    "perturb_text",
    "replace",
    "strip_punctuation",
    "swap",
    "swap_locations",
    "swap_names",
    "typos",
    "uppercase",
    "with_probability",
]
