"""What a person sees while a run goes on: judged candidates as lines; below, those at work, and what was spent.

With several lanes each line names its chunk, and the checks of the candidates at work are not shown. A callback of the
run. On a terminal the last lines are redrawn in place; anywhere else there are only plain lines, one a minute at least.
"""

from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Self

from rich.live import Live
from rich.markup import escape
from rich.text import Text

from orchestrator.cli.console import plain, stderr
from orchestrator.cli.views.earlier_verdicts import EarlierVerdicts
from orchestrator.cli.views.figures import budget_text, usage_text
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.steps import (
    AnalysisStep,
    ApplyStep,
    CandidateStep,
    ChunkEndStep,
    ChunkStep,
    MergerStep,
    PlanningStep,
    PromotionStep,
    RepairStep,
    RunStep,
    Step,
    VerificationStep,
)
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.core.wording import blanks_left, counted
from orchestrator.run.apply.step import ApplyProgress

if TYPE_CHECKING:
    from collections.abc import Callable

    from orchestrator.run.events import Callbacks
    from orchestrator.run.journal.resume import PastRun

_MARK = {
    Outcome.PASS: "[green]✓[/]",
    Outcome.HOLD: "[magenta]?[/]",
    Outcome.FAIL: "[red]✗[/]",
    Outcome.SKIP: "[dim]·[/]",
    Outcome.INFRA: "[yellow]![/]",
}


SILENCE = 60.0
"""Seconds without a line, where there is no terminal, after which one says what the run is doing."""


