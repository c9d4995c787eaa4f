"""`cleanroom diff`: what changed between two files, or between a run's input and output."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from orchestrator.cli import options
from orchestrator.cli.console import echo_json, say_reading, show_weakened
from orchestrator.cli.defaults import ConfigFile
from orchestrator.cli.parser_option import Parser, opener_of
from orchestrator.core.errors import UsageError
from orchestrator.core.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.data.data_address import DataAddress
    from orchestrator.data.formats import Dataset
    from orchestrator.run.diff.data_diff import ChangedCell, DataDiff

_MOST_SHOWN = 240  # characters of a cell


def diff(
    first: Annotated[
        str, typer.Argument(help="A data file or address, or the --out folder of a run.", show_default=False)
    ],
    second: Annotated[
        str | None, typer.Argument(help="The file that it became; not with a run.", show_default=False)
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option("--key", help="A column that tells rows apart; once for each. Without it: by place."),
    ] = None,
    rows: Annotated[int, typer.Option("--rows", min=1, help="How many cells to show of each column and kind.")] = 3,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page.", rich_help_panel=options.OUTPUT)] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write every changed cell.", rich_help_panel=options.OUTPUT)
    ] = None,
    encoding: options.EncodingOption = None,
    delimiter: options.DelimiterOption = None,
    data_format: options.FormatOption = None,
    sheet: options.SheetOption = None,
    array: options.ArrayOption = None,
    parser: Parser = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    quarantine: options.QuarantineOption = None,
    as_json: options.AsJsonOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Show only what changed, by column and kind of change, the alarming kinds first."""
    from contextlib import ExitStack

    from orchestrator.data.arrow_without_pandas import defer_pandas

    defer_pandas()

    from orchestrator.data.data_address import location
    from orchestrator.data.files import write_file
    from orchestrator.data.sources import open_source
    from orchestrator.run.diff.cell_list import cell_list
    from orchestrator.run.diff.data_diff import data_diff

    said: dict[str, Any] = {
        "format": data_format,
        "encoding": encoding,
        "sheet": sheet,
        "array": array,
        "delimiter": delimiter,
    }
    apart: Path | None = None
    aside: dict[str, Any] = {} if quarantine is None else {"set_aside": True}
    readings: tuple[dict[str, Any], ...] = (aside, aside)
    before, after = location(first), None if second is None else location(second)
    run = before if isinstance(before, Path) and before.is_dir() else None
    if run is not None:
        if second is not None:
            raise UsageError("A run has both files; name nothing else.", advice="Or name two files.")
        if quarantine is not None:
            raise UsageError(
                "A run has its own quarantine, which is taken from its journal.", advice="Leave --quarantine out."
            )
        from orchestrator.run.diff.run_files import check_read, run_files, run_quarantine, run_readings

        apart, readings = run_quarantine(run), run_readings(run)
        before, after = run_files(run)
    if after is None:
        raise _alone(before)
    rest = None if quarantine is None else location(quarantine)
    _check_apart((before, after, apart), run, quarantine=rest, csv=csv, html=html)
    said = {name: value for name, value in said.items() if value is not None}
    alike = Path(str(before)).suffix == Path(str(after)).suffix
    one, other = (
        _opened(
            place,
            reading | said | ({"parser": parser} if parser and (place is before or alike) else {}),
            policy,
            strict=strict,
        )
        for place, reading in zip((before, after), readings, strict=True)
    )
    if run is not None:
        check_read(run, before, one.sha256)
    _say_read((one, other), "will be left out" if quarantine is None else "will be set aside", policy)
    if quarantine is not None:
        _keep(quarantine, one, other)
    if apart is not None:
        from orchestrator.run.diff.rows_left import RowsLeft

        one = RowsLeft(one, open_source(apart, **readings[1]))
    keys = tuple(key or ())
    with ExitStack() as stack:
        write = stack.enter_context(cell_list(csv, keys)) if csv is not None else _nothing
        found = data_diff(one, other, key=keys, shown=rows, on_change=write)
    if html is not None:
        from orchestrator.run.diff.html_page import html_page  # with the filters of the report

        write_file(html, html_page(found).encode())
    if as_json:
        echo_json(found)
    else:
        _show(found)


def _alone(place: "Path | DataAddress") -> UsageError:
    """Why one name is not enough."""
    from orchestrator.data.formats.private_copy import STDIN

    if isinstance(place, Path) and place != STDIN and not place.exists():
        return UsageError(f"There is no file or folder {place}.", advice="Check the name and the current directory.")
    return UsageError("One file has nothing to be compared with.", advice="Name two files, or a run's folder.")


def _check_apart(
    compared: "Sequence[Path | DataAddress | None]", run: Path | None, **written: "Path | DataAddress | None"
) -> None:
    """Nothing is written over what is read, and over nothing that proves functions."""
    from orchestrator.run.apply.same_file import check_apart, check_results

    for place in compared:  # both may be the same file
        check_apart(compared_file=place, **written)
    check_results(*written.values(), place=None if run is None else str(run))


def _opened(place: "Path | DataAddress", reading: dict[str, Any], policy: Path | None, *, strict: bool) -> "Dataset":
    """The data, by the parser where one is named, in containers under the policy."""
    from orchestrator.data.user_files.policy_file import read_policy

    how = {name: value for name, value in reading.items() if name != "parser"}
    return opener_of(reading.get("parser"), read_policy(policy, strict=strict))(place, **how)


def _say_read(datasets: "Sequence[Dataset]", unreadable: str, policy: Path | None) -> None:
    """On stderr: how they were read; where one was by a parser, what the policy weakens."""
    from orchestrator.core.weakened import weakened_layers
    from orchestrator.data.user_files.policy_file import read_policy

    for dataset in datasets:
        say_reading(dataset, unreadable)
    if any(dataset.parser for dataset in datasets):
        show_weakened(weakened_layers(read_policy(policy)), err=True)


def _keep(place: str, one: "Dataset", other: "Dataset") -> None:
    """Write the rows that could not be read. Raises UsageError where both files have some."""
    from orchestrator.data.data_address import location
    from orchestrator.run.apply.quarantine import keep_unreadable

    if one.unreadable and other.unreadable:
        raise UsageError(
            f"Rows of {one.name} and of {other.name} cannot be read, and --quarantine is one file.",
            advice="Correct one of the files.",
        )
    keep_unreadable(location(place), one if one.unreadable else other)


def _nothing(_: "ChangedCell") -> None:
    """For a caller who wants no list of all cells."""


def _show(found: "DataDiff") -> None:
    from rich.markup import escape

    from orchestrator.cli.console import plain, stdout
    from orchestrator.data.shortened_pair import shortened
    from orchestrator.run.diff.diff_summary import summary

    out = stdout()
    out.print(escape(plain("; ".join(summary(found)))))
    for group in found.groups:
        out.print(f"\n[bold]{escape(plain(group.column))}[/]: {group.kind}, {counted(group.cells, 'cell')}")
        for cell in group.first:
            place = ", ".join(cell.key) or f"row {cell.file_row}"
            sides = shortened(cell.before, cell.after, _MOST_SHOWN)
            before, after = ("nothing" if text is None else repr(text) for text in sides)
            out.print(f"  {escape(plain(place))}: {escape(plain(before))} → {escape(plain(after))}")
