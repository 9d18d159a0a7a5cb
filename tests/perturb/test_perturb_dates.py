from __future__ import annotations

from datetime import date, datetime

import pytest

from pytest_trust.perturb import Edit, perturb_text
from pytest_trust.perturb.entities.dates import change_dates
from pytest_trust.perturb.lexicon import entries

SEEDS = range(80)
MONTHS = [month for month, *_ in entries("months")]
WEEKDAYS = [day for (day,) in entries("weekdays")]


def moved(text: str) -> set[str]:
    return {perturb_text(change_dates(), text, seed).text for seed in SEEDS}


@pytest.mark.parametrize(
    ("text", "form", "year"),
    [
        ("3 May 2021", "%d %B %Y", 2021),
        ("3 of May 2021", "%d of %B %Y", 2021),
        ("May 3, 2021", "%B %d, %Y", 2021),
        ("29 FEB 2020", "%d %b %Y", 2020),
        ("3 Sept. 2021", "%d %b. %Y", 2021),
        ("2021-05-03", "%Y-%m-%d", 2021),
        ("2021/05/03", "%Y/%m/%d", 2021),
        ("25/06/2021", "%d/%m/%Y", 2021),
        ("06/25/2021", "%m/%d/%Y", 2021),
        ("6/25/21", "%m/%d/%y", 2021),
        ("25.6.2021", "%d.%m.%Y", 2021),
        ("Monday, 3 May 2021", "%A, %d %B %Y", 2021),
        ("monday the 3 may 2021", "%A the %d %B %Y", 2021),
        ("May 2021", "%B %Y", 2021),
    ],
)
def test_dates_move_within_three_years_in_their_form(text: str, form: str, year: int) -> None:
    outcomes = moved(f"On {text}")
    assert f"On {text}" not in outcomes
    dates = {
        datetime.strptime(outcome.removeprefix("On ").title().replace("Of", "of").replace("The", "the"), form).date()
        for outcome in outcomes
    }
    assert {day.year for day in dates} == set(range(year - 3, year + 4))
    assert len({day.month for day in dates}) >= 10
    assert {outcome.islower() or outcome.isupper() for outcome in moved(text)} == {text.islower() or text.isupper()}


def test_a_weekday_before_a_date_is_the_right_one() -> None:
    for outcome in moved("Monday, May 3rd, 2021"):
        name, month, day, year = outcome.replace(",", "").split()
        new = date(int(year), MONTHS.index(month) + 1, int(day[:-2]))
        assert WEEKDAYS[new.weekday()] == name


def test_endings_of_days() -> None:
    endings = {tuple(outcome.split()[0].strip("on ")) for outcome in moved("3rd of June")}
    assert {("1", "s", "t"), ("2", "n", "d"), ("1", "3", "t", "h"), ("2", "1", "s", "t")} & endings
    assert all(
        outcome.split()[0].endswith({"1": "st", "2": "nd", "3": "rd"}.get(outcome.split()[0][-3], "th"))
        for outcome in moved("3rd of June")
        if len(outcome.split()[0]) == 3
    )


def test_an_open_order_is_valid_in_both() -> None:
    for outcome in moved("05/03/2021"):
        first, second, year = map(int, outcome.split("/"))
        assert date(year, first, second)
        assert date(year, second, first)


def test_digits_stay_as_many() -> None:
    assert all(len(outcome) == 10 for outcome in moved("05/13/2021"))
    assert any(len(outcome) < 9 for outcome in moved("5/13/2021"))
    assert all(len(outcome.split()[1]) == 2 for outcome in moved("July 09"))


def test_months_and_weekdays_alone() -> None:
    assert moved("in April") == {f"in {month}" for month in MONTHS if month != "April"}
    assert moved("See you in May") == {f"See you in {month}" for month in MONTHS if month != "May"}
    assert moved("in april") == {f"in {month.lower()}" for month in MONTHS if month != "April"}
    assert moved("on Monday") == {f"on {day}" for day in WEEKDAYS if day != "Monday"}
    assert moved("MONDAYS!") == {f"{day.upper()}S!" for day in WEEKDAYS if day != "Monday"}
    assert moved("Friday's news") == {f"{day}'s news" for day in WEEKDAYS if day != "Friday"}


