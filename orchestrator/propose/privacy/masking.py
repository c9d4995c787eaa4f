"""Fakes that keep the shape of a value, for a model that must not see the value. Called by `privacy.views`.

Digits become other digits, letters other letters of the same case and script, vowel signs and accents others of their
kind; everything else stays, and so do zeros in front. What is faked is each run of letters or digits by itself,
whatever its case: " Ulm", "ULM" and "Ulm 7" share a fake, so that stray blanks, odd case, mixed formats and repeated
words look as they do in the data. The key makes the fakes: the same key gives the same fakes, and without it nobody can
check a guess. Words that mean a missing value (N/A, null) and booleans stay as they are.
"""

import datetime as dt
import decimal
import functools
import hashlib
import math
import re
import unicodedata
from typing import Any

import pyarrow as pa

from orchestrator.data.quality import NULL_TOKENS

_RUN = re.compile(r"\d+|[^\W\d_]+")
_NULL_WORDS = frozenset(NULL_TOKENS)
_FIRST_DAY, _LAST_DAY = dt.date(1930, 1, 1).toordinal(), dt.date(2030, 1, 1).toordinal()
_CACHED = 200_000


class Masker:
    """Fakes by one key."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.blake2b(key, person=b"cleanroom mask").digest()
        self.run = functools.lru_cache(_CACHED)(self._run)
        self.text = functools.lru_cache(_CACHED)(self._text)

    def cell(self, value: Any) -> Any:
        """A fake of the same Python type."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int):
            return int(self._digits(str(value)))
        if isinstance(value, float):
            return self._float(value)
        if isinstance(value, decimal.Decimal):
            return decimal.Decimal(self._digits(str(value))) if value.is_finite() else value
        if isinstance(value, dt.datetime):
            return dt.datetime.combine(self._day(value), self._time(value.time()), value.tzinfo)
        if isinstance(value, dt.date):
            return self._day(value)
        if isinstance(value, dt.time):
            return self._time(value)
        if isinstance(value, dt.timedelta):
            return dt.timedelta(seconds=self._number(repr(value), 1, 10**6))
        if isinstance(value, bytes):
            return self._stream(value.hex(), len(value))
        if isinstance(value, dict):
            return {name: self.cell(inner) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.cell(inner) for inner in value)
        return self.text(str(value))

    def table(self, table: pa.Table) -> pa.Table:
        """The same columns with every cell faked; a column whose type cannot hold its fakes becomes text."""
        return pa.table([self._column(column) for column in table.columns], names=table.column_names)

    def _column(self, values: pa.ChunkedArray) -> pa.Array:
        kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
        fakes = [self.cell(value) for value in values.to_pylist()]
        try:
            return pa.array(fakes, kind)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
            return pa.array([None if fake is None else str(fake) for fake in fakes], pa.string())

    def _text(self, text: str) -> str:
        if text.strip().lower() in _NULL_WORDS:
            return text
        fake = _RUN.sub(lambda match: self.run(match.group()), text)
        return fake if text.isascii() else self._marks(text, fake)

    def _marks(self, text: str, fake: str) -> str:
        """The fake with other marks as well: in many scripts vowels are marks, and no letters."""
        positions = [position for position, char in enumerate(fake) if unicodedata.category(char)[0] == "M"]
        stream = self._stream("marks " + "".join(_RUN.findall(text)).lower(), 2 * len(positions))
        chars = list(fake)
        for number, position in enumerate(positions):
            chars[position] = _other(
                chars[position], int.from_bytes(stream[2 * number : 2 * number + 2], "big"), first=False
            )
        return "".join(chars)

    def _run(self, run: str) -> str:
        """The fake of one run of letters or of digits; no character of it is the one that was there."""
        stream = self._stream(run.lower(), 2 * len(run))
        fake = []
        leading = True
        for position, char in enumerate(run):
            leading = leading and char == "0"
            number = int.from_bytes(stream[2 * position : 2 * position + 2], "big")
            fake.append(char if leading else _other(char, number, first=position == 0))
        return "".join(fake)

    def _digits(self, text: str) -> str:
        return re.sub(r"\d+", lambda match: self.run(match.group()), text)

    def _float(self, value: float) -> float:
        if not math.isfinite(value):
            return value
        mantissa, mark, exponent = repr(value).partition("e")
        fake = float(self._digits(mantissa) + mark + exponent)
        return fake if math.isfinite(fake) else float(self._digits(mantissa))

    def _day(self, value: dt.date) -> dt.date:
        number = self._number(f"{value.year}-{value.month}-{value.day}", _FIRST_DAY, _LAST_DAY)
        return dt.date.fromordinal(number + (number == value.toordinal()))

    def _time(self, value: dt.time) -> dt.time:
        if not (value.hour or value.minute or value.second or value.microsecond):
            return value  # a date that is kept as a point in time
        seconds = self._number(value.isoformat(), 1, 86_400)
        fraction = self._number(value.isoformat(), 1, 10**6) if value.microsecond else 0
        return dt.time(seconds // 3600, seconds // 60 % 60, seconds % 60, fraction)

    def _number(self, seed: str, low: int, high: int) -> int:
        return low + int.from_bytes(self._stream(seed, 8), "big") % (high - low)

    def _stream(self, seed: str, length: int) -> bytes:
        return hashlib.shake_256(self._key + seed.encode("utf-8", "surrogatepass")).digest(length)


def _other(char: str, number: int, *, first: bool) -> str:
    """Another character of the same kind, chosen by the number."""
    if "0" <= char <= "9":
        low = 1 if first else 0
        return chr(48 + low + (ord(char) - 48 - low + 1 + number % (9 - low)) % (10 - low))
    lower = char.lower()
    if char.isascii() and char.isalpha():
        fake = chr(97 + (ord(lower) - 97 + 1 + number % 25) % 26)
        return fake if char == lower else fake.upper()
    others = _alike(char)
    return others[number % len(others)]


@functools.lru_cache(4096)
def _alike(char: str) -> tuple[str, ...]:
    """Characters of the same script and kind: of the same block of 128, and for cased letters with a partner in it."""
    upper = char != char.lower() and len(char.lower()) == 1
    base = char.lower() if upper else char
    block = [chr(code) for code in range(ord(base) & ~0x7F, (ord(base) | 0x7F) + 1)]
    same = [c for c in block if c != base and unicodedata.category(c) == unicodedata.category(base)]
    if base.upper() in block and len(base.upper()) == 1 and base.upper() != base:
        same = [c for c in same if c.upper() in block and c.upper() != c]
    made = [c.upper() if upper else c for c in same]
    return tuple(c for c in made if c != char and len(c) == 1) or ("x",)
