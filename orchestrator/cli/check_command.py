"""`cleanroom check`: does what was proved of promoted functions still hold on this data? Writes no data."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.apply_command import say_without_registry
from orchestrator.cli.cluster_option import cluster_of
from orchestrator.cli.console import echo_json, say_reading
from orchestrator.cli.defaults import ConfigFile
from orchestrator.cli.map_option import ColumnMap, read_map
from orchestrator.cli.parser_option import Parser, opener_of
from orchestrator.cli.views.column_table import show_columns
from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from orchestrator.data.formats import Dataset

_AS_WRITTEN = "%Y-%m-%d"


def check(
    functions: Annotated[
        str,
        typer.Option(
            "--functions",
            help="A run's --out folder, a registry (folder, file or URL) or a bundle.",
            show_default=False,
        ),
    ],
    data: Annotated[
        str | None,
        typer.Argument(help="The new file, or an address: s3://…, postgresql://…?table=NAME.", show_default=False),
    ] = None,
    column_map: ColumnMap = None,
    encoding: options.EncodingOption = None,
    delimiter: options.DelimiterOption = None,
    data_format: options.FormatOption = None,
    sheet: options.SheetOption = None,
    array: options.ArrayOption = None,
    parser: Parser = None,
    history: Annotated[
        bool, typer.Option("--history", help="List the checks so far instead.", rich_help_panel=options.OUTPUT)
    ] = False,
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since",
            formats=[_AS_WRITTEN],
            help="With --history: from this day on.",
            show_default=False,
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    quarantine: options.QuarantineOption = None,
    cluster: options.ClusterOption = None,
    tls: options.TlsOption = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    as_json: options.AsJsonOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Check whether promoted functions still fit DATA: valid, stale (the data is another) or broken (a law fails)."""
    if history:
        if data is not None:
            raise UsageError("--history looks at no data.", advice="Leave the file or --history out.")
        _list_checks(functions, since, as_json=as_json)
        return
    if data is None:
        raise UsageError("There is no file to check.", advice="Name it, or list earlier checks with --history.")
    if since is not None:
        raise UsageError("--since is for --history.", advice="Add --history, or leave it out.")

    from orchestrator import bootstrap
    from orchestrator.cli.views.check_view import show_check
    from orchestrator.data.arrow_without_pandas import defer_pandas

    defer_pandas()

    from orchestrator.data.data_address import location
    from orchestrator.data.files import check_readable
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.registry.functions import functions_in

    workers = cluster_of(cluster, tls)
    columns = read_map(column_map or [])
    place, rest = location(data), None if quarantine is None else location(quarantine)
    if isinstance(place, Path):
        check_readable(place)
    if rest is not None:
        from orchestrator.run.apply.same_file import check_places, check_results

        check_places(place, None, rest)
        check_results(rest, place=functions)
    say_without_registry(functions)
    promoted = functions_in(functions)
    if not promoted:
        raise UsageError(
            f"No function is in use in {functions}, so there is nothing to check.",
            advice="Name the --out folder of a run that promoted functions, or another registry.",
        )
    rules = read_policy(policy, strict=strict)

    def opened() -> "Dataset":
        reading = {"format": data_format, "encoding": encoding, "sheet": sheet, "array": array, "delimiter": delimiter}
        dataset = opener_of(parser, rules)(place, **reading, set_aside=rest is not None)
        say_reading(dataset)
        show_columns(dataset, promoted, columns, functions, refuse=False)
        return dataset

    with bootstrap.sandboxed_while(opened, rules, verdicts=len(promoted), cluster=workers) as (services, dataset):
        from orchestrator.run.check.proof_check import check_proofs
        from orchestrator.run.check.recorded import record

        report = check_proofs(dataset, promoted, services, columns=columns)
    if rest is not None:
        from orchestrator.run.apply.quarantine import keep_unreadable

        keep_unreadable(rest, dataset)
    unrecorded = record(report, functions)
    if as_json:
        echo_json(report)
    else:
        show_check(report, unrecorded)
    if not report.valid:
        raise typer.Exit(1)


def _list_checks(place: str, since: datetime | None, *, as_json: bool) -> None:
    from orchestrator.cli.views.check_view import show_history
    from orchestrator.registry.check_store import checks_in

    checks = checks_in(place, since=None if since is None else since.astimezone())
    if as_json:
        for one in checks:
            echo_json(one)
    else:
        show_history(checks)
