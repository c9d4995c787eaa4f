"""Ctrl-C that cannot get lost in a run. Called by `cleanroom run` and `cleanroom runs resume`."""

import signal
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING

from orchestrator.core.steps import EndStep

if TYPE_CHECKING:
    from orchestrator.run.events import Callbacks


def heed_interrupts(callbacks: "Callbacks") -> None:
    """Raise KeyboardInterrupt once more at the run's next event, should the first one have been swallowed.

    Python raises it wherever the main thread is; in a finaliser or another place that ignores errors it would vanish.
    """
    asked = Event()

    def remember(number: int, frame: FrameType | None) -> None:
        asked.set()
        signal.default_int_handler(number, frame)

    def insist(event: object) -> None:
        if asked.is_set() and not isinstance(event, EndStep):
            raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else the caller has a handler of its own
        signal.signal(signal.SIGINT, remember)
    callbacks.register(object, insist)
