"""An interrupt that vanished is raised again, and one that did not is not raised twice."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from orchestrator.cli.interrupts import heed_interrupts
from orchestrator.core.steps import ChunkStep, EndStep, RunStatus
from orchestrator.run.events import Callbacks

CHUNK = ChunkStep(at=datetime(2026, 1, 1, tzinfo=UTC), chunk=1, rows=1, holdout=0)
END = EndStep(at=CHUNK.at, status=RunStatus.INTERRUPTED)


@pytest.fixture
def callbacks() -> Iterator[Callbacks]:
    before, hook = signal.getsignal(signal.SIGINT), sys.unraisablehook
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.unraisablehook = sys.__unraisablehook__  # pytest's own collects what is ignored
    made = Callbacks()
    heed_interrupts(made)
    yield made
    signal.signal(signal.SIGINT, before)
    sys.unraisablehook = hook


def test_a_swallowed_interrupt_is_raised_at_the_next_event(callbacks: Callbacks) -> None:
    """Without an interrupt nothing happens; after one that was ignored the next step ends the run."""
    callbacks.emit(CHUNK)
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        callbacks.emit(CHUNK)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_who_is_asked_to_end_leaves_nothing_half_written(tmp_path: Path, name: str) -> None:
    """SIGTERM of a service manager, SIGHUP of a terminal that is closed, is what Ctrl-C is: one word, and no file."""
    (tmp_path / "out.csv").write_text("older", encoding="utf-8")
    script = (
        "import os, signal, pathlib\n"
        "from orchestrator.cli import main\n"
        "from orchestrator.data.files import atomic_file\n"
        "@main.app.command('interrupted')\n"
        "def interrupted():\n"
        "    with atomic_file(pathlib.Path('out.csv')) as file:\n"
        "        file.write(b'half')\n"
        f"        os.kill(os.getpid(), signal.{name})\n"
        "main.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "interrupted"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "error: Interrupted.\n")
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("out.csv", "older")]


class _InterruptedAtItsEnd:
    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)


class _BrokenAtItsEnd:
    def __del__(self) -> None:
        raise ValueError("of its own")


def test_where_python_ignores_an_interrupt_no_traceback_is_shown(
    callbacks: Callbacks, capsys: pytest.CaptureFixture[str]
) -> None:
    """An interrupt in a finaliser says nothing there and ends the run at its next step; other errors are shown."""
    _InterruptedAtItsEnd()
    assert capsys.readouterr().err == ""
    _BrokenAtItsEnd()
    assert "of its own" in capsys.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        callbacks.emit(CHUNK)


LOGS = """
import logging, os, signal
from orchestrator.cli.interrupts import heed_interrupts
from orchestrator.run.events import Callbacks
heed_interrupts(Callbacks())
def closed(fail):
    try:
        fail()
    except BaseException:
        logging.getLogger("pool").error("Exception closing connection", exc_info=True)
closed(lambda: os.kill(os.getpid(), signal.SIGINT))
closed(lambda: 1 / 0)
"""


def test_where_a_library_logs_an_interrupt_no_traceback_is_shown() -> None:
    """As SQLAlchemy does when it closes a connection, before it raises it again; other errors are shown."""
    done = subprocess.run([sys.executable, "-c", LOGS], capture_output=True, text=True, check=True)
    assert "KeyboardInterrupt" not in done.stderr
    assert done.stderr.count("Exception closing connection") == 1
    assert "ZeroDivisionError" in done.stderr


def test_the_end_of_the_run_is_told_undisturbed(callbacks: Callbacks) -> None:
    """The step that says that the run was interrupted reaches everyone."""
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    callbacks.emit(END)
