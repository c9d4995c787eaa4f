"""Whether a program waits for JSON on stdout: where a command fails, it is told there what happened.

`repeated_options` says how a command was called; `console` prints results, and failures in their place.
"""

from collections.abc import Mapping, Sequence
from typing import Any


class _Wanted:
    """Of the command that is running."""

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
