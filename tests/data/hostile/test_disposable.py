"""The disposable process: what a child that was taken over can do to the host, and what the host then sees."""

import json
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pytest

import orchestrator
from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.data.disposable import zygote as zygote_module
from orchestrator.data.disposable.disposable_process import DisposableLimits, DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.data.hostile.arrow_tables import INDEX, write_table
from tests.support.zygote import zygote_pid

LIMITS = DisposableLimits(wall_s=30.0, cpu_s=2, memory_bytes=300 * 2**20, reply_bytes=2**20)
HURRIED = DisposableLimits(wall_s=1.0, cpu_s=2, memory_bytes=300 * 2**20, reply_bytes=2**20)


@contextmanager
def started(limits: DisposableLimits) -> Iterator[DisposableProcess]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zygote_module, "_ROOT", Path(__file__).parent)
        with DisposableProcess("disposable_entries:act", limits) as made:
            made.start()
            yield made


def _request(output: bytes) -> bytes:
    return decode_entry.request(output, records=False, detect=False)


@pytest.fixture(scope="module")
def process() -> Iterator[DisposableProcess]:
    with started(LIMITS) as made:
        yield made


def test_answers(process: DisposableProcess) -> None:
    """A request comes back as the entry made it, also when it is large."""
    assert process.call(b"echo:hello") == b"hello"
    assert process.call(b"echo:" + b"x" * 900_000) == b"x" * 900_000


