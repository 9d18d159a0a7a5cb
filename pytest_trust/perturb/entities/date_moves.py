"""What a date becomes: another date, written as the old one was. Each function answers for one form of dates."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import cache

from pytest_trust.perturb.lexicon import column, entries

_MOST_YEARS = 3
_YEARS = range(1000, 3000)
_YEAR_OF_DAYS = 2023  # stands for the year of a date without one: no leap year
_CENTURY = 2000  # of years of two digits
_MONTHS = 12
_MAY = 5
# Days known by their date: they stay, and no date becomes one.
_HOLIDAYS = frozenset({(1, 1), (2, 14), (7, 4), (9, 11), (10, 31), (12, 24), (12, 25), (12, 31)})
_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}

Found = re.Match[str]


@cache
def month_numbers() -> dict[str, int]:
    """The number of each month by its name and its abbreviations, in small letters."""
    return {form.lower(): number for number, forms in enumerate(entries("months"), 1) for form in forms}


def day_first(found: Found, rng: random.Random) -> str:
    """Of "Monday, 3rd of May, 2021"."""
    new = _other_day(found, rng)
    if new is None:
        return found[0]
    return _opening(found, new, rng) + _day(found, new) + found["between"] + _month(found, new) + _closing(found, new)


def month_first(found: Found, rng: random.Random) -> str:
    """Of "Monday, May 3rd, 2021"."""
    new = _other_day(found, rng)
    if new is None:
        return found[0]
    return _opening(found, new, rng) + _month(found, new) + found["between"] + _day(found, new) + _closing(found, new)


def year_first(found: Found, rng: random.Random) -> str:
    """Of "2021-05-03"."""
    old = _date(int(found["year"]), int(found["first"]), int(found["second"]))
    new = old and _moved(old, rng)
    return found["sign"].join([str(new.year), *_fields(found, new.month, new.day)]) if new else found[0]


def year_last(found: Found, rng: random.Random) -> str:
    """Of "03/05/2021"."""
    fields, new = _numeric(found, int(found["year"]), rng)
    return found["sign"].join([*fields, str(new.year)]) if new else found[0]


def short_year_last(found: Found, rng: random.Random) -> str:
    """Of "03/05/21"."""
    fields, new = _numeric(found, _CENTURY + int(found["year"]), rng)
    return "/".join([*fields, f"{new.year % 100:02d}"]) if new else found[0]


def month_of_year(found: Found, rng: random.Random) -> str:
    """Of "May 2021"."""
    old = date(int(found["year"]), month_numbers()[found["month"].lower()], 1)
    others = [date(year, month, 1) for year in _years(old) for month in range(1, _MONTHS + 1)]
    new = rng.choice([other for other in others if other != old and _can_be_written(found, other)])
    return _month(found, new) + _closing(found, new)


def month_alone(found: Found, rng: random.Random) -> str:
    """Of "May"."""
    return _in_case(_another(column("months"), found["month"], rng), found["month"])


def weekday_alone(found: Found, rng: random.Random) -> str:
    """Of "Monday"."""
    return _in_case(_another(column("weekdays"), found["weekday"], rng), found["weekday"]) + (found["plural"] or "")


def _another(names: Sequence[str], found: str, rng: random.Random) -> str:
    return rng.choice([name for name in names if name.lower() != found.lower()])


def _other_day(found: Found, rng: random.Random) -> date | None:
    """Another day for that of ``found``; None where it is no date or a holiday."""
    year = int(found["year"] or _YEAR_OF_DAYS)
    old = _date(year, month_numbers()[found["month"].lower()], int(found["day"]))
    return old and _moved(old, rng, lambda new: _can_be_written(found, new), keeps_year=not found["year"])


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _moved(
    old: date, rng: random.Random, fits: Callable[[date], bool] = bool, *, keeps_year: bool = False
) -> date | None:
    """Another date that ``fits``, and is no holiday; None for a holiday."""
    if _is_holiday(old):
        return None
    year = old.year if keeps_year else rng.choice(_years(old))
    days = [date(year, 1, 1) + timedelta(days=number) for number in range(365)]
    return rng.choice([day for day in days if day != old and fits(day) and not _is_holiday(day)])


def _is_holiday(day: date) -> bool:
    return (day.month, day.day) in _HOLIDAYS


def _years(old: date) -> list[int]:
    return [year for year in range(old.year - _MOST_YEARS, old.year + _MOST_YEARS + 1) if year in _YEARS]


def _numeric(found: Found, year: int, rng: random.Random) -> tuple[list[str], date | None]:
    """The new day and month in the order of the old ones, and the new date; where the order is open, both are valid."""
    first, second = int(found["first"]), int(found["second"])
    is_day_first, is_open = first > _MONTHS, max(first, second) <= _MONTHS
    old = _date(year, *((second, first) if is_day_first else (first, second)))
    if old is None or (is_open and (second, first) in _HOLIDAYS):
        return [], None
    new = _moved(old, rng, lambda day: day.day <= _MONTHS or not is_open)
    if new is None:
        return [], None
    return _fields(found, *((new.day, new.month) if is_day_first else (new.month, new.day))), new


def _fields(found: Found, *numbers: int) -> list[str]:
    """``numbers`` of as many digits as the old ones: two where both had two."""
    width = min(len(found["first"]), len(found["second"]))
    return [f"{number:0{width}d}" for number in numbers]


def _opening(found: Found, new: date, rng: random.Random) -> str:
    """The weekday before a date with what joins them: the right one where the year is known."""
    old = found["weekday"]
    if not old:
        return ""
    name = column("weekdays")[new.weekday()] if found["year"] else _another(column("weekdays"), old, rng)
    return _in_case(name, old) + str(found["gap"])


def _day(found: Found, new: date) -> str:
    ending = found["suffix"]
    day = f"{new.day:02d}" if found["day"].startswith("0") else str(new.day)
    return day + _in_case(_ENDINGS.get(new.day, "th"), ending) if ending else day


def _month(found: Found, new: date) -> str:
    name, *short = entries("months")[new.month - 1]
    return _in_case(short[0] if short and _is_short(found) else name, found["month"]) + (found["dot"] or "")


def _closing(found: Found, new: date) -> str:
    return f"{found['comma']}{new.year}" if found["year"] else ""


def _is_short(found: Found) -> bool:
    name, *short = entries("months")[month_numbers()[found["month"].lower()] - 1]
    return bool(short) and found["month"].lower() != name.lower()


def _can_be_written(found: Found, new: date) -> bool:
    """Whether there is a month of the form of the old one: "May" takes no full stop."""
    return new.month != _MAY or not found["dot"] or not _is_short(found)


def _in_case(name: str, found: str) -> str:
    if found.islower():
        return name.lower()
    return name.upper() if found.isupper() else name
