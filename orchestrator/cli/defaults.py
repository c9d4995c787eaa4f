"""A team's defaults for options: `cleanroom.toml` or `[tool.cleanroom]` of the current folder, or `--config FILE`.

`ConfigFile` is an option of every command that takes defaults; it is read before the others and gives them the file's
values, which the environment and the command line override. docs/configuration.md says what a hostile file could do:
one that was found, rather than named, is trusted less.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from orchestrator.cli.config_values import (
    SETTINGS,
    Setting,
    check_no_secrets,
    checked,
    refuse_untrusted,
    setting_of,
    shown,
)
from orchestrator.core.errors import UsageError

_MODELS = frozenset({"model", "tester-model", "planner-model", "explorer-model", "api-base"})
_NO_MODEL = frozenset({"builtin", "none"})
FILE, PROJECT = "cleanroom.toml", "pyproject.toml"
_MAX_BYTES = 2**20
_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}""")
_DOCS = "docs/configuration.md lists what can be set."


class Defaults(NamedTuple):
    """What a file sets, by the long name of the option. `named`: by `--config`, so that it is fully trusted."""

    path: Path
    named: bool
    values: dict[str, Any]

    def for_command(self, command: Any) -> dict[str, Any]:
        """The values for the parameters of a command, by the name of the parameter."""
        return {name: self.values[setting] for name, setting in self._taken_by(command)}

    def used_by(self, command: Any) -> list[str]:
        """The long names of the options that this command gets from the file, in the order of the file."""
        taken = {setting for _, setting in self._taken_by(command)}
        return [name for name in self.values if name in taken]

    def _taken_by(self, command: Any) -> Iterator[tuple[str, str]]:
        for parameter in command.params:
            setting = setting_of(parameter)
            if setting is not None and setting.name in self.values:
                yield parameter.name, setting.name


def read_defaults(named: Path | None) -> Defaults | None:
    """The defaults of the named file, or of the one in the current folder, if there is one. Raises UsageError."""
    if named is not None:
        content = _parsed(named)
        own = _project_table(named, content) if named.name == PROJECT else content
        return Defaults(named, named=True, values=dict(_values(named, own, named=True)))
    found = [(path, table) for path in (Path(FILE), Path(PROJECT)) if (table := _found(path)) is not None]
    if len(found) > 1:
        raise UsageError(
            f"There are two configurations, {FILE} and [tool.cleanroom] in {PROJECT}.",
            advice="Keep one of them, or name a file with --config.",
        )
    if not found:
        return None
    path, table = found[0]
    return Defaults(path, named=False, values=dict(_values(path, table, named=False)))


def use_defaults(ctx: typer.Context, config: Path | None) -> Path | None:
    """The callback of `--config`: give the command its defaults, and say on stderr where they are from."""
    if ctx.resilient_parsing:
        return config
    defaults = read_defaults(config)
    if defaults is None:
        return config
    ctx.obj = defaults
    ctx.default_map = defaults.for_command(ctx.command)
    used = defaults.used_by(ctx.command)
    if used:
        from orchestrator.cli.console import plain

        said = ", ".join(f"{name} {shown(defaults.values[name])}" for name in used) + _privacy(ctx, defaults, used)
        typer.echo(plain(f"defaults from {defaults.path}: {said}")[:1000], err=True)
    return config


def _privacy(ctx: typer.Context, defaults: Defaults, used: Sequence[str]) -> str:
    """What models may see, where the file has a say in which are asked, and leaves that as it is by itself."""
    asked = [name for name in used if name in _MODELS and defaults.values[name] not in _NO_MODEL]
    option = next((one for one in ctx.command.params if "--privacy" in one.opts), None)
    if not asked or option is None or "privacy" in used:
        return ""
    return f"; privacy {option.default}, if nothing else is said"


def address_was_found(ctx: typer.Context) -> bool:
    """Whether the model's address is from a file that nobody named: no key of the environment is sent there."""
    return _was_found(ctx, "api_base")


def model_was_found(ctx: typer.Context) -> bool:
    """Whether a model is from a file that nobody named: CLEANROOM_API_KEY is not for whatever provider it has."""
    return any(_was_found(ctx, role) for role in ("model", "tester_model", "planner_model", "explorer_model"))


