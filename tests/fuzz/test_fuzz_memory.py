"""Bombs, over-reads and slow senders: a `fail` each, while the host's memory and that of the reader stay bounded."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pyarrow as pa
import pytest

from orchestrator.core.jobs import Child, ChildResult, Ended, Job, JobResult, SandboxInfo
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample, SandboxSession, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableLimits, DisposableProcess
from orchestrator.gate.judge.judge_entry import ENTRY
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox
from orchestrator.sandbox.containers.stream import AttachStream
from orchestrator.sandbox.containers.wire import read_reply
from tests.fuzz.strategies import REPLY, stream
from tests.fuzz.targets import JOB, record
from tests.support.zygote import zygote_pid

MIB = 2**20
LIMITS = DisposableLimits(memory_bytes=512 * MIB)
GOOD = '"""i"""\ndef f(df):\n    """d"""\n    out = df.copy()\n    out["a"] = out["a"].str.strip()\n    return out\n'
ROWS = pa.table({"a": [" x", "y", "z "] * 8})
SAMPLE = Sample(ROWS, ROWS)


class Scripted:
    """A sandbox in which one candidate's children wrote what `write` says; others, the canary too, run."""

    def __init__(self, write: Callable[[Child], bytes], local: LocalSandbox) -> None:
        self._write = write
        self._local = local

    def run(self, job: Job) -> JobResult:
        if job.programs[0].name != "f":
            return self._local.run(job)
        return JobResult(tuple(ChildResult(Ended.OK, self._write(child)) for child in job.children), SandboxInfo())

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator[SandboxSession]:
        yield self

    def close(self) -> None: ...


def _everywhere(body: bytes) -> Callable[[Child], bytes]:
    """A child that returned this table from every op of every case."""

    def write(child: Child) -> bytes:
        made = []
        for number, case in enumerate(child.cases):
            for position, op in enumerate(case.ops):
                made.append(record(number, op, body))
                if case.echo_input and position == 0:
                    made.append(record(number, "input", body))
        return b"".join(made)

    return write


