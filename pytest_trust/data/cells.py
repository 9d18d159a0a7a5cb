"""One cell of a table to a text, a label or a verdict; errors speak of the value, the caller adds the place."""

from __future__ import annotations

import sys
from numbers import Integral, Real

import numpy as np

from pytest_trust.errors import DataError
from pytest_trust.messages import shown

_VERDICTS: dict[str, bool | None] = {
    **dict.fromkeys(("true", "t", "yes", "y", "1", "trustworthy"), True),
    **dict.fromkeys(("false", "f", "no", "n", "0", "untrustworthy"), False),
    **dict.fromkeys(("", "unsure"), None),
}


def as_text(value: object) -> str:
    """``value`` as a text; "" and white space are texts, only null and NaN are not.

    Raises:
        DataError: ``value`` is null, NaN or not a string.
    """
    if is_missing(value):
        raise DataError(f"the text is missing (found {value}); expected a string")
    if not isinstance(value, str):
        raise DataError(f"the text is {shown(value)}; expected a string")
    return _plain_string(value)


def as_label(value: object) -> str | None:
    """``value`` as the name of a class, None where it is null, NaN or blank.

    Integers and booleans become strings ("1", "True"), and so does a float that is whole ("1"), because
    pandas makes floats of an integer column with gaps.

    Raises:
        DataError: ``value`` is of another type, or a float with a fraction.
    """
    return _as_name(value, "label")


def _as_name(value: object, role: str) -> str | None:
    if is_missing(value):
        return None
    if isinstance(value, str):
        return _plain_string(value) if value.strip() else None
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real) and float(value).is_integer():
        return str(int(float(value)))
    raise DataError(f"the {role} is {shown(value)}; expected a string, an integer or a boolean")


def as_known_label(value: object) -> str:
    """As :func:`as_label`, where a label must be.

    Raises:
        DataError: ``value`` is no label, or none is there.
    """
    label = as_label(value)
    if label is None:
        raise DataError(f"the label is missing (found {value!r}); every row needs one here")
    return label


def as_group(value: object) -> str | None:
    """``value`` as the name of the source that a text shares with others, read like a label.

    Raises:
        DataError: as :func:`as_label`.
    """
    return _as_name(value, "group")


def as_verdict(value: object) -> bool | None:
    """``value`` as a human's verdict: True for trustworthy, None for unsure or not judged.

    Raises:
        DataError: ``value`` is none of the accepted spellings.
    """
    if is_missing(value):
        return None
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Real) and value in (0, 1):
        return value == 1
    if isinstance(value, str) and value.strip().lower() in _VERDICTS:
        return _VERDICTS[value.strip().lower()]
    raise DataError(
        f"the verdict is {shown(value)}; expected true/false, yes/no, 1/0, t/f, y/n, "
        "trustworthy/untrustworthy, or unsure or nothing"
    )


def is_missing(value: object) -> bool:
    """True for None, NaN of any float type, and the NA and NaT of pandas."""
    if value is None:
        return True
    if isinstance(value, Real):
        return bool(value != value)
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


def _plain_string(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        found = value[error.start]
        raise DataError(f"the lone surrogate {found!r} stands at character {error.start + 1}; expected text") from None
    return str.__str__(value)  # a str subclass (numpy's, an Enum's) may spell itself otherwise
