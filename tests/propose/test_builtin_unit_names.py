"""Units in a column of their own."""

from typing import Any

import pytest

from tests.propose.builtin_help import settled

UNITS = ["mg/dL", "mmol/L", "ng/mL", "mIU/L", "%"]


def test_units_are_written_in_the_letters_of_most() -> None:
    """A laboratory's `mg/dl` among `mg/dL`."""
    odd = ["mg/dl", "MMOL/L", "ng/ml", "miu/l"]
    assert settled([*UNITS * 12, *odd], "unit") == [*UNITS * 12, *UNITS[:4]]


@pytest.mark.parametrize(
    ("name", "usual", "odd"),
    [
        ("unit", ["mW", "MW", "kW"], ["mw"]),  # two units
        ("unit", ["mm", "kg", "mg/dL", "mmol/L"], ["Mm"]),  # one may be a thousand kilometres
        ("unit", ["mg/dL", "mmol/L"], ["mg/L", "mmol"]),  # others
        ("unit", ["mg/dL", "mg/dl"], ["%"]),  # as frequent
        ("unit", ["Mb/s", "MB/s"], ["mb/s"]),  # bit and byte
        ("variable", ["mg/dL", "mmol/L"], ["mg/dl"]),  # every sign counts
        ("path", ["l/min", "g/day"], ["L/min"]),
    ],
)
def test_units_that_case_makes_others_stay(name: str, usual: list[Any], odd: list[str]) -> None:
    """And what no writing has for the most part."""
    assert settled([*usual * 15, *odd], name) == [*usual * 15, *odd]
