"""The letter in front of the number of a code, without which it is another value of its column.

Called by number_sign_laws.py. `M10` and `10` are two lines, as `10A` and `10` are two houses: that the number alone is
there already shows a merge. Where only one letter goes, it may say what the numbers are: `L28` is line 28.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from orchestrator.gate.information.changes import Change, Found, unchanged_texts

SAYS_NUMBER = frozenset("vpcx")  # version, page, circa, times
_FRONT = re.compile(r"([^\W\d_])[ -]?(\d{1,9})")
_OF_ZEROS = re.compile(r"([A-Za-z]{1,4})[ -]?0[0.]{0,8}")


def fronts_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Different letters that go where a number alone is there, too, or comes of both: `M10`, `N10` and `10` as `10`."""
    stay = {one.strip() for one in unchanged_texts(cells)}
    gone = [(front, change) for change in changed if (front := front_gone(*change))]
    beside: dict[str, set[str]] = defaultdict(set)
    for front, change in gone if len({front for front, _ in gone}) > 1 else ():
        number = change[1].strip()
        beside[number].add(front)
        if number in stay or len(beside[number]) > 1:
            return "letters are left out that tell codes from numbers of their column", change
    return None


def front_gone(before: str, after: str) -> str:
    """The letter that a number loses, and that is no word for a number; empty where it loses none."""
    code = _FRONT.fullmatch(before.strip())
    gone = code and code[2] == after.strip() and code[1].casefold() not in SAYS_NUMBER
    return code[1].casefold() if code and gone else ""


def zeros_of_a_letter_gone(changed: Sequence[Change]) -> Found | None:
    """A code that loses its number where that is of zeros only: `Z00.00` as `Z`."""
    for before, after in changed:
        code = _OF_ZEROS.fullmatch(before.strip())
        if code and after.strip().casefold() == code[1].casefold():
            return "a code loses all its figures", (before, after)
    return None
