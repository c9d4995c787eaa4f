"""Whether two texts give the same place: `40.06 S, 143.84 E` and `-40.06, 143.84`. Called by looked_up.py."""

import re
from decimal import Decimal

LONGEST = 60  # characters
DECIMALS = 3  # of degrees: a hundred metres
_NUMBER = r"([-+\u2212]?\d{1,3}(?:\.\d+)?) ?[°º]? ?"
_ONE = re.compile(
    r"(?P<degrees>\d{1,3}[.,]\d{1,12}) ?[°º]? ?(?P<side>[NSEW])"
    r"|(?P<in_front>[NSEW]) ?(?P<behind>\d{1,3}[.,]\d{1,12}) ?[°º]?",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"-?\d{1,3}\.\d{1,12}")
_PAIR = re.compile(rf"{_NUMBER}([NS])? ?[,; ] ?{_NUMBER}([EW])?", re.IGNORECASE)


def same_position(before: str, after: str) -> bool | None:
    """Whether latitude and longitude, or one of them, stay, where letters for the hemisphere become signs."""
    if (single := _ONE.fullmatch(before.strip())) and _SIGNED.fullmatch(after.strip()):
        degrees, made = Decimal((single["degrees"] or single["behind"]).replace(",", ".")), Decimal(after.strip())
        degrees = -degrees if (single["side"] or single["in_front"]) in "SsWw" else degrees
        sure = bool(single["in_front"]) or -int(made.as_tuple().exponent) >= DECIMALS  # 10.5 W may be watts
        return False if sure and degrees == -made != 0 else degrees == made or None
    one, other = _position(before), _position(after)
    if one is None or other is None or one[1] == other[1]:
        return None
    return one[0] == other[0]


def _position(text: str) -> tuple[tuple[Decimal, Decimal], bool] | None:
    """The signed degrees, and whether letters say the hemispheres. A sign beside a letter says two things."""
    match = _PAIR.fullmatch(" ".join(text.split())) if len(text) <= LONGEST else None
    if match is None or bool(match[2]) != bool(match[4]):
        return None
    degrees = [Decimal(match[part].replace("\u2212", "-")) for part in (1, 3)]
    if match[2] and min(degrees) < 0:
        return None
    turned = [match[part] is not None and match[part] in "SsWw" for part in (2, 4)]
    latitude, longitude = (-number if turn else number for number, turn in zip(degrees, turned, strict=True))
    return (latitude, longitude), bool(match[2])
