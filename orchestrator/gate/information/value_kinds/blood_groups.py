"""Blood groups, with the sign of the factor in words or not. Called by looked_up.py."""

import re

_BLOOD = re.compile(
    r"(a|b|ab|o|0)\s*(?:rh(?:esus)?\s*)?\.?\s*(\+|-|\u2212|pos|neg|(?:posi|nega)ti[fv][aeo]?)(?:\.|\s*ve)?",
    re.IGNORECASE,
)
_WITHOUT_FACTOR = re.compile(r"a|b|ab|o|0", re.IGNORECASE)


def same_blood_group(before: str, after: str) -> bool | None:
    """Whether group and factor stay; None where one of both names none."""
    one, other = _group(before), _group(after)
    if one and not other and _WITHOUT_FACTOR.fullmatch(after.strip()):
        return False
    return one == other if one and other else None


def _group(text: str) -> str:
    match = _BLOOD.fullmatch(text.strip())
    return "" if match is None else match[1].casefold().replace("0", "o") + "+-"[match[2].casefold()[0] in "n-\u2212"]
