"""Reads the records that a child wrote, without trusting them. Called by judge and apply, in a disposable process.

The format is docs/wire.md, "Record". Checked here are lengths, order, and the names and types of the header's
fields. The Arrow bodies stay bytes; `arrow_tables` reads those.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from orchestrator.core.jobs import Op
from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json
from orchestrator.data.text import clean_text

OpStatus = Literal["returned", "raised", "unserialisable", "missing"]
INPUT: Final = "input"
MAX_HEADER = 2**20
MAX_NAMES = 4000  # entries of `dtypes` and of one `changed`
_STATUSES: Final[Mapping[str, OpStatus]] = {
    "returned": "returned",
    "raised": "raised",
    "unserialisable": "unserialisable",
    "missing": "missing",
}
_REQUIRED = frozenset({"case", "op", "status", "body"})
_KEYS = _REQUIRED | {"type", "dtypes", "error", "wall_s", "changed", "row", "line", "same", "tried"}
_MAX_COUNT = 2**48
_MOST_TRIED = 8


@dataclass(frozen=True, slots=True)
class DtypeChange:
    """A column's pandas dtype before and after. Only a hint for messages: the Arrow schema decides."""

    column: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class OpRecord:
    """One op on one case. `body` is an Arrow stream or JSON Lines, still untrusted; all text is safe to show.

    `row`: the row at which it failed, if it was called row by row, or if halves of the table led to it. `line`: the
    line of the source that raised, from 1. `same`: positions of columns of the body that are placeholders for the
    input's columns. `tried`: files, sockets and processes that it tried to get at.
    """

    case: int
    op: str
    status: OpStatus
    type: str = ""
    dtypes: tuple[DtypeChange, ...] = ()
    error: str = ""
    wall_s: float = 0.0
    changed: tuple[Mapping[str, int], ...] = ()
    row: int | None = None
    line: int | None = None
    same: tuple[int, ...] = ()
    tried: tuple[str, ...] = ()
    body: bytes = b""


def read_records(
    output: bytes | memoryview,
    cases: Sequence[tuple[Op, ...]],
    *,
    echo: Sequence[bool] | None = None,
    complete: bool = True,
) -> tuple[OpRecord, ...]:
    """The records for the ops of each case, in their order. Raises HostileOutput for anything else.

    `echo`: for which cases the input was requested back (default: optional for any case). `complete=False` is for a
    child that was stopped: records may be missing at the end, and the last one may be cut off.
    """
    reader = _Reader(output, complete)
    records: list[OpRecord] = []
    for index, ops in enumerate(cases):
        may_echo = echo is None or echo[index]
        must_echo = echo is not None and echo[index]
        for position, op in enumerate(ops):
            record = reader.next(index, op)
            if record is None:
                return tuple(records)
            records.append(record)
            if position == 0 and may_echo:
                echoed = reader.next(index, INPUT, optional=not must_echo)
                if echoed is not None:
                    records.append(echoed)
    reader.at_end()
    return tuple(records)


def written(record: OpRecord, body: bytes) -> bytes:
    """The record with another body, as `read_records` reads it; without the dtypes that did not change."""
    fields = {"case": record.case, "op": record.op, "status": record.status, "type": record.type, "row": record.row}
    fields |= {"line": record.line}
    fields |= {"error": record.error, "wall_s": record.wall_s, "changed": [dict(one) for one in record.changed]}
    fields |= {"dtypes": [[d.column, d.before, d.after] for d in record.dtypes if d.before != d.after]}
    fields |= {"same": record.same} | ({"tried": record.tried} if record.tried else {})
    header = json.dumps(fields | {"body": len(body)}).encode()
    return len(header).to_bytes(4, "big") + header + body