def test_the_package_that_runs_is_the_one_that_judges(tmp_path: Path) -> None:
    """Also where another one is installed: here a copy of the package runs beside the one of these tests."""
    package = Path(orchestrator.__file__).parent
    shutil.copytree(package, tmp_path / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "sandbox_image").symlink_to(package.parent / "sandbox_image")
    (tmp_path / "place.py").write_text(
        "import orchestrator.core.errors\ndef of(_): return orchestrator.core.errors.__file__.encode()\n"
    )
    program = (
        "from orchestrator.data.disposable.disposable_process import DisposableLimits, DisposableProcess\n"
        f"with DisposableProcess('place:of', {LIMITS!r}) as made: print(made.call(b'').decode())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    assert ran.stdout.strip() == str(tmp_path / package.name / "core" / "errors.py")


def test_processes_are_started_from_the_tree_that_starts_them(tmp_path: Path) -> None:
    """With the arguments and the name of a program, and nothing of the folder that it is started in."""
    package = Path(orchestrator.__file__).parent
    shutil.copytree(package, tmp_path / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "json.py").write_text("raise SystemExit('a neighbour stands in for a module of Python')\n")
    (tmp_path / package.name / "told.py").write_text(
        "import json, sys, orchestrator.core.errors as errors\nprint(__name__, *sys.argv, errors.__file__)\n"
    )
    program = (
        "import runpy, sys\n"
        f"own = runpy.run_path({str(tmp_path / package.name / 'data' / 'disposable' / 'own_process.py')!r})\n"
        f"print(*own['own_command']('{package.name}.told', 'a', 'b c'), sep='\\n')"
    )
    command = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    ran = subprocess.run(command.stdout.splitlines(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    told = tmp_path / package.name / "told.py"
    assert ran.stdout.strip() == f"__main__ {told} a b c {tmp_path / package.name / 'core' / 'errors.py'}"


def test_a_child_that_answers_at_once_may_end_before_the_host_has_sent_nothing(
    process: DisposableProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty request is answered as soon as the child knows that it is empty, however late the host runs again.

    The entry knows no such word, and so its answer is an error, which arrives.
    """
    send = zygote_module.Zygote._send

    def late(wire: socket.socket, data: bytes | memoryview, deadline: float) -> None:
        send(wire, data, deadline)
        time.sleep(0.2)

    monkeypatch.setattr(zygote_module.Zygote, "_send", staticmethod(late))
    with pytest.raises(DisposableDied, match=r"KeyError: .*a fault of cleanroom: report it"):
        process.call(b"")


def test_warm_call_is_quick(process: DisposableProcess) -> None:
    """A call costs a fork, not an import: 3.7 ms here on a quiet machine, an import takes 300; the quickest counts."""

    def seconds() -> float:
        begin = time.perf_counter()
        process.call(b"echo:")
        return time.perf_counter() - begin

    assert min(seconds() for _ in range(20)) < 0.1


def test_calls_do_not_see_each_other(process: DisposableProcess) -> None:
    """Several lanes may call at once, and each gets its own answer."""
    answers: dict[int, bytes] = {}

    def lane(number: int) -> None:
        for _ in range(10):
            answers[number] = process.call(b"echo:%d" % number)

    lanes = [threading.Thread(target=lane, args=(number,)) for number in range(6)]
    for thread in lanes:
        thread.start()
    for thread in lanes:
        thread.join()
    assert answers == {number: b"%d" % number for number in range(6)}


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (b"segfault:", "SIGSEGV"),
        (b"exit:", "without an answer"),
        (b"raise:", "ValueError: red"),
        (b"big:5000000", "larger than"),
        (b"allocate:800000000", "MemoryError"),
        (b"spin:", "killed by"),
    ],
)
def test_bad_end_is_an_exception(process: DisposableProcess, request_: bytes, says: str) -> None:
    """Whatever ends a child, the host gets DisposableDied, and the next call works."""
    with pytest.raises(DisposableDied, match=says):
        process.call(request_)
    assert process.call(b"echo:still here") == b"still here"


def test_a_fault_of_our_own_is_not_blamed_on_what_was_read(process: DisposableProcess) -> None:
    """No bytes make a name or a module be missing."""
    with pytest.raises(SandboxError, match="name 'cells' is not defined") as raised:
        process.call(b"no-name:")
    assert "fault of cleanroom" in raised.value.advice


def test_a_child_that_sleeps_is_not_waited_for() -> None:
    """The host's own deadline ends it."""
    begin = time.monotonic()
    with started(HURRIED) as process, pytest.raises(DisposableDied, match="longer than 1 s"):
        process.call(b"sleep:100")
    assert time.monotonic() - begin < 60


def test_allocation_within_the_limit_succeeds(process: DisposableProcess) -> None:
    """The positive control of the memory limit: less than it can be had."""
    assert process.call(b"allocate:200000000") == b"200000000"


def test_child_cannot_write_files(process: DisposableProcess, tmp_path: Path) -> None:
    """A child writes no file, not even where everybody may."""
    tmp_path.chmod(0o777)
    for parent in tmp_path.parents[:2]:
        parent.chmod(0o755)
    target = tmp_path / "left-behind"
    with pytest.raises(DisposableDied):
        process.call(b"write:" + bytes(target))
    assert not target.exists() or target.stat().st_size == 0


@pytest.mark.parametrize(
    ("request_", "answer"),
    [(b"fork:", b"BlockingIOError"), (b"thread:", b"RuntimeError"), (b"execute:", b"BlockingIOError")],
)
def test_child_cannot_multiply(process: DisposableProcess, request_: bytes, answer: bytes) -> None:
    """A child starts no process, no thread and no program."""
    assert process.call(request_) == answer


def test_child_owns_nothing(process: DisposableProcess) -> None:
    """A child has no privileges, no environment of ours and no descriptor but its own socket."""
    posture = json.loads(process.call(b"posture:"))
    assert posture["no_new_privs"] == "1"
    assert posture["core"] == 0
    assert posture["session_leader"]
    assert len(posture["descriptors"]) <= 5
    assert not set(posture["environment"]) & {"PATH", "HOME", "USER", "SSH_AUTH_SOCK"}
    if os.getuid() == 0:
        assert posture["uid"] != 0


def test_dead_zygote_is_replaced(process: DisposableProcess) -> None:
    """When the zygote is gone, another one is started and the caller notices nothing."""
    zygote = process._zygote
    assert zygote is not None
    os.kill(zygote._process.pid, signal.SIGKILL)
    zygote._process.wait()
    while process._zygote is zygote:  # on a busy machine, what it had forked may still answer
        assert process.call(b"echo:again") == b"again"
    assert process.call(b"echo:again") == b"again"


def test_child_cannot_kill_its_zygote(process: DisposableProcess) -> None:
    """A child that was taken over cannot end the process that forks the others."""
    assert process.call(b"kill_zygote:") == b"PermissionError"


def test_broken_entry_is_infrastructure() -> None:
    """An entry that cannot be imported is our fault and says so, rather than blaming a candidate."""
    with pytest.raises(SandboxError, match="ModuleNotFoundError"):
        DisposableProcess("orchestrator.no_such_module:act").start()


def test_close_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """After close the zygote is gone, closing again does nothing, and a call says that it is closed."""
    monkeypatch.setattr(zygote_module, "_ROOT", Path(__file__).parent)
    process = DisposableProcess("disposable_entries:act", LIMITS)
    process.start()
    zygote = process._zygote
    assert zygote is not None
    pid = zygote._process.pid
    process.close()
    process.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(SandboxError, match="closed"):
        process.call(b"echo:")


def test_zygote_ends_with_its_host() -> None:
    """The zygote ends by itself when the host process dies without closing it."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        zygote_module._ROOT = Path(__file__).parent
        orphan = DisposableProcess("disposable_entries:act", LIMITS)
        orphan.start()
        assert orphan._zygote is not None
        os.write(write, str(orphan._zygote._process.pid).encode())
        os._exit(0)
    os.close(write)
    zygote = int(os.read(read, 20))
    os.close(read)
    os.waitpid(pid, 0)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{zygote}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.05)
    pytest.fail("the zygote outlived its host")


def test_a_child_that_died_while_it_waited_is_replaced(process: DisposableProcess) -> None:
    """The kernel takes the waiting child, and the next call is answered all the same, by another one of the zygote."""
    process.call(b"echo:")
    zygote = process._zygote
    assert zygote is not None
    (waiting,) = _waiting(process)
    os.kill(waiting, signal.SIGKILL)
    while " Z " not in Path(f"/proc/{waiting}/stat").read_text():  # a busy kernel takes its time to end it
        time.sleep(0.01)
    assert process.call(b"echo:still here") == b"still here"
    assert process._zygote is zygote
    deadline = time.monotonic() + 60
    while waiting in _waiting(process):
        assert time.monotonic() < deadline, "the dead child was not reaped"
        time.sleep(0.05)


def _waiting(process: DisposableProcess) -> list[int]:
    """The children of the zygote."""
    assert process._zygote is not None
    select.select([process._zygote._waiting["act"]], [], [], 30)  # it has greeted, so the one before it is gone
    return _children(zygote_pid(process))


def _children(parent: int) -> list[int]:
    deadline = time.monotonic() + 60
    while not (found := Path(f"/proc/{parent}/task/{parent}/children").read_text().split()):
        assert time.monotonic() < deadline, "it has no child"
        time.sleep(0.01)
    return [int(pid) for pid in found]


def test_what_is_loaded_late_serves_all_later_calls(process: DisposableProcess) -> None:
    """A request that needs more than was loaded is answered like any other, and so is every one after it."""
    assert process.call(b"late:a") == b"loaded late: a"
    assert process.call(b"late:b") == b"loaded late: b"
    assert process.call(b"echo:c") == b"c"


def test_asking_for_more_again_and_again_has_an_end(process: DisposableProcess) -> None:
    """A child that claims for ever that something is missing counts as dead; the next request is answered."""
    with pytest.raises(DisposableDied):
        process.call(b"never:")
    assert process.call(b"echo:d") == b"d"


def test_nanoseconds_are_read_as_pandas_reads_them() -> None:
    """Times in nanoseconds need pandas, which the process has not loaded at first."""
    moment = pa.array([1_700_000_000_000_000_001], pa.timestamp("ns"))
    body = write_table(pa.table({INDEX: [0], "when": moment}))
    header = {"case": 0, "op": "f", "status": "returned", "type": "DataFrame", "dtypes": [], "error": "", "changed": []}
    text = json.dumps(header | {"wall_s": 0.0, "body": len(body)}).encode()
    with DisposableProcess(decode_entry.ENTRY) as process:
        for _ in range(2):
            decoded = decode_entry.read_decoded(process.call(_request(len(text).to_bytes(4, "big") + text + body)))
            assert decoded.error == ""
            assert decoded.table is not None
            assert decoded.table.column("when").cast(pa.int64()).to_pylist() == [1_700_000_000_000_000_001]


def test_an_error_text_with_unseen_characters_is_read() -> None:
    """They become escapes without a codec, which a confined child could not import any more."""
    header = {"case": 0, "op": "f", "status": "raised", "error": "ValueError: a\u200bb", "wall_s": 0.0, "body": 0}
    text = json.dumps(header).encode()
    with DisposableProcess(decode_entry.ENTRY) as process:
        decoded = decode_entry.read_decoded(process.call(_request(len(text).to_bytes(4, "big") + text)))
    assert decoded.error == r"ValueError: a\u200bb"


def test_a_start_in_the_background_is_the_start() -> None:
    """A call that comes while the process starts waits for it and is answered; a start that fails is heard then."""
    with DisposableProcess(decode_entry.ENTRY) as early:
        early.start_soon()
        assert decode_entry.read_decoded(early.call(_request(b""))).error
    with DisposableProcess("orchestrator.no_such_module:act") as broken:
        broken.start_soon()
        with pytest.raises(SandboxError):
            broken.call(b"")


def test_a_process_with_few_open_files_has_children() -> None:
    """64 are enough. No child could be made, and `apply` said of each function that it does not fit the data."""
    with started(LIMITS) as process:
        process.call(b"echo:")
        zygote = process._zygote
        resource.prlimit(zygote_pid(process), resource.RLIMIT_NOFILE, (64, 64))
        assert [process.call(b"echo:few") for _ in range(3)] == [b"few"] * 3
        assert process._zygote is zygote


def test_where_no_child_can_be_had_the_bytes_are_not_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has read them: that is an error of the infrastructure."""

    def gone(_: object, wire: socket.socket, __: float) -> None:
        wire.close()
        raise zygote_module.ZygoteGone

    with started(LIMITS) as process:
        monkeypatch.setattr(zygote_module.Zygote, "_greeted", gone)
        with pytest.raises(SandboxError, match="No process can be made here"):
            process.call(b"echo:")
