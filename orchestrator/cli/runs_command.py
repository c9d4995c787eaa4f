"""`cleanroom runs`: what earlier runs did, from their journals, and how the interrupted ones go on."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options, resume_options
from orchestrator.cli.console import echo_json
from orchestrator.cli.defaults import ConfigFile, address_was_found, found_options, typed_options
from orchestrator.cli.parser_option import opener_of
from orchestrator.cli.signing_key import check_signing_key
from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from orchestrator.cli.views.live import LiveProgress
    from orchestrator.core.policy import Policy
    from orchestrator.core.ports import Proposer
    from orchestrator.core.steps import AnyStep
    from orchestrator.model_choice import ModelChoice
    from orchestrator.run.journal.resume import PastRun
    from orchestrator.run.services import Services


RunArgument = Annotated[
    str, typer.Argument(help="The --out folder of a run, or the beginning of its id.", show_default=False)
]

_ONE_LINE = 1_000  # characters: what reads a pipe wants each run in one line

app = typer.Typer(help="Look at earlier runs; go on with interrupted ones.", no_args_is_help=True)


@app.command("list")
def list_runs(
    place: Annotated[Path, typer.Argument(help="Look for runs in this folder and the folders in it.")] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per run.")] = False,
) -> None:
    """The runs below a folder, with how they ended and what they cost."""
    from rich.markup import escape
    from rich.table import Table

    from orchestrator.cli.console import plain
    from orchestrator.cli.views.figures import usage_text
    from orchestrator.core.steps.run_steps import shown_status
    from orchestrator.run.journal.listing import runs_below

    if not place.is_dir():
        raise UsageError(f"There is no folder {place}.", advice="Name the folder above those of the runs.")
    table = Table("run", "data", "rows", "proposer", "promoted", "cost", "status", "folder", box=None, pad_edge=False)
    for run in runs_below(place, _say_left_out):
        if as_json:
            echo_json(run)
            continue
        status = f"{shown_status(run.status)} (resumable)" if run.resumable else shown_status(run.status)
        cost = usage_text(run.usage)
        what = (run.run_id, run.data, f"{run.rows:,}", run.proposer, str(run.promoted), cost, status, run.folder)
        table.add_row(*(escape(plain(cell)) for cell in what))
    if not as_json:
        _wide().print(table)


@app.command("show")
def show(
    run: RunArgument,
    as_json: Annotated[bool, typer.Option("--json", help="Print the steps as they are in the journal.")] = False,
) -> None:
    """One run as a tree: chunks, candidates, checks."""
    from orchestrator.cli.views.run_tree import run_tree

    steps = _steps_of(run)
    if as_json:
        for step in steps:
            echo_json(step)
        return
    _wide().print(run_tree(steps))


@app.command("replay")
def replay(
    run: RunArgument,
    speed: Annotated[
        float, typer.Option("--speed", min=0.0, help="So many times as fast as it was; 0: without pauses.")
    ] = 10.0,
) -> None:
    """Watch a run again, from its journal: nothing is asked, executed or changed."""
    from orchestrator.cli.views.live import LiveProgress
    from orchestrator.cli.views.run_tree import run_tree
    from orchestrator.run.events import Callbacks
    from orchestrator.run.journal.replay import replay as play

    steps = _steps_of(run)
    callbacks = Callbacks()
    progress = LiveProgress()
    progress.register(callbacks)
    with progress:
        play(steps, callbacks.emit, speed=speed)
    _wide().print(run_tree(steps))


@app.command("resume")
def resume(
    ctx: typer.Context,
    run: RunArgument,
    data: Annotated[
        str | None,
        typer.Option(
            "--data", help="The data, for a run that was not recorded on this machine: everything is judged again."
        ),
    ] = None,
    examples: Annotated[Path | None, typer.Option("--examples", help="With --data: your examples.")] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="With --data: YAML file with the policy.")] = None,
    strict: options.StrictOption = False,
    registry: Annotated[
        str | None, typer.Option("--registry", help="For a run with --registry: that registry, named again.")
    ] = None,
    api_base: Annotated[
        str | None,
        typer.Option(
            "--api-base",
            envvar="CLEANROOM_API_BASE",
            show_envvar=False,
            help="The model's address, if it has moved.",
            rich_help_panel=options.MODEL,
        ),
    ] = None,
    api_key_env: options.ApiKeyEnvOption = None,
    timeout: resume_options.NewTimeoutOption = None,
    patience: resume_options.NewPatienceOption = None,
    max_iterations: resume_options.RaiseIterationsOption = None,
    max_rejected: resume_options.RaiseRejectedOption = None,
    max_calls: options.MaxCallsOption = None,
    max_tokens: options.MaxTokensOption = None,
    max_cost: options.MaxCostOption = None,
    max_seconds: options.MaxSecondsOption = None,
    quarantine: Annotated[
        bool,
        typer.Option(
            "--quarantine",
            help="Keep rows that a function fails on in a file beside the results, and go on.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    as_json: options.AsJsonOption = False,
    telemetry: options.TelemetryOption = None,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Go on, where it stood, with a run that was interrupted or killed or that reached a limit; what it used counts."""
    from orchestrator import bootstrap, model_choice
    from orchestrator.cli.interrupts import heed_interrupts
    from orchestrator.cli.telemetry_options import telemetry_of
    from orchestrator.cli.views.live import LiveProgress
    from orchestrator.cli.views.run_summary_view import show_run
    from orchestrator.data.arrow_without_pandas import defer_pandas

    defer_pandas()

    from orchestrator.data.user_files.policy_file import check_rules, read_policy
    from orchestrator.propose.llm.budget import BudgetLimits
    from orchestrator.run.events import Callbacks
    from orchestrator.run.journal.listing import find_run
    from orchestrator.run.journal.resume import read_past
    from orchestrator.run.loop.job import CleaningJob

    past = read_past(find_run(run))
    if past.finished:
        _say_finished(past)
        return
    anew = data is not None and not past.authentic
    limits = BudgetLimits(max_calls=max_calls, max_tokens=max_tokens, max_cost_usd=max_cost, max_seconds=max_seconds)
    raised = {"max_iterations": max_iterations, "max_rejected": max_rejected}
    waits = {"timeout": timeout, "patience": patience}
    if data is None or past.authentic:  # it goes on as it was begun, whatever the file and the environment say today
        typed = typed_options(ctx)
        _refuse_other_data(data, examples, policy if "policy" in typed else None)
        _say_unused(found_options(ctx, {*raised, *waits, *BudgetLimits.model_fields, "max_cost", "policy", "api_base"}))
        request = past.request(registry, resume_options.given(raised, typed), quarantine=quarantine)
        rules = past.policy.model_copy(update={"strict": True}) if strict else past.policy
        opened = past.open(opener_of(past.parser, rules))
        limits = limits.model_copy(update=resume_options.untyped(BudgetLimits.model_fields, typed))
        api_base = api_base if "api_base" in typed else None
        choice = model_choice.recorded_choice(past, api_base=api_base, budget=limits)
    else:
        request = past.anew(data, examples, registry, resume_options.given(raised), quarantine=quarantine)
        rules = read_policy(policy, strict=strict)
        opened = request.check()
        check_rules(rules, opened.dataset.columns)
        choice = model_choice.unrecorded_choice(past, api_base=api_base, keyless=address_was_found(ctx), budget=limits)
    choice = choice.waiting(**resume_options.given(waits, None if anew else typed_options(ctx))).with_key(api_key_env)
    callbacks = Callbacks()
    progress = LiveProgress(None if anew else past)
    progress.register(callbacks)
    heed_interrupts(callbacks)
    _say_how(past, anew=anew)
    check_signing_key()
    with (
        bootstrap.sandboxed(rules, light=request.shape.by_row) as services,
        progress,
        telemetry_of(callbacks, telemetry),
    ):
        proposer = _proposer(past, choice, rules, services, progress, data_sha256=opened.dataset.sha256, anew=anew)
        model = choice.settled().model_dump(mode="json")
        summary = CleaningJob(
            request, opened, services, proposer, callbacks, past=None if anew else past, model=model
        ).run()
    show_run(summary, as_json=as_json)


