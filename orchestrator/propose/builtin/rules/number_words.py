"""Units, currencies and number words that people write, and what they mean. Reference data of the numbers rule."""

import re

_SPELLINGS = {
    "%": "% percent pct per-cent prozent",
    "t": "t tonne tonnes",
    "kg": "kg kgs kilo kilos kilogram kilograms",
    "g": "g gr gram grams",
    "mg": "mg milligram milligrams",
    "µg": "µg μg ug mcg microgram micrograms",
    "lb": "lb lbs pound pounds",
    "oz": "oz ounce ounces",
    "l": "l liter liters litre litres",
    "ml": "ml milliliter milliliters millilitre millilitres",
    "hl": "hl hectoliter hectoliters hectolitre hectolitres hektoliter",
    "mm": "mm millimeter millimeters",
    "cm": "cm cms centimeter centimeters",
    "m": "m meter meters metre metres",
    "m²": "m² m2 sqm qm",
    "m³": "m³ m3 cbm",
    "km²": "km² km2",
    "ha": "ha",
    "km": "km kms kilometer kilometers kilometre kilometres",
    "mi": "mi mile miles",
    "ft": "ft foot feet",
    "in": "in inch inches",
    "ms": "ms millisecond milliseconds",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours std stunde stunden heure heures hora horas godz",
    "day": "day days tag tage jour jours día días dias giorni dagen dni gün",
    "week": "week weeks wk wks woche wochen semaine semaines semana semanas",
    "month": "month months mo mos mth mths monat monate mois mes meses mesi",
    "yr": "yr yrs year years jahre jahr ans años año anni anos let lat år лет года 歳 岁 세 살",
    "kb": "kb kilobyte kilobytes",
    "mb": "mb megabyte megabytes",
    "gb": "gb gigabyte gigabytes",
    "tb": "tb terabyte terabytes",
    "hz": "hz hertz",
    "khz": "khz",
    "mhz": "mhz",
    "ghz": "ghz",
    "psi": "psi",
    "mpa": "mpa",
    "kj": "kj",
    "db": "db",
    "yd": "yd yds yard yards",
    "gal": "gal gallon gallons",
    "acre": "acre acres",
    "°": "° deg degree degrees",
    "pc": "pc pcs piece pieces unit units ea stk stck stück szt sztuk uds unidades pza pzas adet",
    "USD": "$ us$ usd dollar dollars",
    "EUR": "€ eur euro euros",
    "GBP": "£ gbp",
    "JPY": "¥ jpy yen 円",
    "CHF": "chf sfr",
    "INR": "₹ inr rs",
    "CAD": "cad",
    "AUD": "aud",
    "CNY": "cny",
    "SEK": "sek",
    "NOK": "nok",
    "DKK": "dkk",
    "PLN": "pln zł",
    "CZK": "czk kč",
    "TRY": "₺ try tl",
    "RUB": "₽ rub руб",
    "BRL": "r$ brl",
    "KRW": "₩ krw 원",
    "ILS": "₪ ils",
    "UAH": "₴ uah грн",
    "RON": "ron lei",
    "°c": "°c celsius",
    "°f": "°f fahrenheit",
    "hpa": "hpa",
    "kpa": "kpa",
    "mbar": "mbar",
    "bar": "bar",
    "kw": "kw",
    "kwh": "kwh",
    "mph": "mph",
    "dbm": "dbm",
    "kt": "kt kts knot knots",
    "km/h": "km/h kmh kph",
    "rpm": "rpm",
    "bpm": "bpm",
    "ppm": "ppm",
    "mmhg": "mmhg",
    "kcal": "kcal",
    "g/mol": "g/mol",
    "l/100km": "l/100km",
    "#": "#",
}
UNITS = {word: unit for unit, words in _SPELLINGS.items() for word in words.split()}
UNITS |= {"deg c": "°c", "degrees c": "°c", "deg f": "°f", "degrees f": "°f", "ºc": "°c", "ºf": "°f"}
UNITS |= dict.fromkeys(("per cent", "pour cent", "por ciento"), "%")
UNITS |= dict.fromkeys(("l/100 km", "l / 100 km"), "l/100km")
UNITS |= dict.fromkeys(("ft²", "ft2", "sqft", "sq ft", "sq. ft", "sq.ft", "square feet"), "ft²")
UNITS |= dict.fromkeys(("sq m", "sq. m", "sq.m", "square meters", "square metres"), "m²")
CURRENCIES = frozenset({unit for unit in UNITS.values() if unit.isupper()})
_TENS = (
    {"t": 6, "kg": 3, "g": 0, "mg": -3},
    {"hl": 2, "l": 0, "ml": -3},
    {"km": 3, "m": 0, "cm": -2, "mm": -3},
    {"s": 0, "ms": -3},
)
POWERS = {
    (one, other): tens[one] - tens[other] for tens in _TENS for one in tens for other in tens if one != other
}  # by which power of ten a number changes from one unit to another
DEGREES = {"c": "°c", "f": "°f"}
LETTERS = DEGREES | {
    "d": "day",
    "w": "week",
    "y": "yr",
}  # units where most cells have them in full: `9d` among `7 days`
_TIMES = frozenset({"day", "week", "month", "yr"})
_SHORT = frozenset({"v", "kv", "mv", "w", "ma", "dl", "cl", "iu"})  # units only where the name says so: battery_v
_OWN_NAME = 4  # letters of a name that cells may repeat behind their number: `32 moves` in `moves`
_AMOUNTS = frozenset(
    """about approx over under more less half plus minus dozen hundred thousand thousands million
    millions""".split()  # noqa: SIM905 - prose is easier to keep than quoted words
)  # what says something of the number itself
LONGEST_RATIO = 10  # letters of km/h, mmol/l and the like
NUMBERS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14",
    "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20",
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
}  # fmt: skip
NUMBERS |= {
    word: str(number)
    for words in (
        "eins zwei drei vier fünf sechs sieben acht neun zehn",
        "_ deux trois quatre cinq six _ huit neuf dix",
        "uno dos tres cuatro cinco seis siete ocho nueve diez",
    )
    for number, word in enumerate(words.split(), 1)
    if word != "_"  # Sept is a month, and UN has other meanings
}


