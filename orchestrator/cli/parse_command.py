"""`cleanroom parse`: read a file of any format by a parser that is judged on it first; write its rows as a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.console import echo_json, say_plain
from orchestrator.cli.defaults import ConfigFile, address_was_found, model_was_found
from orchestrator.core.errors import UsageError
from orchestrator.core.wording import counted

if TYPE_CHECKING:
    from orchestrator.core.parsers import ParserVerdict
    from orchestrator.data.raw_file import RawFile

_CODES = {"pass": 0, "fail": 1, "infra": 3}


def parse(
    ctx: typer.Context,
    data: Annotated[
        str,
        typer.Argument(
            help="A file of any format, packed or not; - for stdin; an address: s3://…, https://….", show_default=False
        ),
    ],
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
    encoding: options.EncodingOption = None,
    instruction: Annotated[
        str,
        typer.Option(
            "--instruction",
            "-i",
            help="What the file holds, in words, for a model; @FILE reads it from a file.",
            rich_help_panel=options.DATA,
        ),
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where the rows go: a table whose format the name says; - is stdout, as CSV.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    quarantine: Annotated[
        Path | None,
        typer.Option(
            "--quarantine",
            help="Keep the lines that the parser cannot read here, as they are, and go on.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    save_parser: Annotated[
        Path | None,
        typer.Option("--save-parser", help="Keep the parser that was made here.", rich_help_panel=options.OUTPUT),
    ] = None,
    model: options.ModelOption = None,
    privacy: options.PrivacyOption = "raw",
    api_base: options.ApiBaseOption = None,
    api_key_env: options.ApiKeyEnvOption = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    as_json: options.AsJsonOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Judge a parser on DATA, and with -o write the rows. A model writes one; without any, DATA is of fixed width."""
    from orchestrator import bootstrap
    from orchestrator.data.data_address import location
    from orchestrator.data.files import write_file
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.model_choice import ModelChoice

    rules = read_policy(policy, strict=strict)
    place = location(data)
    if output is None and quarantine is not None:
        raise UsageError("--quarantine belongs to a file that is read.", advice="Say with -o where its rows go.")
    from orchestrator.run.apply.same_file import check_apart, check_places, check_results

    check_places(place, output, quarantine)
    check_apart(data=place, output=output, quarantine=quarantine, saved_parser=save_parser)
    check_results(save_parser)
    check_apart(parser=parser, output=output, quarantine=quarantine)
    writer = None
    if parser is None and widths is None:
        choice = ModelChoice(
            model=model,
            api_base=api_base,
            keyless=address_was_found(ctx),
            found_model=model_was_found(ctx),
            api_key_env=api_key_env,
            privacy=privacy,
        )
        writer = bootstrap.parser_writer(choice, rules)
    from orchestrator.data.sources import open_bytes

    file = open_bytes(place)
    if output is not None:
        from orchestrator.data.formats import parsed_output_format

        parsed_output_format(output, file.name)  # before the parser is judged
    source = "" if writer else _source(file, parser, widths, encoding)

    from orchestrator.run.parse.parse_file import FileToParse
    from orchestrator.run.parse.written_parser import written_parser

    with bootstrap.sandboxed(rules, light=True, verdicts=0) as services:
        if writer is None:
            judged = FileToParse(file, source).judged(services, aside=quarantine is not None)
        else:
            from orchestrator.cli.run_command import instruction_text

            asked = instruction_text(instruction)
            judged = written_parser(FileToParse(file), writer, services, instruction=asked, said=say_plain)
        if save_parser is not None:
            write_file(save_parser, judged.file.source.encode())
        piped = output == Path("-")
        _show(judged.verdict, as_json=as_json, piped=piped)
        if judged.verdict.passed and output is not None:
            from orchestrator.cli.console import say_reading

            dataset = judged.file.write_rows(services, output, quarantine)
            say_reading(dataset)
            say_plain(f"{counted(dataset.rows, 'row')} → {'standard output' if piped else output}")
    raise typer.Exit(_CODES[judged.verdict.verdict])


def _source(file: "RawFile", parser: Path | None, widths: str | None, encoding: str | None) -> str:
    """The text of the parser. Raises UsageError."""
    if parser is None:
        from orchestrator.run.parse.fixed_width import fixed_width_parser

        return fixed_width_parser(file, widths, encoding)
    for option, value in (("--widths", widths), ("--encoding", encoding)):
        if value is not None:
            message = f"{option} makes a parser, and --parser names one."
            raise UsageError(message, advice="Leave one of the two out.")
    from orchestrator.run.parse.parser_choice import parser_text

    return parser_text(parser)


def _show(verdict: "ParserVerdict", *, as_json: bool, piped: bool) -> None:
    """The verdict, on stderr where stdout is the data's."""
    if as_json:
        echo_json(verdict, err=piped)
        return
    from rich.markup import escape

    from orchestrator.cli.console import plain, show_weakened, stderr, stdout

    out = stderr() if piped else stdout()
    if passed := ", ".join(check.id for check in verdict.checks if check.outcome == "pass"):
        out.print(f"[green]pass[/]  {passed}")
    if (failure := verdict.failure) is not None:
        colour = "red" if verdict.verdict == "fail" else "yellow"
        out.print(f"[{colour}]{failure.outcome}[/]  {failure.id}: {escape(plain(failure.detail))}")
    elif verdict.passed:
        columns = escape(plain(", ".join(verdict.candidate.columns)))
        out.print(f"{counted(verdict.rows, 'row')} at the beginning of the file, columns: {columns}")
    show_weakened(verdict.weakened, err=piped)
