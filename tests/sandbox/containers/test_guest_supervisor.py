"""The guest's supervisor and its sweep: guards first, then how an end is named."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from orchestrator.core.jobs import GuestEnvironment, Limits
from orchestrator.sandbox.containers.wire import encode_job
from orchestrator.sandbox.posture.environments import PYTHON_FLAGS, guest_variables
from tests.sandbox.sandbox_jobs import make_job

SANDBOX_IMAGE = str(Path(__file__).parents[3] / "sandbox_image")


@pytest.fixture(scope="module")
def guest() -> Iterator[tuple[ModuleType, ModuleType]]:
    """The guest's modules sweep and supervise, imported as the guest imports them, and forgotten afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, SANDBOX_IMAGE)
    try:
        import supervise
        import sweep

        yield sweep, supervise
    finally:
        sys.path.remove(SANDBOX_IMAGE)
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(SANDBOX_IMAGE):
                del sys.modules[name]


def test_only_pid_1_kills_everyone(guest: tuple[ModuleType, ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    """Anywhere but in a container both dangerous acts refuse, and a sweep touches one process group alone."""
    sweep, _ = guest
    killed: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: killed.append((pid, number)))
    monkeypatch.setattr(os, "killpg", lambda group, number: killed.append((-group, number)))
    assert os.getpid() != 1
    with pytest.raises(RuntimeError, match="PID 1"):
        sweep.kill_everyone_else()
    with pytest.raises(RuntimeError, match="PID 1"):
        sweep.wipe(b"/nowhere")
    assert killed == []
    assert sweep.sweep(4242, sweep.take_baseline()) == (0, True)
    assert killed == [(-4242, signal.SIGKILL)]


def test_as_pid_1_everyone_is_killed(guest: tuple[ModuleType, ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard is no dead end: PID 1 does send the signal."""
    sweep, _ = guest
    killed: list[int] = []
    monkeypatch.setattr(os, "getpid", lambda: 1)
    monkeypatch.setattr(os, "kill", lambda pid, _: killed.append(pid))
    sweep.kill_everyone_else()
    assert killed == [-1]


def test_a_folder_is_emptied_whatever_is_in_it(guest: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    """Deep, locked and oddly named entries go; what a link points to stays."""
    sweep, _ = guest
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    here = Path.cwd()
    os.chdir(scratch)
    try:
        for _ in range(400):
            Path("d" * 100).mkdir()
            os.chdir("d" * 100)
    finally:
        os.chdir(here)
    Path(os.fsdecode(bytes(scratch) + b"/\xff\n")).write_text("x")
    (scratch / "link").symlink_to(outside)
    (scratch / "locked").mkdir()
    (scratch / "locked" / "inner").mkdir()
    (scratch / "locked").chmod(0)
    (scratch / ".wipe-1").write_text("x")
    sweep.empty_folder(bytes(scratch))
    assert list(scratch.iterdir()) == []
    assert (outside / "kept").exists()


def exited(code: int) -> int:
    return code << 8


@pytest.mark.parametrize(
    ("status", "cpu_s", "stopped", "swept", "ended"),
    [
        (exited(77), 0.1, None, 0, "ok"),
        (exited(77), 0.1, None, 1, "killed"),
        (exited(77), 3.5, None, 0, "timeout"),
        (exited(0), 0.1, None, 0, "killed"),
        (exited(1), 0.1, None, 0, "killed"),
        (exited(78), 0.1, None, 0, "memory"),
        (int(signal.SIGKILL), 0.1, None, 0, "memory"),
        (int(signal.SIGKILL), 2.1, None, 0, "timeout"),
        (int(signal.SIGXCPU), 2.1, None, 0, "timeout"),
        (int(signal.SIGSEGV), 0.1, None, 0, "killed"),
        (int(signal.SIGSEGV) | 0x80, 0.1, None, 0, "killed"),
        (int(signal.SIGKILL), 0.1, "timeout", 0, "timeout"),
        (int(signal.SIGKILL), 0.1, "output-limit", 3, "output-limit"),
        (exited(77), 0.1, "timeout", 0, "timeout"),
    ],
)
def test_an_end_is_named_by_the_kernels_account(
    guest: tuple[ModuleType, ModuleType], status: int, cpu_s: float, stopped: str | None, swept: int, ended: str
) -> None:
    """Exit status, processor time, leftovers and the supervisor's own doing decide; nothing else does."""
    _, supervise = guest
    assert supervise.how_it_ended(supervise.Exit(status, cpu_s, 1, stopped), 2.0, swept) == ended


@pytest.fixture
def process(request: pytest.FixtureRequest) -> Iterator["subprocess.Popen[bytes]"]:
    """A guest that has said that it is ready and lives for `request.param` seconds; light, so that it is ready soon."""
    with subprocess.Popen(
        [sys.executable, *PYTHON_FLAGS, f"{SANDBOX_IMAGE}/guest.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=guest_variables(GuestEnvironment.FIRST_LIGHT, request.param, "filter=off,landlock=off"),
    ) as made:
        assert made.stdout is not None
        assert made.stdout.read(50)
        yield made
        made.kill()


SLEEPS = b"".join(encode_job(make_job("import time\ndef f(df): time.sleep(60)\n", limits=Limits(wall_s=60))))


def ends(process: "subprocess.Popen[bytes]") -> bool:
    """Whether it ends well before the minute that a child may take, or the guest may live, is over."""
    started = time.monotonic()
    process.wait(timeout=120)
    return time.monotonic() - started < 45


@pytest.mark.parametrize("process", [3], indirect=True)
def test_a_forgotten_guest_ends_at_its_deadline(process: "subprocess.Popen[bytes]") -> None:
    """An idle guest that nobody closes ends by itself."""
    assert ends(process)


@pytest.mark.parametrize("process", [4], indirect=True)
def test_a_busy_guest_ends_at_its_deadline(process: "subprocess.Popen[bytes]") -> None:
    """A child that may run longer than the guest lives does not keep it alive."""
    assert process.stdin is not None
    job = make_job("def f(df):\n    while True: pass\n", limits=Limits(wall_s=60, cpu_s=60))
    process.stdin.writelines(encode_job(job))
    process.stdin.flush()
    assert ends(process)


@pytest.mark.parametrize("process", [90], indirect=True)
@pytest.mark.parametrize("job", [b"", SLEEPS, b"\0\0\1"])
def test_a_guest_ends_when_the_host_goes_away(process: "subprocess.Popen[bytes]", job: bytes) -> None:
    """Idle, in the middle of a job, in the middle of a frame: the end of its input ends it."""
    assert process.stdin is not None
    process.stdin.write(job)
    process.stdin.close()
    assert ends(process)


def test_a_preforked_child_that_died_is_replaced(guest: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    """The kernel may take the waiting child; the next job then runs in a fresh one."""
    sweep, supervise = guest
    reader, writer = os.pipe()
    supervisor = supervise.Supervisor(sweep.take_baseline(), reader, time.monotonic() + 60)
    supervisor.prepare()
    os.kill(supervisor._preforked.pid, signal.SIGKILL)
    os.waitid(os.P_PID, supervisor._preforked.pid, os.WEXITED | os.WNOWAIT)
    frame = encode_job(make_job("def f(df): return df"))
    (tmp_path / "job").write_bytes(b"".join(frame))
    with (tmp_path / "job").open("rb") as file:
        header, blobs = sys.modules["wire"].read_frame(file.fileno(), time.monotonic() + 60)
    reply, _, _ = supervisor.run(header, blobs)
    assert reply["children"][0]["ended"] == "ok"
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize(("ends_job", "second"), [(True, "timeout"), (False, "ok")])
def test_one_timeout_can_end_the_job(
    guest: tuple[ModuleType, ModuleType], tmp_path: Path, ends_job: bool, second: str
) -> None:
    """After a child that says so ran out of time none is started; the children do not see that it says so."""
    sweep, supervise = guest
    reader, writer = os.pipe()
    supervisor = supervise.Supervisor(sweep.take_baseline(), reader, time.monotonic() + 60)
    job = make_job("def f(df):\n    while len(df) > 1: pass\n    return df")
    (tmp_path / "job").write_bytes(b"".join(encode_job(job)))
    with (tmp_path / "job").open("rb") as file:
        header, blobs = sys.modules["wire"].read_frame(file.fileno(), time.monotonic() + 60)
    child = header["children"][0]
    quick = child["limits"] | {"wall_s": 1.0}
    header["children"] = [child | {"limits": quick} | ({"ends_job": True} if ends_job else {}), child | {"cases": []}]
    reply, _, _ = supervisor.run(header, blobs)
    assert [one["ended"] for one in reply["children"]] == ["timeout", second]
    assert (reply["children"][1]["wall_s"] == 0) is ends_job  # it never began
    assert all("ends_job" not in one for one in header["children"])
    os.close(reader)
    os.close(writer)