def spellings(unit: str) -> list[str]:
    """Every way to write a unit that is known, or the unit as it is."""
    return [word for word, meant in UNITS.items() if meant == unit] or [unit]


def words_of(name: str) -> set[str]:
    """The words of a column's name, folded: `speedKmh (m/s)` has "speed", "kmh", "m/s" and, as of `kWh`, the whole."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return {word.casefold() for text in (apart, name) for word in re.split(r"[\s_()\[\].,:-]+", text) if word}


COUNTED = frozenset(
    """
    nights guests rooms beds seats persons adults items pieces boxes bottles copies pages tickets votes students pupils
    employees members users views clicks likes visits visitors steps points stars goals games wins attempts orders
    sessions calls messages passengers patients books cars
    """.split()  # noqa: SIM905 - prose is easier to keep than a hundred quoted words
)
"""What columns are named after that they count."""
_PAGES = dict.fromkeys(("page", "pages"), ("p", "p.", "pp", "pp.", "pg", "pgs"))


def units_named_by(name: str) -> dict[str, str]:
    """How the cells of a column with this name may write units that are none elsewhere, and the units meant.

    `temp_c`: "c" is °c. "age": "y" are years, but not in `age_months`. "glucose (mmol/l)": so is "mmol/l"; what is
    before the stroke is none.
    "nights": "night" and "nights" are what it counts. So is any longer word: it says what the name says.
    """
    named: dict[str, str] = {}
    words = words_of(name)
    for word in words:
        if word == "age" and not any(UNITS.get(other) in _TIMES for other in words):
            named |= dict.fromkeys(("y", "yo", "y/o"), "yr")
        elif word in DEGREES:
            named[word] = DEGREES[word]
        elif word in _SHORT:
            named[word] = word
        elif len(word) <= LONGEST_RATIO and re.fullmatch(r"[^\d/]+/[^\d/]+", word):
            named[word] = UNITS.get(word, word)
        elif len(word) >= _OWN_NAME and not re.search(r"\d", word) and word not in UNITS and word not in _AMOUNTS:
            named |= dict.fromkeys((word, word.removesuffix("s"), *_PAGES.get(word, ())), word)
    return named