class _Reader:
    """Reads records one after the other with `next`."""

    def __init__(self, output: bytes | memoryview, complete: bool) -> None:
        self._view = memoryview(output)
        self._at = 0
        self._complete = complete

    def next(self, case: int, op: str, *, optional: bool = False) -> OpRecord | None:
        """The next record, which must be for this case and op. None if the output may end early and does."""
        left = len(self._view) - self._at
        if left == 0 and optional:
            return None
        if left < 4:
            self._short()
            return None
        size = int.from_bytes(self._view[self._at : self._at + 4], "big")
        if not 2 <= size <= MAX_HEADER:
            raise HostileOutput(f"a record's header claims {size} bytes")
        start = self._at + 4
        if start + size > len(self._view):
            self._short()
            return None
        header = strict_json(bytes(self._view[start : start + size]))
        if not isinstance(header, dict) or not header.keys() >= _REQUIRED or not header.keys() <= _KEYS:
            raise HostileOutput("a record's header does not have the fields it should have")
        if header["op"] != op or header["case"] != case or type(header["case"]) is not int:
            if optional:
                return None
            raise HostileOutput(f"a record is not the expected one, {op} of case {case}")
        length = _count(header["body"], "body")
        end = start + size + length
        if end > len(self._view):
            self._short()
            return None
        self._at = end
        return _record(header, bytes(self._view[start + size : end]))

    def at_end(self) -> None:
        if self._at != len(self._view):
            raise HostileOutput(f"{len(self._view) - self._at} bytes follow the last record")

    def _short(self) -> None:
        """Records are missing: an error unless `complete` is False."""
        if self._complete:
            raise HostileOutput("the output ends in the middle of a record, or records are missing")


def _record(header: dict[str, Any], body: bytes) -> OpRecord:
    status = _STATUSES.get(_text(header["status"], "status", 20))
    if status is None:
        raise HostileOutput("a record has an unknown status")
    if status != "returned" and body and header["op"] != INPUT:
        raise HostileOutput(f"a record with status {status} has a body")
    return OpRecord(
        case=header["case"],
        op=header["op"],
        status=status,
        type=_text(header.get("type", ""), "type", 200),
        dtypes=_dtypes(header.get("dtypes", [])),
        error=_text(header.get("error", ""), "error", 2000),
        wall_s=_seconds(header.get("wall_s", 0.0)),
        changed=changed_counts(header.get("changed", [])),
        row=None if header.get("row") is None else _count(header["row"], "row"),
        line=None if header.get("line") is None else _count(header["line"], "line"),
        same=positions(header.get("same")),
        tried=_tried(header.get("tried", [])),
        body=body,
    )


def _text(value: Any, field: str, limit: int) -> str:
    if not isinstance(value, str):
        raise HostileOutput(f"a record's {field} is not text")
    return clean_text(value, limit)


def _name(value: Any) -> str:
    """A column's name, not cleaned because it is compared with real names; it must be valid UTF-8."""
    if not isinstance(value, str) or len(value) > 10_000 or any("\ud800" <= char <= "\udfff" for char in value):
        raise HostileOutput("a record has an invalid column name")
    return value


def _count(value: Any, field: str) -> int:
    if type(value) is not int or not 0 <= value <= _MAX_COUNT:
        raise HostileOutput(f"a record's {field} is not a count")
    return value


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value) or value < 0:
        raise HostileOutput("a record's wall_s is not a time")
    return float(value)


def _dtypes(value: Any) -> tuple[DtypeChange, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MAX_NAMES:
        raise HostileOutput("a record's dtypes are not a list")
    try:
        return _dtype_changes(tuple(tuple(entry) if isinstance(entry, list) else () for entry in value))
    except TypeError:  # an entry holds a list or a mapping
        raise HostileOutput("a record's dtypes are not triples") from None


@lru_cache(64)  # the same ones stand in nearly every record
def _dtype_changes(entries: tuple[tuple[Any, ...], ...]) -> tuple[DtypeChange, ...]:
    changes = []
    for entry in entries:
        if len(entry) != 3:
            raise HostileOutput("a record's dtypes are not triples")
        name, before, after = entry
        changes.append(DtypeChange(_name(name), _dtype(before), _dtype(after)))
    return tuple(changes)


def _dtype(value: Any) -> str | None:
    return None if value is None else _text(value, "dtypes", 200)


def _tried(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_NAMES:
        raise HostileOutput("a record's tried is not a list")
    return tuple(_text(each, "tried", 200) for each in value[:_MOST_TRIED])


def positions(value: Any) -> tuple[int, ...]:
    """Check positions of columns from a header. Raises HostileOutput."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MAX_NAMES:
        raise HostileOutput("a record's same is not a list")
    return tuple(_count(position, "same") for position in value)


def changed_counts(value: Any) -> tuple[Mapping[str, int], ...]:
    """Changed cells by column, one mapping per program. Raises HostileOutput."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MAX_NAMES:
        raise HostileOutput("a record's changed is not a list")
    made = []
    for entry in value:
        if not isinstance(entry, dict) or len(entry) > MAX_NAMES:
            raise HostileOutput("a record's changed holds a value that is not a mapping")
        made.append({_name(name): _count(count, "changed") for name, count in entry.items()})
    return tuple(made)
