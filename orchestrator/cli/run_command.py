"""`cleanroom run`: the main job, with live progress and a summary that says where to look."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from orchestrator.cli.console import echo_json
from orchestrator.core.errors import BudgetExceeded, UsageError

if TYPE_CHECKING:
    from orchestrator.run.loop.job import RunSummary


def run(
    data: Annotated[Path, typer.Argument(help="The messy file: CSV, TSV, JSONL or Parquet.", show_default=False)],
    instruction: Annotated[
        str, typer.Option("--instruction", "-i", help="What to clean, in words; @FILE reads it from a file.")
    ] = "",
    shape: Annotated[
        Literal["table", "record", "text"],
        typer.Option("--shape", help="What the functions take: a DataFrame, one record (a dict), or one text."),
    ] = "table",
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            help="builtin, replay:FILE, or a LiteLLM model such as openai/gpt-4o [default: $CLEANROOM_MODEL, builtin].",
        ),
    ] = None,
    tester_model: Annotated[
        str | None, typer.Option("--tester-model", help="A model that writes tests without seeing the code.")
    ] = None,
    planner_model: Annotated[
        str | None, typer.Option("--planner-model", help="A model that merges functions that overlap.")
    ] = None,
    explorer_model: Annotated[
        str | None, typer.Option("--explorer-model", help="A model for --explore [default: --model].")
    ] = None,
    explore: Annotated[
        int, typer.Option("--explore", min=0, max=20, help="Probes into the rows of a chunk before proposing.")
    ] = 0,
    privacy: Annotated[
        Literal["raw", "masked", "profile"], typer.Option("--privacy", help="What models may see of the data.")
    ] = "raw",
    record: Annotated[Path | None, typer.Option("--record", help="Write all exchanges with models to a file.")] = None,
    api_base: Annotated[str | None, typer.Option("--api-base", help="Address of an OpenAI-compatible server.")] = None,
    protocol: Annotated[
        Literal["auto", "xml", "structured"], typer.Option("--protocol", help="How the model is asked to answer.")
    ] = "auto",
    timeout: Annotated[
        float, typer.Option("--timeout", min=1.0, max=86_400.0, help="Seconds to wait for one answer.")
    ] = 120.0,
    patience: Annotated[
        float,
        typer.Option(
            "--patience", min=0.0, max=86_400.0, help="Seconds to try again while the model is not to be had."
        ),
    ] = 180.0,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the results [default: <name>-cleaned].")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the results of an earlier run.")] = False,
    chunk_rows: Annotated[int, typer.Option("--chunk-rows", min=10, help="Rows per chunk.")] = 4000,
    max_chunks: Annotated[int, typer.Option("--max-chunks", min=1, help="Look at this many chunks at most.")] = 8,
    sampling: Annotated[
        str, typer.Option("--sampling", help="How chunks are drawn: sequential, random or diverse.")
    ] = "random",
    max_iterations: Annotated[int, typer.Option("--max-iterations", min=1, help="Proposals per chunk.")] = 60,
    max_repairs: Annotated[int, typer.Option("--max-repairs", min=0, help="Repairs per candidate.")] = 2,
    lanes: Annotated[int, typer.Option("--lanes", min=1, max=64, help="Questions to the model at once.")] = 1,
    plan_every: Annotated[
        int,
        typer.Option(
            "--plan-every", min=0, help="Look for functions to merge after so many chunks, and at the end; 0: never."
        ),
    ] = 4,
    max_calls: Annotated[int | None, typer.Option("--max-calls", min=1, help="Budget: model calls.")] = None,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", min=1, help="Budget: tokens.")] = None,
    max_cost: Annotated[float | None, typer.Option("--max-cost", min=0.0, max=1e9, help="Budget: US dollars.")] = None,
    max_seconds: Annotated[
        float | None, typer.Option("--max-seconds", min=1.0, max=1e9, help="Budget: seconds of the whole run.")
    ] = None,
    examples: Annotated[
        Path | None, typer.Option("--examples", help='JSON or JSONL of {"input": row, "output": row}.')
    ] = None,
    conventions: Annotated[
        Path | None, typer.Option("--conventions", help="YAML file: case, dates, null words, values … per column.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed for sampling and for the holdout.")] = 0,
    policy: Annotated[Path | None, typer.Option("--policy", help="YAML file with limits and thresholds.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse to run where any layer of the sandbox is missing.")
    ] = (False),
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as one JSON object.")] = False,
) -> None:
    """Find what is wrong with DATA, prove functions that mend it, apply them, and report."""
    from orchestrator import bootstrap
    from orchestrator.cli.interrupts import heed_interrupts
    from orchestrator.cli.live import LiveProgress
    from orchestrator.core.candidate import Shape
    from orchestrator.data.arrow_without_pandas import defer_pandas

    defer_pandas()

    from orchestrator.data.conventions_file import read_conventions
    from orchestrator.data.policy_file import check_rules, read_policy
    from orchestrator.propose.llm.budget import BudgetLimits
    from orchestrator.run.events import Callbacks
    from orchestrator.run.loop.job import CleaningJob
    from orchestrator.run.loop.stopping import RunLimits
    from orchestrator.run.request import RunRequest

    request = RunRequest(
        data=data,
        out=out,
        overwrite=overwrite,
        instruction=instruction_text(instruction),
        shape=Shape(shape),
        conventions=read_conventions(conventions) if conventions else None,
        examples=examples,
        chunk_rows=chunk_rows,
        max_chunks=max_chunks,
        sampling=sampling,
        seed=seed,
        limits=RunLimits(max_iterations=max_iterations, max_repairs=max_repairs, lanes=lanes, plan_every=plan_every),
    )
    choice = bootstrap.ModelChoice(
        model=model,
        api_base=api_base,
        protocol=protocol,
        timeout_s=timeout,
        patience_s=patience,
        budget=BudgetLimits(max_calls=max_calls, max_tokens=max_tokens, max_cost_usd=max_cost, max_seconds=max_seconds),
        privacy=privacy,
        tester=tester_model,
        planner=planner_model,
        explorer=explorer_model,
        probes=explore,
        record=record,
    )
    callbacks = Callbacks()
    progress = LiveProgress()
    progress.register(callbacks)
    heed_interrupts(callbacks)
    bootstrap.check_shape(choice, request.shape)
    opened = request.check()
    rules = read_policy(policy, strict=strict)
    check_rules(rules, opened.dataset.columns)
    with bootstrap.sandboxed(rules, light=request.shape.by_row) as parts, progress:
        data_sha256 = opened.dataset.sha256
        proposer = bootstrap.proposer(choice, rules, data_sha256=data_sha256, parts=parts, on_progress=progress.writing)
        model_dump = choice.settled().model_dump(mode="json")
        summary = CleaningJob(request, opened, parts, proposer, callbacks, model=model_dump).run()
    show_summary(summary, as_json=as_json)


def show_summary(summary: "RunSummary", *, as_json: bool) -> None:
    """Print how a run ended. Raises BudgetExceeded when that was too early."""
    if as_json:
        echo_json(summary)
    else:
        _show(summary)
    if summary.status == "budget":
        folder = Path(summary.files["steps"]).parent
        kept = f"{len(summary.promoted)} promoted functions, which were applied"
        raise BudgetExceeded(
            f"The budget was used up after {kept}. {summary.reason}".strip(),
            advice=f"Go on with a higher limit: `cleanroom runs resume {folder} --max-calls N` (or --max-tokens …).",
        )


def instruction_text(text: str) -> str:
    """The words themselves, or those of the file that `@FILE` names. Raises UsageError."""
    if not text.startswith("@"):
        if not _is_unicode(text):
            raise UsageError("The instruction holds bytes that are no text.", advice="Give it as UTF-8.")
        return text
    path = Path(text[1:])
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The instruction cannot be read from {path}.", advice="Name a UTF-8 text file.") from error


def _is_unicode(text: str) -> bool:
    """False where the command line held bytes that are no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _show(summary: "RunSummary") -> None:
    from rich.markup import escape

    from orchestrator.cli.console import plain, stdout
    from orchestrator.cli.figures import usage_text

    console = stdout()
    cells = sum(summary.changed.values())
    console.print(
        f"[bold]{len(summary.promoted)}[/] functions promoted, {summary.rejected} given up; "
        f"[bold]{cells:,}[/] cells changed in {len(summary.changed)} columns "
        f"[dim]({summary.status}, {summary.seconds:.1f} s)[/]"
    )
    for role, usage in summary.roles.items():
        console.print(f"  [dim]{role:<20} {usage_text(usage)}[/]")
    for note in summary.notes:
        console.print(f"[yellow]note:[/] {escape(plain(note))}")
    for label, path in summary.files.items():
        console.print(f"  {label:<20} {escape(plain(path))}")
