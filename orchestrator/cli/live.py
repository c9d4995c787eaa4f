"""What a person sees while a run goes on: judged candidates as lines, the present one below with its checks.

A callback of the run. On a terminal the last lines are redrawn in place; anywhere else there are only plain lines.
"""

from time import perf_counter
from typing import TYPE_CHECKING, Self

from rich.live import Live
from rich.markup import escape
from rich.text import Text

from orchestrator.cli.console import plain, stderr
from orchestrator.core.steps import (
    AnalysisStep,
    ApplyStep,
    CandidateStep,
    ChunkStep,
    PromotionStep,
    RepairStep,
    RunStep,
    VerificationStep,
)
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.run.applying import ApplyProgress

if TYPE_CHECKING:
    from collections.abc import Callable

    from orchestrator.run.callbacks import Callbacks

_MARK = {
    Outcome.PASS: "[green]✓[/]",
    Outcome.FAIL: "[red]✗[/]",
    Outcome.SKIP: "[dim]·[/]",
    Outcome.INFRA: "[yellow]![/]",
}


class LiveProgress:
    """Use as a context manager around the run; `register` connects it to the run's callbacks."""

    def __init__(self) -> None:
        self._console = stderr()
        self._start = perf_counter()
        self._where = "starting"
        self._candidate = ""
        self._written = 0
        self._checks: list[CheckResult] = []
        self._live = Live(console=self._console, refresh_per_second=8, transient=True, get_renderable=self._now)

    def register(self, callbacks: "Callbacks") -> None:
        callbacks.register(RunStep, self._run)
        callbacks.register(ChunkStep, self._chunk)
        callbacks.register(AnalysisStep, self._analysis)
        callbacks.register(CandidateStep, self._proposed)
        callbacks.register(CheckResult, self._checks.append)
        callbacks.register(VerificationStep, self._judged)
        callbacks.register(RepairStep, self._repair)
        callbacks.register(PromotionStep, self._promoted)
        callbacks.register(ApplyProgress, self._applying)
        callbacks.register(ApplyStep, self._applied)

    @property
    def writing(self) -> "Callable[[int], None] | None":
        """What is to be told how many characters of an answer are there; None where nobody would see it."""
        return self._write if self._console.is_terminal else None

    def _write(self, chars: int) -> None:
        self._written = chars

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def _now(self) -> Text:
        text = Text.from_markup(f"[cyan]{perf_counter() - self._start:5.1f} s[/]  {self._where}")
        if self._written:
            text.append(f"; the model has written {self._written:,} characters", "dim")
        if self._candidate:
            marks = " ".join(f"{_MARK[c.outcome]}[dim]{c.id}[/]" for c in self._checks)
            text.append("\n")
            text.append_text(Text.from_markup(f"         [bold]{escape(self._candidate)}[/] {marks}"))
        return text

    def _say(self, markup: str) -> None:
        self._console.print(markup)

    def _run(self, step: RunStep) -> None:
        self._say(
            f"[bold]{escape(plain(step.data))}[/]: {step.rows:,} rows, {len(step.columns)} columns; "
            f"proposer {escape(plain(step.proposer))}"
        )

    def _chunk(self, step: ChunkStep) -> None:
        self._where = f"chunk {step.chunk + 1}"
        self._say(f"chunk {step.chunk + 1}: {step.rows:,} rows, {step.holdout:,} of them held back from the proposer")

    def _analysis(self, step: AnalysisStep) -> None:
        self._written = 0
        self._where = f"chunk {step.chunk + 1} · iteration {step.iteration}"
        if step.error:
            self._say(f"  [yellow]the reply could not be read:[/] {escape(plain(step.error))}")
        elif not step.proposed:
            word = "nothing left to propose" if step.chunk_status == "clean" else "the proposer gave up"
            self._say(f"  {word}")

    def _proposed(self, step: CandidateStep) -> None:
        self._candidate = plain(step.name)
        self._checks.clear()

    def _judged(self, step: VerificationStep) -> None:
        counts = {o: sum(c.outcome is o for c in step.verdict.checks) for o in Outcome}
        line = f"  {_MARK[step.verdict.verdict]} [bold]{escape(plain(step.verdict.candidate.name))}[/]"
        if step.verdict.passed:
            line += f"  {counts[Outcome.PASS]} checks passed, {counts[Outcome.SKIP]} not needed"
        for failed in step.failures[:1]:
            line += f"  [red]{failed.id}[/]: {escape(plain(failed.detail))[:300]}"
        self._say(f"{line}  [dim]{step.seconds:.2f} s[/]")
        self._candidate = ""

    def _repair(self, step: RepairStep) -> None:
        self._written = 0
        if step.error:
            self._say(f"    [yellow]the repair could not be read:[/] {escape(plain(step.error))}")
        elif not step.proposed:
            self._say("    given up")

    def _promoted(self, step: PromotionStep) -> None:
        self._where = f"promoted {escape(plain(step.name))}"

    def _applying(self, progress: ApplyProgress) -> None:
        self._where = f"applying to the whole data set: {progress.rows:,} rows"

    def _applied(self, step: ApplyStep) -> None:
        cells = sum(c.changed for c in step.columns)
        self._say(f"applied to {step.rows_in:,} rows: {cells:,} cells changed  [dim]{step.seconds:.2f} s[/]")
