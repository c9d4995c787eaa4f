"""Reads the records that a child wrote, trusting none of it. Called by the judge and by apply, in a disposable process.

The format is docs/wire.md, "Record". What is checked here is the envelope: lengths, order, names and types of the
header's fields. The Arrow bodies stay bytes; `data.hostile.frames` reads those.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from orchestrator.core.jobs import Op
from orchestrator.data.hostile.errors import HostileOutput, strict_json
from orchestrator.data.text import clean_text

Status = Literal["returned", "raised", "unserialisable", "missing"]
INPUT: Final = "input"
MAX_HEADER = 2**20
MAX_NAMES = 4000  # entries of `dtypes` and of one `changed`
_STATUSES: Final[Mapping[str, Status]] = {
    "returned": "returned",
    "raised": "raised",
    "unserialisable": "unserialisable",
    "missing": "missing",
}
_KEYS = frozenset({"case", "op", "status", "type", "dtypes", "error", "wall_s", "changed", "row", "same", "body"})
_REQUIRED = frozenset({"case", "op", "status", "body"})
_MAX_COUNT = 2**48


@dataclass(frozen=True, slots=True)
class DtypeChange:
    """A column's pandas dtype before and after. Only a hint for messages: the Arrow schema decides."""

    column: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """One op on one case. `body` is an Arrow stream or JSON Lines, still hostile; all text is fit to be shown.

    `row`: at which row it failed, where it was called row by row. `same`: places of columns of the body that stand for
    the input's own.
    """

    case: int
    op: str
    status: Status
    type: str = ""
    dtypes: tuple[DtypeChange, ...] = ()
    error: str = ""
    wall_s: float = 0.0
    changed: tuple[Mapping[str, int], ...] = ()
    row: int | None = None
    same: tuple[int, ...] = ()
    body: bytes = b""


def read_records(
    output: bytes, cases: Sequence[tuple[Op, ...]], *, echo: Sequence[bool] | None = None, complete: bool = True
) -> tuple[Record, ...]:
    """The records for the ops of each case, in their order. Raises HostileOutput for anything else.

    `echo` says for which cases the input was asked back (default: it may come, for any case). `complete=False` is for
    a child that was stopped: it accepts that records are missing at the end, the last one perhaps cut off.
    """
    reader = _Reader(output, complete)
    records: list[Record] = []
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


class _Reader:
    """A place in the bytes; `next` takes one record from it."""

    def __init__(self, output: bytes, complete: bool) -> None:
        self._view = memoryview(output)
        self._at = 0
        self._complete = complete

    def next(self, case: int, op: str, *, optional: bool = False) -> Record | None:
        """The next record, which must be this one. None when the output ends early and may do so."""
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
            raise HostileOutput(f"a record stands where {op} of case {case} should stand")
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
        """Records are missing: fine only where that was allowed for."""
        if self._complete:
            raise HostileOutput("the output ends in the middle of a record, or records are missing")


def _record(header: dict[str, Any], body: bytes) -> Record:
    status = _STATUSES.get(_text(header["status"], "status", 20))
    if status is None:
        raise HostileOutput("a record has an unknown status")
    if status != "returned" and body and header["op"] != INPUT:
        raise HostileOutput(f"a record with status {status} has a body")
    return Record(
        case=header["case"],
        op=header["op"],
        status=status,
        type=_text(header.get("type", ""), "type", 200),
        dtypes=_dtypes(header.get("dtypes", [])),
        error=_text(header.get("error", ""), "error", 2000),
        wall_s=_seconds(header.get("wall_s", 0.0)),
        changed=changed_counts(header.get("changed", [])),
        row=None if header.get("row") is None else _count(header["row"], "row"),
        same=places(header.get("same")),
        body=body,
    )


def _text(value: Any, field: str, limit: int) -> str:
    if not isinstance(value, str):
        raise HostileOutput(f"a record's {field} is no text")
    return clean_text(value, limit)


def _name(value: Any) -> str:
    """A column's name: compared with real ones, so it is not cleaned, but it must be writable as UTF-8."""
    if not isinstance(value, str) or len(value) > 10_000 or any("\ud800" <= char <= "\udfff" for char in value):
        raise HostileOutput("a record names a column that can have no such name")
    return value


def _count(value: Any, field: str) -> int:
    if type(value) is not int or not 0 <= value <= _MAX_COUNT:
        raise HostileOutput(f"a record's {field} is no count")
    return value


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value) or value < 0:
        raise HostileOutput("a record's wall_s is no time")
    return float(value)


def _dtypes(value: Any) -> tuple[DtypeChange, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MAX_NAMES:
        raise HostileOutput("a record's dtypes are no list")
    changes = []
    for entry in value:
        if not isinstance(entry, list) or len(entry) != 3:
            raise HostileOutput("a record's dtypes are no triples")
        name, before, after = entry
        changes.append(DtypeChange(_name(name), _dtype(before), _dtype(after)))
    return tuple(changes)


def _dtype(value: Any) -> str | None:
    return None if value is None else _text(value, "dtypes", 200)


def places(value: Any) -> tuple[int, ...]:
    """Places of columns. Raises HostileOutput."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MAX_NAMES:
        raise HostileOutput("a record's same is no list")
    return tuple(_count(place, "same") for place in value)


def changed_counts(value: Any) -> tuple[Mapping[str, int], ...]:
    """Changed cells by column, one mapping per program. Raises HostileOutput."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MAX_NAMES:
        raise HostileOutput("a record's changed is no list")
    made = []
    for entry in value:
        if not isinstance(entry, dict) or len(entry) > MAX_NAMES:
            raise HostileOutput("a record's changed holds no mapping")
        made.append({_name(name): _count(count, "changed") for name, count in entry.items()})
    return tuple(made)
