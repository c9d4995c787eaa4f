"""Says of errors what a program can do: arguments of the library, where the messages name options of the command line.

Called at the library's edge by `api` and `api_run`. A command that stands whole in a message (`cleanroom registry …`)
stays: it is for a shell, and the library has no such call.
"""

import codecs
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.core.errors import CleanroomError

_ARGUMENTS = {
    "path": "array",
    "timeout": "timeout_s",
    "patience": "patience_s",
    "explore": "probes",
    "tester-model": "tester",
    "planner-model": "planner",
    "explorer-model": "explorer",
    "overwrite": "overwrite=True",
    "strict": "strict=True",
    "max-rejected": "limits=RunLimits(max_rejected=…)",
    "max-iterations": "limits=RunLimits(max_iterations=…)",
}
"""Options whose arguments have other names, or are values."""
_SAME = (
    "out registry quarantine drift on-hold model shape conventions examples privacy header api-base api-key-env "
    "protocol policy record format encoding sheet delimiter parser cluster tls data chunk-rows max-chunks sampling seed"
)
_ARGUMENTS |= {option: option.replace("-", "_") for option in _SAME.split()}
_VALUES = {
    "drift": "accept",
    "on-hold": "accept",
    "privacy": "masked|profile|raw",
    "header": "names",
    "format": "[a-z]+",
    "encoding": r"[a-z0-9_-]+",
    "delimiter": r"'[^']+'|\"[^\"]+\"",
    "parser": "fixed-width",
    "protocol": "xml",
    "path": r"[^\s.,;:]+(?:\.[^\s.,;:]+)*",
    "model": r"[a-z]+/[^\s.,;:]+",
}
"""By option, what after it is a value, and not the next word of the sentence."""
_COMMAND = re.compile(r"(`[^`]*`)")
_MAPS = re.compile(r"(?<![\w-])--map (?:'[^']*'|[^\s'])+(?: --map (?:'[^']*'|[^\s'])+)*")
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)\b(?: [A-Z]{3,}\b)?")
_TOLD_TWICE = re.compile(r"(`(\w+)`) \(`\2`\)")


@contextmanager
def naming_arguments() -> Iterator[None]:
    """What is raised inside is said in the words of the library. Also a decorator."""
    try:
        yield
    except CleanroomError as error:
        error.message, error.advice = in_arguments(error.message), in_arguments(error.advice)
        error.args = (error.message,)
        raise


def in_arguments(text: str) -> str:
    """The same text with the arguments' names; options that are nobody's argument stay."""
    parts = _COMMAND.split(text)
    parts[::2] = [_plain(part) for part in parts[::2]]
    return _TOLD_TWICE.sub(r"\1", "".join(parts))


def _plain(text: str) -> str:
    text = _MAPS.sub(_columns, text)
    for option, values in _VALUES.items():
        text = re.sub(rf"(?<![\w-])--({option}) ({values})(?![\w=])", _given, text)
    return _OPTION.sub(lambda found: f"`{_ARGUMENTS[found[1]]}`" if found[1] in _ARGUMENTS else found[0], text)


def _given(found: re.Match[str]) -> str:
    option, value = found[1], found[2]
    if option == "encoding" and not _is_encoding(value):
        return found[0]
    return f'`{_ARGUMENTS[option]}="{value.strip(chr(39) + chr(34))}"`'


def _is_encoding(word: str) -> bool:
    try:
        codecs.lookup(word)
    except LookupError:
        return False
    return True


def _columns(found: re.Match[str]) -> str:
    """Several `--map known=own` as one argument."""
    text, end = (found[0][:-1], found[0][-1]) if found[0][-1] in ".,:;" else (found[0], "")
    pairs = [word.partition("=") for word in shlex.split(text) if word != "--map"]
    return f"`columns={ {known: own for known, _, own in pairs} }`{end}"
