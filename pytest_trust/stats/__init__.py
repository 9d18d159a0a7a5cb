"""Statistics of the checks: arrays in, plain results out."""

from pytest_trust.stats.agreement import Confusion
from pytest_trust.stats.guard import guarded_p, n_for_guarded, worst_cases
from pytest_trust.stats.paired import PairedTest, directional, equivalence
from pytest_trust.stats.power import n_for_directional, n_for_equivalence, n_for_rate
from pytest_trust.stats.rates import Rate, wilson
from pytest_trust.stats.sampling import sample_indices, seed_for
from pytest_trust.stats.thresholds import cross_fitted, fitted_threshold

__all__ = [
    "Confusion",
    "PairedTest",
    "Rate",
    "cross_fitted",
    "directional",
    "equivalence",
    "fitted_threshold",
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
