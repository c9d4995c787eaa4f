"""Summarizes the steps of a run as the values that the report shows. Called by `render`; knows nothing of HTML."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from orchestrator.core.columns import ColumnChange, ColumnQuality, ValueChange
from orchestrator.core.exchanges import ModelRole, TokenUsage, usage_by_role
from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.proposals import Issue
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    ChunkStep,
    EndStep,
    LeftForm,
    PlanningStep,
    PromotionStep,
    RepairStep,
    RunStep,
    Step,
    VerificationStep,
)
from orchestrator.core.verdict import Verdict
from orchestrator.core.wording import blanks_left, counted, told_once
from orchestrator.run.loop.run_summary import cells_left, forms_left
from orchestrator.run.report.candidates import CandidateHistory, read_candidates
from orchestrator.run.report.plans import PlanSummary, plans

_Kind = TypeVar("_Kind", bound=Step)


@dataclass(frozen=True)
class RoleCost:
    """What the questions to the models of one role cost. `failed`: those without a usable answer; they cost, too."""

    role: ModelRole
    models: tuple[str, ...]
    usage: TokenUsage
    failed: int


@dataclass(frozen=True)
class ColumnSummary:
    """A column before and after; `after` is None when nothing was applied."""

    name: str
    before: ColumnQuality
    after: ColumnQuality | None
    changed: int
    values: tuple[ValueChange, ...] = ()  # the most frequent changes

    @property
    def other_changes(self) -> int:
        """Changed cells that `values` does not cover."""
        return max(0, self.changed - sum(value.count for value in self.values))

    @property
    def quiet(self) -> bool:
        """Whether the column has no findings and no changes."""
        return not (self.changed or self.before.null_tokens or self.before.untrimmed or self.before.off_pattern)


@dataclass(frozen=True)
class Phase:
    """A part of the run's time."""

    name: str
    seconds: float
    note: str = ""


@dataclass
class ReportSummary:
    """The run as the report shows it."""

    opening: RunStep | None = None
    end: EndStep | None = None
    applied: ApplyStep | None = None
    chunks: list[ChunkStep] = field(default_factory=list)
    promoted: list[CandidateHistory] = field(default_factory=list)
    replaced: list[CandidateHistory] = field(default_factory=list)  # promoted, and no longer in use
    held: list[CandidateHistory] = field(default_factory=list)  # of each name the newest
    rejected: list[CandidateHistory] = field(default_factory=list)
    plans: list[PlanSummary] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    columns: list[ColumnSummary] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # on the instruction and the data, each once
    usage: TokenUsage = field(default_factory=TokenUsage)
    accounts: list[RoleCost] = field(default_factory=list)
    left: list[LeftForm] = field(default_factory=list)  # what nothing was done about, in the rows of all chunks
    left_cells: dict[str, int] = field(
        default_factory=dict
    )  # with null words or stray blanks, by column, of these rows
    sandboxes: list[SandboxInfo] = field(default_factory=list)
    weakened: list[str] = field(default_factory=list)  # what was weaker than in the default policy
    seconds: float = 0.0

    @property
    def models(self) -> list[str]:
        """Every model that was asked."""
        return list(dict.fromkeys(model for account in self.accounts for model in account.models))

    @property
    def settled(self) -> list[CandidateHistory]:
        """Promoted functions of which a model, and no person, has said that they are right."""
        return [one for one in self.promoted if one.verdict is not None and one.verdict.settled is not None]

    @property
    def earlier(self) -> list[str]:
        """The functions of earlier runs that were applied as well."""
        own = {one.candidate.name for one in self.promoted}
        return [one.name for one in self.applied.functions if one.name not in own] if self.applied else []

    @property
    def blanks_left(self) -> str:
        """What is said of null words and stray blanks that are left; empty for none."""
        left = self.left_cells
        return f"{blanks_left(sum(left.values()))} in {', '.join(left)}, in the rows of the chunks." if left else ""

    @property
    def changed_cells(self) -> int:
        return sum(column.changed for column in self.columns)

    @property
    def changed_columns(self) -> int:
        return sum(1 for column in self.columns if column.changed)


