"""A run drawn as a tree for the terminal: chunks, candidates, and the checks by which each was promoted or not."""

from collections.abc import Sequence

from rich.markup import escape
from rich.tree import Tree

from orchestrator.cli.console import plain
from orchestrator.cli.views.earlier_verdicts import EarlierVerdicts
from orchestrator.cli.views.figures import usage_text
from orchestrator.core.exchanges import Exchange, TokenUsage, usage_by_role
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    CandidateStep,
    ChunkEndStep,
    ChunkStep,
    EndStep,
    HeldEntryStep,
    HoldStep,
    MergerStep,
    PlanningStep,
    PromotionStep,
    RepairStep,
    ResumeStep,
    RunStatus,
    RunStep,
    VerificationStep,
    WitnessStep,
)
from orchestrator.core.verdict import Outcome
from orchestrator.core.wording import blanks_left, counted, told_once
from orchestrator.run.loop.run_summary import forms_left

_LEFT = 10  # forms that are left
_REPLACED = 5  # cells that a function changes otherwise than the one that it replaces


def run_tree(steps: Sequence[AnyStep]) -> Tree:
    """The tree of a run's steps. Lanes write in turns: each step goes to the branch of its chunk."""
    drawing = _Drawing()
    for step in steps:
        drawing.add(step)
    if not any(isinstance(step, EndStep) for step in steps[-1:]):
        drawing.root.add("[yellow]no end: it was killed, or is still at work[/]")
    return drawing.root


