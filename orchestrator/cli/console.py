"""Where commands write: results on stdout, messages on stderr, untrusted text with its control characters escaped."""

import functools
import json
import sys
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console


@functools.cache
def stderr() -> "Console":
    """The console for messages."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, emoji=False, soft_wrap=not sys.stderr.isatty())


@functools.cache
def stdout() -> "Console":
    """The console for results that are made for people."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, soft_wrap=not sys.stdout.isatty())


def plain(text: str) -> str:
    """The text with every control, format and bidi character written as an escape, fit for a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) == "Zs":
        return " "
    return character.encode("unicode_escape").decode("ascii")


def echo_json(value: "BaseModel | Mapping[str, object]") -> None:
    """One value as a line of JSON on stdout: control characters are escaped."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else value.model_dump_json()
    typer.echo(text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text))


def say_error(message: str, advice: str = "") -> None:
    """One sentence, and what to do next, on stderr."""
    from rich.markup import escape

    stderr().print(f"[bold red]error:[/] {escape(plain(message))}")
    if advice:
        stderr().print(f"       {escape(plain(advice))}")
