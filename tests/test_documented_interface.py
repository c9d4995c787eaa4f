"""What a user can give is in the documents: each command, option and variable, and which options a file cannot set."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import typer.main

from orchestrator.cli.config_values import SETTINGS
from orchestrator.cli.main import app
from tests.support.documents import ROOT, documents

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_VARIABLE = re.compile(r"(?<![A-Z_])CLEANROOM_[A-Z_]*[A-Z]")


@cache
def _commands() -> dict[str, Any]:
    """Every command with its full name, `runs show`."""

    def of(group: Any, above: str = "") -> Iterator[tuple[str, Any]]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from of(command, f"{above}{name} ")
            else:
                yield f"{above}{name}", command

    return dict(of(typer.main.get_command(app)))


def _options(command: Any) -> set[str]:
    """Its long options, the negative ones as well."""
    found = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    return {name for name in found if name.startswith("--")}


def _read_by_users() -> str:
    """All documents but decisions and the changelog, which tell what was."""
    told = [file for file in documents() if file.name != "CHANGELOG.md" and file.parent.name != "decisions"]
    return "\n".join(file.read_text(encoding="utf-8") for file in told)


def _part(start: str, end: str) -> str:
    """The lines of docs/configuration.md between two of them."""
    text = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    return text[text.index(start) : text.index(end)]


def test_every_command_and_option_is_in_a_document() -> None:
    """Each command as it is called, and each option as it is written: `chunk-rows` in a file alone says little."""
    told = _read_by_users()
    called = set(re.findall(r"cleanroom ([a-z]+(?: [a-z]+)?)", told))
    assert [name for name in _commands() if name not in called and name not in {one.split()[0] for one in called}] == []
    known = set(_OPTION.findall(told))
    assert {name: left for name, one in _commands().items() if (left := _options(one) - known)} == {}


def test_a_file_can_set_what_the_configuration_document_says() -> None:
    """The table has each setting in its group; what no file can set is in the other table, and nothing else is."""
    rows = re.findall(
        r"^\| (\w+) \| ([^`|]+) \|$", _part("## What can be set", "What is chosen for each"), re.MULTILINE
    )
    told = {(group, name) for group, names in rows if group != "group" for name in names.split(", ")}
    assert told == {(one.group, one.name) for one in SETTINGS.values()}
    reading = [command for name, command in _commands().items() if "--config" in _options(command) and name != "config"]
    options = set().union(*map(_options, reading)) - {"--config"}
    listed = set(_OPTION.findall(_part("What is chosen for each call", "Unknown keys")))
    assert listed == {name for name in options if name[2:] not in SETTINGS}


def test_every_variable_that_is_read_is_in_the_configuration_document() -> None:
    """Those of cleanroom in the product's source, and no others, stand in the part on the environment."""
    source = [*(ROOT / "orchestrator").rglob("*.py"), *(ROOT / "sandbox_image").glob("*.py")]
    read = {name for file in source for name in _VARIABLE.findall(file.read_text(encoding="utf-8"))}
    assert set(_VARIABLE.findall(_part("## The environment", "## A configuration file"))) == read
