"""Log lines as JSON, one for each step of a run, with the run's id: `--log-json`. Called by the commands.

A line has what telemetry may have (`allowed`), and nothing else. Warnings of libraries become lines, too: with the name
of the logger and the level, without their text, in which there may be data.
"""

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from orchestrator.core.steps import RunStep
from orchestrator.core.steps.step_base import Step
from orchestrator.run.telemetry.allowed import of_step


class JsonLog:
    """Lines to `write`, which takes one line without its end."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write, self._run_id = write, ""

    def see(self, step: Step) -> None:
        if isinstance(step, RunStep):
            self._run_id = step.run_id
        self.line("info", "step", step.at, **{name.removeprefix("cleanroom."): v for name, v in of_step(step).items()})

    def line(self, level: str, event: str, at: datetime | None = None, **more: Any) -> None:
        """One line. `more`: nothing that comes from data."""
        when = (at or datetime.now(UTC)).isoformat(timespec="milliseconds")
        run = {"run_id": self._run_id} if self._run_id else {}
        self._write(json.dumps({"at": when, "level": level, "event": event} | run | more))

    def take_over_logging(self) -> None:
        """What libraries log from now on becomes lines."""
        handler = _LineHandler(self)
        handler.setLevel(logging.WARNING)
        logging.getLogger().handlers[:] = [handler]


class _LineHandler(logging.Handler):
    def __init__(self, log: JsonLog) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log.line(record.levelname.lower(), "log", logger=record.name)
