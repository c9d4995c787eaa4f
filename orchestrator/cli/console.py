"""Where commands write: results on stdout, messages on stderr, untrusted text with what steers terminals escaped."""

import functools
import json
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING

import typer

from orchestrator.cli.standard_streams import UNICODE, answered, is_wanted
from orchestrator.data.text import without_orders
from orchestrator.data.writing.lookalikes import escaped, hidden_places, marked

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

    from orchestrator.data.formats import Dataset


INTERRUPTED = 130
_PASSWORD = re.compile(r"(:/{1,2}[^\s/:@]*):\S*@")
_PASSWORD_OPTION = re.compile(r"([?&](?:ssl)?password=)[^\s&]*")


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
    """The text fit for a terminal and a CI log: one line in which nothing is hidden and nothing passes for another.

    Every control, format and bidi character is written as an escape, and so are letters that pass for ASCII ones.
    """
    text = marked(text)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _escaped(c) for c in text)
    return without_orders(text)


def _escaped(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) == "Zs":
        return " "
    return escaped(character)


def echo_json(value: "BaseModel | Mapping[str, object]", *, err: bool = False) -> None:
    """One value as a line of JSON on stdout, or on stderr: control characters are escaped."""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else _json(value)
    text = text.replace("##[", "#\\u0023[")  # an order to some CI systems, wherever it stands in a line
    places = hidden_places(text)  # all of them within texts: the value stays the same
    if places or not text.isprintable():
        shown = (json.dumps(c)[1:-1] if at in places or not c.isprintable() else c for at, c in enumerate(text))
        text = "".join(shown)
    if not text.isascii() and ((sys.stderr if err else sys.stdout).encoding or "utf-8").lower() not in UNICODE:
        text = "".join(c if c.isascii() else json.dumps(c)[1:-1] for c in text)
    typer.echo(text, err=err)
    answered()


def _json(value: "BaseModel") -> str:
    try:
        return value.model_dump_json()
    except ValueError:  # half a surrogate pair, as in the source of a candidate, which the caller escapes
        return json.dumps(value.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))


def say_plain(text: str) -> None:
    """A line on stderr, of a text that may hold anything."""
    stderr().print(plain(text), markup=False)


def show_weakened(layers: Sequence[str], *, err: bool = False) -> None:
    """A line on stdout, or stderr, that says what was weaker than in the default policy; nothing where nothing was."""
    from rich.markup import escape

    if layers:
        (stderr() if err else stdout()).print(f"[bold yellow]weakened:[/] {escape(plain('; '.join(layers)))}")


def without_passwords(text: str) -> str:
    """The text without what stands for a password in the URLs in it, well-formed or not."""
    return _PASSWORD_OPTION.sub(r"\1***", _PASSWORD.sub(r"\1@", text))


def say_error(message: str, advice: str = "") -> None:
    """One sentence, and what to do next, on stderr. An argument that it repeats may be a URL in the wrong place."""
    from rich.markup import escape

    message, advice = without_passwords(message), without_passwords(advice)
    stderr().print(f"[bold red]error:[/] {escape(plain(message))}")
    if advice:
        stderr().print(f"       {escape(plain(advice))}")


def say_failure(message: str, advice: str, code: int) -> None:
    """The same as one JSON object on stdout, where a program waits for one and has got none. `code`: the exit code."""
    if is_wanted():
        said = {"message": without_passwords(message), "advice": without_passwords(advice), "exit_code": code}
        echo_json({"status": "interrupted" if code == INTERRUPTED else "failed", "error": said})


def say_reading(dataset: "Dataset", aside: str = "will be set aside") -> None:
    """Lines on stderr about how a file was read, where a person should know: names that columns were given, …

    `aside`: what becomes of rows that cannot be read.
    """
    from rich.markup import escape

    from orchestrator.core.wording import counted

    unread = f"{counted(len(dataset.unreadable), 'row')} cannot be read and {aside}"
    for note in (*dataset.notes, *([unread] if dataset.unreadable else ())):
        stderr().print(f"[yellow]note:[/] {escape(plain(f'{dataset.name}: {note}'))}")


def say_header(dataset: "Dataset", header: str) -> None:
    """A line on stderr where the names of columns look like a row of data. `header`: what --header says of them."""
    from rich.markup import escape

    from orchestrator.data.profile.header_check import data_in_header

    has_header = dataset.format in ("csv", "tsv", "xlsx", "xls", "ods")
    rows = next(dataset.batches(1_000), None) if has_header and header == "check" else None
    found = () if rows is None else data_in_header(rows)
    if found:
        told = f"{dataset.name}: the header looks like a row of data ({found[0]!r}); if it is one, put names above it"
        stderr().print(f"[yellow]note:[/] {escape(plain(told))}")


def say_present(name: str, version: int, *, approved: bool = False) -> None:
    """A line on stderr about a function that was not promoted because the registry has it.

    `approved`: it is held, and all that it is held for was approved there.
    """
    told = f"The same function is in the registry already: {plain(name)}, version {version}. Nothing was stored."
    told += " What it is held for was approved there." if approved else ""
    stderr().print(told, markup=False)


def say_gone(name: str, version: int) -> None:
    """A line on stderr about a function whose place another one has taken."""
    stderr().print(f"{plain(name)}, version {version}, is out of use now: it was replaced.", markup=False)


def say_held(name: str, place: str) -> None:
    """A line on stderr about a function that is in the registry and out of use until somebody approves it."""
    name, where = plain(name), plain(without_passwords(place))
    told = f"{name} is held: it is kept in {where}, out of use."
    command = f"cleanroom registry approve {name} --registry {quote(where)}"
    stderr().print(f"{told} `{command}` accepts its concerns.", markup=False)
