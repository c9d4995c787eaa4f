"""Smaller inputs than one that breaks a law: fewer rows, then shorter and plainer cells. Pure; called by
`property_runner`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from orchestrator.core.jobs import Case, Op
from orchestrator.data.cells import is_text
from orchestrator.data.hostile.arrow_tables import read_table
from orchestrator.data.record_tables import MARK, LinesReader, table_of
from orchestrator.gate.inputs.case_planner import FULL, Stage
from orchestrator.gate.properties.property_laws import ALONE, OF_ROWS
from orchestrator.gate.properties.row_drawing import CIRCLES

MAX_TRIES = 48  # in one job
FEW = 3  # rows whose cells are worth looking at
_PARTS = 16
MakeCase = Callable[..., Case]


@dataclass(frozen=True)
class ShrinkAttempt:
    """Rows of one circle, and for the law `alone` those of them (by number) that are also run on their own."""

    circle: str
    rows: pa.Table
    part: tuple[int, ...] | None = None

    @classmethod
    def of(cls, law: str, case: str, stage: Stage) -> "ShrinkAttempt | None":
        """What the case tries; None when it cannot be made smaller here."""
        whole, _, word = case.partition("~")
        inputs = {c.id: c.input for child in stage.job.children for c in child.cases}
        if law in OF_ROWS:
            return cls(whole if whole in CIRCLES else "usual", _rows(inputs[case], stage))
        if law != ALONE or whole not in CIRCLES:
            return None
        return cls(whole, _rows(inputs[whole], stage), tuple(stage.orders[case]) if word else None)

    @property
    def size(self) -> tuple[int, int, int]:
        """What shall become smaller: rows, characters, and characters that are none of the plainest."""
        texts = [value for row in self.rows.to_pylist() for value in row.values() if isinstance(value, str)]
        return (
            self.rows.num_rows + len(self.part or ()),
            sum(len(text) for text in texts),
            sum(len(re.sub("[a0 ]", "", text)) for text in texts),
        )

    def cases(self, prefix: str, make: MakeCase) -> tuple[list[Case], dict[str, list[int]]]:
        """The attempt as cases of a job, and the rows of its part."""
        if self.part is None:
            return [make(f"{prefix}{self.circle}", self.rows, FULL, echo=self.circle == "usual")], {}
        name = f"{prefix}{self.circle}~part"
        ops = (Op.F, Op.DETECT)
        chosen = self.rows.take(pa.array(self.part, pa.int64()))
        cases = [make(f"{prefix}{self.circle}", self.rows, ops), make(name, chosen, ops, echo=True)]
        return cases, {name: list(self.part)}

    def keeping(self, rows: Sequence[int]) -> "ShrinkAttempt":
        """Only these rows."""
        place = {row: number for number, row in enumerate(rows)}
        part = None if self.part is None else tuple(place[row] for row in self.part if row in place)
        return ShrinkAttempt(self.circle, self.rows.take(pa.array(rows, pa.int64())), part)

    def alone(self, numbers: Sequence[int]) -> "ShrinkAttempt":
        """Only these of the rows that are also run on their own."""
        part = self.part or ()
        return ShrinkAttempt(self.circle, self.rows, tuple(part[number] for number in numbers))

    def with_cell(self, row: int, name: str, value: Any) -> "ShrinkAttempt":
        column = self.rows.column(name)
        values = column.to_pylist()
        values[row] = value
        field = self.rows.schema.field(name)
        position = self.rows.schema.get_field_index(name)
        return ShrinkAttempt(
            self.circle, self.rows.set_column(position, field, pa.array(values, column.type)), self.part
        )


def smaller(attempt: ShrinkAttempt, focus: Sequence[str]) -> Iterator[list[ShrinkAttempt]]:
    """Rounds of attempts, each to be tried in one job; the caller stops at the first round that has a failing one."""
    count = attempt.rows.num_rows
    everything = list(range(count))
    if count > 1:
        for parts in dict.fromkeys((min(count, MAX_TRIES), min(count, _PARTS), 2)):
            pieces = [everything[n * count // parts : (n + 1) * count // parts] for n in range(parts)]
            yield [attempt.keeping(piece) for piece in pieces]
        pieces = [everything[n * count // _PARTS : (n + 1) * count // _PARTS] for n in range(_PARTS)]
        yield [attempt.keeping([r for r in everything if r not in set(piece)]) for piece in pieces if piece]
    if attempt.part is not None and len(attempt.part) > 1:
        size = len(attempt.part)
        numbers = range(size)
        yield [attempt.alone([n]) for n in numbers[:MAX_TRIES]]
        yield [attempt.alone([n for n in numbers if n * 8 // size != eighth]) for eighth in range(8)]
    if count <= FEW:
        cells = [(row, name) for row in everything for name in focus]
        tries = [
            attempt.with_cell(row, name, value)
            for row, name in cells
            for value in _plainer(attempt.rows.column(name)[row].as_py(), attempt.rows.schema.field(name).type)
        ]
        for start in range(0, len(tries), MAX_TRIES):
            yield tries[start : start + MAX_TRIES]


def _plainer(value: Any, kind: pa.DataType) -> Iterator[Any]:
    if is_text(kind) and isinstance(value, str) and not value.startswith(MARK):
        yield from _shorter(value)
    elif pa.types.is_integer(kind) and isinstance(value, int) and value not in (0, 1):
        yield from (0, 1, value // 10)
    elif pa.types.is_floating(kind) and isinstance(value, float) and value not in (0.0, 1.0):
        yield from (0.0, 1.0, float(round(value)))


def _shorter(text: str) -> Iterator[str]:
    made: dict[str, None] = {}
    half = len(text) // 2
    made |= dict.fromkeys(("", text[:half], text[half:]))
    step = max(1, len(text) // 20)
    made |= {text[:at] + text[at + step :]: None for at in range(0, len(text), step)}
    for at, letter in enumerate(text[:20]):
        plain = "0" if letter.isdigit() else "a" if letter.isalpha() else " "
        made[text[:at] + plain + text[at + 1 :]] = None
    made.pop(text, None)
    yield from (one for one in made if _size(one) < _size(text))


def _size(text: str) -> tuple[int, int]:
    return len(text), len(re.sub("[a0 ]", "", text))


def _rows(data: bytes, stage: Stage) -> pa.Table:
    if stage.job.values == "arrow":
        return read_table(data)
    reader = LinesReader()
    rows = reader.rows(data)
    return table_of(rows, reader.names)
