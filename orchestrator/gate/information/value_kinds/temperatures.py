"""Whether a temperature stays the same one on another scale. Called by equivalence.py, units.py and measures.py."""

import re
from decimal import Decimal

from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import PLACE, last_place

_DEGREES = re.compile(
    r"[\d\u00b0\u00ba.]\s*(?:deg(?:rees?)?\.?\s*)?([cfk])(?:elsius|ahrenheit|elvin)?\W*$", re.IGNORECASE
)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
ZERO_K = Decimal("273.15")
EXACTLY = Decimal("0.000001")  # floats have a place that nobody means


def same_temperature(before: str, after: str) -> bool:
    """Whether the second is the first on another scale, which it names, or for which it has no more than the number."""
    if not _DEGREES.search(before) or _said_beside(before) != _said_beside(after):
        return False
    if _NUMBER.fullmatch(after.strip()):
        return any(_is_rounded(exact, Decimal(after.strip())) for exact in _on_other_scales(before))
    pair = _temperatures(before, after)
    return pair is not None and _is_rounded(*pair)


def _is_rounded(exact: Decimal, number: Decimal) -> bool:
    """Whether the number is the exact one, to its last place."""
    return abs(exact - number) <= max(last_place(number) * PLACE, EXACTLY)


def _said_beside(text: str) -> list[str]:
    """The words of a text but for those of its temperature."""
    return re.findall(r"[^\W\d_]+", _DEGREES.sub("", text).casefold())


def another_temperature(before: str, after: str) -> bool:
    """Whether both name a scale, and the second is another temperature."""
    pair = _temperatures(before, after)
    return pair is not None and not _is_rounded(*pair)


def _temperatures(before: str, after: str) -> tuple[Decimal, Decimal] | None:
    """Both in the scale of the second; degrees are converted with an offset."""
    one, two = _DEGREES.search(before), _DEGREES.search(after)
    number, other = _signed(before), _signed(after)
    if number is None or other is None or one is None or two is None:
        return None
    start, end = one[1].casefold(), two[1].casefold()
    celsius = {"f": (number - 32) * 5 / 9, "k": number - ZERO_K}.get(start, number)
    exact = {"f": celsius * 9 / 5 + 32, "k": celsius + ZERO_K}.get(end, celsius)
    return (number if start == end else exact), other


def _on_other_scales(text: str) -> list[Decimal]:
    """The temperature in degrees Celsius, or in Fahrenheit if it was that."""
    number, scale = _signed(text), _DEGREES.search(text)
    if number is None or scale is None:
        return []
    start = scale[1].casefold()
    return [{"f": (number - 32) * 5 / 9, "k": number - ZERO_K}.get(start, number * 9 / 5 + 32)]


def _signed(text: str) -> Decimal | None:
    number = reading(text)
    return number if number is None or not re.search(r"[-\u2212]", text) else -abs(number)
