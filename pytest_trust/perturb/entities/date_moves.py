"""What a date becomes: another date, written as the old one was. A function for each form reads what was found."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial

from pytest_trust.perturb.language.casing import capitalised
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


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date of a text, which others can be written as it is (``fits``), and how they are (``write``).

    Of one without a day the first of the month is taken. ``is_open``: day and month may be the other way round.
    """

    day: date
    write: Callable[[date], str]
    fits: Callable[[date], bool] = bool
    has_year: bool = True
    has_day: bool = True
    is_open: bool = False

    def is_holiday(self) -> bool:
        """Whether it is a day known by its date, in one of the orders that it may have."""
        month, day = self.day.month, self.day.day
        return self.has_day and (_is_holiday(self.day) or (self.is_open and (day, month) in _HOLIDAYS))

    def can_become(self, new: date) -> bool:
        """Whether ``new`` can take its place: without a year it stays within the year."""
        is_in_time = new.year in _YEARS if self.has_year else new.year == self.day.year
        return is_in_time and new != self.day and self.fits(new) and not (self.has_day and _is_holiday(new))


def moved(dates: Sequence[WrittenDate], rng: random.Random) -> list[date] | None:
    """New days for ``dates``; None where they stay.

    One date alone moves to any other within three years. Several move by the same number of months, and by whole years
    where the order of day and month is open in one: they keep their order, and different ones stay different.
    """
    if any(one.is_holiday() for one in dates):
        return None
    if len(dates) == 1:
        return [_drawn(dates[0], rng)]
    step = _MONTHS if any(one.is_open for one in dates) else 1
    shifts = [n for n in range(-_MOST_YEARS * _MONTHS, _MOST_YEARS * _MONTHS + 1, step) if n and _all_take(dates, n)]
    if not shifts:
        return None
    months = rng.choice(shifts)
    return [day for one in dates if (day := _shifted(one.day, months))]


def day_first(found: Found) -> WrittenDate | None:
    """Of "Monday, 3rd of May, 2021"; None where there is no such day, as for the others."""
    old = _read(found)

    def write(new: date) -> str:
        return (
            _opening(found, old, new) + _day(found, new) + found["between"] + _month(found, new) + _closing(found, new)
        )

    return (
        None if old is None else WrittenDate(old, write, partial(_can_be_written, found), has_year=bool(found["year"]))
    )


def month_first(found: Found) -> WrittenDate | None:
    """Of "Monday, May 3rd, 2021"."""
    old = _read(found)

    def write(new: date) -> str:
        return (
            _opening(found, old, new) + _month(found, new) + found["between"] + _day(found, new) + _closing(found, new)
        )

    return (
        None if old is None else WrittenDate(old, write, partial(_can_be_written, found), has_year=bool(found["year"]))
    )


def year_first(found: Found) -> WrittenDate | None:
    """Of "2021-05-03"."""
    old = _date(int(found["year"]), int(found["first"]), int(found["second"]))

    def write(new: date) -> str:
        return found["sign"].join([str(new.year), *_fields(found, new.month, new.day)])

    return None if old is None else WrittenDate(old, write)


def year_last(found: Found) -> WrittenDate | None:
    """Of "03/05/2021"."""
    return _numeric(found, int(found["year"]), lambda new: str(new.year))


def short_year_last(found: Found) -> WrittenDate | None:
    """Of "03/05/21"."""
    return _numeric(found, _CENTURY + int(found["year"]), lambda new: f"{new.year % 100:02d}")


def month_of_year(found: Found) -> WrittenDate | None:
    """Of "May 2021"."""
    old = date(int(found["year"]), month_numbers()[found["month"].lower()], 1)

    def write(new: date) -> str:
        return _month(found, new) + _closing(found, new)

    return WrittenDate(old, write, partial(_can_be_written, found), has_day=False)


def month_alone(found: Found) -> WrittenDate | None:
    """Of "May"."""
    old = date(_YEAR_OF_DAYS, month_numbers()[found["month"].lower()], 1)

    def write(new: date) -> str:
        return _in_case(column("months")[new.month - 1], found["month"])

    return WrittenDate(old, write, has_year=False, has_day=False)


def weekday_later(found: Found, days: int) -> str:
    """The weekday so many days after "Monday", written as it is."""
    return _in_case(_later(found["weekday"], days), found["weekday"]) + (found["plural"] or "")


def _later(weekday: str, days: int) -> str:
    names = column("weekdays")
    return names[(names.index(capitalised(weekday.lower())) + days) % len(names)]


def _read(found: Found) -> date | None:
    year = int(found["year"] or _YEAR_OF_DAYS)
    return _date(year, month_numbers()[found["month"].lower()], int(found["day"]))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _drawn(one: WrittenDate, rng: random.Random) -> date:
    """Another day, or another first of a month where no day is told."""
    year = rng.choice(_years(one.day)) if one.has_year else one.day.year
    days = [date(year, 1, 1) + timedelta(days=number) for number in range(365)]
    return rng.choice([day for day in days if (one.has_day or day.day == 1) and one.can_become(day)])


def _all_take(dates: Sequence[WrittenDate], months: int) -> bool:
    new = [_shifted(one.day, months) for one in dates]
    return all(day is not None and one.can_become(day) for one, day in zip(dates, new, strict=True))


def _shifted(day: date, months: int) -> date | None:
    years, month = divmod(day.month - 1 + months, _MONTHS)
    return _date(day.year + years, month + 1, day.day)


def _is_holiday(day: date) -> bool:
    return (day.month, day.day) in _HOLIDAYS


def _years(old: date) -> list[int]:
    return [year for year in range(old.year - _MOST_YEARS, old.year + _MOST_YEARS + 1) if year in _YEARS]


def _numeric(found: Found, year: int, write_year: Callable[[date], str]) -> WrittenDate | None:
    """A date that ends with the year; where the order is open, day and month are taken to be so low that both do."""
    first, second, sign = int(found["first"]), int(found["second"]), found[0][len(found["first"])]
    is_day_first, is_open = first > _MONTHS, max(first, second) <= _MONTHS
    old = _date(year, *((second, first) if is_day_first else (first, second)))

    def write(new: date) -> str:
        numbers = (new.day, new.month) if is_day_first else (new.month, new.day)
        return sign.join([*_fields(found, *numbers), write_year(new)])

    return (
        None if old is None else WrittenDate(old, write, lambda new: new.day <= _MONTHS or not is_open, is_open=is_open)
    )


def _fields(found: Found, *numbers: int) -> list[str]:
    """``numbers`` of as many digits as the old ones: two where both had two."""
    width = min(len(found["first"]), len(found["second"]))
    return [f"{number:0{width}d}" for number in numbers]


def _opening(found: Found, old: date | None, new: date) -> str:
    """The weekday before a date with what joins them: the right one, or without a year the one as much later."""
    weekday = found["weekday"]
    if not weekday or old is None:
        return ""
    name = column("weekdays")[new.weekday()] if found["year"] else _later(weekday, (new - old).days)
    return _in_case(name, weekday) + str(found["gap"])


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
