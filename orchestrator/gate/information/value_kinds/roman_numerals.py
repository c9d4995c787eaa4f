"""Whether a roman numeral beside other words became its number: `ASA III` as `ASA 3`. Called by looked_up.py."""

import re

from orchestrator.gate.information.similarity import key

LONGEST = 60  # characters
_NUMERAL = re.compile(r"(?<![^\W_])(?=[IVX])(X{0,3})(IX|IV|V?I{0,3})(?=[A-H]?(?![^\W_]))")
_NUMBER = re.compile(r"\d+")
_VALUES = {"": 0, "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9}


def same_numeral(before: str, after: str) -> bool | None:
    """True where a numeral became its number beside a word that stays; None where that is not known."""
    if len(before) > LONGEST or not _NUMBER.search(after) or not _NUMERAL.search(before):
        return None
    counted = _NUMERAL.sub(_number, before)
    has_words = not key(counted).isdecimal()
    return (has_words and key(counted) == key(after)) or None


def _number(found: re.Match[str]) -> str:
    return str(10 * len(found[1]) + _VALUES[found[2]])
