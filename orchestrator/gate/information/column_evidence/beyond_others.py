"""Words that become what no other cell is like, where the other cells are all of one kind. Called by laws.py.

A mistake in a map of words to grades shows at its ends: the zero of a scale from 1 to 5. So does what is put in place
of all that the map does not know.
"""

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.similarity import in_order, key
from orchestrator.gate.information.tokens import words
from orchestrator.gate.information.value_kinds.counted_signs import same_count
from orchestrator.gate.information.value_kinds.units import names_unit

ENOUGH = 3  # different cells that show a kind
NEARLY = 10  # parts of a range: so far beside it a number may be one that no row happens to have
SHORT = 3  # letters of a code
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def beyond_the_range(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word that becomes a number clearly below or above all of the column's own: 0 where these go from 1 to 5."""
    numbers = {Decimal(one) for one, other in cells if one == other and _is_number(one)}
    if len(numbers) < ENOUGH:
        return None
    beside = (max(numbers) - min(numbers)) / NEARLY
    low, high = min(numbers) - beside, max(numbers) + beside
    for before, after in changed:
        number = not any(map(str.isdigit, before)) and _is_number(after) and not _is_measured(before)
        if number and not low <= Decimal(after) <= high and not _counts_signs(before, Decimal(after)):
            return "a word becomes a number beyond those of all other cells", (before, after)
    return None


def _counts_signs(text: str, number: Decimal) -> bool:
    """Whether the number is that of the stars of a text."""
    return number == number.to_integral_value() and same_count(text, str(int(number))) is True


def _is_measured(text: str) -> bool:
    """Whether it says a quantity in words: `an hour ago`."""
    said = words(text)
    return len(said) > 1 and any(map(names_unit, said))


def _is_number(value: object) -> bool:
    return isinstance(value, str) and _NUMBER.fullmatch(value) is not None


def made_up_code(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A word that becomes a code which has none of its letters in order, and which no other cell or word has."""
    texts = [cell for cell in cells if all(isinstance(text, str) for text in cell)]
    stay = {one for one, other in texts if one == other}
    codes = {text for text in stay if _is_code(text)}
    if len(codes) < ENOUGH:
        return None
    targets = Counter(other for one, other in texts if one != other and _is_code(other))
    for before, after in changed:
        new = _is_code(after) and after not in stay and targets[after] == 1 and targets.total() > ENOUGH
        if new and not _is_code(before) and not any(map(str.isdigit, before)) and not in_order(key(after), key(before)):
            return "a word becomes a code that no other cell has", (before, after)
    return None


def _is_code(text: str) -> bool:
    return text.isalpha() and text.isupper() and len(text) <= SHORT