def _was_found(ctx: typer.Context, parameter: str) -> bool:
    source = ctx.get_parameter_source(parameter)
    defaults = ctx.obj
    return source is not None and source.name == "DEFAULT_MAP" and isinstance(defaults, Defaults) and not defaults.named


def found_options(ctx: typer.Context, among: set[str]) -> list[str]:
    """The options of these parameters that a file gave, by their long names without dashes."""
    return sorted(name.replace("_", "-") for name in _given_by(ctx, "DEFAULT_MAP") & among)


def typed_options(ctx: typer.Context) -> set[str]:
    """The parameters that the command line gave, rather than a file, the environment or nobody."""
    return _given_by(ctx, "COMMANDLINE")


def _given_by(ctx: typer.Context, source: str) -> set[str]:
    given = ((name, ctx.get_parameter_source(name)) for name in ctx.params)
    return {name for name, found in given if found is not None and found.name == source}


ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        is_eager=True,
        callback=use_defaults,
        help=f"File with defaults for options [default: {FILE}, or \\[tool.cleanroom] in {PROJECT}].",
    ),
]


def _found(path: Path) -> dict[str, Any] | None:
    """The table of a file in the current folder; None where there is none."""
    if not path.exists():
        return None
    if path.name != PROJECT:
        refuse_untrusted(path)
        return _parsed(path)
    if not path.is_file() or b"cleanroom" not in _read(path):
        return None
    table = _project_table(path, _parsed(path))
    if table:
        refuse_untrusted(path)
    return table or None


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"The configuration {path} cannot be read: {error.strerror}.", advice="Check --config."
        ) from None
    if len(raw) > _MAX_BYTES:
        raise UsageError(f"The configuration {path} is larger than 1 MiB.", advice="Name a TOML file.")
    return raw


def _parsed(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        text = _read(path).decode("utf-8-sig")
        if _LONG_KEY.search(text):  # reading it takes time that grows with the square of its parts
            raise UsageError(f"The configuration {path} has a key of more than 32 parts.", advice="Correct the file.")
        return tomllib.loads(text)
    except UnicodeDecodeError:
        raise UsageError(f"The configuration {path} is no text in UTF-8.", advice="Save it as UTF-8.") from None
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:150]
        raise UsageError(f"The configuration {path} is not valid TOML: {reason}.", advice="Correct the file.") from None


def _project_table(path: Path, content: dict[str, Any]) -> dict[str, Any]:
    tool = content.get("tool", {})
    table = tool.get("cleanroom", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise UsageError(f"[tool.cleanroom] in {path} is not a table.", advice=_DOCS)
    return table


def _values(path: Path, table: dict[str, Any], *, named: bool) -> Iterator[tuple[str, Any]]:
    check_no_secrets(path, table)
    groups = {setting.group for setting in SETTINGS.values()}
    for group, entries in table.items():
        if group not in groups:
            raise _unknown(path, group, groups)
        if not isinstance(entries, dict):
            raise UsageError(
                f"'{group}' in {path} is a group of settings, and no setting.",
                advice=f"Write [{group}], and its settings below.",
            )
        for name, value in entries.items():
            setting = SETTINGS.get(name)
            if setting is None or setting.group != group:
                raise _unknown_setting(path, group, name, setting)
            yield name, checked(path, setting, value, named=named)


def _unknown(path: Path, name: str, groups: set[str]) -> UsageError:
    if name in SETTINGS:
        group = SETTINGS[name].group
        return UsageError(f"'{name}' in {path} stands outside of its group.", advice=f"Write it below [{group}].")
    near = get_close_matches(name, sorted(groups), n=1)
    advice = f"Did you mean [{near[0]}]?" if near else f"The groups are {', '.join(sorted(groups))}."
    return UsageError(f"There is no group '{name[:60]}' of settings ({path}).", advice=advice)


def _unknown_setting(path: Path, group: str, name: str, setting: Setting | None) -> UsageError:
    if setting is not None:
        return UsageError(
            f"'{name}' stands below [{group}] in {path}, where it does not belong.",
            advice=f"Write it below [{setting.group}].",
        )
    near = get_close_matches(name, SETTINGS, n=1)
    return UsageError(
        f"There is no setting '{name[:60]}' that {path} could give in [{group}].",
        advice=f"Did you mean '{near[0]}'?" if near else _DOCS,
    )
