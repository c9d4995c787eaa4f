"""Cells that are numbers with usual units or currencies, whose units a model may see. Called by `masking`.

A unit says what kind of number stands there, of whoever's row: without it no model can convert one, and code that
looks for a fake of "GB" finds nothing in the data. Single letters are left out, since beside a number they may be a
part of an address ("12 b"), and so are units in front, which may be states ("MO 63101").
"""

import re

_UNITS = (
    "mg kg lb lbs oz mm cm km ft yd mi ml cl dl gal hz khz mhz ghz bytes kb mb gb tb pb kib mib gib tib bit bits "
    "kbps mbps gbps kw mw kwh mwh wh mah kv ms min mins minute minutes sec secs second seconds hr hrs hour hours "
    "day days week weeks wk wks month months mo mos yr yrs year years pa hpa kpa bar psi kcal cal kj mol mmol px pcs "
    "bn mn mio mph kmh rpm dpi ppm pct percent std stunden tage wochen monate jahre heures jours mois ans"
)
_CURRENCIES = "USD EUR GBP JPY CHF CAD AUD NZD CNY INR SEK NOK DKK PLN CZK HUF BRL MXN ZAR RUB TRY"
_UNIT = rf"(?i:{'|'.join(sorted((*_UNITS.split(), *_CURRENCIES.split()), key=len, reverse=True))})(?![^\W_])"
_NUMBER = r"\d(?:[\d.,' ]*\d)?"
_PER = rf"\s?(?:/|per)\s?(?:{_UNIT}|[hsm](?![^\W_]))"
_PART = (
    rf"{_NUMBER}(?:\s?{_UNIT}(?:{_PER})?|{_PER})"
    r"|\d+\s?h\s?\d+\s?m(?:in)?(?![^\W_])|\d+\s?ft\s?\d+\s?in(?![^\W_])"
)
_SIGNS = r"[^\w\s]{0,3}\s?"
_MEASURED = re.compile(
    rf"\s*{_SIGNS}(?:(?:{'|'.join(_CURRENCIES.split())})\s?{_NUMBER}|(?:{_PART})(?:,?\s(?:{_PART}))*)\W{{0,3}}\s*"
)
_LONGEST = 40


def is_measured(text: str) -> bool:
    """Whether the cell holds nothing but numbers, their units or currencies, and signs."""
    return len(text) <= _LONGEST and _MEASURED.fullmatch(text) is not None
