"""Reads the cases of functions of records and texts: from JSON Lines, the same observations as for tables.

All tables of one stage get the same columns, every key that any record of it has, so that they can be compared. A
record that lacks a key has the cell `ABSENT` there. Equal lines are parsed once, however many cases hold them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from orchestrator.core.candidate import Contract, Shape
from orchestrator.core.jobs import Op
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.reply import INPUT, OpRecord
from orchestrator.data.record_tables import LinesReader, kind_of, table_of
from orchestrator.gate.judge.observations import CaseObservation, OpResult

_ORDERED = ("working", "confirm")  # the sample, whose kinds of values are the columns'


@dataclass(frozen=True)
class _Read:
    """A case whose lines were read and are no tables yet: its records are places in the reader's `distinct`."""

    id: str
    rows: list[int]
    results: Mapping[str, tuple[OpResult, list[int] | None]]


class RecordCases:
    """Collects the cases of a stage; `observations` makes tables of them when all are known.

    `kinds`: which kinds of values each key has in the sample, where no case is the sample.
    """

    def __init__(self, contract: Contract, kinds: Mapping[str, Collection[str]]) -> None:
        self._contract, self._kinds = contract, kinds
        self._reader = LinesReader()
        self._inputs: dict[int, list[int]] = {}
        self._cases: list[_Read] = []

    def add(self, name: str, number: int, blob: bytes, records: Sequence[OpRecord]) -> None:
        """One case: input number and bytes, and what came back for its ops."""
        if number not in self._inputs:
            self._inputs[number] = self._reader.numbers(blob)
        rows = self._inputs[number]
        echo = any(record.op == Op.F and record.status == "returned" for record in records)
        results = {str(r.op): self._decoded(r, len(rows)) for r in records if r.op != INPUT or echo}
        self._cases.append(_Read(name, rows, results))

    def observations(self) -> dict[str, CaseObservation]:
        """The cases by their ids, once all are added."""
        records = self._reader.distinct
        whole = table_of(records, self._reader.names)

        def table(rows: list[int]) -> pa.Table:
            return whole.take(pa.array(rows, pa.int64())).combine_chunks()

        tables = {id(case.rows): table(case.rows) for case in self._cases}
        sample = next((case.rows for wanted in _ORDERED for case in self._cases if case.id == wanted), [])
        kinds = {name: set(known) for name, known in self._kinds.items()}
        for record in (records[row] for row in dict.fromkeys(sample)):
            for name, cell in record.items():
                kinds.setdefault(name, set()).add(kind_of(cell))
        return {
            case.id: CaseObservation(
                case.id,
                tables[id(case.rows)],
                self._contract,
                {
                    op: result if rows is None else replace(result, table=table(rows))
                    for op, (result, rows) in case.results.items()
                },
                kinds,
            )
            for case in self._cases
        }

    def _decoded(self, record: OpRecord, count: int) -> tuple[OpResult, list[int] | None]:
        if record.status != "returned":
            at = _place(record.row, count)
            return OpResult(record.status, record.error, record.type, row=at, line=record.line), None
        try:
            if record.op in (Op.DETECT, Op.DETECT_F):
                return self._flagged(record.body, count), None
            rows = self._reader.numbers(record.body, count)
        except HostileOutput as error:
            return OpResult("broken", str(error), record.type), None
        return OpResult("returned", "", record.type, index=np.arange(count, dtype=np.int64)), rows

    def _flagged(self, body: bytes, count: int) -> OpResult:
        """One digit per row, or for texts one per row and column."""
        each, rest = divmod(len(body), count) if count else (1, len(body))
        if rest or not each or body.strip(b"01"):
            raise HostileOutput("detect did not come back as one digit per row")
        digits = np.frombuffer(body, np.uint8).reshape(count, each) == ord("1")
        cells = {}
        if self._contract.shape is Shape.TEXT and self._contract.modifies and len(self._contract.modifies) == each:
            cells = {name: digits[:, number] for number, name in enumerate(self._contract.modifies)}
        return OpResult("returned", flags=digits.any(axis=1), cells=cells)


def _place(row: int | None, count: int) -> int | None:
    return row if row is not None and row < count else None
