"""What a run tells when it has ended. Made by `loop.job`, printed by `cleanroom run`, returned by the library."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeGuard

from pydantic import Field

from orchestrator.core.candidate import Example
from orchestrator.core.exchanges import ModelRole, TokenUsage, usage_by_role
from orchestrator.core.notebook import html_table
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    ChunkEndStep,
    HeldEntryStep,
    LeftForm,
    MergerStep,
    PlanningStep,
    RepairStep,
    RunStatus,
    RunStep,
)
from orchestrator.core.steps.run_steps import DataDrift
from orchestrator.core.value import Value
from orchestrator.core.verdict import Concern, SettledConcerns, Verdict

PROMOTED = "it is promoted"
"""Why a held function does not enter the registry: a later chunk's verdict let it pass."""
_DONE = "the functions that were promoted leave no row for it"


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


class SettledFunction(HeldFunction):
    """A function that was promoted on the word of a model in the role of the tester, and not on the user's.

    `by`, `also_proposed`, `concerns`: as in `SettledConcerns`; `examples`: what the model said.
    """

    by: str
    also_proposed: bool
    examples: tuple[Example, ...] = ()

    @property
    def said(self) -> str:
        """The sentence for a person, without a full stop."""
        return SettledConcerns(by=self.by, also_proposed=self.also_proposed, concerns=self.concerns).who

    @classmethod
    def among(cls, functions: Iterable[Promoted]) -> "tuple[SettledFunction, ...]":
        """Those of the functions that are."""
        found = ((one, one.evidence.verdict.settled) for one in functions)
        return tuple(cls._of(one, settled) for one, settled in found if settled is not None)

    @classmethod
    def _of(cls, function: Promoted, settled: SettledConcerns) -> "SettledFunction":
        base = HeldFunction.of(function.evidence.verdict, function.version)
        return cls(
            **dict(base) | {"concerns": settled.concerns},
            by=settled.by,
            also_proposed=settled.also_proposed,
            examples=function.evidence.witnesses.tests,
        )


class RefusedMerger(Value):
    """A merged function of the planner that does not take the place of the functions, and why."""

    name: str
    replaces: tuple[str, ...]
    reason: str


class RunEnd(NamedTuple):
    """How a run ended. `rejected`: functions that were given up; `left`: as in `Loop`."""

    status: RunStatus
    rejected: int
    seconds: float
    left: Mapping[str, int] = MappingProxyType({})


