"""Ctrl-C that cannot get lost in a run. Called by `cleanroom run` and `cleanroom runs resume`."""

import logging
import signal
import sys
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING

from orchestrator.core.steps import EndStep

if TYPE_CHECKING:
    from orchestrator.run.events import Callbacks


def heed_interrupts(callbacks: "Callbacks") -> None:
    """Raise KeyboardInterrupt once more at the run's next event, should the first one have been swallowed.

    Python raises it wherever the main thread is; in a finaliser or another place that ignores errors it would vanish.
    Python would print a traceback of it there, and so would a library that logs whatever it raises again (SQLAlchemy,
    when it closes a connection), as if something were broken: that is left out.
    """
    asked, others = Event(), sys.unraisablehook

    def remember(number: int, frame: FrameType | None) -> None:
        asked.set()
        signal.default_int_handler(number, frame)

    def insist(event: object) -> None:
        if asked.is_set() and not isinstance(event, EndStep):
            raise KeyboardInterrupt

    def keep_quiet(ignored: "sys.UnraisableHookArgs") -> None:
        if not issubclass(ignored.exc_type, KeyboardInterrupt):
            others(ignored)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else the caller has a handler of its own
        signal.signal(signal.SIGINT, remember)
        sys.unraisablehook = keep_quiet
        if logging.lastResort is not None:  # what prints the records that nobody else handles
            logging.lastResort.addFilter(_not_about_interrupts)
    callbacks.register(object, insist)


def _not_about_interrupts(record: logging.LogRecord) -> bool:
    raised = record.exc_info[0] if record.exc_info else None
    return raised is None or not issubclass(raised, KeyboardInterrupt)
