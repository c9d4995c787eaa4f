"""The guest's supervisor and its sweep: guards first, then how an end is named."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SANDBOX_IMAGE = str(Path(__file__).parents[2] / "sandbox_image")


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
