"""The forked process that runs a candidate on its cases and writes one record after another. Called by guest.py.

Nothing that is written here is believed by anyone: the candidate shares this process. The supervisor bounds it from
outside; the limits set here only make the usual accidents end early and cleanly.
"""

import json
import os
import struct
import time
from collections.abc import Callable
from typing import Any, NoReturn

from confine import EXIT_UNCONFINED, PIPE, Unconfined, confine
from frames import Source, Unserialisable, mask_bytes, read_table, require_frame, table_bytes
from programs import Loaded, Missing, Pipeline
from wire import MAX_RECORD_HEADER

EXIT_DONE = 77  # unusual, so that a candidate's own os._exit(0) is told from the end of the work
EXIT_MEMORY = 78
_MAX_ERROR = 2000


def main(job: dict[str, Any], child: dict[str, Any], blobs: list[bytes], pipe: int) -> NoReturn:
    """Everything of the child's life. Never returns, runs no exit handlers."""
    code = 1
    try:
        confine(child["limits"], pipe)
        _run(job["programs"], child["cases"], blobs)
        code = EXIT_DONE
    except Unconfined:
        code = EXIT_UNCONFINED
    except MemoryError:
        code = EXIT_MEMORY
    finally:
        os._exit(code)


def _run(programs: list[dict[str, str]], cases: list[dict[str, Any]], blobs: list[bytes]) -> None:
    loaded = [Loaded(number, one["name"], one["source"]) for number, one in enumerate(programs)]
    sources: dict[int, Source] = {}
    for number, case in enumerate(cases):
        if case["input"] not in sources:
            sources[case["input"]] = Source(read_table(blobs[case["input"]]))
        chosen = case["program"]
        _Case(number, case, sources[case["input"]], Pipeline(loaded if chosen is None else [loaded[chosen]])).run()


class _Case:
    """One input and its ops. The result of `f` is kept for the ops that build on it."""

    def __init__(self, number: int, case: dict[str, Any], source: Source, pipeline: Pipeline) -> None:
        self._number = number
        self._case = case
        self._source = source
        self._pipeline = pipeline
        self._input: Any = None  # the frame that the current op was given
        self._first: tuple[Any, list[dict[str, int]], BaseException | None] | None = None

    def run(self) -> None:
        for position, op in enumerate(self._case["ops"]):
            self._record(op, self._detect if op == "detect" else self._f if op == "f" else self._on_result)
            if position == 0 and self._case["echo_input"]:
                self._record("input", lambda _: table_bytes(self._input, self._source))

    def _detect(self, _: dict[str, Any]) -> bytes:
        self._input = self._source.frame()
        rows = len(self._input)
        return mask_bytes(self._pipeline.detect(self._input), rows)

    def _f(self, header: dict[str, Any]) -> bytes:
        self._input = self._source.frame()
        before = {name: str(kind) for name, kind in self._input.dtypes.items()}
        result, header["changed"] = self._apply(self._input)
        header["type"] = type(result).__name__[:200]
        body = table_bytes(result, self._source)
        header["dtypes"] = [[name, before.get(name), str(kind)[:200]] for name, kind in result.dtypes.items()]
        return body

    def _on_result(self, header: dict[str, Any]) -> bytes:
        """`ff` and `detect_f`: on a copy of what `f` returned."""
        if self._first is None:
            self._input = self._source.frame()
            self._apply(self._input)
        result, _, failure = self._first or (None, [], None)
        if failure is not None:
            raise failure
        frame = require_frame(result).copy()
        header["type"] = type(frame).__name__
        if header["op"] == "ff":
            return table_bytes(self._pipeline.apply(frame)[0], self._source)
        rows = len(frame)
        return mask_bytes(self._pipeline.detect(frame), rows)

    def _apply(self, frame: Any) -> tuple[Any, list[dict[str, int]]]:
        try:
            result, changed = self._pipeline.apply(frame)
        except BaseException as error:
            self._first = (None, [], error)
            raise
        self._first = (result, changed, None)
        return result, changed

    def _record(self, op: str, work: Callable[[dict[str, Any]], bytes]) -> None:
        header: dict[str, Any] = {"case": self._number, "op": op, "status": "returned", "type": "", "dtypes": []}
        header |= {"error": "", "changed": []}
        body = b""
        started = time.perf_counter()
        try:
            body = work(header)
        except MemoryError:
            raise
        except Unserialisable as error:
            header |= {"status": "unserialisable", "error": _text(str(error))}
        except Missing as error:
            header |= {"status": "missing", "error": _text(str(error))}
        except BaseException as error:  # noqa: BLE001 - SystemExit and the like are the candidate's failure too
            header |= {"status": "raised", "error": _text(_describe(error))}
        header["wall_s"] = max(0.0, time.perf_counter() - started)
        header["body"] = len(body)
        _write(header, body)


def _describe(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException as other:  # noqa: BLE001 - the candidate's own __str__
        return f"{type(error).__name__} (its message cannot be read: {type(other).__name__})"


def _text(text: str) -> str:
    return text[:_MAX_ERROR].encode("utf-8", "backslashreplace").decode("utf-8")[:_MAX_ERROR]


def _write(header: dict[str, Any], body: bytes) -> None:
    text = json.dumps(header, separators=(",", ":")).encode()
    if len(text) > MAX_RECORD_HEADER:
        text = json.dumps(header | {"dtypes": [], "changed": []}, separators=(",", ":")).encode()
    view = memoryview(b"".join([struct.pack(">I", len(text)), text, body]))
    while view:
        view = view[os.write(PIPE, view) :]
