"""Checks: one family of assertions a file, each a plain function that returns a CheckResult."""

from pytest_trust.checks.adversarial import check_adversarial
from pytest_trust.checks.directional import check_directional
from pytest_trust.checks.functional import check_functional
from pytest_trust.checks.invariant import check_invariant
from pytest_trust.checks.trustworthy import check_trustworthy

__all__ = ["check_adversarial", "check_directional", "check_functional", "check_invariant", "check_trustworthy"]
