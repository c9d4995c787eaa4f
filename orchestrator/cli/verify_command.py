"""`cleanroom verify`: judge functions that a person or another system wrote, against real data, and change nothing."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.cluster_option import cluster_of
from orchestrator.cli.console import echo_json, say_gone, say_held, say_present, say_reading
from orchestrator.cli.defaults import ConfigFile, typed_options
from orchestrator.cli.parser_option import Parser, opener_of
from orchestrator.cli.signing_key import check_signing_key
from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.data.data_address import DataAddress
    from orchestrator.run.services import Services
    from orchestrator.run.verify.verify import OpenedVerification, VerifiedCandidate

_CODES = {"pass": 0, "hold": 1, "fail": 1, "infra": 3}


def verify(
    ctx: typer.Context,
    functions: Annotated[
        list[Path], typer.Argument(help="Candidate files, one function each; folders and patterns.", show_default=False)
    ],
    data: Annotated[
        str,
        typer.Option(
            "--data",
            help="The data to judge them on: a file or an address.",
            show_default=False,
            rich_help_panel=options.DATA,
        ),
    ],
    encoding: options.EncodingOption = None,
    delimiter: options.DelimiterOption = None,
    data_format: options.FormatOption = None,
    sheet: options.SheetOption = None,
    array: options.ArrayOption = None,
    parser: Parser = None,
    examples: Annotated[
        list[Path] | None,
        typer.Option(
            "--examples",
            help='JSON or JSONL of {"input": row, "output": row}; a table with columns x__dirty and x__clean; '
            "or two tables: dirty, then clean.",
            rich_help_panel=options.DATA,
        ),
    ] = None,
    instruction: options.InstructionOption = "",
    checks: options.ChecksOption = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out the checks that take seconds.", rich_help_panel=options.LIMITS)
    ] = False,
    no_screen: Annotated[
        bool,
        typer.Option(
            "--no-screen",
            help="Run even what the screen refuses: the sandbox is the boundary.",
            rich_help_panel=options.SANDBOX,
        ),
    ] = False,
    promote: Annotated[
        bool,
        typer.Option(
            "--promote",
            help="Store what passes in the registry; what is held, out of use.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    registry: Annotated[
        str,
        typer.Option(
            "--registry",
            help="A registry (folder, file or URL): judge beside its functions; --promote stores what passes there.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = "registry",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Keep what the function made of the data.", rich_help_panel=options.OUTPUT),
    ] = None,
    quarantine: options.QuarantineOption = None,
    cluster: options.ClusterOption = None,
    tls: options.TlsOption = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    telemetry: options.TelemetryOption = None,
    as_json: options.AsJsonOption = False,
    junit: Annotated[
        Path | None,
        typer.Option("--junit", help="Also write the verdicts as JUnit XML.", rich_help_panel=options.OUTPUT),
    ] = None,
    sarif: Annotated[
        Path | None,
        typer.Option("--sarif", help="Also write what failed as SARIF 2.1.0.", rich_help_panel=options.OUTPUT),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            help="Also write what has to be confirmed of held functions: answer it, and give it back as --examples.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Judge candidate functions. Exit code 0: all pass; 1: one is rejected or held; 3: the infrastructure failed."""
    if no_screen and promote:
        raise UsageError("--no-screen and --promote cannot be used together.", advice="Promote only what is screened.")
    reports = [report for report in (junit, sarif, questions) if report is not None]

    from orchestrator import bootstrap
    from orchestrator.cli.run_command import instruction_text
    from orchestrator.cli.telemetry_options import tell_verdicts
    from orchestrator.data.data_address import location
    from orchestrator.data.files import check_readable, check_writable
    from orchestrator.data.user_files.policy_file import check_rules, read_policy
    from orchestrator.run.verify.candidate_files import named_sources

    for report in reports:
        check_writable(report)
    asked, workers = instruction_text(instruction), cluster_of(cluster, tls)
    rules = read_policy(policy, strict=strict)
    if no_screen and rules.strict:
        raise UsageError("--no-screen switches a layer off, and the policy is strict.", advice="Leave one of them out.")
    place, rest = location(data), None if quarantine is None else location(quarantine)
    if isinstance(place, Path):
        check_readable(place)
    named = named_sources(functions, checks)
    said = [checks, policy, *(examples or ()), *(source.path for source in named.sources)]
    _check_apart([output, rest], said, registry)
    _check_apart(reports, [place, rest, output, *said], registry)
    if promote:
        check_signing_key()
    light = bootstrap.need_no_pandas(source.text for source in named.sources)

    def check() -> "OpenedVerification":
        from orchestrator.data.arrow_without_pandas import defer_pandas

        defer_pandas()  # Arrow is imported only now, while containers start

        from orchestrator.run.verify.verify import Verification

        request = Verification(
            named=named,
            data=place,
            reading={
                "format": data_format,
                "encoding": encoding,
                "sheet": sheet,
                "array": array,
                "delimiter": delimiter,
                "set_aside": rest is not None,
            },
            examples=tuple(examples or ()),
            instruction=asked,
            quick=quick,
            screen=not no_screen,
            registry=registry if promote or "registry" in typed_options(ctx) else None,
            promote=promote,
            output=output,
            quarantine=rest,
        )
        opened = request.check(opener_of(parser, rules))
        check_rules(rules, opened.dataset.columns)
        return opened

    count = len(named.sources)
    with bootstrap.sandboxed_while(check, rules, checks, light=light, verdicts=count, cluster=workers) as (
        services,
        opened,
    ):
        _say_again(named.again)
        say_reading(opened.dataset)
        judged = _show(opened, services, as_json=as_json)
        _say_stored(judged, registry)
        _say_without(output, opened.keep_output(judged[0], services))
    tell_verdicts(telemetry, (one.verdict for one in judged))
    if junit is not None:
        from orchestrator.run.report.junit import write_junit

        write_junit(judged, junit)
    if sarif is not None:
        from orchestrator.run.report.sarif import write_sarif

        write_sarif(judged, sarif)
    if questions is not None:
        _write_questions(judged, questions)
    raise typer.Exit(max(0 if one.approved else _CODES[one.verdict.verdict] for one in judged))


