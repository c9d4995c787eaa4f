"""Host and guest speak the same bytes: golden files bind the two programs, which never import each other."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import GuestProtocolError
from orchestrator.core.jobs import Case, Child, Ended, GuestEnvironment, Job, Limits, Op, Program
from orchestrator.sandbox.containers import wire

GOLDEN = Path(__file__).parents[2] / "golden" / "wire"
JOB = Job(
    (Program("trim", "def trim(df): return df\n"), Program("f", "def f(df): return df  # ä\n")),
    (
        Child((
            Case("working", b"first blob", (Op.F, Op.FF), echo_input=True),
            Case("edge", b"second", (Op.DETECT,), program=1),
        )),
        Child((Case("again", b"first blob", (Op.DETECT_F,)),), Limits(wall_s=1.5, cpu_s=1.0, output_bytes=1000)),
    ),
)  # fmt: skip
RECORDS_JOB = Job(
    (Program("strip", "def strip(t): return t.strip()\n", Shape.TEXT, ("city", "name")),),
    (Child((Case("working", b'{"city":" Rome"}\n{}', (Op.F, Op.DETECT)),)),),
    GuestEnvironment.FIRST_LIGHT,
)
READY = {"version": 1, "ready": True, "python": "3.11.2", "pandas": "3.1.1", "pyarrow": "26.0.1"}
REPLY: dict[str, Any] = {
    "version": 1,
    "children": [
        {"ended": "ok", "cpu_s": 0.012, "wall_s": 0.013, "peak_bytes": 91000000, "body": 5},
        {"ended": "timeout", "cpu_s": 1.0, "wall_s": 1.5, "peak_bytes": 91000000, "body": 0},
    ],
    "swept": 0,
    "reusable": True,
}


@pytest.fixture(scope="module")
def guest_wire() -> Iterator[ModuleType]:
    """The guest's own module, loaded as the guest loads it."""
    from importlib.util import module_from_spec, spec_from_file_location

    path = Path(__file__).parents[3] / "sandbox_image" / "wire.py"
    spec = spec_from_file_location("guest_wire", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["guest_wire"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["guest_wire"]


def receiver(data: bytes, at_once: int = 7) -> Callable[[int, float], bytes]:
    """Gives the bytes away a few at a time."""
    left = bytearray(data)

    def receive(most: int, _: float) -> bytes:
        part = bytes(left[: min(most, at_once)])
        del left[: len(part)]
        return part

    return receive


def written(guest_wire: ModuleType, header: dict[str, Any], bodies: Sequence[bytes] = ()) -> bytes:
    """A frame as the guest writes it, through a pipe."""
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as file:
        guest_wire.write_frame(writer, header, bodies, time.monotonic() + 60)
        os.close(writer)
        return file.read()


def test_both_take_jobs_of_one_size(guest_wire: ModuleType) -> None:
    """At more the guest ends, so the host does not send it."""
    assert wire.MAX_JOB == guest_wire.MAX_JOB


def test_the_host_writes_the_golden_job() -> None:
    """A job's frame is the golden one, byte for byte; an input used twice is sent once."""
    assert b"".join(wire.encode_job(JOB)) == (GOLDEN / "job.bin").read_bytes()


def test_the_host_writes_the_golden_job_of_records() -> None:
    """A job of records says so, with its budget."""
    assert b"".join(wire.encode_job(RECORDS_JOB, 115.0)) == (GOLDEN / "job-records.bin").read_bytes()


def test_the_guest_reads_the_golden_job_of_records(guest_wire: ModuleType) -> None:
    """The guest finds in it what the values are, what a program is, and how long all may take."""
    with (GOLDEN / "job-records.bin").open("rb") as file:
        header, blobs = guest_wire.read_frame(file.fileno(), time.monotonic() + 60)
    assert (header["values"], header["budget_s"], blobs) == ("json", 115.0, [b'{"city":" Rome"}\n{}'])
    assert header["programs"] == [{
        "name": "strip", "source": RECORDS_JOB.programs[0].source, "shape": "text", "columns": ["city", "name"],
    }]  # fmt: skip


def test_the_guest_reads_the_golden_job(guest_wire: ModuleType, tmp_path: Path) -> None:
    """The guest finds in it all that was asked."""
    with (GOLDEN / "job.bin").open("rb") as file:
        header, blobs = guest_wire.read_frame(file.fileno(), time.monotonic() + 60)
    assert blobs == [b"first blob", b"second"]
    assert [program["source"] for program in header["programs"]] == [program.source for program in JOB.programs]
    first, second = header["children"]
    assert first["limits"] == Limits().model_dump()
    assert first["cases"][0] == {
        "ops": ["f", "ff"], "program": None, "echo_input": True, "input": 0,
    }  # fmt: skip
    assert [first["cases"][1]["program"], first["cases"][1]["input"], second["cases"][0]["input"]] == [1, 1, 0]


def test_the_guest_writes_the_golden_answers(guest_wire: ModuleType) -> None:
    """Ready frame and reply are the golden ones, byte for byte."""
    assert written(guest_wire, READY) == (GOLDEN / "ready.bin").read_bytes()
    assert written(guest_wire, REPLY, [b"bytes", b""]) == (GOLDEN / "reply.bin").read_bytes()


def test_the_host_reads_the_golden_answers() -> None:
    """The host finds in them all that was said."""
    ready = wire.read_ready(receiver((GOLDEN / "ready.bin").read_bytes()), float("inf"))
    assert (ready.python, ready.pandas, ready.pyarrow) == ("3.11.2", "3.1.1", "26.0.1")
    reply = wire.read_reply(receiver((GOLDEN / "reply.bin").read_bytes()), float("inf"), JOB)
    assert [child.ended for child in reply.children] == [Ended.OK, Ended.TIMEOUT]
    assert reply.children[0].output == b"bytes"
    assert reply.reusable


def test_a_guest_that_could_not_go_on_fails_the_rest(guest_wire: ModuleType) -> None:
    """Children that an unclean container never ran count as killed."""
    frame = written(guest_wire, REPLY | {"children": REPLY["children"][:1], "reusable": False}, [b"bytes"])
    reply = wire.read_reply(receiver(frame), float("inf"), JOB)
    assert [child.ended for child in reply.children] == [Ended.OK, Ended.KILLED]


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"children": None},
        {"children": []},
        {"children": [1, 2]},
        {"children": [{"ended": "protocol"}] * 2},
        {"children": [REPLY["children"][0] | {"ended": "fine"}] * 2},
        {"children": [REPLY["children"][0] | {"body": 2**40}] * 2},
        {"children": [REPLY["children"][0] | {"body": -1}] * 2},
        {"children": [REPLY["children"][0] | {"cpu_s": "1"}] * 2},
        {"children": [REPLY["children"][0] | {"wall_s": 1e999}] * 2},
        {"children": REPLY["children"] * 2},
        {"reusable": "yes"},
        {"swept": True},
    ],
)
def test_a_bad_reply_is_machinery_that_broke(guest_wire: ModuleType, change: dict[str, object]) -> None:
    """Every field out of bounds is a protocol error before a body is read."""
    frame = written(guest_wire, REPLY | change, [b"bytes", b"bytes"])
    with pytest.raises(GuestProtocolError):
        wire.read_reply(receiver(frame), float("inf"), JOB)


