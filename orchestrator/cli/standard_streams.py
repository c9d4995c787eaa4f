"""The standard streams of a command: closed ones, ones that take few characters, messages that nobody can read, and
whether a program waits for JSON on stdout: where a command fails, it is told there what happened.

Called by entry_point.py, before anything heavy is imported; by repeated_options.py, which says how a command was
called; and by console.py, which prints results, and failures in their place.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any

UNICODE = frozenset({"utf-8", "utf8"})  # what takes every character; an old locale has some hundred of them


class _Messages(FileIO):
    """Standard error. Who can read no messages, since the disk is full or their reader gone, still gets the work."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def see_to_streams() -> bool:
    """Have no stream refuse a character; what fails on stderr is no fault of a command. False: stdout is closed.

    Closed streams are put in place: the first file that a command opened would be there, and get what is printed.
    """
    if _open_null(0, os.O_RDONLY):
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as the process lives
    closed = _open_null(1, os.O_WRONLY)
    _open_null(2, os.O_WRONLY)
    if closed:
        return False
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.encoding.lower() not in UNICODE:
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.stderr = TextIOWrapper(
        BufferedWriter(_Messages(2, "wb", closefd=False)),
        encoding=sys.stderr.encoding if sys.stderr is not None else "utf-8",
        errors="backslashreplace",
        line_buffering=True,
    )
    return True


def _open_null(number: int, how: int) -> bool:
    """Whether the descriptor was closed; then nothing is read from it, and what is written to it goes nowhere."""
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, how)  # takes the lowest number that is free
        return True
    return False


class _Wanted:
    """Whether JSON is, of the command that is running."""

    json = False


def called_with(arguments: Sequence[str]) -> None:
    """The words of the command line, which may be wrong."""
    _Wanted.json = "--json" in arguments and not {"-o-", "--output=-"} & set(arguments)


def called_as(parameters: Mapping[str, Any]) -> None:
    """The parameters of the command, as they were understood. Where the data go to stdout, no JSON does."""
    _Wanted.json = bool(parameters.get("as_json")) and str(parameters.get("output")) != "-"


def is_wanted() -> bool:
    """Whether nothing was printed yet for somebody who waits for it."""
    return _Wanted.json


def answered() -> None:
    """Something was printed: what fails after it is said on stderr alone, as it always is."""
    _Wanted.json = False
