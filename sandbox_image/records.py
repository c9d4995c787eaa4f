"""The ops of a case whose values are JSON records. Called by child.py for the shapes `record` and `text`.

An input is JSON Lines: one object per row. A record function is called once per row with the row's dict; a text
function once per text in its columns. Every row is parsed and written again for every call, so that no function ever
holds an object of another call. Only what JSON can carry without loss is accepted: exact types, finite numbers.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from programs import Loaded, Unserialisable, Work

MAX_DEPTH = 100
_dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=False).encode
_loads = json.JSONDecoder().decode
Record = dict[str, Any]


def read_lines(blob: bytes | bytearray) -> list[str]:
    """The rows of an input, one JSON object each."""
    return blob.decode().split("\n") if blob else []


class RecordWork(Work):
    """The ops on the rows of one input. While one runs, the header says at which row it is."""

    def __init__(self, programs: Sequence[Loaded], lines: list[str]) -> None:
        super().__init__(programs)
        self._lines = lines
        self._input: list[Record] = []  # the records that the current op was given, as it left them

    def f(self, header: dict[str, Any]) -> bytes:
        lines: list[str] = self.first(header)
        header["type"] = "dict"
        return _body(lines, header)

    def ff(self, header: dict[str, Any]) -> bytes:
        lines, _ = self._applied(self.first(header), header, [])
        header["type"] = "dict"
        return _body(lines, header)

    def detect(self, header: dict[str, Any]) -> bytes:
        return self._flags(self._lines, header)

    def detect_f(self, header: dict[str, Any]) -> bytes:
        return self._flags(self.first(header), header)

    def input(self, header: dict[str, Any]) -> bytes:
        lines = []
        for header["row"], record in enumerate(self._input):
            lines.append(written(record))
        return _body(lines + self._lines[len(lines) :], header)

    def apply(self, header: dict[str, Any]) -> list[str]:
        self._input = []
        lines, header["changed"] = self._applied(self._lines, header, self._input)
        return lines

    def _applied(
        self, lines: list[str], header: dict[str, Any], given: list[Record]
    ) -> tuple[list[str], list[dict[str, int]]]:
        """The rows after all programs and, for several programs, the changed cells of each by key.

        `given` takes the records that the first program was given, as it left them.
        """
        counts: list[dict[str, int]] = []
        for program in self.programs:
            call = _text_call(program) if program.shape == "text" else _record_call(program.function)
            made: list[str] = []
            for header["row"], line in enumerate(lines):
                record = _loads(line)
                if program is self.programs[0]:
                    given.append(record)
                made.append(call(record))
            if len(self.programs) > 1:
                counts.append(_changed_cells(lines, made))
            lines = made
        return lines, counts

    def _flags(self, lines: list[str], header: dict[str, Any]) -> bytes:
        """One digit per row, or per row and column of a text function: 1 where the issue is."""
        detect, program = self.detector, self.programs[0]
        flags = bytearray()
        self._input = []
        for header["row"], line in enumerate(lines):
            record = _loads(line)
            self._input.append(record)
            if program.shape == "text":
                texts = [record.get(name) for name in program.columns]
                flags += b"".join(_flag(detect(text)) if isinstance(text, str) else b"0" for text in texts)
            else:
                flags += _flag(detect(record))
        header.pop("row", None)
        return bytes(flags)


def _record_call(function: Callable[[Record], Any]) -> Callable[[Record], str]:
    return lambda record: written(function(record))


def _text_call(program: Loaded) -> Callable[[Record], str]:
    """A record with every text in the program's columns cleaned; what is no text stays as it is."""
    function, columns = program.function, program.columns

    def call(record: Record) -> str:
        made = dict(record)
        for name in columns:
            text = record.get(name)
            if isinstance(text, str):
                result = function(text)
                if type(result) is not str:
                    raise Unserialisable(f"it returned a {type(result).__name__[:100]} instead of a str")
                made[name] = result
        return written(made)

    return call


def written(record: Any) -> str:
    """The record as one line of JSON. Raises Unserialisable for whatever JSON would lose or change."""
    if type(record) is not dict:
        raise Unserialisable(f"it returned a {type(record).__name__[:100]} instead of a dict")
    for key, value in record.items():
        try:
            _check(value, 1)
        except Unserialisable as problem:
            raise Unserialisable(f"the value of {str(key)[:100]!r} {problem}") from None
        if type(key) is not str:
            raise Unserialisable(f"the key {str(key)[:100]!r} is of type {type(key).__name__[:100]}, not str")
    try:
        line = _dumps(record)
        line.encode()
    except UnicodeEncodeError:
        raise Unserialisable("a text in it is no valid Unicode: half of a surrogate pair") from None
    except ValueError as error:  # an integer of thousands of digits
        raise Unserialisable(f"it cannot be written as JSON: {str(error)[:200]}") from None
    return line


def _check(value: Any, depth: int) -> None:
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return
    if kind is float:
        if not math.isfinite(value):
            raise Unserialisable(f"is {value}, which JSON does not have")
    elif depth > MAX_DEPTH:
        raise Unserialisable(f"is nested deeper than {MAX_DEPTH} levels")
    elif kind is list:
        for inner in value:
            _check(inner, depth + 1)
    elif kind is dict:
        for key, inner in value.items():
            if type(key) is not str:
                raise Unserialisable(
                    f"has the key {str(key)[:100]!r}, which is of type {type(key).__name__[:100]}, not str"
                )
            _check(inner, depth + 1)
    else:
        raise Unserialisable(f"is or holds a {kind.__name__[:100]}, which JSON does not have")


def _flag(result: Any) -> bytes:
    if type(result) is not bool:
        raise Unserialisable(f"detect returned a {type(result).__name__[:100]} instead of True or False")
    return b"1" if result else b"0"


def _changed_cells(before: list[str], after: list[str]) -> dict[str, int]:
    """Only a figure for people: in how many rows each key has another value, or appeared, or went."""
    counts: dict[str, int] = {}
    for old_line, new_line in zip(before, after, strict=True):
        if old_line == new_line:
            continue
        old, new = _loads(old_line), _loads(new_line)
        for key in old.keys() | new.keys():
            if key not in old or key not in new or _dumps(old[key]) != _dumps(new[key]):
                counts[key] = counts.get(key, 0) + 1
    return counts


def _body(lines: list[str], header: dict[str, Any]) -> bytes:
    header.pop("row", None)
    return "\n".join(lines).encode()
