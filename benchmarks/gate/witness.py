"""Proves that a wrong function is wrong: an input on which it behaves otherwise than the good one. Called by the bench.

Both are our own, trusted code, and run in plain subprocesses of this Python, without a sandbox. A mutant that fails on
every input is none that anybody would propose, and proves nothing of the gate: it is no witness, either.

    python -m benchmarks.gate.witness    answers requests on stdin, for Prover
"""

import datetime as dt
import json
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Self

from benchmarks.gate.records import RECORDS, record_table
from benchmarks.gate.tables import table
from orchestrator.core.candidate import Contract, Shape
from orchestrator.data.record_tables import from_table, records_of
from orchestrator.gate.candidate_file import read

_ROOT = Path(__file__).resolve().parents[2]
ROWS = ((150, 1), (50, 2), (300, 7), (37, 8), (1_200, 9))  # rows and seeds of the inputs that are drawn
FEW_FIRST = tuple(sorted(ROWS))  # the same, where nobody reads on which input it was
PATIENCE_S = 20
UNKNOWN = ("", "something else")  # texts that no drawn one is like


class _Late(BaseException):
    """It takes too long. No mutant catches it."""


class Prover:
    """A process that answers whether two functions behave differently."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT
        )

    def differ(self, good: str, wrong: str, data: str) -> str:
        """Where they differ, in a few words; "" when no input was found, or the wrong one fails on all of them."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None  # noqa: S101 - opened with PIPE above
        assert stdout is not None  # noqa: S101 - the same
        stdin.write(json.dumps([good, wrong, data]) + "\n")
        stdin.flush()
        return str(json.loads(stdout.readline()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def difference(good: str, wrong: str, data: str, inputs: Sequence[tuple[int, int]] = ROWS) -> str:
    """The same in this process."""
    other = _Loaded(wrong, like=_loaded(good))
    found, alive = "", False
    for rows, seed in inputs:
        for wanted, got in zip_longest(_wanted(good, data, rows, seed), other.outcome(data, rows, seed)):
            failed = isinstance(got, str)
            if wanted != got:
                found = found or f"{rows} rows of {data}, seed {seed}: {_first(wanted, got)}"
                break
        alive = alive or not failed
        if found and alive:
            return found
    return ""


class _Parts:
    """An outcome, of which each part is made when it is first asked for: most wrong functions differ in the first."""

    def __init__(self, parts: Iterator[Any]) -> None:
        self._made: list[Any] = []
        self._rest = parts

    def __iter__(self) -> Iterator[Any]:
        yield from self._made
        for part in self._rest:
            self._made.append(part)
            yield part


@lru_cache(maxsize=20)
def _wanted(good: str, data: str, rows: int, seed: int) -> _Parts:
    return _Parts(_loaded(good).outcome(data, rows, seed))


@lru_cache(maxsize=2)
def _loaded(good: str) -> "_Loaded":
    return _Loaded(good)


@cache
def _frame(data: str, rows: int, seed: int) -> Any:
    return table(data, rows, seed).to_pandas()


class _Loaded:
    """A function of the corpus. `like`: one of which it is an edited form; its contract need not be read again."""

    def __init__(self, source: str, like: "_Loaded | None" = None) -> None:
        space: dict[str, Any] = {}
        exec(compile(source, "candidate", "exec"), space)  # noqa: S102 - our own code
        self.declared = space.get("CONTRACT")
        if like is None or like.declared != self.declared or like.name not in space:
            candidate = read(source)
            self.name: str = candidate.name
            self.contract: Contract = candidate.contract
        else:
            self.name, self.contract = like.name, like.contract
        self._function: Callable[[Any], Any] = space[self.name]

    def outcome(self, data: str, rows: int, seed: int) -> Iterator[Any]:
        """What it makes of a drawn input: tables, or at last the name of what came instead of one."""
        if self.contract.shape.by_row:
            return _of_rows(self._function, self.contract, data, rows, seed)
        return _of_table(self._function, data, rows, seed)


def _of_rows(function: Callable[[Any], Any], contract: Contract, data: str, rows: int, seed: int) -> Iterator[Any]:
    """What the function makes of each drawn record or text, and what it left of them."""
    records = records_of((record_table if data in RECORDS else _texts)(data, rows, seed))
    given: list[Any] = [*records, {}]
    if contract.shape is Shape.TEXT:
        texts = [record.get(name) for record in records for name in contract.modifies or ()]
        given = [text for text in (*texts, *UNKNOWN) if isinstance(text, str)]
    results = [_called(function, value) for value in given]
    yield [results, [_json(value) for value in given]]


def _texts(data: str, rows: int, seed: int) -> Any:
    return from_table(table(data, rows, seed))


def _called(function: Callable[[Any], Any], value: Any) -> str:
    try:
        return _json(function(value))
    except Exception as error:  # noqa: BLE001 - whatever a wrong function raises
        return type(error).__name__


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)


def _of_table(function: Callable[[Any], Any], data: str, rows: int, seed: int) -> Iterator[Any]:
    """What the function makes of a drawn input, call by call, and what it left of the input."""
    import pandas as pd

    for _ in range(2):
        frame = _frame(data, rows, seed).copy()
        try:
            result = function(frame)
        except Exception as error:  # noqa: BLE001 - whatever a mutant raises
            yield type(error).__name__
            return
        if not isinstance(result, pd.DataFrame):
            yield type(result).__name__
            return
        yield _plain(result)
        yield _plain(frame)


def _plain(frame: Any) -> list[Any]:
    columns = {str(name): [_cell(value) for value in frame[name].tolist()] for name in frame.columns}
    return [list(columns), *columns.values()]


def _cell(value: Any) -> Any:
    if value is None or value != value:  # noqa: PLR0124 - NaN
        return None
    return str(value) if isinstance(value, dt.date) else value if isinstance(value, str | bool) else repr(value)


def _first(wanted: Any, got: Any) -> str:
    if isinstance(got, str) or isinstance(wanted, str):
        return " instead of ".join(one if isinstance(one, str) else "a table" for one in (got, wanted))
    for left, right in zip(wanted, got, strict=False):
        if left != right:
            pairs = [(a, b) for a, b in zip(left, right, strict=False) if a != b]
            return f"{pairs[0][1]!r} instead of {pairs[0][0]!r}" if pairs else "other rows or columns"
    return "other rows or columns"


def _late(_signal: int, _frame: object) -> None:
    raise _Late


def main() -> None:
    signal.signal(signal.SIGALRM, _late)
    for line in sys.stdin:
        good, wrong, data = json.loads(line)
        signal.alarm(PATIENCE_S)
        try:
            answer = difference(good, wrong, data)
            signal.alarm(0)
        except (_Late, Exception):  # noqa: BLE001 - whatever a mutant does
            answer = ""  # it does not even load, or never ends
            signal.alarm(0)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
