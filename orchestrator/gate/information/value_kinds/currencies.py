"""The currency beside an amount: 20 dollars are $20, and €300 are not $300. Called by equivalence.py and laws.py."""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.number_parsing import MAX_LENGTH, reading

_AMOUNT = re.compile(r"([^\d\s+-][^\d+-]{0,11}?)?\s*[+-]?\d[\d.,' ]*(?:\s*([^\d\s][^\d]{0,11}?))?", re.DOTALL)
_SIGNED = re.compile(r"([$\u20ac\u00a3\u00a5\u20b9])\s?(\d[\d.,]*\d|\d)")
MOST = 50  # amounts of one text that are looked at


def currency_changed(changed: Sequence[Change]) -> Found | None:
    """An amount whose sign or code becomes that of another currency. Its figures may be others, too."""
    for before, after in changed:
        one, other = _currencies(before), _currencies(after)
        if (one and other and one.isdisjoint(other)) or _another_sign(before, after):
            return "an amount comes to be in another currency", (before, after)
    return None


def _another_sign(before: str, after: str) -> bool:
    """Whether a number of a text gets the sign of another currency in front of it."""
    signs = {number: sign for sign, number in islice(_SIGNED.findall(before), MOST)}
    return any(sign != signs.get(number, sign) for sign, number in islice(_SIGNED.findall(after), MOST))


def same_money(before: str, after: str) -> bool:
    """Whether both are the same amount in the same currency, with its sign, code or name and nothing else."""
    number = reading(before)
    if number is None or number != reading(after):
        return False
    return all(all(map(currency, _beside(text))) for text in (before, after)) and not _currencies(before).isdisjoint(
        _currencies(after)
    )


def _currencies(text: str) -> frozenset[int]:
    """What the words beside a text's one number can name; empty where they name no currency."""
    return frozenset().union(*map(currency, _beside(text)))


def _beside(text: str) -> list[str]:
    """What stands in front of a text's one number and behind it."""
    found = _AMOUNT.fullmatch(text.strip()) if len(text) <= MAX_LENGTH else None
    return [part.strip() for part in found.groups() if part] if found else []
