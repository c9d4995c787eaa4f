"""Which colour a text gives by numbers: `#fff`, `FFFFFF`, `0xffffff`, `rgb(255, 255, 255)`. Called by equivalence.py.

Source: CSS Color Module Level 4.
"""

import re

_SHORT, _LONG = (re.compile(rf"(?:#|0x)?([0-9a-f]{{{count}}})") for count in (3, 6))
_RGB = re.compile(r"rgb\(\s*(\d{1,3})\s*,?\s*(\d{1,3})\s*,?\s*(\d{1,3})\s*\)|(\d{1,3}),\s*(\d{1,3}),\s*(\d{1,3})")
_HEX = re.compile(r"#[0-9a-f]{1,5}", re.IGNORECASE)
HIGHEST = 255


def colour(text: str) -> str:
    """Its six hex digits in small letters; empty when the text gives no colour."""
    plain = text.strip().casefold()
    if match := _LONG.fullmatch(plain):
        return match[1]
    if match := _SHORT.fullmatch(plain):
        return "".join(2 * digit for digit in match[1])
    if match := _RGB.fullmatch(plain):
        parts = [int(part) for part in match.groups() if part]
        return "".join(f"{part:02x}" for part in parts) if max(parts) <= HIGHEST else ""
    return ""


def same_colour(before: str, after: str) -> bool | None:
    """Whether both give the same colour; None where one gives none, or none shows by its mark that it is one."""
    marked = any("#" in text or "rgb" in text.casefold() for text in (before, after))
    one, other = colour(before), colour(after)
    if one and _HEX.fullmatch(after.strip()) and not other:
        return False
    return one == other if marked and one and other else None
