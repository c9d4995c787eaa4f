"""`cleanroom config`: the defaults that are in force here, and where each is from."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer

from orchestrator.cli.config_values import SETTINGS, setting_of, shown
from orchestrator.cli.console import echo_json
from orchestrator.cli.defaults import Defaults, read_defaults
from orchestrator.cli.repeated_options import refuse_given_twice
from orchestrator.propose.llm.model_address import without_secrets

# Every command with `--config`: a test compares them.
ConfiguredCommand = Literal[
    "run", "verify", "analyze", "apply", "check", "parse", "diff", "redteam", "registry diff", "registry verify",
    "registry import", "registry adopt", "runs resume", "broker", "worker", "serve", "mcp",
]  # fmt: skip
_BUILTIN = "builtin"
SettingSource = Literal["default", "file", "environment", "command line"]
_SOURCES: dict[str, SettingSource] = {
    "DEFAULT": "default",
    "DEFAULT_MAP": "file",
    "ENVIRONMENT": "environment",
    "COMMANDLINE": "command line",
}


class InForce(NamedTuple):
    """A setting with its value, None where there is none."""

    group: str
    name: str
    value: Any
    source: SettingSource


def config(
    ctx: typer.Context,
    command: Annotated[
        ConfiguredCommand,
        typer.Option("--for", metavar="COMMAND", help="The command that would be given them, such as 'runs resume'."),
    ] = "run",
    config: Annotated[
        Path | None, typer.Option("--config", help="File with defaults, in place of the one in the current folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the settings that a command takes here, and where each is from. Options of the command can be added."""
    defaults = read_defaults(config)
    settings = [*_of_command(ctx, command, defaults), *_of_environment(ctx, command)]
    settings.sort(key=lambda one: list(SETTINGS).index(one.name) if one.name in SETTINGS else len(SETTINGS))
    if as_json:
        file = None if defaults is None else str(defaults.path)
        echo_json({"file": file, "command": command, "settings": [one._asdict() for one in settings]})
    else:
        _show(settings, defaults)


def _called(ctx: typer.Context, name: str) -> Any:
    command: Any = ctx.find_root().command
    for word in name.split():
        command = command.commands[word]
    return command


def _of_command(ctx: typer.Context, name: str, defaults: Defaults | None) -> Iterator[InForce]:
    """The settings as the command itself would read them, from what stands behind `config` as well."""
    command = _called(ctx, name)
    own = {option for parameter in command.params for option in parameter.opts}
    unknown = next((word for word in ctx.args if word.startswith("-") and word.partition("=")[0] not in own), None)
    if unknown is not None:
        ctx.fail(f"cleanroom {name} has no option {unknown}")
    refuse_given_twice(command, ctx, list(ctx.args))
    given = {} if defaults is None else defaults.for_command(command)
    with command.make_context(
        name, list(ctx.args), parent=ctx.parent, resilient_parsing=True, default_map=given
    ) as made:
        for parameter in command.params:
            setting = setting_of(parameter)
            source = made.get_parameter_source(parameter.name)
            if setting is not None and source is not None:
                shown = _shown(setting.name, made.params[parameter.name])
                yield InForce(setting.group, setting.name, shown, _SOURCES[source.name])


def _shown(name: str, value: Any) -> Any:
    """A value as JSON has it; addresses without the secrets that may stand in them."""
    if name == "model":
        return value or _BUILTIN
    if name == "api-base" and value:
        return without_secrets(value)
    return str(value) if isinstance(value, Path) else value


def _of_environment(ctx: typer.Context, name: str) -> Iterator[InForce]:
    """What only the environment says, as far as the command asks a model or runs code. The key itself is not shown."""
    from orchestrator.core.settings import Settings

    settings = Settings.read()
    own = {option for parameter in _called(ctx, name).params for option in parameter.opts}
    if "--api-base" in own:
        yield InForce("model", "CLEANROOM_API_KEY", "set" if settings.api_key else None, _environment(settings.api_key))
    if "--policy" in own:
        yield InForce("sandbox", "CLEANROOM_RUNTIME", settings.runtime, _environment(settings.runtime))


def _environment(value: object) -> SettingSource:
    return "environment" if value else "default"


def _show(settings: list[InForce], defaults: Defaults | None) -> None:
    from rich.markup import escape
    from rich.table import Table

    from orchestrator.cli.console import plain, stdout

    table = Table("group", "setting", "value", "from", box=None, pad_edge=False)
    for one in settings:
        value = "[dim]·[/]" if one.value is None else escape(plain(shown(one.value)))
        source = f"{one.source} {defaults.path}" if one.source == "file" and defaults else one.source
        table.add_row(one.group, one.name, value, f"[dim]{source}[/]" if source == "default" else escape(plain(source)))
    stdout().print(table)
