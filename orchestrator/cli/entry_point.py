"""What the `cleanroom` script calls: it sees to signals and standard streams before anything heavy is imported.

Importing the commands takes a part of a second, on a busy machine seconds. Nothing is started in that time, so whoever
interrupts it gets one word and the process ends at once.
"""

import os
import signal
import sys
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from types import FrameType
from typing import Any, NoReturn

UNICODE = frozenset({"utf-8", "utf8"})  # what takes every character; an old locale has some hundred of them
_INTERRUPTED = 130
_USAGE = 2
_CLOSED = "error: stdout is closed.\n       Send it to a file or to another program; /dev/null is a file, too.\n"


def run() -> None:
    """Import the command line and run it."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    for number, handler in handlers.items():
        if handler is not signal.SIG_IGN:  # as in the background of a shell
            signal.signal(number, _leave)
    _see_to_streams()
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


class _Messages(FileIO):
    """Standard error. Who can read no messages, since the disk is full or their reader gone, still gets the work."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _see_to_streams() -> None:
    """Refuse a closed stdout, and have no stream refuse a character; what fails on stderr is no fault of a command.

    Closed streams are put in place: the first file that a command opened would be there, and get what is printed.
    """
    if _open_null(0, os.O_RDONLY):
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as the process lives
    refused = _open_null(1, os.O_WRONLY)
    _open_null(2, os.O_WRONLY)
    if refused:
        _end(_CLOSED, _USAGE)
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.encoding.lower() not in UNICODE:
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.stderr = TextIOWrapper(
        BufferedWriter(_Messages(2, "wb", closefd=False)),
        encoding=sys.stderr.encoding if sys.stderr is not None else "utf-8",
        errors="backslashreplace",
        line_buffering=True,
    )


def _open_null(number: int, how: int) -> bool:
    """Whether the descriptor was closed; then nothing is read from it, and what is written to it goes nowhere."""
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, how)  # takes the lowest number that is free
        return True
    return False
