"""`cleanroom run`: the main job, with live progress and a summary that says where to look."""

import re
from contextlib import nullcontext
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.console import echo_json, say_header, say_reading
from orchestrator.cli.defaults import ConfigFile, address_was_found, model_was_found
from orchestrator.cli.parser_option import Parser, opener_of
from orchestrator.cli.signing_key import check_signing_key
from orchestrator.core.errors import BudgetExceeded, UsageError
from orchestrator.core.wording import counted, plural

if TYPE_CHECKING:
    from orchestrator.model_choice import ModelChoice
    from orchestrator.run.loop.run_summary import RunSummary
    from orchestrator.run.request import OpenedRun, RunRequest


def run(
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
    examples: options.ExamplesOption = None,
    conventions: options.ConventionsOption = None,
    chunk_rows: options.ChunkRowsOption = 4000,
    max_chunks: options.MaxChunksOption = 8,
    sampling: options.SamplingOption = "random",
    seed: options.SeedOption = 0,
    model: options.ModelOption = None,
    tester_model: options.TesterModelOption = None,
    planner_model: options.PlannerModelOption = None,
    explorer_model: options.ExplorerModelOption = None,
    explore: options.ExploreOption = 0,
    privacy: options.PrivacyOption = "raw",
    header: options.HeaderOption = "check",
    record: Annotated[
        Path | None,
        typer.Option("--record", help="Write all exchanges with models to a file.", rich_help_panel=options.MODEL),
    ] = None,
    api_base: options.ApiBaseOption = None,
    api_key_env: options.ApiKeyEnvOption = None,
    protocol: options.ProtocolOption = "auto",
    timeout: options.TimeoutOption = 120.0,
    patience: options.PatienceOption = 180.0,
    max_iterations: options.MaxIterationsOption = 60,
    max_repairs: options.MaxRepairsOption = 2,
    max_rejected: options.MaxRejectedOption = 5,
    on_hold: options.OnHoldOption = "keep",
    lanes: options.LanesOption = 1,
    plan_every: options.PlanEveryOption = 4,
    max_calls: options.MaxCallsOption = None,
    max_tokens: options.MaxTokensOption = None,
    max_cost: options.MaxCostOption = None,
    max_seconds: options.MaxSecondsOption = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Folder for the results \\[default: <name>-cleaned].", rich_help_panel=options.OUTPUT
        ),
    ] = None,
    registry: Annotated[
        str | None,
        typer.Option(
            "--registry",
            help="Share a registry (folder, file or URL): its functions are applied, new ones go into it "
            "\\[default: one of the run's own].",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    quarantine: Annotated[
        bool,
        typer.Option(
            "--quarantine",
            help="Keep rows that cannot be read, or that a function fails on, in a file beside the results, and go on.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", help="Replace the results of an earlier run.", rich_help_panel=options.OUTPUT),
    ] = False,
    telemetry: options.TelemetryOption = None,
    log_json: options.LogJsonOption = False,
    as_json: options.AsJsonOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Find what is wrong with DATA, promote functions that correct it, apply them, and report."""
    from orchestrator import bootstrap
    from orchestrator.core.candidate import Shape
    from orchestrator.data.arrow_without_pandas import defer_pandas
    from orchestrator.data.user_files.policy_file import read_policy

    defer_pandas()
    kind = Shape(shape)
    rules = read_policy(policy, strict=strict)

    def check() -> "tuple[RunRequest, ModelChoice, OpenedRun]":
        """The request, the model and the files, which are read while the containers start."""
        from orchestrator import model_choice
        from orchestrator.data.data_address import location
        from orchestrator.data.user_files.conventions_file import read_conventions
        from orchestrator.data.user_files.policy_file import check_rules
        from orchestrator.propose.llm.budget import BudgetLimits
        from orchestrator.run.loop.stopping import RunLimits
        from orchestrator.run.request import RunRequest

        request = RunRequest(
            data=location(data),
            encoding=encoding,
            delimiter=delimiter,
            format=data_format,
            sheet=sheet,
            array=array,
            parser=parser,
            quarantine=quarantine,
            out=out,
            registry=registry,
            overwrite=overwrite,
            instruction=instruction_text(instruction),
            shape=kind,
            conventions=read_conventions(conventions) if conventions else None,
            examples=examples,
            chunk_rows=chunk_rows,
            max_chunks=max_chunks,
            sampling=sampling,
            seed=seed,
            limits=RunLimits(
                max_iterations=max_iterations,
                max_repairs=max_repairs,
                max_rejected=max_rejected,
                lanes=lanes,
                plan_every=plan_every,
            ),
            on_hold=on_hold,
        )
        choice = model_choice.ModelChoice(
            model=model,
            api_base=api_base,
            keyless=address_was_found(ctx),
            found_model=model_was_found(ctx),
            api_key_env=api_key_env,
            protocol=protocol,
            timeout_s=timeout,
            patience_s=patience,
            budget=BudgetLimits(
                max_calls=max_calls, max_tokens=max_tokens, max_cost_usd=max_cost, max_seconds=max_seconds
            ),
            privacy=privacy,
            header=header,
            tester=tester_model,
            planner=planner_model,
            explorer=explorer_model,
            probes=explore,
            record=record,
        )
        model_choice.check_shape(choice, request.shape)
        opened = request.check(opener_of(parser, rules))
        if not log_json:
            say_reading(opened.dataset)
            say_header(opened.dataset, header)
        check_rules(rules, opened.dataset.columns)
        model_choice.check_header(choice, opened.dataset)
        check_signing_key()
        return request, choice, opened

    with bootstrap.sandboxed_while(check, rules, light=kind.by_row) as (services, (request, choice, opened)):
        from orchestrator.cli.interrupts import heed_interrupts
        from orchestrator.cli.telemetry_options import log_steps, telemetry_of
        from orchestrator.cli.views.live import LiveProgress
        from orchestrator.run.events import Callbacks
        from orchestrator.run.loop.job import CleaningJob

        callbacks = Callbacks()
        progress = LiveProgress()
        if log_json:
            log_steps(callbacks)
        else:
            progress.register(callbacks)
        heed_interrupts(callbacks)
        with telemetry_of(callbacks, telemetry), nullcontext() if log_json else progress:
            data_sha256 = opened.dataset.sha256
            proposer = bootstrap.proposer(
                choice, rules, data_sha256=data_sha256, services=services, on_progress=progress.writing
            )
            model_dump = choice.settled().model_dump(mode="json")
            summary = CleaningJob(request, opened, services, proposer, callbacks, model=model_dump).run()
    show_summary(summary, as_json=as_json)


def show_summary(summary: "RunSummary", *, as_json: bool) -> None:
    """Print how a run ended. Raises BudgetExceeded when that was too early."""
    if as_json:
        echo_json(summary)
    else:
        _show(summary)
    if summary.status == "budget":
        folder = quote(str(Path(summary.files["steps"]).parent))
        count = len(summary.promoted)
        from orchestrator.cli.views.figures import limit_option

        kept = f"{counted(count, 'promoted function')}, which {plural(count, 'was', 'were')} applied"
        raise BudgetExceeded(
            f"The budget was used up after {kept}. {summary.reason}".strip(),
            advice=f"Go on with a higher limit: `cleanroom runs resume {folder} {limit_option(summary.reason)} N`.",
        )


def instruction_text(text: str) -> str:
    """The words themselves, or those of the file that `@FILE` names. Raises UsageError."""
    if not text.startswith("@"):
        if not _is_unicode(text):
            raise UsageError(
                "The instruction holds bytes that are no text.", advice="Write it to a UTF-8 file and give @FILE."
            )
        return text
    path = Path(text[1:])
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The instruction cannot be read from {path}.", advice="Name a UTF-8 text file.") from error


def _is_unicode(text: str) -> bool:
    """False where the command line was not valid UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _show_held(summary: "RunSummary") -> None:
    """What waits for a person, each with its first concern, and what was applied in spite of concerns."""
    from rich.markup import escape

    from orchestrator.cli.console import plain, stdout

    for kept, what in ((summary.held, "held, not applied"), (summary.accepted, "applied in spite of concerns")):
        for function in kept:
            stdout().print(f"[magenta]{what}:[/] [bold]{escape(plain(function.name))}[/]")
            for concern in function.concerns:
                stdout().print(f"  [magenta]{escape(plain(concern.kind))}[/] {escape(plain(concern.detail))}")
                shown = concern.counterexample
                if shown is not None and shown.input and shown.output:
                    rows = (shown.input[0], shown.output[0])
                    before, after = ({name: row.get(name) for name in concern.columns} for row in rows)
                    stdout().print(f"    [dim]{escape(plain(f'{before} → {after}'))}[/]")
                stdout().print(f"    [dim]to settle it: {escape(plain(concern.settles))}[/]")
    if summary.held:
        folder, registry = Path(summary.files["steps"]).parent, summary.files["registry"]
        shared = "" if registry == str(folder / "registry") else f" --registry {quote(registry)}"
        told = escape(plain(f"cleanroom review {quote(str(folder))}{shared}"))
        stdout().print(f"Decide on what is held: [bold]{told}[/]", soft_wrap=True)


def _show(summary: "RunSummary") -> None:
    from rich.markup import escape

    from orchestrator.cli.console import plain, show_weakened, stdout
    from orchestrator.cli.views.figures import usage_text

    console = stdout()
    cells = sum(summary.changed.values())
    functions, columns = len(summary.promoted), len(summary.changed)
    console.print(
        f"[bold]{functions}[/] {plural(functions, 'function')} promoted, {summary.rejected} given up; "
        f"[bold]{cells:,}[/] {plural(cells, 'cell')} changed in {columns} {plural(columns, 'column')} "
        f"[dim]({summary.status.shown}, {summary.seconds:.1f} s)[/]"
    )
    _show_held(summary)
    for role, usage in summary.roles.items():
        console.print(f"  [dim]{role:<20} {usage_text(usage)}[/]")
    if summary.status == "limit":
        option = re.search(r"--max-[a-z]+", summary.reason)
        raised = f"`cleanroom runs resume {option[0]} N`" if option else "`cleanroom runs resume` and a higher budget"
        console.print(f"[yellow]limit:[/] {escape(plain(summary.reason))}; go on with {raised}")
    for one in summary.left[:5]:
        held = f", {one.holdout:,} held back" if one.holdout else ""
        told = f"{counted(one.rows + one.holdout, 'row')}{held}, of the form {one.form!r} in {one.column}"
        console.print(f"  [dim]left:[/] {escape(plain(told))}")
    for note in summary.notes:
        console.print(f"[yellow]note:[/] {escape(plain(note))}")
    show_weakened(summary.weakened)
    for label, path in summary.files.items():
        console.print(f"  {label:<20} {escape(plain(path))}")
