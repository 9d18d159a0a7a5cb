"""DataFrames of pandas."""

from __future__ import annotations

import sys
from typing import Any, TypeGuard

from pytest_trust.data.table import Table


def is_frame(value: object) -> TypeGuard[Any]:
    """True for a pandas DataFrame; pandas is not imported for the answer."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def frame_table(frame: Any, source: str) -> Table:
    """The table in ``frame``, by position: the index does not matter."""
    names = tuple(str(name) for name in frame.columns)
    return Table(source, names, len(frame), lambda i: frame.iloc[:, i].tolist())