def _show(opened: "OpenedVerification", services: "Services", *, as_json: bool) -> "list[VerifiedCandidate]":
    """Print each verdict as soon as it and those before it are there."""
    from orchestrator.cli.views.diff_view import show_diff
    from orchestrator.cli.views.verdict_view import show_summary, show_verdict

    started = time.perf_counter()
    judged = []
    many = len(opened.request.named.sources) > 1
    for one in opened.run(services):
        judged.append(one)
        if as_json:
            found = one.differences
            replaced = {} if found is None else {"differences": found.model_dump(mode="json")}
            echo_json({"file": str(one.source.path), "concerns": []} | one.verdict.model_dump(mode="json") | replaced)
        else:
            show_verdict(one.verdict, str(one.source.path), brief=many)
            if one.differences is not None:
                from orchestrator.data.row_numbers import RowNumbers

                show_diff(one.differences, RowNumbers.of(opened.dataset).how)
    if many and not as_json:
        show_summary(judged, time.perf_counter() - started)
    return judged


def _say_stored(judged: "Sequence[VerifiedCandidate]", registry: str) -> None:
    """What became of functions that were not promoted although they are not rejected, and of those replaced."""
    for one in judged:
        if one.kept:
            say_held(one.verdict.candidate.name, registry)
        for function in one.gone:
            say_gone(function.name, function.version)
        if one.present:
            say_present(one.verdict.candidate.name, one.present, approved=one.approved)


def _write_questions(judged: "Sequence[VerifiedCandidate]", path: Path) -> None:
    from orchestrator.cli.console import plain, stderr
    from orchestrator.core.wording import counted
    from orchestrator.run.verify.questions_file import write_questions

    asked = write_questions([one.verdict for one in judged], path)
    told = f"{counted(asked, 'question')} in {path}"
    stderr().print(plain(f"{told}: answer them, and give the file back as --examples." if asked else f"{told}."))


def _check_apart(
    written: "Sequence[Path | DataAddress | None]", others: "Sequence[Path | DataAddress | None]", registry: str
) -> None:
    """Nothing may be written over what is read or written besides."""
    from orchestrator.run.apply.same_file import check_results, same_place

    check_results(*written, place=registry)
    places = [place for place in written if place is not None]
    for number, place in enumerate(places):
        if any(other is not None and same_place(place, other) for other in (*places[:number], *others)):
            raise UsageError(f"{place} is named for a result, and for something else.", advice="Name another file.")


def _say_without(output: Path | None, reason: str) -> None:
    from orchestrator.cli.console import say_plain

    if reason:
        say_plain(f"{output} was not written: {reason}")


def _say_again(files: "Sequence[Path]") -> None:
    from orchestrator.cli.console import plain, stderr

    for file in files:
        stderr().print(f"{plain(str(file))} is named more than once: it is judged once.", markup=False)
