"""What a program that asked for --json reads on stdout where a command fails: one JSON object in place of the result.

`repeated_options` tells it how a command was called, `console` that a result was printed, and `main` what went wrong.
"""

from collections.abc import Mapping, Sequence
from typing import Any

_INTERRUPTED = 130


class _Asked:
    """Whether somebody waits for JSON on stdout, and has not been given any."""

    waiting = False


def called_with(arguments: Sequence[str]) -> None:
    """The words of the command line, which may be wrong."""
    _Asked.waiting = "--json" in arguments and not {"-o-", "--output=-"} & set(arguments)


def called_as(parameters: Mapping[str, Any]) -> None:
    """The parameters of the command, as they were understood. Where the data go to stdout, no JSON does."""
    _Asked.waiting = bool(parameters.get("as_json")) and str(parameters.get("output")) != "-"


def answered() -> None:
    """A result was printed: what fails after it is said on stderr alone, as it always is."""
    _Asked.waiting = False


def say_failure(message: str, advice: str, code: int) -> None:
    """Print the object, if anybody waits for it."""
    if not _Asked.waiting:
        return
    _Asked.waiting = False
    from orchestrator.cli.console import echo_json, without_passwords

    said = {"message": without_passwords(message), "advice": without_passwords(advice), "exit_code": code}
    echo_json({"status": "interrupted" if code == _INTERRUPTED else "failed", "error": said})
