"""Statistics of the checks: arrays in, plain results out."""

from pytest_trust.stats.agreement import Confusion
from pytest_trust.stats.clusters import cluster_means, clustered_rate, share_among
from pytest_trust.stats.guard import guarded_direction_p, guarded_interval, guarded_p
from pytest_trust.stats.paired import Method, PairedTest, directional, equivalence
from pytest_trust.stats.paired_rates import holm, mcnemar_exact, turned
from pytest_trust.stats.power import n_for_difference, n_for_directional, n_for_equivalence, n_for_rate, n_for_sign
from pytest_trust.stats.rates import (
    NOTHING_KNOWN,
    Rate,
    difference_lower,
    exact_lower,
    exact_upper,
    reaches,
    safe_interval,
    stays_within,
    wilson,
)
from pytest_trust.stats.sampling import sample_indices, seed_for
from pytest_trust.stats.thresholds import cross_fitted, fitted_threshold

__all__ = [
    "NOTHING_KNOWN",
    "Confusion",
    "Method",
    "PairedTest",
    "Rate",
    "cluster_means",
    "clustered_rate",
    "cross_fitted",
    "difference_lower",
    "directional",
    "equivalence",
    "exact_lower",
    "exact_upper",
    "fitted_threshold",
    "guarded_direction_p",
    "guarded_interval",
    "guarded_p",
    "holm",
    "mcnemar_exact",
    "n_for_difference",
    "n_for_directional",
    "n_for_equivalence",
    "n_for_rate",
    "n_for_sign",
    "reaches",
    "safe_interval",
    "sample_indices",
    "seed_for",
    "share_among",
    "stays_within",
    "turned",
    "wilson",
]
