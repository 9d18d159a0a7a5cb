"""Checks of the settings of explainers."""

from __future__ import annotations

import math

from pytest_trust.errors import ConfigurationError
from pytest_trust.text import Tokenizer

# What numpy's RandomState takes.
_MAX_SEED = 2**32 - 1


def check_count(name: str, value: int, least: int) -> None:
    """Refuse a ``value`` that is not an integer of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigurationError(f"{name} must be an integer of at least {least}, got {value!r}")


def check_seed(seed: int) -> None:
    """Refuse what is not an integer between 0 and 2**32 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= _MAX_SEED:
        raise ConfigurationError(f"seed must be an integer between 0 and {_MAX_SEED}, got {seed!r}")


def check_width(kernel_width: float) -> None:
    """Refuse a kernel width that is not a positive finite number."""
    if not (math.isfinite(kernel_width) and kernel_width > 0):
        raise ConfigurationError(f"kernel_width must be a positive finite number, got {kernel_width!r}")


def tokenizer_name(tokenizer: Tokenizer) -> str:
    """Where a tokenizer is defined, for settings."""
    kind = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    return f"{kind.__module__}.{kind.__qualname__}"
