"""`cleanroom parse`: read a file of any format by a parser that is judged on it first; write its rows as a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.console import echo_json
from orchestrator.cli.defaults import ConfigFile
from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from orchestrator.core.parsers import ParserVerdict


def parse(
    data: Annotated[Path, typer.Argument(help="A file of any format.", show_default=False)],
    parser: Annotated[
        Path | None,
        typer.Option("--parser", help="A Python file with `parse(data, state, last)`.", show_default=False),
    ] = None,
    widths: Annotated[
        str | None,
        typer.Option(
            "--widths", help="Fixed width: characters of each column, as 8,20,6; without it they are looked for."
        ),
    ] = None,
    encoding: options.Encoding = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where the rows go: a table whose format the name says; - is stdout, as CSV.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    save_parser: Annotated[
        Path | None,
        typer.Option("--save-parser", help="Keep the parser that was made here.", rich_help_panel=options.OUTPUT),
    ] = None,
    policy: options.Policy = None,
    strict: options.Strict = False,
    as_json: options.AsJson = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Judge a parser on DATA, and with -o write the rows. Without --parser, DATA is read as fixed width."""
    from orchestrator import bootstrap
    from orchestrator.data.files import check_readable, write_file
    from orchestrator.data.policy_file import read_policy

    rules = read_policy(policy, strict=strict)
    check_readable(data)
    if data == Path("-"):
        raise UsageError("A parser reads a file, and no pipe.", advice="Save what comes from the pipe first.")
    source = _source(data, parser, widths, encoding)
    if save_parser is not None:
        write_file(save_parser, source.encode())

    from orchestrator.run.parse.parse_file import FileToParse

    wanted = FileToParse(data, source)
    with bootstrap.sandboxed(rules, light=True, verdicts=1) as services:
        verdict = wanted.judged(services)
        _show(verdict, as_json=as_json, piped=output == Path("-"))
        if not verdict.passed:
            raise typer.Exit(1 if verdict.verdict == "fail" else 3)
        if output is not None:
            dataset = wanted.rows(services)
            _write(dataset, output)


def _source(data: Path, parser: Path | None, widths: str | None, encoding: str | None) -> str:
    """The text of the parser. Raises UsageError."""
    if parser is None:
        from orchestrator.run.parse.fixed_width import fixed_width_parser

        return fixed_width_parser(data, widths, encoding)
    if widths is not None or encoding is not None:
        raise UsageError(
            "--widths and --encoding make a parser, and --parser names one.", advice="Leave one of them out."
        )
    from orchestrator.run.verify.candidate_files import read

    found = read(parser)
    if found.problem:
        raise UsageError(f"{parser}: {found.problem}.", advice="Name a Python file.")
    return found.text


def _show(verdict: "ParserVerdict", *, as_json: bool, piped: bool) -> None:
    """The verdict, on stderr where stdout is the data's."""
    if as_json:
        echo_json(verdict, err=piped)
        return
    from rich.markup import escape

    from orchestrator.cli.console import plain, stderr, stdout

    out = stderr() if piped else stdout()
    passed = ", ".join(check.id for check in verdict.checks if check.outcome == "pass")
    out.print(f"[green]pass[/]  {passed}")
    if verdict.failure is not None:
        colour = "red" if verdict.verdict == "fail" else "yellow"
        out.print(
            f"[{colour}]{verdict.failure.outcome}[/]  {verdict.failure.id}: {escape(plain(verdict.failure.detail))}"
        )
    columns = escape(plain(", ".join(verdict.candidate.columns)))
    out.print(f"{verdict.rows:,} rows at the beginning of the file, columns: {columns}")


def _write(dataset: "object", output: Path) -> None:
    from orchestrator.cli.console import plain, say_reading, stderr
    from orchestrator.data.formats import open_writer
    from orchestrator.data.formats.parsed import ParsedDataset

    if not isinstance(dataset, ParsedDataset):
        raise TypeError(dataset)
    say_reading(dataset)
    with open_writer(output, like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table)
    stderr().print(f"{dataset.rows:,} rows → {plain(str(output))}")
