"""``python -m benchmarks.lexicons.country_incomes --levels FILE --out FILE``: the income level of each country.

The levels are the World Bank's of July 2022 (fiscal year 2023; CC BY 4.0), as ``src/w/wbopendata_incomelevel.sthlp`` of
wbopendata (github.com/jpazvd/wbopendata, as of 24 January 2023) lists them by ISO code. pycountry 26.2.16 knows the
codes of the names in ``countries.txt``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.lexicons import write
from pytest_trust.perturb.lexicon import entries

HEADING = "Country, by the name that stands in for others in countries.txt | its income level (World Bank, July 2022)."
LEVELS = {"HIC": "high", "UMC": "upper middle", "LMC": "lower middle", "LIC": "low"}
# What pycountry does not find by the names of countries.txt, and parts of a country.
CODES = {
    "East Timor": "TLS",
    "England": "GBR",
    "Ivory Coast": "CIV",
    "Kosovo": "XKX",
    "North Macedonia": "MKD",
    "Northern Ireland": "GBR",
    "Palestine": "PSE",
    "Scotland": "GBR",
    "St. Lucia": "LCA",
    "Wales": "GBR",
    "the Democratic Republic of Congo": "COD",
}


def levels(path: Path) -> dict[str, str]:
    """ISO code -> income level."""
    found: dict[str, str] = {}
    level = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if section := re.match(r"\{marker (\w+)\}", line):
            level = section[1]
        elif (code := re.match(r"\{synopt:\{opt (\w{3})\}\}", line)) and level in LEVELS:
            found[code[1]] = LEVELS[level]
    return found


def code_of(spellings: Sequence[str]) -> str | None:
    """The ISO code of a country of ``countries.txt``."""
    from pycountry import countries

    if spellings[0] in CODES:
        return CODES[spellings[0]]
    for spelling in spellings:
        try:
            return str(countries.lookup(spelling.removeprefix("the ")).alpha_3)
        except LookupError:
            continue
    return None


def rows(level_of: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Country and level, and what has none printed."""
    for spellings in entries("countries"):
        level = level_of.get(code_of(spellings) or "")
        if level is None:
            print(f"no level: {spellings[0]}")
        else:
            yield spellings[0], level


def main(argv: Sequence[str] | None = None) -> None:
    """Write ``country | level``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexicons.country_incomes", description=__doc__)
    parser.add_argument("--levels", type=Path, required=True, help="wbopendata_incomelevel.sthlp")
    parser.add_argument("--out", type=Path, required=True, help="file to write, country_incomes.txt")
    given = parser.parse_args(argv)
    write(given.out, HEADING, rows(levels(given.levels)))


if __name__ == "__main__":
    main()