class LiveProgress:
    """Use as a context manager around the run; `register` connects it to the run's callbacks."""

    def __init__(self, past: "PastRun | None" = None) -> None:
        self._console = stderr()
        self._start = perf_counter()
        self._where = "starting"
        self._usage = past.used if past else TokenUsage()
        self._configuration = past.configuration if past else {}
        self._candidates: dict[int, str] = {}  # at work, by chunk
        self._nothing_left: set[int] = set()  # chunks of which that was said; a model is asked once more
        self._earlier = EarlierVerdicts()
        for step in past.steps if past else ():
            self._earlier.take(step)
        self._written = 0
        self._said = perf_counter()  # when the last line was written
        self._over = Event()
        self._checks: list[CheckResult] = []
        self._live = Live(console=self._console, refresh_per_second=8, transient=True, get_renderable=self._now)

    def register(self, callbacks: "Callbacks") -> None:
        callbacks.register(Step, self._count)
        callbacks.register(RunStep, self._run)
        callbacks.register(ChunkStep, self._chunk)
        callbacks.register(AnalysisStep, self._analysis)
        callbacks.register(CandidateStep, self._proposed)
        callbacks.register(CheckResult, self._checks.append)
        callbacks.register(VerificationStep, self._judged)
        callbacks.register(RepairStep, self._repair)
        callbacks.register(PromotionStep, self._promoted)
        callbacks.register(PlanningStep, self._planned)
        callbacks.register(MergerStep, self._merger)
        callbacks.register(ChunkEndStep, self._chunk_end)
        callbacks.register(ApplyProgress, self._applying)
        callbacks.register(ApplyStep, self._applied)
        callbacks.register(Step, self._earlier.take)  # after what is shown of the step

    @property
    def writing(self) -> "Callable[[int], None] | None":
        """What is to be told how many characters of an answer are there; None where nobody would see it."""
        return self._write if self._console.is_terminal else None

    def _write(self, chars: int) -> None:
        self._written = chars

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        else:
            Thread(target=self._break_silence, name="progress", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._live.stop()

    def _break_silence(self) -> None:
        while not self._over.wait(max(self._said + SILENCE - perf_counter(), SILENCE / 60)):
            if perf_counter() - self._said >= SILENCE:
                judged = "; ".join(f"{escape(name)} is judged" for name in [*self._candidates.values()])
                self._say(f"  [dim]at work for {perf_counter() - self._start:.0f} s: {judged or self._where}[/]")

    def _now(self) -> Text:
        text = Text.from_markup(f"[cyan]{perf_counter() - self._start:5.1f} s[/]  {self._where}")
        if self._written:
            text.append(f"; the model has written {self._written:,} characters", "dim")
        if self._usage.calls:
            spent = usage_text(self._usage) + budget_text(self._configuration)
            text.append(f"  {spent}", "dim")
        for chunk, name in sorted(self._candidates.items()):
            shown = (f"{_MARK[check.outcome]}[dim]{escape(plain(check.id))}[/]" for check in self._checks)
            marks = "is judged" if self._lanes else " ".join(shown)
            text.append_text(Text.from_markup(f"\n         {self._of(chunk)}[bold]{escape(name)}[/] {marks}"))
        return text

    @property
    def _lanes(self) -> bool:
        limits = self._configuration.get("limits")
        return isinstance(limits, dict) and limits.get("lanes", 1) > 1

    def _of(self, chunk: int) -> str:
        return f"[dim]chunk {chunk + 1}:[/] " if self._lanes else ""

    def _count(self, step: Step) -> None:
        self._usage = self._usage + step.usage

    def _say(self, markup: str) -> None:
        self._said = perf_counter()
        self._console.print(markup)

    def _run(self, step: RunStep) -> None:
        self._configuration = step.configuration
        self._say(
            f"[bold]{escape(plain(step.data))}[/]: {counted(step.rows, 'row')}, "
            f"{counted(len(step.columns), 'column')}; proposer {escape(plain(step.proposer))}"
        )

    def _chunk(self, step: ChunkStep) -> None:
        self._where = f"chunk {step.chunk + 1}, the proposer looks at it"
        rows = f"{counted(step.rows, 'row')}, {step.holdout:,} of them held back from the proposer"
        self._say(f"chunk {step.chunk + 1}: {rows}")

    def _analysis(self, step: AnalysisStep) -> None:
        self._written = 0
        self._where = f"chunk {step.chunk + 1} · iteration {step.iteration}"
        if step.error:
            what = "no answer" if step.again else "the reply could not be read"
            self._say(f"  {self._of(step.chunk)}[yellow]{what}:[/] {escape(plain(step.error))}")
        elif not step.proposed and step.chunk not in self._nothing_left:
            self._nothing_left.add(step.chunk)
            word = "nothing left to propose" if step.chunk_status == "clean" else "the proposer gave up"
            self._say(f"  {self._of(step.chunk)}{word}")

    def _proposed(self, step: CandidateStep) -> None:
        self._candidates[step.chunk] = plain(step.name)
        self._nothing_left.discard(step.chunk)
        self._checks.clear()

    def _judged(self, step: VerificationStep) -> None:
        counts = {o: sum(c.outcome is o for c in step.verdict.checks) for o in Outcome}
        name = escape(plain(step.verdict.candidate.name))
        self._candidates.pop(step.chunk, None)
        if self._earlier.passed_elsewhere(step):
            return
        line = f"  {self._of(step.chunk)}{_MARK[step.verdict.verdict]} [bold]{name}[/]"
        if again := self._earlier.why_again(step):
            line += f"  again, {again}:"
        if step.verdict.passed:
            line += f"  {counted(counts[Outcome.PASS], 'check')} passed, {counts[Outcome.SKIP]} not needed"
        if step.verdict.settled is not None:
            line += f"  [magenta]{escape(plain(step.verdict.settled.who))}[/]"
        for concern in step.verdict.concerns[:1] if step.verdict.held else ():
            line += f"  [magenta]{escape(plain(concern.kind))}[/]: {escape(plain(concern.detail))[:300]}"
        for failed in step.failures[:1]:
            line += f"  [red]{escape(plain(failed.id))}[/]: {escape(plain(failed.detail))[:300]}"
        self._say(f"{line}  [dim]{step.seconds:.2f} s[/]")

    def _repair(self, step: RepairStep) -> None:
        self._written = 0
        if step.error:
            what = "no answer" if step.again else "the repair could not be read"
            self._say(f"    {self._of(step.chunk)}[yellow]{what}:[/] {escape(plain(step.error))}")
        elif not step.proposed:
            self._say(f"    {self._of(step.chunk)}{self._earlier.without_repair(step)}")

    def _promoted(self, step: PromotionStep) -> None:
        self._where = f"promoted {escape(plain(step.name))}"

    def _planned(self, step: PlanningStep) -> None:
        if step.error:
            self._say(f"  [yellow]no plan:[/] {escape(plain(step.error))}")
        elif step.against and not step.mergers:
            self._say("  the planner found nothing to merge")

    def _merger(self, step: MergerStep) -> None:
        did = "takes the place of" if step.adopted else "does not take the place of"
        why = f": {escape(plain(step.reason))}" if step.reason else ""
        self._say(f"  {escape(plain(step.name))} {did} {escape(plain(', '.join(step.replaces)))}{why}")

    def _chunk_end(self, step: ChunkEndStep) -> None:
        if step.left:
            left, names = sum(step.left.values()), escape(plain(", ".join(step.left)))
            self._say(f"  {self._of(step.chunk)}[dim]{blanks_left(left)} in {names}[/]")

    def _applying(self, progress: ApplyProgress) -> None:
        self._where = f"applying to the whole data set: {counted(progress.rows, 'row')}"

    def _applied(self, step: ApplyStep) -> None:
        aside = f", {counted(step.quarantined, 'row')} set aside" if step.quarantined else ""
        done = f"applied to {counted(step.rows_in, 'row')}: {step.changed_text}{aside}"
        self._say(f"{done}  [dim]{step.seconds:.2f} s[/]")
        new = ", ".join(step.new_columns[:5]) + (" and others" if len(step.new_columns) > 5 else "")
        notes = [note for note in step.notes if note not in step.reading]  # how it is read was said when the run began
        for note in (*notes, *([f"not there where functions were proved: the columns {new}"] if new else [])):
            self._say(f"[yellow]note:[/] {escape(plain(note))}")
