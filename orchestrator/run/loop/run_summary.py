"""What a run tells when it has ended. Made by `loop.job`, printed by `cleanroom run`, returned by the library."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeGuard

from pydantic import Field

from orchestrator.core.exchanges import ModelRole, TokenUsage
from orchestrator.core.notebook import html_table
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ChunkEndStep,
    HeldEntryStep,
    LeftForm,
    PlanningStep,
    RepairStep,
    RunStatus,
)
from orchestrator.core.steps.run_steps import DataDrift
from orchestrator.core.value import Value
from orchestrator.core.verdict import Concern, Verdict


class HeldFunction(Value):
    """A function that keeps every law and waits for a person, or was accepted with these concerns."""

    name: str
    version: int
    sha256: str
    modifies: tuple[str, ...] | None = None
    concerns: tuple[Concern, ...]

    @classmethod
    def of(cls, verdict: Verdict, version: int) -> "HeldFunction":
        info = verdict.candidate
        return cls(
            name=info.name, version=version, sha256=info.sha256, modifies=info.modifies, concerns=verdict.concerns
        )


class RunSummary(Value):
    """How the run ended and where its results are. `drifted`, `data_drift`, `new_columns`: as in `ApplyStep`."""

    run_id: str
    status: RunStatus
    rows: int
    promoted: tuple[str, ...]
    rejected: int
    changed: dict[str, int]
    notes: tuple[str, ...] = ()  # what the user should know of the instruction and of the data
    reason: str = ""  # why no more questions were asked, if a budget or a limit ended the run
    left: tuple[LeftForm, ...] = Field(default=(), exclude_if=lambda forms: not forms)  # of the chunks' rows, after it
    usage: TokenUsage
    roles: dict[ModelRole, TokenUsage] = Field(default_factory=dict)
    seconds: float
    files: dict[str, str]
    weakened: tuple[str, ...] = Field(default=(), exclude_if=lambda layers: not layers)  # by the policy
    held: tuple[HeldFunction, ...] = ()  # not applied: `cleanroom review`
    accepted: tuple[HeldFunction, ...] = ()  # applied in spite of their concerns: --on-hold accept
    drifted: tuple[str, ...] = Field(default=(), exclude_if=lambda found: not found)
    data_drift: tuple[DataDrift, ...] = Field(default=(), exclude_if=lambda found: not found)
    new_columns: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)

    def _repr_html_(self) -> str:
        """What a notebook shows: the figures, and where the files are."""
        rows: list[tuple[str, object]] = [("rows", self.rows), ("promoted", ", ".join(self.promoted) or "none")]
        rows += [("given up", self.rejected), ("held", ", ".join(one.name for one in self.held) or "none")]
        rows += [("cells changed", sum(self.changed.values())), ("seconds", f"{self.seconds:.1f}")]
        return html_table(f"run {self.run_id}: {self.status.shown}", [*rows, *self.files.items()])


def entered(step: AnyStep) -> TypeGuard[HeldEntryStep]:
    """Whether the step put a held function into the registry."""
    return isinstance(step, HeldEntryStep) and step.entered


def forms_left(steps: Iterable[AnyStep]) -> tuple[LeftForm, ...]:
    """The forms that are left in all chunks together, the most frequent first."""
    last = {step.chunk: step for step in steps if isinstance(step, ChunkEndStep)}
    rows: Counter[tuple[str, str]] = Counter()
    holdout: Counter[tuple[str, str]] = Counter()
    for end in last.values():
        for one in end.forms:
            rows[one.column, one.form] += one.rows
            holdout[one.column, one.form] += one.holdout
    both = (rows + holdout).most_common(50)
    return tuple(LeftForm(column=c, form=f, rows=rows[c, f], holdout=holdout[c, f]) for (c, f), _ in both)


def why_it_ended(steps: Sequence[AnyStep], status: RunStatus) -> str:
    """Which limit ended the work on chunks, or the error of the last question that was refused."""
    if status is RunStatus.LIMIT:
        last = {step.chunk: step for step in steps if isinstance(step, ChunkEndStep)}
        return "; ".join(f"chunk {chunk + 1}: {end.reason}" for chunk, end in sorted(last.items()) if end.reason)
    if status is not RunStatus.BUDGET:
        return ""
    unasked = [s.error for s in steps if isinstance(s, AnalysisStep | RepairStep | PlanningStep) and s.again]
    return (unasked[-1] if unasked else None) or ""