class _Drawing:
    def __init__(self) -> None:
        self.root = Tree("run")
        self._chunks: dict[int, Tree] = {}
        self._plans: dict[int, Tree] = {}
        self._ends: list[ChunkEndStep] = []
        self._notes: list[str] = []
        self._usage = TokenUsage()
        self._exchanges: list[Exchange] = []
        self._earlier = EarlierVerdicts()

    def add(self, step: AnyStep) -> None:
        self._usage = self._usage + step.usage
        self._exchanges.extend(step.exchanges)
        match step:
            case RunStep():
                what = f"{counted(step.rows, 'row')} · {_safe(step.proposer)} · run {_safe(step.run_id)}"
                self.root.label = f"[bold]{_safe(step.data)}[/] {what}"
            case ResumeStep():
                self.root.add(f"[dim]resumed {step.at:%Y-%m-%d %H:%M:%S %Z}[/]")
            case ChunkStep():
                label = f"chunk {step.chunk + 1}: {counted(step.rows, 'row')}, {step.holdout:,} of them held back"
                self._chunks[step.chunk] = self.root.add(label)
            case AnalysisStep() | RepairStep():
                self._answer(step)
            case VerificationStep():
                self._verdict(step)
            case WitnessStep() | HoldStep() | HeldEntryStep():
                self._doubt(step)
            case PromotionStep() if step.replaces:
                self._replacement(step)
            case PromotionStep() | CandidateStep():
                pass  # the verdict says it
            case ChunkEndStep():
                self._ends.append(step)
                self._branch(step).add(f"[dim]{': '.join(filter(None, (step.status.shown, _end_of(step))))}[/]")
            case PlanningStep():
                if step.against or step.mergers or step.error:
                    what = "" if step.mergers or step.error else ": nothing to merge"
                    self._plans[step.chunk] = self.root.add(f"plan after chunk {step.chunk + 1}{what}")
                if step.error:
                    self._branch(step).add(f"[yellow]{_safe(step.error)}[/]")
            case MergerStep():
                did = "replaces" if step.adopted else "does not replace"
                why = f": {_safe(step.reason)}" if step.reason else ""
                self._branch(step).add(f"{_safe(step.name)} {did} {_names(step.replaces)}{why}")
            case ApplyStep():
                aside = f", {counted(step.quarantined, 'row')} set aside" if step.quarantined else ""
                notes = "".join(f"; {_safe(note)}" for note in step.notes)
                self.root.add(f"applied to {counted(step.rows_in, 'row')}: {step.changed_text}{aside}{notes}")
            case EndStep():
                spent = f" · {usage_text(self._usage)}" if self._usage.calls else ""
                held = f"{step.held} held, " if step.held else ""
                counts = f"{step.promoted} promoted, {held}{step.rejected} given up, {step.seconds:.1f} s"
                end = self.root.add(f"[bold]{step.status.shown}[/]: {counts}{spent}")
                self._left(end)
                for role, usage in usage_by_role(self._exchanges).items():
                    end.add(f"[dim]{role}: {usage_text(usage)}[/]")

        self._earlier.take(step)

    def _left(self, end: Tree) -> None:
        """What nothing was done about, by form, in the rows of all chunks and in those that no proposer saw; notes."""
        found = forms_left(self._ends)
        for one in found[:_LEFT]:
            rows = f"{counted(one.rows + one.holdout, one.counts)}, {one.holdout:,} of them held back"
            word = "perhaps left" if one.suspected else "left"
            most = f", where {_safe(one.usual)} is usual" if one.usual else ""
            end.add(f"[dim]{word} in {_safe(one.where)}:[/] {_safe(one.form)} [dim]in {rows}{most}[/]")
        if len(found) > _LEFT:
            end.add(f"[dim]and {len(found) - _LEFT} more forms that are left[/]")
        for note in told_once(self._notes):
            end.add(f"[yellow]note:[/] {_safe(note)}")

    def _branch(self, step: AnyStep) -> Tree:
        assert not isinstance(step, RunStep | ResumeStep | ApplyStep | EndStep)  # noqa: S101 - of no chunk
        planning = isinstance(step, PlanningStep | MergerStep) or getattr(step, "iteration", 1) == 0
        return (self._plans if planning else self._chunks).get(step.chunk, self.root)

    def _answer(self, step: AnalysisStep | RepairStep) -> None:
        branch = self._branch(step)
        if isinstance(step, AnalysisStep):
            self._notes.extend(step.notes)
            for finding in step.findings:
                branch.add(f"[dim]looked up: {_safe(finding.question)}[/]")
        if step.error:
            branch.add(f"[yellow]{_safe(step.error)}[/]")
        elif isinstance(step, RepairStep) and not step.proposed:
            branch.add(f"[dim]{self._earlier.without_repair(step)}[/]")
        if step.tests:
            branch.add(f"[dim]examples by the tester: {len(step.tests)}[/]")

    def _doubt(self, step: WitnessStep | HoldStep | HeldEntryStep) -> None:
        if isinstance(step, WitnessStep):
            said = f"said what should become of {len(step.tests)} of {counted(step.rows, 'row')} in doubt"
            self._branch(step).add(f"[yellow]{_safe(step.error)}[/]" if step.error else f"[dim]the tester {said}[/]")
        elif isinstance(step, HoldStep):
            self._held(step)
        else:
            what = "is held: `cleanroom review` shows why" if step.entered else f"is not held: {_safe(step.reason)}"
            self.root.add(f"[magenta]?[/] [bold]{_safe(step.name)}[/] {what}")

    def _held(self, step: HoldStep) -> None:
        node = self._branch(step).add(f"[magenta]{_safe(step.name)} is held[/]: a person has to decide")
        for concern in step.verdict.concerns:
            said = node.add(f"[magenta]{_safe(concern.kind)}[/] {_safe(concern.detail)}")
            if concern.change:
                said.add(f"[dim]{_safe(concern.change)}[/]")
            said.add(f"[dim]to settle it: {_safe(concern.settles)}[/]")

    def _replacement(self, step: PromotionStep) -> None:
        node = self._branch(step).add(f"{_safe(step.name)} replaces {_safe(step.replaces)}")
        found = step.differences
        for cell in found.examples[:_REPLACED] if found else ():
            shown = f"{cell.before!r}: not {cell.old!r}, but {cell.new!r}"
            node.add(f"[dim]row {cell.row} of the sample, {_safe(cell.column)}:[/] {_safe(shown)}")
        if found is not None:
            cells = ", ".join(f"{counted(count, 'cell')} of {name}" for name, count in found.changed.items())
            node.add(f"[dim]of {counted(found.rows, 'row')}, {_safe(cells or 'no cell')} come out otherwise[/]")

    def _verdict(self, step: VerificationStep) -> None:
        verdict = step.verdict
        mark = "[green]✓[/]" if verdict.passed else "[magenta]?[/]" if verdict.held else "[red]✗[/]"
        attempt = f" (repair {step.attempt})" if step.attempt and step.iteration else ""
        again = self._earlier.why_again(step)
        attempt += f" again, {again}" if again else ""
        name = _safe(verdict.candidate.name)
        node = self._branch(step).add(f"{mark} [bold]{name}[/]{attempt} [dim]{step.seconds:.2f} s[/]")
        for check in verdict.checks:
            if check.outcome in {Outcome.FAIL, Outcome.INFRA}:
                node.add(f"[red]{_safe(check.id)}[/] {_safe(check.detail)}")
        if verdict.settled is not None:
            kinds = "".join(f" {_safe(concern.kind)}" for concern in verdict.settled.concerns)
            node.add(f"[magenta]{_safe(verdict.settled.who)}{':' if kinds else ''}{kinds}[/]")
        passed, skipped = (sum(c.outcome is one for c in verdict.checks) for one in (Outcome.PASS, Outcome.SKIP))
        said = f"{counted(passed, 'check')} passed, {skipped} not needed"  # as while it ran
        node.add(f"[dim]{said if verdict.passed else f'{passed} of {len(verdict.checks)} checks passed'}[/]")


def _end_of(step: ChunkEndStep) -> str:
    """Why a chunk ended, and what is left in it."""
    why = _safe(step.reason)
    if step.status is RunStatus.GAVE_UP:
        rejected = f"{counted(step.rejected, 'function')} given up"
        why = rejected if step.rejected else "the proposer saw more to do and proposed nothing"
    left = sum(step.left.values())
    return "; ".join(filter(None, (why, f"{blanks_left(left)} in {_names(step.left)}" if left else "")))


def _names(names: Sequence[str] | dict[str, int]) -> str:
    return ", ".join(_safe(name) for name in names)


def _safe(text: str) -> str:
    return escape(plain(text))
