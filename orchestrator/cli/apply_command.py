"""`cleanroom apply`: run promoted functions, sandboxed, over a whole data set."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.cluster_option import cluster_of
from orchestrator.cli.console import echo_json
from orchestrator.cli.defaults import ConfigFile
from orchestrator.cli.map_option import ColumnMap, read_map
from orchestrator.cli.parser_option import Parser, opener_of
from orchestrator.cli.telemetry_options import lineage_file, told_of_apply
from orchestrator.cli.views.column_table import show_columns
from orchestrator.core.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.core.promoted import Promoted
    from orchestrator.core.steps import ApplyStep
    from orchestrator.data.formats import Dataset


class DriftChoice(StrEnum):
    """What to do when a function does more to the data than its evidence allows, or what the gate doubts."""

    STOP = "stop"
    ACCEPT = "accept"
    STRICT = "strict"


def apply(
    data: options.Messy,
    functions: Annotated[
        str,
        typer.Option(
            "--functions",
            help="A run's --out folder, a registry (folder, file or URL) or a bundle.",
            show_default=False,
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="Where the result goes: a file, an object, or a new table; - is stdout.",
            show_default=False,
            rich_help_panel=options.OUTPUT,
        ),
    ],
    quarantine: Annotated[
        str | None,
        typer.Option(
            "--quarantine",
            help="Keep rows here that cannot be read, or that a function fails on, and go on.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    drift: Annotated[
        DriftChoice,
        typer.Option(
            "--drift",
            help="When a function does more than where it was proved: stop, or accept and say so; strict: stop also "
            "where the gate doubts a change.",
        ),
    ] = DriftChoice.STOP,
    require_valid: Annotated[
        bool,
        typer.Option("--require-valid", help="First check, as `cleanroom check` does; write nothing unless valid."),
    ] = False,
    column_map: ColumnMap = None,
    encoding: options.EncodingOption = None,
    delimiter: options.DelimiterOption = None,
    data_format: options.FormatOption = None,
    sheet: options.SheetOption = None,
    array: options.ArrayOption = None,
    parser: Parser = None,
    cluster: options.ClusterOption = None,
    tls: options.TlsOption = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    lineage: Annotated[
        str | None,
        typer.Option("--lineage", help="Add OpenLineage events to this file or URL.", rich_help_panel=options.OUTPUT),
    ] = None,
    telemetry: options.TelemetryOption = None,
    as_json: options.AsJsonOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Apply promoted functions to DATA in the sandbox; the output appears whole or not at all."""
    from orchestrator import bootstrap
    from orchestrator.data.data_address import location
    from orchestrator.data.files import check_readable
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.registry.registry_names import sources_beside

    workers = cluster_of(cluster, tls)
    columns = read_map(column_map or [])
    source, target = location(data), location(output)
    rest = None if quarantine is None else location(quarantine)
    if isinstance(source, Path):
        check_readable(source)
    if any(not isinstance(place, Path) for place in (target, rest) if place is not None):
        from orchestrator.run.apply.same_file import check_places

        check_places(source, target, rest)
    if lineage is not None and (events := lineage_file(lineage)) is not None:
        from orchestrator.run.apply.same_file import check_apart

        check_apart(data=source, output=target, quarantine=rest, lineage=events)
    rules = read_policy(policy, strict=strict)
    _say_unfinished(functions)
    say_without_registry(functions)
    # The right containers start while the functions are read: which ones, their sources say before they are verified.
    # A wrong guess costs time and nothing else. Where there is nothing to guess by, the functions are read first.
    sources = sources_beside(functions)
    known = None if sources else _functions_in(functions)
    light = bootstrap.need_no_pandas(sources or [function.candidate.source for function in known or ()])

    def check() -> "tuple[Sequence[Promoted], Dataset]":
        promoted = _functions_in(functions) if known is None else known
        reading = {"format": data_format, "encoding": encoding, "sheet": sheet, "array": array, "delimiter": delimiter}
        dataset = opener_of(parser, rules)(source, **reading, set_aside=rest is not None)
        if promoted:
            show_columns(dataset, promoted, columns, functions)
        return promoted, dataset

    light = light and not require_valid
    verdicts = None if require_valid else 0
    with bootstrap.sandboxed_while(check, rules, light=light, verdicts=verdicts, cluster=workers) as (
        services,
        (promoted, dataset),
    ):
        if require_valid and promoted:
            from orchestrator.run.check.recorded import require_proofs

            require_proofs(dataset, promoted, services, functions, columns=columns)
        from orchestrator.run.apply.step import apply_step

        with told_of_apply(telemetry, lineage, dataset, target, promoted) as told:
            step = apply_step(
                dataset,
                promoted,
                target,
                services,
                quarantine=rest,
                registry=functions,
                accept_drift=drift is DriftChoice.ACCEPT,
                refuse_doubts=drift is DriftChoice.STRICT,
                columns=columns,
            )
            told(step)
    _show(step, as_json=as_json, piped=output == "-")


def _show(step: "ApplyStep", *, as_json: bool, piped: bool) -> None:
    """What was done; on stderr where stdout is the data's."""
    from rich.markup import escape

    from orchestrator.cli.console import plain, show_weakened, stderr, stdout

    if as_json:
        echo_json(step, err=piped)
        return
    out = stderr() if piped else stdout()
    aside = f", {counted(step.quarantined, 'row')} set aside" if step.quarantined else ""
    rows = f"{counted(step.rows_in, 'row')} in, {counted(step.rows_out, 'row')} out{aside}"
    out.print(f"{rows}, {step.changed_text} → {escape(plain(step.output))}")
    for note in step.notes_alone:
        out.print(f"[yellow]note:[/] {escape(plain(note))}")
    if step.data_drift:
        out.print("[yellow]note:[/] `cleanroom check` looks closer; with --require-valid, nothing is written then")
    show_weakened(step.weakened, err=piped)


def _say_unfinished(place: str) -> None:
    """That functions may be missing, where the run that was to find them has not come to its end."""
    from pathlib import Path

    folder = Path(place)
    if not (folder / "run.jsonl").is_file():
        return
    from shlex import quote

    from orchestrator.cli.console import say_plain
    from orchestrator.run.journal.listing import has_not_ended

    if has_not_ended(folder):
        told = f"the run in {folder} has not ended: functions may be missing; `cleanroom runs resume {quote(place)}`"
        say_plain(f"note: {told} goes on with one that was killed.")


def say_without_registry(place: str) -> None:
    """That nobody knows what went out of use since, where a run's folder has its bundle and no registry."""
    from pathlib import Path

    from orchestrator.registry.registry_names import has_lost_registry

    if has_lost_registry(Path(place)):
        from orchestrator.cli.console import say_plain

        told = f"{place} has no registry: what was revoked or suspended since the run is not known"
        say_plain(f"note: {told}")


def _functions_in(place: str) -> "Sequence[Promoted]":
    from orchestrator.data.arrow_without_pandas import defer_pandas

    defer_pandas()
    from orchestrator.registry.functions import functions_in

    return functions_in(place)