@pytest.mark.parametrize(
    "data",
    [b"", b"\0\0", b"\xff\xff\xff\xff", b"\0\0\0\x02{", b"\0\0\0\x02[]", b"\0\0\0\x03\xff\xfe{",
     b"\0\0\x10\x00" + b"[" * 4096],
)  # fmt: skip
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    """Cut off, too long, no JSON, too deep: a protocol error each."""
    with pytest.raises(GuestProtocolError):
        wire.read_ready(receiver(data), float("inf"))


def test_a_deadline_holds_while_bytes_trickle() -> None:
    """A guest that sends a byte now and then does not move the deadline."""
    with pytest.raises(TimeoutError):
        wire.read_reply(receiver((GOLDEN / "reply.bin").read_bytes(), at_once=1), 0.0, JOB)


def test_the_guest_refuses_what_is_no_job(guest_wire: ModuleType) -> None:
    """The guest ends itself on a broken frame, and sees the end of its input as an end."""
    for data in (b"\xff\xff\xff\xff", b"\0\0\0\x02{}", b"\0\0"):
        reader, writer = os.pipe()
        os.write(writer, data)
        os.close(writer)
        with pytest.raises(guest_wire.WireError):
            guest_wire.read_frame(reader, time.monotonic() + 60)
        os.close(reader)
    reader, writer = os.pipe()
    os.close(writer)
    assert guest_wire.read_frame(reader, time.monotonic() + 60) is None
    os.close(reader)