def summarize(steps: Sequence[AnyStep]) -> ReportSummary:
    """Summarize the steps; the summary of an unfinished run is incomplete."""
    summary = ReportSummary(
        opening=_last(steps, RunStep),
        end=_last(steps, EndStep),
        applied=_last(steps, ApplyStep),
        chunks=[step for step in steps if isinstance(step, ChunkStep)],
        errors=list(dict.fromkeys(step.error for step in steps if step.error)),
        usage=sum((step.usage for step in steps), TokenUsage()),
        accounts=_accounts(steps),
    )
    candidates, promoted = read_candidates(steps)
    changes = {change.name: change.changed for change in summary.applied.functions} if summary.applied else {}
    for one in promoted:
        one.changed = dict(changes.get(one.candidate.name, {})) if one.active else {}
        (summary.promoted if one.active else summary.replaced).append(one)
    summary.plans = plans(steps, candidates)
    summary.held = list({one.candidate.name: one for one in candidates if one.held}.values())
    summary.rejected = [
        one
        for one in candidates
        if one.iteration and not one.promoted and not one.held and (one.verdict is None or not one.verdict.passed)
    ]
    verdicts = [one.verdict for one in candidates if one.verdict]
    alike = (v.sandbox.model_copy(update={"hash_seeds": ()}) for v in verdicts if v.sandbox.image)  # each has its own
    summary.sandboxes = list(dict.fromkeys(alike))
    applied = (summary.applied.weakened,) if summary.applied else ()
    weakened = (*(verdict.weakened for verdict in verdicts), *applied)
    summary.weakened = list(dict.fromkeys(layer for layers in weakened for layer in layers))
    told = told_once(note for step in steps if isinstance(step, AnalysisStep) for note in step.notes)
    clauses = (*summary.applied.reading, *summary.applied.written) if summary.applied else ()
    summary.notes = [*told, *(f"{clause[:1].upper()}{clause[1:].rstrip('.')}." for clause in clauses)]
    summary.issues = _issues(steps)
    summary.left = list(forms_left(steps))
    summary.left_cells = cells_left(steps)
    summary.columns = _columns(summary)
    summary.seconds = summary.end.seconds if summary.end else sum(step.seconds for step in steps)
    summary.phases = _phases(steps, verdicts)
    rest = summary.seconds - sum(phase.seconds for phase in summary.phases)
    if rest > 0.05:
        summary.phases.append(
            Phase("not recorded by any step", rest, "for example computing the rows that are left to clean")
        )
    return summary


def _last(steps: Sequence[AnyStep], kind: type[_Kind]) -> _Kind | None:
    found = [step for step in steps if isinstance(step, kind)]
    return found[-1] if found else None


def _issues(steps: Sequence[AnyStep]) -> list[Issue]:
    """The issues that the proposer named, each once, in their last form."""
    issues: dict[tuple[str, tuple[str, ...]], Issue] = {}
    for step in steps:
        if isinstance(step, AnalysisStep):
            for issue in step.issues:
                issues[issue.description, issue.columns] = issue
    return list(issues.values())


def _columns(summary: ReportSummary) -> list[ColumnSummary]:
    before = summary.opening.quality if summary.opening else ()
    after = {quality.name: quality for quality in summary.applied.quality} if summary.applied else {}
    changes = {change.name: change for change in summary.applied.columns} if summary.applied else {}
    known = {quality.name: quality for quality in before}
    names = dict.fromkeys((*known, *changes))
    quality = {name: known.get(name) or ColumnQuality(name=name) for name in names}
    none = ColumnChange(name="", changed=0)
    change = {name: changes.get(name, none) for name in names}
    return [ColumnSummary(n, quality[n], after.get(n), change[n].changed, change[n].values) for n in names]


def _phases(steps: Sequence[AnyStep], verdicts: Sequence[Verdict]) -> list[Phase]:
    def seconds(*kinds: type[AnyStep]) -> float:
        return sum(step.seconds for step in steps if isinstance(step, kinds))

    wait = sum(v.timings.wait_s for v in verdicts)
    sandbox = sum(v.timings.sandbox_s for v in verdicts)
    judge = sum(v.timings.judge_s + v.timings.screen_s for v in verdicts)
    return [
        Phase("reading and measuring the data", seconds(RunStep)),
        Phase("proposing", seconds(AnalysisStep, RepairStep)),
        *([Phase("planning", planning)] if (planning := seconds(PlanningStep)) else []),
        Phase(
            "verifying",
            seconds(VerificationStep),
            f"{counted(len(verdicts), 'candidate')}: {sandbox:.1f} s in sandboxes, {judge:.1f} s judging, "
            f"{wait:.1f} s waiting",
        ),
        Phase("entering the registry", seconds(PromotionStep)),
        Phase("applying to the whole data", seconds(ApplyStep)),
    ]


def _accounts(steps: Sequence[AnyStep]) -> list[RoleCost]:
    """The roles in the order in which they were first asked; empty if no model was asked."""
    exchanges = [exchange for step in steps for exchange in step.exchanges]
    found = []
    for role, usage in usage_by_role(exchanges).items():
        own = [exchange for exchange in exchanges if exchange.role == role]
        models = tuple(dict.fromkeys(exchange.model for exchange in own))
        found.append(RoleCost(role, models, usage, sum(exchange.error is not None for exchange in own)))
    return found