@pytest.mark.parametrize(
    "text",
    [
        "You may march in the sun. May I? March on. The Sun, in march, in may",
        "Only may 3 come, may 3 of you, we march 20 miles",
        "ONLY 3 MAY ENTER",
        "in 2019, by April Jones, August is hot, in June Smith's house",
        "July 4th, 4 July, December 25, 9/11/2001, 25/12/2020",
        "Black Friday, Friday the 13th, Sunday school, on Ash Wednesday, Monday Night Football",
        "30-31 May 2021, 31 June 2021, 2021-13-40, 13/13/2021, 2021-02-30",
        "24/7/365, 3/10, 1.2.3, v1.2.2021, 10/10",
        "https://a.example/2021-05-03 @monday #monday `3 May 2021`",
        "",
    ],
)
def test_what_stays(text: str) -> None:
    assert moved(text) == {text}


@pytest.mark.parametrize("text", ["On 3 May we met", "on May 3 we met", "may 3rd", "Monday, may 3"])
def test_may_as_a_month(text: str) -> None:
    assert text not in moved(text)


def test_the_same_date_becomes_the_same_one_and_the_edit_is_the_date() -> None:
    outcome = perturb_text(change_dates(), "3 June, and 3 June", 1)
    new = outcome.edits[0].replacement
    assert outcome.edits == (Edit(0, 6, new), Edit(12, 18, new))


def test_articles_are_mended() -> None:
    for outcome in moved("an August 2020 film"):
        article, month = outcome.split()[:2]
        assert article == ("an" if month in ("April", "August", "October") else "a")


def test_name() -> None:
    assert repr(change_dates()) == "change_dates"
    assert change_dates().preserves_label


FORMS = {"iso": "%Y-%m-%d", "short": "%B %Y", "long": "%d %B %Y", "open": "%d/%m/%Y", "american": "%m/%d/%Y"}


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("2021-05-03|2021-06-05", "iso iso"),
        ("2021-06-05|2021-05-03|2020-01-31", "iso iso iso"),
        ("31 May 2021|2021-06-05", "long iso"),
        ("May 2021|01 June 2021", "short long"),
        ("03/05/2021|05/04/2021", "open open"),
        ("03/05/2021|05/04/2021", "american american"),
        ("05/13/2021|2021-05-14", "american iso"),
    ],
)
def test_dates_of_one_text_keep_their_order(text: str, forms: str) -> None:
    def days(written: str) -> list[datetime]:
        return [
            datetime.strptime(day, FORMS[form]) for day, form in zip(written.split("|"), forms.split(), strict=True)
        ]

    def order(written: str) -> list[bool]:
        read = days(written)
        return [one < other for one in read for other in read]

    found = {tuple(outcome.split(" and ")) for outcome in moved(text.replace("|", " and "))}
    assert all(order("|".join(dates)) == order(text) for dates in found)
    assert (tuple(text.split("|"))) not in found
    assert len(found) > 3


def test_dates_without_a_year_stay_in_it() -> None:
    for outcome in moved("from 3 May to 5 June, and in July"):
        months = [MONTHS.index(word) for word in outcome.replace(",", "").split() if word in MONTHS]
        assert months == [months[0], months[0] + 1, months[0] + 2]
    assert len(moved("from 3 May to 5 June")) == 10


def test_weekdays_before_dates_move_with_them() -> None:
    for outcome in moved("Monday, June 3 to Tuesday, July 4th; Friday, June 3 to Saturday, June 4"):
        assert outcome == "Monday, June 3 to Tuesday, July 4th; Friday, June 3 to Saturday, June 4"
    for outcome in moved("from Friday, June 3, to Saturday, June 4"):
        first, second = (WEEKDAYS.index(word.strip(",")) for word in outcome.split() if word.strip(",") in WEEKDAYS)
        assert (second - first) % 7 == 1


def test_different_weekdays_stay_different() -> None:
    for outcome in moved("closed on Monday and Tuesday"):
        first, second = (WEEKDAYS.index(word) for word in outcome.split() if word in WEEKDAYS)
        assert second == (first + 1) % 7


@pytest.mark.parametrize(
    "text",
    [
        "between Monday and Friday, Monday to Friday, MONDAYS UNTIL FRIDAYS",
        "July 4th and 3 May 2021",
        "3 January and 5 December",
        "29 Feb 2020 and 03/05/2021",
        "from 2019 to May 2021",
        "from May to July 2021",
        "May 3 to June 5, 2021",
    ],
)
def test_where_the_order_could_break_all_stay(text: str) -> None:
    assert moved(text) == {text}
