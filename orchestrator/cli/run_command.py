"""`cleanroom run`: the main job, with live progress and a summary that says where to look."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.console import say_header, say_reading
from orchestrator.cli.defaults import ConfigFile, address_was_found, model_was_found
from orchestrator.cli.parser_option import Parser, opener_of
from orchestrator.cli.signing_key import check_signing_key
from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from orchestrator.model_choice import ModelChoice
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
        model_choice.check_header(choice, opened.dataset, request.shape)
        check_signing_key()
        say_unwritten(record is not None and choice.is_named)
        return request, choice, opened

    with bootstrap.sandboxed_while(check, rules, light=kind.by_row) as (services, (request, choice, opened)):
        from orchestrator.cli.interrupts import heed_interrupts
        from orchestrator.cli.telemetry_options import log_steps, telemetry_of
        from orchestrator.cli.views.live import LiveProgress
        from orchestrator.cli.views.run_summary_view import show_run
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
    show_run(summary, as_json=as_json)


def instruction_text(text: str) -> str:
    """The words themselves, or those of the file that `@FILE` names. Raises UsageError."""
    if not text.startswith("@"):
        from orchestrator.core.candidate import is_unicode

        if not is_unicode(text):
            raise UsageError(
                "The instruction holds bytes that are no text.", advice="Write it to a UTF-8 file and give @FILE."
            )
        return text
    path = Path(text[1:])
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The instruction cannot be read from {path}.", advice="Name a UTF-8 text file.") from error


def say_unwritten(record: bool) -> None:
    """What a later command will miss. `record`: whether a recording of models is asked for, and none is asked."""
    from orchestrator.cli.console import say_plain
    from orchestrator.data.machine_key import missing_key

    reason = missing_key()
    missed = f"this run cannot be resumed if it is killed, for {reason}" if reason else ""
    for told in (missed, "nothing is recorded: no model is asked" if record else ""):
        if told:
            say_plain(f"note: {told}")
