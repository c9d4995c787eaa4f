"""Draws the dirty tables of tables.yaml from seeds. Called by corpus.py, witness.py and records.py.

A table of another seed holds other values of the same kinds, so that a function that knows one sample by heart is
found out.
"""

import datetime as dt
import random
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks.gate import meaning
from benchmarks.gate.yaml_files import read_yaml

NULLS = 1 / 16
_SLOT = re.compile(r"\{([^{}|]+)(?:\|(\w+))?\}")
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:/(\d+)|:0(\d+))?")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_WORDS: Mapping[str, tuple[str, ...]] = {
    "first": ("Ada", "Alan", "Grace", "Edsger", "Barbara", "Ken", "Margaret", "Donald", "Radia", "Tim", "José", "Zoë"),
    "last": ("Lovelace", "Turing", "Hopper", "Dijkstra", "Liskov", "Knuth", "Perlman", "O'Neil", "García", "Smith-Roe"),
    "city": ("Rome", "Paris", "New York", "Buenos Aires", "Oslo", "Lima", "São Paulo", "Köln", "Leeds", "Springfield"),
    "street": ("Main", "Oak", "Maple", "Park", "Elm", "Washington", "Lake", "Hill", "Station", "Church"),
    "word": ("lamp", "desk", "chair", "mirror", "shelf", "carpet", "clock", "vase", "kettle", "mug", "towel", "stool"),
    "label": ("café", "naïve", "Müller", "señor", "Zoë", "crème brûlée", "Ångström"),
}
_CHANGES: Mapping[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "swapcase": str.swapcase,
    "ascii": lambda text: text.lower().replace("é", "e").replace("ë", "e"),
    "euro": lambda text: text.translate(str.maketrans(",.", ".,")),
    "mojibake": lambda text: text.encode().decode("cp1252", "ignore"),
}
_TYPES: Mapping[str, tuple[pa.DataType, Callable[[str], Any]]] = {
    "int64": (pa.int64(), int),
    "float64": (pa.float64(), float),
    "bool": (pa.bool_(), "true".__eq__),
    "date32": (pa.date32(), dt.date.fromisoformat),
}


@cache
def _columns() -> dict[str, dict[str, Any]]:
    return {**read_yaml(Path(__file__).parent / "tables.yaml"), **meaning.columns()}


@cache
def table(name: str, rows: int, seed: int) -> pa.Table:
    """`rows` rows of a table; the same seed gives the same table, whoever asks."""
    draw = random.Random(f"{name}:{seed}")
    made = {}
    for column, given in _columns()[name].items():
        spec = given if isinstance(given, dict) else {"of": given}
        kind, read = _TYPES.get(spec.get("type", ""), (pa.string(), str))
        cells = [_cell(draw, seed * 1_000 + row, spec) for row in range(rows)]
        made[column] = pa.array([None if cell is None else read(cell) for cell in cells], kind)
    return pa.table(made)


@cache
def column_types(name: str) -> dict[str, str]:
    """The columns of a table and their Arrow types."""
    return {field.name: str(field.type) for field in table(name, 1, 0).schema}


def _cell(draw: random.Random, number: int, spec: Mapping[str, Any]) -> str | None:
    if "full" not in spec and draw.random() < NULLS:
        return None
    spelling = draw.choice(spec.get("full") or spec["of"])
    return None if spelling is None else filled(spelling, draw, number)


def filled(template: str, draw: random.Random, number: int) -> str:
    """A spelling with its slots filled; `number` is the row's."""
    moment = dt.datetime(draw.randint(1970, 2023), 1, 1) + dt.timedelta(seconds=draw.randint(0, 31_535_999))  # noqa: DTZ001 - cells carry no zone

    def slot(match: re.Match[str]) -> str:
        text = _slot(draw, number, match[1], moment)
        return _CHANGES[match[2]](text) if match[2] else text

    return _SLOT.sub(slot, template)


def _slot(draw: random.Random, number: int, slot: str, moment: dt.datetime) -> str:
    if slot in _WORDS:
        return draw.choice(_WORDS[slot])
    if slot == "phrase":
        return " ".join(draw.choice(_WORDS["word"]) for _ in range(draw.randint(2, 4)))
    if slot == "money":
        return f"{draw.choice((draw.randint(100, 99_999), draw.randint(100_000, 250_000_000))) / 100:,.2f}"
    if slot.startswith("n"):
        return format(number, slot[2:])
    if slot.startswith("d"):
        return "".join(draw.choice("0123456789") for _ in range(int(slot[1:])))
    if slot.startswith("%"):
        return _written(slot, moment)
    bounds = _RANGE.fullmatch(slot)
    if bounds is None:
        raise ValueError(f"no such slot: {slot}")
    drawn = draw.randint(int(bounds[1]), int(bounds[2]))
    if bounds[3]:
        return str(drawn / int(bounds[3]))
    return f"{drawn:0{bounds[4]}}" if bounds[4] else str(drawn)


def _written(form: str, moment: dt.datetime) -> str:
    """strftime that is the same in every locale and on every system."""
    month = _MONTHS[moment.month - 1]
    own = {"%-d": str(moment.day), "%-m": str(moment.month), "%-I": str(moment.hour % 12 or 12)}
    for word, text in (own | {"%B": month, "%b": month[:3], "%p": "PM" if moment.hour >= 12 else "AM"}).items():
        form = form.replace(word, text)
    return moment.strftime(form)
