"""Whether a quantity stays the same quantity when it is written in another unit. Called by the check on information.

Only known units are looked at. Where they go, all cells must have become the same one: 1500 g as 1.5, and 12 kg as 12.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from orchestrator.gate.information.changes import Change, Found
from orchestrator.gate.information.remembered import remembered
from orchestrator.gate.information.signs_of_numbers.unit_fractions import with_decimals
from orchestrator.gate.information.value_kinds.amounts import SOLL_HABEN
from orchestrator.gate.information.value_kinds.number_parsing import reading
from orchestrator.gate.information.value_kinds.rounding import close, of_one_family, tolerance
from orchestrator.gate.information.value_kinds.temperatures import another_temperature

Meaning = tuple[str, Decimal]  # a dimension, and how many of its base unit the unit is
Size = tuple[str, Decimal, Decimal]  # a dimension, how much it is, and the smallest unit in which it was said

# For each dimension, how large a unit is and how it is written. An ounce is a weight or a volume, `m` may be minutes.
_NAMES = {
    "mass": {
        "0.000001": "mcg ug µg μg microgram micrograms",
        "0.001": "mg milligram milligrams",
        "1": "g gr gram grams gramm gramme grammes 克",
        "28.3495": "oz ounce ounces",
        "453.592": "lb lbs pound pounds",
        "500": "斤",
        "1000": "kg kgs kilo kilos kilogram kilograms 公斤 千克",
        "6350.29": "stone",
        "1000000": "tonne tonnes",
    },
    "length": {
        "0.000001": "um µm μm micron microns micrometer micrometre",
        "0.001": "mm millimeter millimeters millimetre millimetres",
        "0.01": "cm centimeter centimeters centimetre centimetres",
        "0.0254": 'in inch inches zoll "',
        "0.1": "dm",  # only where it is written: 30.5 m as 305 is a slip
        "0.3048": "ft foot feet",
        "0.9144": "yd yard yards",
        "1": "m meter meters metre metres",
        "1.8288": "fathom fathoms fm ftm",
        "1000": "km kilometer kilometers kilometre kilometres",
        "1609.344": "mi mile miles",
        "1852": "nmi",
    },
    "volume": {
        "0.00492892": "tsp teaspoon teaspoons",
        "0.0147868": "tbsp tablespoon tablespoons",
        "0.000001": "ul µl μl microliter microliters microlitre microlitres",
        "0.001": "ml cc ccm cm³ milliliter milliliters millilitre millilitres",
        "0.01": "cl",
        "0.0295735": "oz floz ounce ounces fluidounce fluidounces",
        "0.1": "dl",
        "0.24": "cup cups",
        "0.25": "cup cups",
        "0.473176": "pint pints",
        "0.946353": "qt quart quarts",
        "1": "l ltr liter liters litre litres",
        "3.78541": "gal gallon gallons",
        "4.54609": "gal gallon gallons",
    },
    "time": {
        "0.001": "ms millisecond milliseconds",
        "1": "s sec secs second seconds",
        "60": "m min mins minute minutes",
        "3600": "h hr hrs hour hours",
        "86400": "d day days",
        "604800": "w wk wks week weeks",
    },
    "age": {"1": "mo mos mth mths month months", "12": "y yr yrs year years"},
    "speed": {"1": "m/s", "0.277778": "km/h kmh kph", "0.44704": "mph", "0.514444": "kn kt kts knot knots"},
    "energy": {
        "1": "joule joules",
        "4.184": "cal",
        "1000": "kj",
        "1055.06": "btu",
        "3600": "wh",
        "4184": "kcal",
        "1000000": "mj",
        "3600000": "kwh",
        "3600000000": "mwh",
    },
    "pressure": {
        "1": "pa",
        "100": "hpa mbar millibar millibars",
        "133.322": "mmhg torr",
        "1000": "kpa",
        "3386.39": "inhg",
        "6894.76": "psi",
        "100000": "bar",
        "101325": "atm",
        "1000000": "mpa",
    },
    "power": {"1": "w watt watts", "735.499": "ps", "745.7": "hp bhp", "1000": "kw", "1000000": "mw"},
    "frequency": {"1": "hz", "1000": "khz", "1000000": "mhz", "1000000000": "ghz"},
    "voltage": {"0.001": "mv", "1": "v volt volts", "1000": "kv"},
    "force": {"1": "newton newtons", "4.44822": "lbf", "9.80665": "kgf", "1000": "kn"},
    "concentration": {"0.000001": "ng/l", "0.001": "ug/l µg/l μg/l", "1": "mg/l", "10": "mg/dl", "1000": "g/l"},
    "molar concentration": {"0.001": "umol/l µmol/l μmol/l", "1": "mmol/l", "1000": "mol/l"},
    "area": {
        "0.092903": "sqft ft² ft2",
        "1": "m² m2 sqm",
        "4046.86": "acre acres ac",
        "10000": "ha hectare hectares",
        "1000000": "km² km2",
    },
    "data": {
        "1": "byte bytes octet octets",
        "1000": "kb ko",
        "1024": "kb kib ko",
        "1000000": "mb mo",
        "1048576": "mb mib mo",
        "1000000000": "gb go",
        "1073741824": "gb gib go",
        "1000000000000": "tb",
        "1099511627776": "tb tib",
    },
    "data rate": {
        "1": "bps bit/s",
        "1000": "kbps kbit/s",
        "8000": "kb/s",
        "1000000": "mbps mbit/s",
        "8000000": "mb/s",
        "1000000000": "gbps gbit/s",
    },
    "charge": {"0.001": "mah", "1": "ah"},
    "count": {"1": "pcs pieces units", "12": "dozen", "1000": "thousand thousands", "1000000": "m mio millions"},
}
_SIZES = {name: {Decimal(size) for size, of in units.items() if of != "dm"} for name, units in _NAMES.items()}
_KNOWN: dict[str, list[Meaning]] = defaultdict(list)
for _dimension, _units in _NAMES.items():
    for _size, _words in _units.items():
        for _word in _words.split():
            _KNOWN[_word].append((_dimension, Decimal(_size)))
_PAIR = re.compile(r"\s*([0-9]+)\s*([^\W\d_]+\.?|')\s*([0-9]+(?:\.[0-9]+)?)\s*([^\W\d_]+\.?|\"|''|(?<=\d))\s*")
_SQUARED = re.compile(r"(?<=\d)\s*(k?m|ft)2\b")
_THOUSANDS = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?k\s+([a-z]+\.?)", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,3})[:h]([0-5]\d(?:\.\d+)?)(?:\s*(?:h|hrs?|hours?|min))?", re.IGNORECASE)
_BELOW_ZERO = re.compile(r"[-\u2212(]|(?<![^\W\d_])(?:(?:minus|below)\b|[sw](?![^\W\d_]))", re.IGNORECASE)
_HOURS = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d)")
_PERIOD = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?", re.IGNORECASE)
_SIDES = re.compile(r"(\d+(?:\.\d+)?(?:\s*[x×*]\s*\d+(?:\.\d+)?)+)\s*([^\W\d_]+)\.?")
_RANGE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:-|\u2013|to)\s*(\d+(?:\.\d+)?)\s*([^\W\d_]+)\.?", re.IGNORECASE)
_MEASURED_SIDES = re.compile(r"\d+(?:\.\d+)?\s*[^\W\d_]{1,12}(?:\s*[x×*]\s*\d+(?:\.\d+)?\s*[^\W\d_]{1,12})+")
_TIMES = re.compile(r"\s*[x×*]\s*(?=\d)")
_INCHES = re.compile(r"(?:0?\d|1[01])(?:\.\d+)?")  # behind a foot
_CODE = re.compile(r"\s*[^\W\d_]+\d")
_MARKS = {"'": "ft", '"': "in", "''": "in"}


def converted_wrongly(changes: Sequence[Change]) -> Found | None:
    """A changed cell that is another quantity now, with what is wrong; None when there is none."""
    left: dict[str, set[Decimal]] = {}
    for change in dict.fromkeys(changes):
        if another_temperature(*change):
            return "a temperature becomes another one", change
        if not (fitting := _fitting(*change)):
            continue
        if not any(fitting.values()):
            return "a quantity becomes another one", change
        if len(fitting) == 1 and not _unit(change[1]):
            ((dimension, sizes),) = fitting.items()
            left[dimension] = left.get(dimension, sizes) & sizes
            if not left[dimension]:
                return "the quantities of a column are not converted to one unit", change
    return None


def other_unit(one: str, other: str) -> bool:
    """Whether two words are units, and no spellings of one: `tsp` and `tablespoons`."""
    return names_unit(one) and names_unit(other) and not same_unit(one, other)


def rival_unit(one: str, other: str) -> bool:
    """Whether two words are different units for the same: `mi` and `km`, where `mi` and `kg` are not."""
    measured = [{dimension for dimension, _ in _KNOWN.get(word.casefold(), [])} for word in (one, other)]
    return bool(measured[0] & measured[1]) and not same_unit(one, other)


def same_unit(one: str, other: str) -> bool:
    """Whether two words are names of one unit: `kilo` and `kg`."""
    return not set(_KNOWN.get(one.casefold(), [])).isdisjoint(_KNOWN.get(other.casefold(), []))


def names_unit(word: str) -> bool:
    """Whether a word is a unit, whatever else it may be."""
    return word.casefold() in _KNOWN


def same_quantity(before: str, after: str) -> bool:
    """Whether the second is the first in a known unit, its own or another one."""
    if any(_fitting(before, after).values()):
        return True
    ours = _sides(before) or _ends(before)
    theirs = (_sides(after) or _ends(after)) if ours else []
    return len(ours) == len(theirs) > 1 and all(map(same_quantity, ours, theirs))


def in_base_unit(text: str) -> tuple[str, Decimal] | None:
    """The dimension and the size of a quantity that can only be one: of two numbers and units, as in 5 ft 4 in."""
    sizes = {(dimension, size) for dimension, size, _ in sizes_of(text)}
    return sizes.pop() if len(sizes) == 1 else None


def _sides(text: str) -> list[str]:
    """Each length of `30 x 20 cm`, with the unit."""
    if (match := _SIDES.fullmatch(text.strip())) is None:
        return _TIMES.split(text.strip()) if _MEASURED_SIDES.fullmatch(text.strip()) else []
    return [f"{side} {match[2]}" for side in _TIMES.split(match[1])]


def _ends(text: str) -> list[str]:
    """Both ends of `2 - 5 weeks`, with the unit."""
    match = _RANGE.fullmatch(text.strip())
    return [f"{end} {match[3]}" for end in match.group(1, 2)] if match else []


def _fitting(before: str, after: str) -> dict[str, set[Decimal]]:
    """For each dimension that the quantity can be of, the units in which the new number is the old quantity."""
    before, after = _written_out(before), _written_out(after)
    other, unit = reading(after), _unit(after)
    in_bytes = unit == "b" and any(dimension == "data" for dimension, *_ in sizes_of(before))  # 1.5 MB as 1500000 B
    wanted = [("data", Decimal(1))] if in_bytes else _KNOWN.get(unit, [])
    if other is None or (unit and not wanted) or _CODE.match(after):
        return {}
    step = Decimal(1).scaleb(int(other.as_tuple().exponent))
    fitting: dict[str, set[Decimal]] = {}
    made_up = re.match(r"[-\u2212]", after.strip()) and not _BELOW_ZERO.search(before)
    if made_up or (re.match(r"\s*[-\u2212]\d", before) and not _BELOW_ZERO.search(after)):
        return {dimension: set() for dimension, *_ in sizes_of(before)}
    for dimension, size, base in sizes_of(before):
        units = {found for name, found in wanted if name == dimension} if wanted else _SIZES[dimension] | {base}
        units = of_one_family(dimension, base, units, before + after)
        if units:
            fits = {
                unit
                for unit in units
                if close(size / unit, abs(other), step, _tolerance(dimension, base, unit, written=bool(wanted)))
            }
            fits = fits if other or dimension == "age" or not reading(before) else set()
            fitting[dimension] = fitting.get(dimension, set()) | fits
    return fitting


def _tolerance(dimension: str, base: Decimal, unit: Decimal, *, written: bool) -> Decimal | None:
    """None where a number of months becomes the last birthday."""
    return None if dimension == "age" and base < unit else tolerance(base, unit, written=written)


@remembered
def _written_out(text: str) -> str:
    """Thousands and fractions of a unit as a number of it: `36k miles` as `36000 miles`. `36 K` are degrees."""
    text = _SQUARED.sub(r"\1²", with_decimals(text))
    match = _THOUSANDS.fullmatch(text.strip())
    number = reading(match[1]) if match else None
    return text if match is None or number is None else f"{number * 1000:f} {match[2]}"


def sizes_of(text: str) -> list[Size]:
    """How much it says, in base units, for all that it can mean: of one number and unit, or of two as in 1h 30m."""
    if match := _HOURS.fullmatch(text.strip()):
        return [("time", Decimal(match[1]) * 3600 + Decimal(match[2]) * 60 + Decimal(match[3]), Decimal(1))]
    if period := _PERIOD.fullmatch(text):
        hours, minutes, seconds = (Decimal(part or 0) for part in period.groups())
        return [("time", hours * 3600 + minutes * 60 + seconds, Decimal(1))]
    if clock := _CLOCK.fullmatch(text):
        first, second = Decimal(clock[1] or 0), Decimal(clock[2] or 0)
        readings = [first * 3600 + second * 60] + ([first * 60 + second] if ":" in text else [])
        return [("time", size, Decimal(1)) for size in readings if size]
    if (pair := _PAIR.fullmatch(text)) is None:
        numbers = [abs(number) for number in _readings(text) if number]
        return [(name, number * size, size) for name, size in _KNOWN.get(_unit(text), []) for number in numbers]
    if not pair[4] and not _INCHES.fullmatch(pair[3]):
        return []  # 1'234 is a number
    if (pair[2].casefold(), pair[4].casefold()) in {("y", "m"), ("yr", "m"), ("yrs", "m")}:
        return [("age", Decimal(pair[1]) * 12 + Decimal(pair[3]), Decimal(1))]
    large, small = (_KNOWN.get(_MARKS.get(mark, mark.rstrip(".").casefold()), []) for mark in _marks(pair))
    pairs = [(name, one, other) for name, one in large for also, other in small if name == also and one > other]
    return [(name, Decimal(pair[1]) * one + Decimal(pair[3]) * other, other) for name, one, other in pairs]


def _marks(pair: re.Match[str]) -> tuple[str, str]:
    """Both units; inches need no sign behind feet: 5'11."""
    return pair[2], pair[4] or ('"' if pair[2] == "'" else "")


def _readings(text: str) -> list[Decimal | None]:
    """As it stands, with commas for decimal marks, and with dots that group."""
    return [reading(text), reading(text.replace(",", ".")), reading(re.sub(r"\.(?=\d{3}(?!\d))", "", text))]


@remembered
def _unit(text: str) -> str:
    """What is written beside the number, as a word. `3M` are millions, `5,00 S` is a debit, `M272495` is a code."""
    if re.search(r"\dM\b", text) or _CODE.match(text) or SOLL_HABEN.fullmatch(text.strip()):
        return ""
    return re.sub(r"[\d.,\s+()-]+", "", text).casefold()