def _steps_of(run: str) -> "list[AnyStep]":
    """The steps of a run; with a note where somebody else may have written them. Raises UsageError."""
    from orchestrator.cli.console import say_plain
    from orchestrator.run.journal.journal import read_checked, unproved
    from orchestrator.run.journal.listing import find_run
    from orchestrator.run.outputs import JOURNAL

    path = find_run(run) / JOURNAL
    steps, authentic = read_checked(path)
    if not authentic:
        say_plain(f"note: {unproved(path)}: what it says is not proved")
    return list(steps)


def _say_left_out(folder: Path, error: UsageError) -> None:
    from orchestrator.cli.console import plain, stderr

    said = f"{error.message} {error.advice}".strip()
    stderr().print(plain(f"note: the run in {folder} is left out: {said}"), markup=False, soft_wrap=True)


def _say_unused(names: list[str]) -> None:
    from orchestrator.cli.console import plain, stderr

    if names:
        said = f"note: a run goes on as it was begun: {', '.join(names)} of the file are not used; give them as options"
        stderr().print(plain(said), markup=False, soft_wrap=True)


def _proposer(
    past: "PastRun",
    choice: "ModelChoice",
    rules: "Policy",
    services: "Services",
    progress: "LiveProgress",
    *,
    data_sha256: str,
    anew: bool,
) -> "Proposer":
    """What proposes from now on: for a run that is begun anew it must be of the same kind."""
    from orchestrator import bootstrap

    if not anew:
        return bootstrap.proposer_again(past, choice, services, on_progress=progress.writing)
    proposer = bootstrap.proposer(
        choice, rules, data_sha256=data_sha256, services=services, on_progress=progress.writing
    )
    past.check_proposer(proposer.name)
    return proposer


def _say_finished(past: "PastRun") -> None:
    """Write the report again, which may be what was missing."""
    from orchestrator.cli.console import stderr

    past.report()
    stderr().print(f"The run has ended ({past.end.status.shown if past.end else ''}): there is nothing to go on with.")


def _refuse_other_data(data: str | None, examples: Path | None, policy: Path | None) -> None:
    if data or examples or policy:
        raise UsageError("--data, --examples and --policy are for a run that was not recorded on this machine.")


def _say_how(past: "PastRun", *, anew: bool) -> None:
    from orchestrator.cli.console import plain, stderr

    done = f"going on after {len(past.steps):,} steps"
    if anew:
        done = "its journal was not written here: everything is judged again"
    stderr().print(f"run {plain(past.opening.run_id)}: {done}", markup=False)


def _wide() -> "Console":
    """Standard output, without a limit to its lines where nobody looks at them."""
    from orchestrator.cli.console import stdout

    console = stdout()
    if not console.is_terminal:
        console.width = _ONE_LINE
    return console
