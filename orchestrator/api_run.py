"""A run of the library in the background: its events while it goes on, its summary or its error. Made by `api`."""

from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

from orchestrator.api_wording import naming_arguments
from orchestrator.core.errors import RunInterrupted
from orchestrator.core.steps import AnyStep
from orchestrator.core.verdict import CheckResult
from orchestrator.run.apply.step import ApplyProgress
from orchestrator.run.events import Callbacks
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.loop.run_summary import RunSummary

RunEvent = AnyStep | CheckResult | ApplyProgress
"""What a run tells while it goes on: finished steps, single checks as they are decided, rows that are done."""


class Run:
    """A run in the background. Iterating gives its events until it has ended; `result` its summary or its error.

    `folder` is where its results will lie, and what `Cleanroom.resume` takes.
    """

    def __init__(self, cleaning: CleaningJob, callbacks: Callbacks, folder: Path) -> None:
        self.folder = folder
        self._events: SimpleQueue[RunEvent | None] = SimpleQueue()
        self._stop = Event()
        self._summary: RunSummary | None = None
        self._error: BaseException | None = None
        callbacks.register(object, self._tell)
        self._thread = Thread(target=self._work, args=(cleaning,), name="cleanroom-run", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[RunEvent]:
        """Each event once, as it happens; ends with the run. Raises what the run raised."""
        while (event := self._events.get()) is not None:
            yield event
        self._events.put(None)
        self.result()

    def result(self) -> RunSummary:
        """Wait for the end. Raises what the run raised: DataError, OutputError, ProposalError, SandboxError, …"""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._summary is not None  # noqa: S101 - the thread ends with one or the other
        return self._summary

    def cancel(self) -> None:
        """End the run at its next step; `result` then raises RunInterrupted, and what was promoted is kept."""
        self._stop.set()

    def _tell(self, event: Any) -> None:
        self._events.put(event)
        if self._stop.is_set():
            raise KeyboardInterrupt  # what Ctrl-C is to the command: not an error that a callback may swallow

    def _work(self, cleaning: CleaningJob) -> None:
        try:
            with naming_arguments():
                self._summary = cleaning.run()
        except KeyboardInterrupt:
            self._error = RunInterrupted("The run was cancelled before it had begun.")
        except BaseException as error:  # noqa: BLE001 - handed over to whoever asks for the result
            self._error = error
        finally:
            self._events.put(None)
