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
_BLOCK = 48  # characters that are faked together: a longer run would take time by its square


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
        """The fake of a run of letters or of digits: no character stays but zeros in front, and no two runs share one.

        Each character is moved on in its alphabet by a step that the key draws from the others of its block, as they
        are at that moment, and from the blocks before. Every move can be undone, so different runs have different
        fakes. Exceptions: a letter without any other of its kind becomes an x, and a few rare capitals may meet.
        """
        first = len(run) - len(run.lstrip("0"))
        made = run[:first]
        before = ""
        for start in range(first, len(run), _BLOCK):
            fake = list(run[start : start + _BLOCK])
            for position, char in enumerate(fake):
                others = "".join([*fake[:position], "\0", *fake[position + 1 :]]).lower()
                number = int.from_bytes(self._stream(f"{before} {position} {others}", 2), "big")
                fake[position] = _other(char, number, first=start + position == first)
            made += "".join(fake)
            before = self._stream(f"{before} {''.join(fake).lower()}", 16).hex()
        return made

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
    letters = _alphabet(char)
    return letters[(letters.index(char) + 1 + number % (len(letters) - 1)) % len(letters)] if letters[1:] else "x"


@functools.lru_cache(4096)
def _alphabet(char: str) -> tuple[str, ...]:
    """The characters of its script and kind, itself among them: of the same block of 128, and for cased letters either
    those with a partner in it or those without.

    All of them have this alphabet too, so that a move in it can be undone (but for capitals whose small letter lies in
    another block).
    """
    base = char.lower() if _is_upper(char) else char
    block = [chr(code) for code in range(ord(base) & ~0x7F, (ord(base) | 0x7F) + 1)]
    kind = unicodedata.category(base), _is_upper(base), _has_partner(base, block)
    same = [c for c in block if (unicodedata.category(c), _is_upper(c), _has_partner(c, block)) == kind]
    letters = tuple(dict.fromkeys(u for c in same if len(u := c.upper()) == 1)) if base != char else tuple(same)
    return letters if char in letters else (char,)


def _is_upper(char: str) -> bool:
    return char != char.lower() and len(char.lower()) == 1


def _has_partner(char: str, block: list[str]) -> bool:
    return char.upper() != char and char.upper() in block
