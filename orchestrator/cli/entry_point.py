"""What the `cleanroom` script calls: it sees to signals and standard streams before anything heavy is imported.

Importing the commands takes a part of a second, on a busy machine seconds. Nothing is started in that time, so whoever
interrupts it gets one word and the process ends at once.
"""

import os
import signal
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from orchestrator.cli.standard_streams import see_to_streams

_INTERRUPTED = 130
_USAGE = 2
_CLOSED = "error: stdout is closed.\n       Send it to a file or to another program; /dev/null is a file, too.\n"


def run() -> None:
    """Import the command line and run it."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    for number, handler in handlers.items():
        if handler is not signal.SIG_IGN:  # as in the background of a shell
            signal.signal(number, _leave)
    if not see_to_streams():
        _end(_CLOSED, _USAGE)
    from orchestrator.cli.main import main

    for number, handler in handlers.items():
        signal.signal(number, handler)
    main()


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    del number, frame
    _end("error: Interrupted.\n", _INTERRUPTED)


def _end(message: str, code: int) -> NoReturn:
    with suppress(OSError):
        os.write(2, message.encode())
    os._exit(code)
