"""An interrupt that vanished is raised again, and one that did not is not raised twice."""

import os
import signal
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

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


def test_the_end_of_the_run_is_told_undisturbed(callbacks: Callbacks) -> None:
    """The step that says that the run was interrupted reaches everyone."""
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    callbacks.emit(END)