class RunSummary(Value):
    """How the run ended and where its results are. `drifted`, `data_drift`, `new_columns`: as in `ApplyStep`."""

    run_id: str
    status: RunStatus
    rows: int
    promoted: tuple[str, ...]
    rejected: int
    changed: dict[str, int]
    added: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)  # columns that the functions made
    notes: tuple[str, ...] = ()  # what the user should know of the instruction and of the data
    reason: str = ""  # why no more questions were asked, if a budget or a limit ended the run
    left: tuple[LeftForm, ...] = Field(default=(), exclude_if=lambda forms: not forms)  # of the chunks' rows, after it
    left_cells: dict[str, int] = Field(default_factory=dict)  # with null words or stray blanks, of the same rows
    usage: TokenUsage
    roles: dict[ModelRole, TokenUsage] = Field(default_factory=dict)
    seconds: float
    files: dict[str, str]
    weakened: tuple[str, ...] = Field(default=(), exclude_if=lambda layers: not layers)  # by the policy
    held: tuple[HeldFunction, ...] = ()  # not applied: `cleanroom review`
    accepted: tuple[HeldFunction, ...] = ()  # applied in spite of their concerns: --on-hold accept
    settled: tuple[SettledFunction, ...] = ()  # applied on the word of a model, the tester
    refused_mergers: tuple[RefusedMerger, ...] = Field(default=(), exclude_if=lambda mergers: not mergers)
    drifted: tuple[str, ...] = Field(default=(), exclude_if=lambda found: not found)
    data_drift: tuple[DataDrift, ...] = Field(default=(), exclude_if=lambda found: not found)
    new_columns: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)

    @classmethod
    def of(
        cls,
        steps: Sequence[AnyStep],
        promoted: Sequence[Promoted],
        end: RunEnd,
        files: Mapping[str, str],
        *,
        notes: tuple[str, ...],
        weakened: tuple[str, ...],
    ) -> "RunSummary":
        """What the steps of a run that has ended come to. `promoted`: the functions that it promoted, in use."""
        (opening,) = (step for step in steps if isinstance(step, RunStep))
        applied = [step for step in steps if isinstance(step, ApplyStep)][-1]
        return cls(
            run_id=opening.run_id,
            status=end.status,
            rows=opening.rows,
            promoted=tuple(f.name for f in promoted),
            rejected=end.rejected,
            changed={c.name: c.changed for c in applied.columns if c.changed},
            added=tuple(dict.fromkeys(name for function in promoted for name in function.candidate.contract.adds)),
            notes=(*notes, *no_longer_held(steps)),
            reason=why_it_ended(steps, end.status),
            left=forms_left(steps),
            left_cells=dict(Counter(cells_left(steps)) + Counter(end.left)),
            usage=sum((step.usage for step in steps), TokenUsage()),
            roles=usage_by_role(exchange for step in steps for exchange in step.exchanges),
            seconds=end.seconds,
            files=dict(files),
            weakened=weakened,
            held=tuple(HeldFunction.of(step.verdict, step.version) for step in steps if entered(step)),
            accepted=tuple(HeldFunction.of(f.evidence.verdict, f.version) for f in promoted if f.evidence.verdict.held),
            settled=SettledFunction.among(promoted),
            refused_mergers=tuple(
                RefusedMerger(name=step.name, replaces=step.replaces, reason=step.reason)
                for step in steps
                if isinstance(step, MergerStep) and not step.adopted
            ),
            drifted=applied.drifted,
            data_drift=applied.data_drift,
            new_columns=applied.new_columns,
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the figures, and where the files are."""
        rows: list[tuple[str, object]] = [("rows", self.rows), ("promoted", ", ".join(self.promoted) or "none")]
        rows += [("given up", self.rejected), ("held", ", ".join(one.name for one in self.held) or "none")]
        if self.settled:
            rows.append(("settled by a model's answers", ", ".join(one.name for one in self.settled)))
        rows += [("cells changed", sum(self.changed.values())), ("seconds", f"{self.seconds:.1f}")]
        return html_table(f"run {self.run_id}: {self.status.shown}", [*rows, *self.files.items()])


def entered(step: AnyStep) -> TypeGuard[HeldEntryStep]:
    """Whether the step put a held function into the registry."""
    return isinstance(step, HeldEntryStep) and step.entered


def no_longer_held(steps: Sequence[AnyStep]) -> tuple[str, ...]:
    """What became of functions that were held and wait for nobody: a run that is "finished" for them says so."""
    waiting = {step.name for step in steps if entered(step)}
    gone = {step.name: step.reason for step in steps if isinstance(step, HeldEntryStep) and not step.entered}
    return tuple(
        f"{name} was held when its chunk ended, so the run is not complete, but there is nothing to decide: "
        + (_DONE if reason.startswith("effective:") else reason.rstrip("."))
        + "."
        for name, reason in gone.items()
        if name not in waiting and reason != PROMOTED
    )


def forms_left(steps: Iterable[AnyStep]) -> tuple[LeftForm, ...]:
    """The forms that are left in all chunks together, the most frequent first; behind them those that may be right."""
    last = {step.chunk: step for step in steps if isinstance(step, ChunkEndStep)}
    rows: Counter[tuple[str, str, str]] = Counter()
    holdout: Counter[tuple[str, str, str]] = Counter()
    known: set[tuple[str, str, str]] = set()  # that they are rare, in some chunk
    usual: dict[tuple[str, str, str], str] = {}
    for end in last.values():
        for one in end.forms:
            key = one.column, one.place, one.form
            known |= set() if one.suspected else {key}
            usual.setdefault(key, one.usual)
            rows[key] += one.rows
            holdout[key] += one.holdout
    both = sorted((rows + holdout).items(), key=lambda one: (one[0] not in known, -one[1]))[:50]
    return tuple(
        LeftForm(
            column=key[0],
            place=key[1],
            form=key[2],
            rows=rows[key],
            holdout=holdout[key],
            suspected=key not in known,
            usual=usual[key],
        )
        for key, _ in both
    )


def cells_left(steps: Iterable[AnyStep]) -> dict[str, int]:
    """The cells by column in which null words or stray blanks are left, in the rows of all chunks together."""
    last = {step.chunk: step for step in steps if isinstance(step, ChunkEndStep)}
    return dict(sum((Counter(end.left) for end in last.values()), Counter[str]()))


def why_it_ended(steps: Sequence[AnyStep], status: RunStatus) -> str:
    """Which limit ended the work on chunks, or the error of the last question that was refused."""
    if status is RunStatus.LIMIT:
        last = {step.chunk: step for step in steps if isinstance(step, ChunkEndStep)}
        return "; ".join(f"chunk {chunk + 1}: {end.reason}" for chunk, end in sorted(last.items()) if end.reason)
    if status is not RunStatus.BUDGET:
        return ""
    unasked = [s.error for s in steps if isinstance(s, AnalysisStep | RepairStep | PlanningStep) and s.again]
    return (unasked[-1] if unasked else None) or ""
