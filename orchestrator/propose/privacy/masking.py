"""Fakes that keep the shape of a value, for a model that must not see the value. Called by `privacy_view`.

Digits become other digits, letters other letters of the same case and script, vowel signs and accents others of their
kind, dates other dates (`date_fakes`); everything else stays, and so do zeros in front. What is faked is each run of
letters or digits by itself, whatever its case: " Ulm", "ULM" and "Ulm 7" share a fake, so that stray blanks, odd case,
mixed formats and repeated words look as they do in the data. Different values of a type have different fakes. The key
makes the fakes: the same key gives the same fakes, and without it nobody can check a guess. Words that mean a missing
value (N/A, null), words for yes and no, and booleans stay as they are, and so do usual units and currencies in a cell
that is a number with one (`measured`). Nothing else becomes one of them.
"""

import datetime as dt
import decimal
import functools
import math
import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from orchestrator.data.profile.missing_words import NULL_TOKENS
from orchestrator.propose.privacy.date_fakes import BEFORE_TIME, COMPACT, DATED, MONTHED, NAMED, TIMED, DateMasker
from orchestrator.propose.privacy.keyed import Keyed, walked
from orchestrator.propose.privacy.measured import is_measured
from orchestrator.propose.privacy.run_fakes import RUN, RunMasker

if TYPE_CHECKING:
    from collections.abc import Callable

TOKEN = re.compile(
    f"(?P<dated>{DATED})|(?P<named>{NAMED})|(?P<monthed>{MONTHED})|(?P<timed>{TIMED})"
    f"|(?P<before_time>{BEFORE_TIME})|(?P<compact>{COMPACT})|(?P<run>{RUN.pattern})"
)
_KEPT = frozenset((*NULL_TOKENS, "yes", "no", "y", "n", "true", "false", "ja", "nein", "oui", "non"))
_CACHED = 200_000
HIDDEN = "(hidden)"  # stands for what not even a fake is shown of


class Masker:
    """Fakes by one key."""

    def __init__(self, key: bytes) -> None:
        self._keyed = Keyed(key)
        self._runs = RunMasker(self._keyed)
        self._dates = DateMasker(self._keyed, self._runs)
        self._by_kind: dict[str, Callable[[str], str]] = {
            "dated": self._dates.dated,
            "named": self._dates.named,
            "monthed": self._dates.monthed,
            "compact": self._dates.compact,
            "timed": self._dates.timed,
            "before_time": self._dates.before_time,
            "run": self._runs.run,
        }
        self.text = functools.lru_cache(_CACHED)(self._text)

    def cell(self, value: Any) -> Any:
        """A fake of the same Python type."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int):
            return int(TOKEN.sub(self.token, str(value)))
        if isinstance(value, float):
            return self._float(value)
        if isinstance(value, decimal.Decimal):
            return decimal.Decimal(self._runs.runs(str(value))) if value.is_finite() else value
        if isinstance(value, dt.datetime):
            return dt.datetime.combine(self._dates.date(value), self._dates.time(value.time()), value.tzinfo)
        if isinstance(value, dt.date):
            return self._dates.date(value)
        if isinstance(value, dt.time):
            return self._dates.time(value)
        if isinstance(value, dt.timedelta):
            return self._duration(value)
        if isinstance(value, bytes):
            return self._bytes(value)
        if isinstance(value, dict):
            return {name: self.cell(inner) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.cell(inner) for inner in value)
        return self.text(str(value))

    def token(self, match: re.Match[str]) -> str:
        """The fake of one match of TOKEN."""
        return self._by_kind[str(match.lastgroup)](match.group())

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
        if is_kept(text):
            return text
        if is_measured(text):
            return TOKEN.sub(lambda match: match[0] if match[0][0].isalpha() else self.token(match), text)
        return walked(text, self._step, lambda fake: not (is_kept(fake) or is_measured(fake)))

    def _step(self, text: str) -> str:
        fake = TOKEN.sub(self.token, text)
        return fake if text.isascii() else self._runs.marks(text, fake)

    def _float(self, value: float) -> float:
        """Other digits before and behind the point; those behind it from the end, where no zero may come to stand."""
        if not math.isfinite(value):
            return value
        mantissa, mark, exponent = repr(value).partition("e")

        def step(text: str) -> str:
            whole, point, behind = text.partition(".")
            return self._runs.runs(whole) + point + self._runs.run(behind[::-1])[::-1]

        def is_short(text: str) -> bool:
            fake = float(text + mark + exponent)
            return math.isfinite(fake) and repr(fake) == text + mark + exponent

        return float(walked(mantissa, step, is_short) + mark + exponent)

    def _duration(self, value: dt.timedelta) -> dt.timedelta:
        days = int(self._runs.runs(str(value.days)))
        seconds = self._dates.seconds(value.seconds)
        return dt.timedelta(days=days, seconds=seconds, microseconds=int(self._runs.run(f"{value.microseconds:06}")))

    def _bytes(self, value: bytes) -> bytes:
        """Each byte is moved on by a step from the others, as they are at that moment."""
        fake = bytearray(value)
        for position in range(len(fake)):
            others = f"bytes {position} {fake[:position].hex()} {fake[position + 1 :].hex()}"
            fake[position] = (fake[position] + 1 + self._keyed.number(others) % 255) % 256
        return bytes(fake)


def is_kept(text: str) -> bool:
    """Whether a cell is shown as it is: it is blank, or a word for nothing, for yes or for no."""
    return text.strip().lower() in _KEPT
