"""`cleanroom analyze`: what is wrong with a data set; nothing is generated, nothing is run."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from orchestrator.cli import options
from orchestrator.cli.console import echo_json, say_header, say_reading
from orchestrator.cli.defaults import ConfigFile, address_was_found, model_was_found
from orchestrator.cli.parser_option import Parser, opener_of
from orchestrator.core.wording import counted, plural

if TYPE_CHECKING:
    from orchestrator.core.conventions import Conventions
    from orchestrator.run.analyze import DatasetAnalysis


_MOST_SHOWN = 10
_NAMED = 4  # columns of one issue
_WAS = ("were", "was")


def analyze(
    ctx: typer.Context,
    data: options.Messy,
    encoding: options.EncodingOption = None,
    delimiter: options.DelimiterOption = None,
    data_format: options.FormatOption = None,
    sheet: options.SheetOption = None,
    array: options.ArrayOption = None,
    parser: Parser = None,
    instruction: options.InstructionOption = "",
    shape: options.ShapeOption = "table",
    conventions: options.ConventionsOption = None,
    chunk_rows: options.ChunkRowsOption = 4000,
    max_chunks: options.MaxChunksOption = 2,
    sampling: options.SamplingOption = "random",
    seed: options.SeedOption = 0,
    model: options.ModelOption = None,
    privacy: options.PrivacyOption = "raw",
    header: options.HeaderOption = "check",
    api_base: options.ApiBaseOption = None,
    api_key_env: options.ApiKeyEnvOption = None,
    protocol: options.ProtocolOption = "auto",
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    quarantine: options.QuarantineOption = None,
    as_json: options.AsJsonOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Say what is wrong with DATA: measures of every column, the issues that the proposer finds, unreadable rows."""
    from orchestrator import bootstrap, model_choice
    from orchestrator.cli.run_command import instruction_text
    from orchestrator.core.candidate import Shape
    from orchestrator.core.weakened import weakened_layers
    from orchestrator.data.arrow_without_pandas import defer_pandas

    defer_pandas()

    from orchestrator.data.data_address import location
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.run.analyze import AnalysisRequest, analyse

    request = AnalysisRequest(
        data=location(data),
        instruction=instruction_text(instruction),
        shape=Shape(shape),
        conventions=_conventions(conventions),
        chunk_rows=chunk_rows,
        max_chunks=max_chunks,
        sampling=sampling,
        seed=seed,
    )
    choice = model_choice.ModelChoice(
        model=model,
        api_base=api_base,
        keyless=address_was_found(ctx),
        found_model=model_was_found(ctx),
        api_key_env=api_key_env,
        protocol=protocol,
        privacy=privacy,
        header=header,
    )
    model_choice.check_shape(choice, request.shape)
    rules = read_policy(policy, strict=strict)
    rest = None if quarantine is None else location(quarantine)
    if rest is not None:
        from orchestrator.run.apply.same_file import check_places

        check_places(request.data, None, rest)
    reading = {"format": data_format, "encoding": encoding, "sheet": sheet, "array": array, "delimiter": delimiter}
    dataset = opener_of(parser, rules)(request.data, **reading, set_aside=True)
    say_reading(dataset, "will be left out" if rest is None else "will be set aside")
    model_choice.check_header(choice, dataset, request.shape)
    say_header(dataset, header)
    proposer = bootstrap.proposer(choice, rules, data_sha256=dataset.sha256)
    found = analyse(request, proposer, dataset)
    if parser is not None:
        found = found.model_copy(update={"weakened": weakened_layers(rules)})
    if rest is not None:
        from orchestrator.run.apply.quarantine import keep_unreadable

        keep_unreadable(rest, dataset)
    if as_json:
        echo_json(found)
    else:
        _show(found)


def _conventions(path: Path | None) -> "Conventions | None":
    if path is None:
        return None
    from orchestrator.data.user_files.conventions_file import read_conventions

    return read_conventions(path)


def _show(found: "DatasetAnalysis") -> None:
    from rich.markup import escape
    from rich.table import Table

    from orchestrator.cli.console import plain, show_weakened, stdout

    show_weakened(found.weakened)
    console = stdout()
    rows, columns = plural(found.rows, "row"), plural(len(found.columns), "column")
    read = f"read by the parser {escape(plain(found.parser))}" if found.parser else found.format
    console.print(f"[bold]{found.rows:,}[/] {rows}, {len(found.columns)} {columns} [dim]({read})[/]")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("column", overflow="fold")
    for title in ("distinct", "missing", "null words", "stray blanks", "odd patterns"):
        table.add_column(title, justify="right")
    for column in found.columns:
        most = "≥ " if column.capped else ""
        counts = (column.missing, column.null_tokens, column.untrimmed, column.off_pattern)
        cells = (f"{count:,}" if count else "[dim]·[/]" for count in counts)
        table.add_row(escape(plain(column.name)), f"{most}{column.distinct:,}", *cells)
    console.print(table)
    seen = "all rows" if found.seen_rows == found.rows else counted(found.seen_rows, "row")
    issues = f"[bold]{len(found.issues)}[/] {plural(len(found.issues), 'issue')}"
    console.print(f"\n{issues}, found by {escape(plain(found.proposer))} in {seen}")
    for issue in found.issues:
        said = all(column in issue.description for column in issue.columns[:_NAMED])
        named = ", ".join(issue.columns[:_NAMED]) + (", …" if issue.columns[_NAMED:] else "")
        where = "" if said else f"[dim]{escape(plain(named))}:[/] "
        console.print(f"  • {where}{escape(plain(issue.description))}")
    for note in found.notes:
        console.print(f"  [yellow]note:[/] {escape(plain(note))}")
    if found.unreadable:
        count = len(found.unreadable)
        console.print(f"\n[bold]{count:,}[/] {plural(count, 'row')} cannot be read, and {_WAS[count == 1]} left out")
    for row in found.unreadable[:_MOST_SHOWN]:
        place = f"row {row.number:,}" if row.line is None else f"line {row.line:,}"
        console.print(f"  • {place} of the file: {escape(plain(row.reason))}")
