"""What the commands let operations know: `--telemetry`, `--log-json`, `--lineage`. Off unless it is asked for.

What cannot be sent or written is said on stderr, and ends no work.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from orchestrator.core.errors import OutputError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from orchestrator.core.promoted import Promoted
    from orchestrator.core.steps import ApplyStep
    from orchestrator.core.verdict import Verdict
    from orchestrator.data.data_address import DataAddress
    from orchestrator.data.formats import Dataset
    from orchestrator.run.events import Callbacks

Said = Literal["off", "otlp"] | None


def _asked(said: Said) -> bool:
    """Whether telemetry is worth an import."""
    return said == "otlp" or (said is None and any(name.startswith("OTEL_EXPORTER_OTLP") for name in os.environ))


@contextmanager
def telemetry_of(callbacks: "Callbacks", said: Said) -> Iterator[None]:
    """Spans of what the callbacks are told, until the end of the block. Raises UsageError."""
    if not _asked(said):
        yield
        return
    from orchestrator.core.steps.step_base import Step
    from orchestrator.run.telemetry.otlp import watched

    with watched(said) as watcher:
        callbacks.register(Step, watcher.see)
        yield


def tell_verdicts(said: Said, verdicts: "Iterable[Verdict]") -> None:
    """Spans of verdicts. Raises UsageError."""
    if _asked(said):
        from orchestrator.run.telemetry.otlp import watched

        with watched(said) as watcher:
            for verdict in verdicts:
                watcher.see_verdict(verdict)


def log_steps(callbacks: "Callbacks") -> None:
    """A JSON line on stderr for each step."""
    from orchestrator.core.steps.step_base import Step
    from orchestrator.run.telemetry.json_log import JsonLog

    log = JsonLog(lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201
    log.take_over_logging()
    callbacks.register(Step, log.see)


def lineage_file(lineage: str) -> "Path | None":
    """The file that `--lineage` names; None where it is an address. Raises UsageError for one of another kind."""
    from pathlib import Path

    begins = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/+", lineage)
    if begins is None:
        return Path(lineage)
    if not lineage.startswith(("http://", "https://")):
        raise UsageError(
            f"Lineage cannot be sent to {begins[0]}….", advice="Name a file, or an address with http:// or https://."
        )
    return None


@contextmanager
def told_of_apply(
    said: Said, lineage: str | None, dataset: "Dataset", output: "Path | DataAddress", functions: "Sequence[Promoted]"
) -> "Iterator[Callable[[ApplyStep], None]]":
    """Around an apply; what is given takes its step. Raises UsageError."""
    from contextlib import ExitStack

    done: list[ApplyStep] = []
    tell = _once()
    with ExitStack() as stack:
        if _asked(said):
            from orchestrator.run.telemetry.otlp import watched

            watcher = stack.enter_context(watched(said))
            stack.callback(lambda: watcher.see(done[0]) if done else None)
        if lineage is not None:
            from orchestrator.run.telemetry.lineage import ApplyLineage

            events = ApplyLineage(lineage, dataset.place, dataset.sha256, output, functions)
            tell(events.start)
            stack.callback(lambda: tell(lambda: events.complete(done[0]) if done else events.fail()))
        yield done.append


def _once() -> Callable[[Callable[[], None]], None]:
    """Calls what tells somebody; why it cannot is said once, since the end fails as the beginning did."""
    from orchestrator.cli.console import say_plain

    said = set()

    def tell(telling: Callable[[], None]) -> None:
        try:
            telling()
        except OutputError as error:
            if error.message not in said:
                say_plain(f"note: {error.message}")
            said.add(error.message)

    return tell