def _status(pid: int | str, field: str) -> int:
    """A field of /proc/PID/status in bytes; 0 when there is no such process."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = [line.split()[1] for line in text.splitlines() if line.startswith(field)]
    return int(found[0]) * 1024 if found else 0


class Peaks:
    """The most memory that this process, and that any child of the zygote, held while it watched."""

    def __init__(self, zygote: int) -> None:
        self._pid = zygote
        self._children = Path(f"/proc/{zygote}/task/{zygote}/children")
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._base = _status("self", "VmRSS")
        self._zygote = _status(zygote, "VmRSS")
        self.host = self._child = 0

    @property
    def reader(self) -> int:
        """What a child took beyond what it began with."""
        return max(0, self._child - self._zygote)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._zygote = max(self._zygote, _status(self._pid, "VmRSS"))  # it may have been starting at the beginning

    def _look(self) -> None:
        while not self._over.wait(0.002):
            self.host = max(self.host, _status("self", "VmRSS") - self._base)
            for child in self._children.read_text().split():
                self._child = max(self._child, _status(child, "VmHWM"))


@pytest.fixture(scope="module")
def judge() -> Iterator[DisposableProcess]:
    with DisposableProcess(ENTRY, LIMITS) as process:
        process.start()
        yield process


@pytest.fixture(scope="module")
def local() -> Iterator[LocalSandbox]:
    with LocalSandbox() as sandbox:
        yield sandbox


def _null_bomb() -> bytes:
    return stream(pa.table({"a": pa.nulls(2_000_000_000)}))


def _compressed_bomb() -> bytes:
    sink = pa.BufferOutputStream()
    table = pa.table({"a": pa.array([0] * 50_000_000)})
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    made: bytes = sink.getvalue().to_pybytes()
    return made


def _dictionary_bomb() -> bytes:
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 1_000_000, pa.int8()), pa.array(["x" * 1_000_000]))
    return stream(pa.table({"a": column}))


def _schema_bomb() -> bytes:
    return stream(pa.schema([pa.field(f"c{i}", pa.null()) for i in range(60_000)]).empty_table())


def _over_read() -> bytes:
    plain = stream(pa.table({"a": ["ab", "cd", "ef"]}))
    return plain.replace(struct.pack("<4i", 0, 2, 4, 6), struct.pack("<4i", 0, 2**30, 4, 6))


BOMBS: dict[Callable[[], bytes], str] = {
    _null_bomb: "claims more than",
    _compressed_bomb: "compressed",
    _dictionary_bomb: "unfolds",
    _schema_bomb: "columns",
    _over_read: "broken",
}


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.__name__.strip("_"))
def test_bombs_fail(bomb: Callable[[], bytes], judge: DisposableProcess, local: LocalSandbox) -> None:
    """The verdict is `fail`; the host grew by little more than the bytes, the reader by no more than it may."""
    body = bomb()
    assert len(body) < 8 * MIB
    with Peaks(zygote_pid(judge)) as peaks:
        verdict = Verifier(Scripted(_everywhere(body), local), judge).verify(VerifyRequest(GOOD, SAMPLE))
    assert verdict.verdict is Outcome.FAIL
    assert any(BOMBS[bomb] in check.detail for check in verdict.failures)
    written = 20 * len(body)  # the judge is handed as many copies as there are ops
    assert peaks.host < 32 * MIB + 4 * written
    assert peaks.reader < 64 * MIB + 6 * written


def test_a_header_of_nothing_but_brackets_fails(judge: DisposableProcess, local: LocalSandbox) -> None:
    """A megabyte of empty objects where counts of changed cells should stand."""
    text = json.dumps({"case": 0, "op": "f", "status": "returned", "body": 0, "changed": [{}] * 250_000}).encode()
    output = len(text).to_bytes(4, "big") + text
    with Peaks(zygote_pid(judge)) as peaks:
        verdict = Verifier(Scripted(lambda _: output, local), judge).verify(VerifyRequest(GOOD, SAMPLE))
    assert verdict.verdict is Outcome.FAIL
    assert peaks.host < 32 * MIB
    assert peaks.reader < 128 * MIB


def test_the_largest_reply_fails_within_bounds(judge: DisposableProcess, local: LocalSandbox) -> None:
    """As many bytes as the wire carries cost the host a few times their size, and the reader no more than it may."""
    output = b"\0" * (64 * MIB)
    with Peaks(zygote_pid(judge)) as peaks:
        verdict = Verifier(Scripted(lambda _: output, local), judge).verify(VerifyRequest(GOOD, SAMPLE))
    assert verdict.verdict is Outcome.FAIL
    assert peaks.host < 4 * len(output)
    assert peaks.reader < LIMITS.memory_bytes


def test_a_good_reply_passes(judge: DisposableProcess, local: LocalSandbox) -> None:
    """The control: the same gate lets a good function through."""
    assert Verifier(local, judge).verify(VerifyRequest(GOOD, SAMPLE)).verdict is Outcome.PASS


def test_a_slow_guest_is_given_up_at_the_deadline() -> None:
    """One byte now and then does not move the host's deadline, and nothing piles up."""
    ours, theirs = socket.socketpair()
    over = threading.Event()

    def drip() -> None:
        for byte in REPLY:
            if over.wait(0.2):
                return
            theirs.sendall(struct.pack(">BxxxI", 1, 1) + bytes([byte]))

    sender = threading.Thread(target=drip)
    sender.start()
    reader = AttachStream(ours)
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        read_reply(reader.receive, time.monotonic() + 0.5, JOB)
    assert time.monotonic() - started < 0.1 * len(REPLY)  # all of it would take twice as long
    over.set()
    sender.join()
    reader.close()
    theirs.close()


SLOW = '''"""i"""
import os, time
def f(df):
    """d"""
    while True:
        os.write(3, b"\\0")
        time.sleep(0.05)
'''


def test_a_slow_candidate_fails(judge: DisposableProcess, local: LocalSandbox) -> None:
    """A candidate that writes a byte now and then into its own result ends at its deadline: `fail`, never `infra`."""
    policy = Policy()
    limits = policy.limits.model_copy(update={"wall_s": 0.7})
    gate = Verifier(local, judge, policy.model_copy(update={"limits": limits}))
    started = time.monotonic()
    assert gate.verify(VerifyRequest(SLOW, SAMPLE, screen=False)).verdict is Outcome.FAIL
    assert time.monotonic() - started < 60  # it would go on for ever
