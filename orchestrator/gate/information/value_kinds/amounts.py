"""Which numbers a text can say, however it is written: 45 %, 1 1/2, 3 million, 48°51'24"N. Called by equivalence.py."""

import re
from collections.abc import Iterator
from decimal import Decimal, DivisionByZero, InvalidOperation

from orchestrator.gate.information.remembered import remembered
from orchestrator.gate.information.value_kinds.known_words import currency
from orchestrator.gate.information.value_kinds.number_parsing import apart, reading
from orchestrator.gate.information.value_kinds.spelled_numbers import spelled_number

MAX_LENGTH = 40
MIN_WORD = 5  # letters of what is surely no unit
ROUNDED = Decimal("0.0001")  # of a number that was computed: thirds and degrees have no last digit
_SIZES = {
    "k": 3, "thousand": 3, "tsd": 3, "tausend": 3, "lakh": 5, "lakhs": 5, "lac": 5, "lacs": 5, "m": 6, "mn": 6,
    "mio": 6, "mm": 6, "million": 6, "millions": 6, "millionen": 6, "crore": 7, "crores": 7, "cr": 7, "b": 9, "bn": 9,
    "mrd": 9, "billion": 9, "billions": 9, "milliarden": 9, "trillion": 12, "tn": 12, "dozen": 0, "cent": -2,
    "cents": -2, "ct": -2, "c": -2, "¢": -2, "pence": -2, "penny": -2,
}  # fmt: skip
_SIGNS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}
_NUMBER = r"[+-]?(?:\d[\d.,'\u2019 \u00a0\u202f]*|\.\d+)"
_BELOW_ONE = re.compile(r"[+-]?0*[.,]")  # no mark behind nothing but zeros groups
_SIZED = re.compile(rf"([$€£¥]|[A-Z]{{3}})?\s*({_NUMBER})\s*([a-z]+|¢)\.?", re.IGNORECASE)
_FRACTION = re.compile(r"([+-]?)(?:(\d+)[ -])?(\d+) ?[/⁄] ?(\d+)\"?")
_ANGLE = re.compile(
    r"([+-]?\d+(?:\.\d+)?)\s*[°º]\s*(?:(\d+(?:\.\d+)?)\s*['′’]\s*)?(?:(\d+(?:\.\d+)?)\s*(?:\"|″|''|”)\s*)?([NSEW]?)"
)
_POWER = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*(?:e|[x×*·]\s*10\^?)([+-]?\d+)", re.IGNORECASE)
_SHARE = re.compile(rf"({_NUMBER})\s*(%|percent|per cent|pct|‰|bps|bp|ppm|ppb)", re.IGNORECASE)
_SHARES = {"‰": -3, "bps": -4, "bp": -4, "ppm": -6, "ppb": -9}
_HEX = re.compile(r"0x([0-9a-f]{1,8})", re.IGNORECASE)
_MARKED = re.compile(r"(\d+)([RkKMG])(\d+)")  # IEC 60062: the letter stands where the point does
_ZERO = frozenset(
    {
        "free",
        "free of charge",
        "free entry",
        "free admission",
        "free shipping",
        "free delivery",
        "no charge",
        "no cost",
        "gratis",
        "kostenlos",
        "gratuit",
        "nil",
        "zero",
        "nothing",
        "sold out",
        "non-stop",
        "nonstop",
    }
)
_BELOW = re.compile(rf"(?:minus|negative)\s+({_NUMBER})|({_NUMBER})\s+below(?: zero)?", re.IGNORECASE)
_BOOKED = re.compile(rf"({_NUMBER})\s*(CR|DR)\.?", re.IGNORECASE)  # credit and debit
SOLL_HABEN = re.compile(r"(\d[\d.,]*[.,]\d\d)\s?([SH])")  # debit and credit of German banks
_LABELLED = re.compile(
    r"(?:vol(?:ume)?|no|nr|part|book|chapter|ch|act|band|bd|teil|tome|heft|issue)\.?\s+([IVXLC]+)", re.IGNORECASE
)
_ROMAN = re.compile(r"(?=[IVXLC])(C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@remembered
def amounts(text: str) -> frozenset[Decimal]:
    """All numbers that the whole text can say, and nothing else. Dots may group, commas be decimal marks."""
    text = text.strip()
    if not 0 < len(text) <= MAX_LENGTH:
        return frozenset()
    try:
        return frozenset(_amounts(text))
    except (InvalidOperation, DivisionByZero, OverflowError):
        return frozenset()


def _amounts(text: str) -> Iterator[Decimal]:
    if re.fullmatch(_NUMBER, text):
        yield from _readings(text)
    if text[-1:] in _SIGNS:
        text = f"{text[:-1].strip()} {_SIGNS[text[-1]]}".strip()
    if sized := _sized(text):
        times = 12 if sized[1] == "dozen" else Decimal(10) ** _SIZES[sized[1]]
        yield from (number * times for number in _readings(sized[0]))
    if (match := _FRACTION.fullmatch(text)) and int(match[4]):
        number = Decimal(match[2] or 0) + Decimal(match[3]) / Decimal(match[4])
        yield -number if match[1] == "-" else number
    if match := _ANGLE.fullmatch(text):
        degrees = abs(Decimal(match[1])) + Decimal(match[2] or 0) / 60 + Decimal(match[3] or 0) / 3600
        yield -degrees if match[4] in {"S", "W"} or match[1].startswith("-") else degrees
    if (match := _POWER.fullmatch(text)) and abs(int(match[2])) < 30:
        yield Decimal(match[1].replace(",", ".")).scaleb(int(match[2]))
    if match := _SHARE.fullmatch(text):
        yield from (number.scaleb(_SHARES.get(match[2].casefold(), -2)) for number in _readings(match[1]))
    if match := _HEX.fullmatch(text):
        yield Decimal(int(match[1], 16))
    if match := _MARKED.fullmatch(text):
        yield Decimal(f"{match[1]}.{match[3]}").scaleb({"R": 0, "M": 6, "G": 9}.get(match[2], 3))
    if (spelled := spelled_number(text)) is not None:
        yield Decimal(spelled)
    if match := _BELOW.fullmatch(text):
        yield from (-number for number in _readings(match[1] or match[2]))
    if match := _BOOKED.fullmatch(text):
        yield from (-number if match[2].casefold() == "dr" else number for number in _readings(match[1]))
    if match := SOLL_HABEN.fullmatch(text):
        yield from (-number if match[2] == "S" else number for number in _readings(match[1]))
    if match := _LABELLED.fullmatch(text):
        text = match[1]
    if text.casefold() in _ZERO:
        yield Decimal(0)
    if match := _ROMAN.fullmatch(text):
        values = [_LETTERS[letter] for letter in text]
        yield Decimal(sum(-v if v < max(values[n:]) else v for n, v in enumerate(values)))


def _readings(text: str) -> Iterator[Decimal]:
    """As it stands, with a comma for a decimal mark, and with dots that group."""
    grouped = text if _BELOW_ONE.match(text) else re.sub(r"[.,](?=(?:\d{2,3}[.,])*\d{3}(?!\d))", "", text)
    for written in (text, text.replace(",", "."), grouped):
        number = reading(written)
        if number is not None:
            yield number


def _sized(text: str) -> tuple[str, str] | None:
    """A number and the word that says of how many millions, dozens or cents; a currency may stand in front."""
    match = _SIZED.fullmatch(text)
    if (
        match is None
        or match[3].casefold() not in _SIZES
        or (match[1] and match[1].isalpha() and not currency(match[1]))
    ):
        return None
    return match[2], match[3].casefold()


def is_sized(text: str) -> bool:
    """Whether it says how many millions, dozens and the like; a single letter does so behind an amount of money."""
    sized = _sized(text.strip())
    return sized is not None and (len(sized[1]) >= MIN_WORD or text.strip()[0] not in "+-0123456789")


def is_share(text: str) -> bool:
    """Whether it is a percentage or the like."""
    return len(text) <= MAX_LENGTH and _SHARE.fullmatch(text.strip()) is not None


def is_booked(text: str) -> bool:
    """Whether it says on which side of an account it is booked."""
    return len(text) <= MAX_LENGTH and any(form.fullmatch(text.strip()) for form in (_BOOKED, SOLL_HABEN))


def same_amount(one: frozenset[Decimal], other: frozenset[Decimal], after: str) -> bool:
    """Whether a number of the one is one of the other, to the last place that is written in `after`."""
    written = re.search(r"\d\.(\d+)\D*$", after)
    places = len(written[1]) if written else 0
    step = Decimal(1).scaleb(_scale(after) - places) if places >= 2 else Decimal(0)
    return any(abs(a - b) <= step * Decimal("0.6") or not apart(a, b) for a in one for b in other)


def _scale(text: str) -> int:
    """By how many places what stands behind the number makes it smaller: per cent, parts per million, cents."""
    if share := _SHARE.fullmatch(text.strip()):
        return _SHARES.get(share[2].casefold(), -2)
    sized = _sized(text.strip())
    return min(0, _SIZES[sized[1]]) if sized else 0
