"""Statistics of the checks: arrays in, plain results out."""

from pytest_trust.stats.agreement import Confusion
from pytest_trust.stats.guard import guarded_p, n_for_guarded, worst_cases
from pytest_trust.stats.paired import PairedTest, directional, equivalence
from pytest_trust.stats.power import n_for_directional, n_for_equivalence, n_for_rate
from pytest_trust.stats.rates import Rate, wilson
from pytest_trust.stats.sampling import sample_indices, seed_for

__all__ = [
    "Confusion",
    "PairedTest",
    "Rate",
    "directional",
    "equivalence",
    "guarded_p",
    "n_for_directional",
    "n_for_equivalence",
    "n_for_guarded",
    "n_for_rate",
    "sample_indices",
    "seed_for",
    "wilson",
    "worst_cases",
]
