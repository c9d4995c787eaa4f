"""The forked process that runs a candidate on its cases and writes one record after another. Called by guest.py.

Nobody trusts what is written here: the candidate shares this process. The supervisor bounds it from
outside; the limits set here only make the usual accidents end early and cleanly.
"""

import json
import os
import struct
import time
from collections.abc import Callable
from typing import Any, NoReturn

import attempts
from confine import EXIT_UNCONFINED, PIPE, Unconfined, confine
from programs import Loaded, Missing, Unserialisable, Work
from wire import MAX_RECORD_HEADER, Body

EXIT_DONE = 77  # unusual, so that a candidate's own os._exit(0) is told from the end of the work
EXIT_MEMORY = 78
_MAX_ERROR = 2000


def main(job: dict[str, Any], blobs: list[Body], pipe: int) -> NoReturn:
    """Everything of the child's life. Never returns, runs no exit handlers."""
    code = 1
    try:
        confine(job["limits"], pipe)
        _run(job, blobs)
        code = EXIT_DONE
    except Unconfined:
        code = EXIT_UNCONFINED
    except MemoryError:
        code = EXIT_MEMORY
    finally:
        os._exit(code)


def _run(job: dict[str, Any], blobs: list[Body]) -> None:
    read, begin = _kit(job.get("values", "arrow"))
    attempts.watch()
    loaded = [Loaded(number, program) for number, program in enumerate(job["programs"])]
    sources: dict[int, Any] = {}
    last = {case["input"]: number for number, case in enumerate(job["cases"])}
    for number, case in enumerate(job["cases"]):
        if case["input"] not in sources:
            sources[case["input"]] = read(blobs[case["input"]])
        chosen = case["program"]
        programs = loaded if chosen is None else [loaded[chosen]]
        _Case(number, case, begin(programs, sources[case["input"]])).run()
        if last[case["input"]] == number:
            del sources[case["input"]]  # its memory does for the next one


def _kit(values: str) -> tuple[Callable[[Body], Any], Callable[..., Work]]:
    """How an input is read, and what works on it.

    Both modules were imported before the fork, where they are needed: here their import costs nothing.
    """
    if values == "json":
        from records import RecordWork, read_lines

        return read_lines, RecordWork
    import tables

    return tables.read_input_table, tables.TableWork


class _Case:
    """Runs the ops of one case and writes a record for each."""

    def __init__(self, number: int, case: dict[str, Any], work: Work) -> None:
        self._number = number
        self._case = case
        self._work = work

    def run(self) -> None:
        for position, op in enumerate(self._case["ops"]):
            self._record(op)
            if position == 0 and self._case["echo_input"]:
                self._record("input")

    def _record(self, op: str) -> None:
        header: dict[str, Any] = {"case": self._number, "op": op, "status": "returned", "type": "", "dtypes": []}
        header |= {"error": "", "changed": []}
        body: Any = b""
        started = time.perf_counter()
        try:
            body = getattr(self._work, op)(header)
        except MemoryError:
            raise
        except Unserialisable as error:
            header |= {"status": "unserialisable", "error": _text(str(error))}
        except Missing as error:
            header |= {"status": "missing", "error": _text(str(error))}
        except BaseException as error:  # noqa: BLE001 - SystemExit and the like are the candidate's failure too
            header |= {"status": "raised", "error": _text(_describe(error)), **self._work.line_of(error)}
        header["wall_s"] = max(0.0, time.perf_counter() - started)
        header["body"] = len(body)
        if tried := attempts.taken():
            header["tried"] = tried
        _write(header, body)


def _describe(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException as other:  # noqa: BLE001 - the candidate's own __str__
        return f"{type(error).__name__} (its message cannot be read: {type(other).__name__})"


def _text(text: str) -> str:
    return text[:_MAX_ERROR].encode("utf-8", "backslashreplace").decode("utf-8")[:_MAX_ERROR]


def _write(header: dict[str, Any], body: Any) -> None:
    """One record. `body`: bytes, or an Arrow buffer."""
    text = json.dumps(header, separators=(",", ":")).encode()
    if len(text) > MAX_RECORD_HEADER:
        text = json.dumps(header | {"dtypes": [], "changed": []}, separators=(",", ":")).encode()
    for piece in (struct.pack(">I", len(text)) + text, body):
        view = memoryview(piece)
        while view:
            view = view[os.write(PIPE, view) :]
