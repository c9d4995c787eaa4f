"""`cleanroom registry`: look at promoted functions. What signs and proves is in the two modules beside this."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.console import echo_json
from orchestrator.cli.defaults import ConfigFile
from orchestrator.core.errors import UsageError
from orchestrator.core.wording import counted

if TYPE_CHECKING:
    from orchestrator.registry.bundle_view import BundleView
    from orchestrator.registry.store import SqlRegistry

app = typer.Typer(help="Look at promoted functions and their evidence.", no_args_is_help=True)

Where = Annotated[
    str, typer.Option("--registry", help="A registry (folder, file or URL), or the --out folder of a run.")
]
JsonLinesOption = Annotated[bool, typer.Option("--json", help="Print JSON, one object per line.")]
HERE = "registry"
_CHECKS_SHOWN = 10
_TESTS_SHOWN = 10
_APPROVE = " (`cleanroom registry approve NAME` lets it into use)"
_OUT_OF_USE = {"held": _APPROVE, "suspended": _APPROVE, "revoked": ""}


@app.command("list")
def list_functions(registry: Where = HERE, as_json: JsonLinesOption = False) -> None:
    """The active functions, in the order in which they are applied, and which wait for a person or were revoked."""
    from rich.markup import escape
    from rich.table import Table

    from orchestrator.cli.console import plain, stdout
    from orchestrator.registry.functions import ListedFunction

    opened = open_readable(registry)
    entries = opened.history()
    waiting = _say_doubt(opened)
    active = (entry.promoted for entry in entries if entry.status == "active")
    functions = sorted(active, key=lambda function: function.order)
    if as_json:
        for function in functions:
            echo_json(ListedFunction(**dict(function), missing_approvals=waiting.get(function.name, 0)))
        return
    follows = ("must follow",) if any(function.evidence.after for function in functions) else ()
    table = Table(box=None, pad_edge=False)
    for title in ("order", "name, columns: issue", "version", *(("state",) if waiting else ()), *follows, "sha256"):
        table.add_column(title, overflow="fold", no_wrap=title == "sha256")
    for function in functions:
        candidate = function.candidate
        contract = candidate.contract
        about = "any" if contract.modifies is None else ", ".join(contract.named) or "rows"
        what = ": ".join(filter(None, (about, candidate.issue)))
        table.add_row(
            str(function.order),
            f"{escape(plain(function.name))}\n[dim]{escape(plain(what))}[/]",
            str(function.version),
            *("[yellow]waiting[/]" if function.name in waiting else "in use" for _ in range(bool(waiting))),
            *(escape(plain(", ".join(function.evidence.after))) for _ in follows),
            candidate.sha256[:12],
        )
    if functions or not entries:
        stdout().print(table)
    if names := [f"{one.name} ({counted(waiting[one.name], 'approval')})" for one in functions if one.name in waiting]:
        told = "(not applied until others have approved: `cleanroom registry approve NAME`)"
        stdout().print(f"[yellow]waiting[/] {told}: {escape(plain(', '.join(names)))}")
    newest = {entry.promoted.name: entry.status for entry in entries}
    for status, advice in _OUT_OF_USE.items():
        if names := [name for name, other in newest.items() if other == status]:
            stdout().print(f"[yellow]{status}[/]{advice}: {escape(plain(', '.join(names)))}")


@app.command("show")
def show(
    name: Annotated[str, typer.Argument()],
    registry: Where = HERE,
    signed: Annotated[
        bool, typer.Option("--signed", help="Print its signed envelopes, byte for byte: evidence, then approvals.")
    ] = False,
    as_json: JsonLinesOption = False,
) -> None:
    """One function with its code, the checks it passed, why it is out of use, and how it did on later data."""
    from rich.markup import escape

    from orchestrator.cli.console import plain, stdout
    from orchestrator.cli.views.source_view import show_source
    from orchestrator.cli.views.verdict_view import show_verdict
    from orchestrator.registry.functions import has_registry

    opened = open_readable(registry)
    function = opened.get(name)
    if signed:
        for envelope in (each for used in opened.functions() if used.name == name for each in used.envelopes):
            typer.echo(envelope if envelope.isascii() and envelope.isprintable() else plain(envelope))
        return
    waiting = _say_doubt(opened)
    if as_json:
        echo_json(function)
        return
    if missing := waiting.get(name, 0):
        stdout().print(f"[yellow]waiting[/] for {counted(missing, 'approval')}: it is not applied before that")
    show_source(function.candidate.source)
    show_verdict(function.evidence.verdict)
    for test in function.evidence.witnesses.tests[:_TESTS_SHOWN]:
        said = escape(plain(f"{test.input} → {test.output}"))
        stdout().print(f"[dim]an example by the model that tested it: {said}[/]")
    newest = opened.history(name)[-1]
    if newest.status != "active":
        last = newest.events[-1]
        stdout().print(f"[yellow]{last.status}[/] {last.at:%Y-%m-%d %H:%M:%S %Z}: {escape(plain(last.reason))}")
    if has_registry(registry):
        from orchestrator.cli.views.check_view import show_history
        from orchestrator.registry.check_store import checks_in

        if checks := checks_in(registry, name=name):
            show_history(checks[-_CHECKS_SHOWN:])


@app.command("diff")
def diff(
    name: Annotated[str, typer.Argument(help="A function with at least two versions.")],
    data: Annotated[
        str, typer.Option("--data", help="The data to compare on: a file or an address.", show_default=False)
    ],
    encoding: options.EncodingOption = None,
    delimiter: options.DelimiterOption = None,
    registry: Where = HERE,
    old: Annotated[int | None, typer.Option("--old", min=1, help="A version \\[default: the one before].")] = None,
    new: Annotated[int | None, typer.Option("--new", min=1, help="A version \\[default: the newest].")] = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    as_json: JsonLinesOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """What a new version of a function makes of a data set that an older one does not. Both run sandboxed."""
    from orchestrator import bootstrap
    from orchestrator.cli.console import show_weakened
    from orchestrator.cli.views.diff_view import show_diff
    from orchestrator.core.weakened import weakened_layers
    from orchestrator.data.arrow_without_pandas import defer_pandas

    defer_pandas()

    from orchestrator.data.row_numbers import RowNumbers
    from orchestrator.data.sources import open_source
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.run.apply.version_diff import version_diff

    opened = open_readable(registry)
    newer = opened.get(name, new)
    if old is None and newer.version == 1:
        raise UsageError(f"{name} has no version before 1.", advice="Choose two versions with --old and --new.")
    older = opened.get(name, old or newer.version - 1)
    dataset = open_source(data, encoding=encoding, delimiter=delimiter)
    rules = read_policy(policy, strict=strict)
    show_weakened(weakened_layers(rules), err=True)
    with bootstrap.sandboxed(rules) as services:
        found = version_diff(dataset, older, newer, services.access)
    if as_json:
        echo_json(found)
    else:
        show_diff(found, RowNumbers.of(dataset).how)


@app.command("migrate")
def migrate(registry: Where = HERE) -> None:
    """Bring the registry's tables to this version, or make them: a file is also brought to it by what writes to it."""
    from orchestrator.cli.console import plain, stderr
    from orchestrator.registry.database import migrate_database
    from orchestrator.registry.location import registry_url, shown
    from orchestrator.registry.registry_tables import REVISIONS

    url = registry_url(registry, create=True)
    found = migrate_database(url)
    name, newest = plain(shown(url)), REVISIONS[-1]
    done = "already there" if found == newest else f"was {found}" if found else "new"
    stderr().print(f"{name}: version {newest} of the tables ({done}).", markup=False)


def _say_doubt(opened: "SqlRegistry | BundleView") -> dict[str, int]:
    """A line on stderr where what is shown is not what somebody trusted has signed: of others it may be anything.

    Else how many more approvals the functions need that wait for some, by name.
    """
    from orchestrator.cli.console import say_plain
    from orchestrator.core.errors import RegistryError

    try:
        return opened.missing_approvals()
    except RegistryError as error:
        say_plain(f"note: shown as it is stored, and not proved: {error.message}")
        return {}


def open_readable(place: str) -> "SqlRegistry | BundleView":
    """The registry or bundle that the user has named, to read it. Raises UsageError where there is neither."""
    from orchestrator.registry.functions import has_bundle, has_registry, open_to_read

    if has_registry(place) or not has_bundle(place):
        return open_to_read(place)

    from orchestrator.registry.bundle_view import BundleView

    return BundleView(Path(place))


def open_existing(place: str) -> "SqlRegistry":
    """The registry that the user has named, to add to it. Raises UsageError where there is none."""
    from orchestrator.registry.location import registry_url
    from orchestrator.registry.store import SqlRegistry

    return SqlRegistry(registry_url(place, create=False), create=False)
