"""The currency beside an amount: 20 dollars are $20, and €300 are not $300. Called by equivalence.py and laws.py."""

import re
from collections.abc import Sequence
from itertools import islice

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.value_kinds.amounts import amounts, same_amount
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.number_parsing import MAX_LENGTH, reading

_AMOUNT = re.compile(r"([^\d\s+-][^\d+-]{0,11}?)?\s*[+-]?\d[\d.,' ]*(?:\s*([^\d\s][^\d]{0,11}?))?", re.DOTALL)
_SIGNED = re.compile(r"([$\u20ac\u00a3\u00a5\u20b9])\s?(\d[\d.,]*\d|\d)")
_CODED = re.compile(r"\b([TKM])(EUR|USD|CHF|GBP|\u20ac)")  # TEUR are thousands
_SIZED = re.compile(
    r"([$\u20ac\u00a3\u00a5]|[A-Z]{3})?\s*(-?\d[\d.,]*(?:\s*(?:k|tsd|mio|mn|m|mrd|bn|million|billion|thousand)\b\.?)?)"
    r"\s*([$\u20ac\u00a3\u00a5]|[A-Z]{3}|[^\W\d_]{4,8})?",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[$\u20ac\u00a3\u00a5]|[^\W\d_]")
_AMBIGUOUS = re.compile(r"\d[.,]\d{3}\s?[^\d.,]")  # 8.128 thousand
MOST = 50  # amounts of one text that are looked at


def currency_changed(changed: Sequence[Change]) -> Found | None:
    """An amount whose sign or code becomes that of another currency. Its figures may be others, too."""
    for before, after in changed:
        one, other = currencies_beside(before), currencies_beside(after)
        if (one and other and one.isdisjoint(other)) or _another_sign(before, after):
            return "an amount comes to be in another currency", (before, after)
    return None


def _another_sign(before: str, after: str) -> bool:
    """Whether a number of a text gets the sign of another currency in front of it."""
    signs = {number: sign for sign, number in islice(_SIGNED.findall(before), MOST)}
    return any(sign != signs.get(number, sign) for sign, number in islice(_SIGNED.findall(after), MOST))


def same_money(before: str, after: str) -> bool | None:
    """Whether both are the same amount in the same currency, with its sign, code or name and nothing else.

    None where that is not known: only of what says `Mio.` and the like is another amount known to be one.
    """
    number = reading(before)
    if number is None or number != reading(after):
        theirs = _in_full(after)
        ours = None if theirs is None else _in_full(before)
        if ours is None or theirs is None or ours[1].isdisjoint(theirs[1]):
            return None
        same = same_amount(amounts(ours[0]), amounts(theirs[0]), after)
        return same if same or any(map(str.isalpha, ours[0])) else None
    known = all(all(map(currency, _beside(text))) for text in (before, after))
    return True if known and not currencies_beside(before).isdisjoint(currencies_beside(after)) else None


def _in_full(text: str) -> tuple[str, frozenset[int]] | None:
    """The amount with its `Mio.` or `k`, and the currency in front of it or behind: `3,7 Mio. €`, `8 TEUR`."""
    if not _NAMED.search(text):
        return None
    text = _CODED.sub(lambda code: f"{'m' if code[1] == 'M' else 'k'} {code[2]}", text.strip())
    found = _SIZED.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if found is None or bool(found[1]) is bool(found[3]) or _AMBIGUOUS.search(found[2]):
        return None
    known = currency(found[1] or found[3])
    return (found[2], known) if known else None


def currencies_beside(text: str) -> frozenset[int]:
    """What the words beside a text's one number can name; empty where they name no currency."""
    return frozenset().union(*map(currency, _beside(text)))


def _beside(text: str) -> list[str]:
    """What stands in front of a text's one number and behind it."""
    found = _AMOUNT.fullmatch(text.strip()) if len(text) <= MAX_LENGTH else None
    return [part.strip() for part in found.groups() if part] if found else []
