"""The gate's verdict on a candidate. Written to journals, evidence and reports; printed by `verify --json`."""

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from pydantic import ConfigDict, Field

from orchestrator.core.baseline import DataBaseline
from orchestrator.core.candidate import Candidate, Shape
from orchestrator.core.effects import Effects
from orchestrator.core.fitted import LearntState
from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.notebook import html_table
from orchestrator.core.value import Value


class Outcome(StrEnum):
    """PASS, HOLD, FAIL and INFRA are verdicts; a single check can also be skipped.

    HOLD: every law holds, but a concern has no independent witness. Nothing that is held is promoted or applied.
    """

    PASS = "pass"  # noqa: S105 - not a password
    HOLD = "hold"
    FAIL = "fail"
    SKIP = "skip"
    INFRA = "infra"


class Counterexample(Value):
    """The smallest input found that breaks a law. Rows are plain JSON objects."""

    input: tuple[dict[str, Any], ...] = ()
    output: tuple[dict[str, Any], ...] = ()
    wanted: str = ""


class Concern(Value):
    """A suspicion that cells lost their meaning. It is no proof: somebody independent has to say whether it is right.

    `kind`: a stable id, such as `figures-vanish`; `check`: who raised it; `detail`: one sentence on what changed;
    `settles`: one sentence on what has to be confirmed; `columns`: whose cells it is about; `counterexample`: the
    smallest example, one row before and after with the columns that matter; `rows`: how many rows changed like that,
    those included that were held out.
    """

    kind: str
    check: str
    detail: str
    settles: str
    columns: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    rows: int = 0

    @property
    def change(self) -> str:
        """Its cells in the first row of the example, before and after; of a new column also what it is made of."""
        shown = self.counterexample
        if shown is None or not shown.input or not shown.output:
            return ""
        before, after = shown.input[0], shown.output[0]
        known = self.columns if all(name in before for name in self.columns) else before
        cells = {name: before.get(name) for name in known}, {name: after.get(name) for name in self.columns}
        return " → ".join(map(str, cells))


class SettledConcerns(Value):
    """What of a verdict rests on the word of a model in the role of the tester, and not on the user's.

    `by`: the model; `also_proposed`: whether it has written the function as well; `concerns`: those that were there
    before its answers, and not afterwards. None of them: its examples were there first, and nobody knows what they
    settled.
    """

    by: str
    also_proposed: bool
    concerns: tuple[Concern, ...] = ()

    @property
    def who(self) -> str:
        """The sentence for a person, without a full stop."""
        same = ", which wrote the function as well" if self.also_proposed else ""
        told = "settled by the model's answers, not by you" if self.concerns else "judged by the model's examples"
        return f"{told}: {self.by or 'the tester'}{same}"


class Question(Value):
    """A change about which somebody independent is asked; who answers it gives an example.

    `column`: whose cell is in doubt; `input`: the whole row before; `output`: the columns that the function changes,
    after; `why`: the kind of the concern; `reads`: the columns by which the function decides.
    """

    column: str
    input: dict[str, Any]
    output: dict[str, Any]
    why: str
    reads: tuple[str, ...] = Field(default=(), exclude_if=lambda reads: not reads)

    @property
    def cells(self) -> tuple[Any, Any]:
        """The cell in doubt, before and after."""
        return self.input.get(self.column), self.output.get(self.column)

    @property
    def key(self) -> str:
        """By which equal questions are found."""
        return json.dumps([self.column, *self.cells, self.beside])

    @property
    def beside(self) -> dict[str, Any]:
        """The rest of the row where the cell held nothing: what it became can only be told from there.

        In front is what the function reads: by these cells it decides, and so does a person.
        """
        before = self.cells[0]
        nothing = before is None or not str(before).strip()
        names = dict.fromkeys([*self.reads, *self.input]) if nothing else ()
        return {name: self.input[name] for name in names if name != self.column and name in self.input}


class CheckResult(Value):
    """One check's outcome; `detail` is one sentence fit for a person and for a model.

    `concerns` and `questions`: of a check whose outcome is HOLD, on the way from the judge. A verdict lists them
    itself.
    """

    id: str
    outcome: Outcome
    detail: str = ""
    counterexample: Counterexample | None = None
    cases: int = 0
    seconds: float = 0.0
    concerns: tuple[Concern, ...] = Field(default=(), exclude_if=lambda concerns: not concerns)
    questions: tuple[Question, ...] = Field(default=(), exclude_if=lambda questions: not questions)


OnCheck = Callable[[CheckResult], None]
"""Takes each check result as soon as it is known."""


class DistinctChange(Value):
    """Cells of one column that changed alike: in how many `rows` of the sample, and the `first` row of them whole."""

    column: str
    rows: int
    first: Counterexample

    @property
    def cells(self) -> tuple[Any, Any]:
        """The cell before and after."""
        before, after = (row[0].get(self.column) if row else None for row in (self.first.input, self.first.output))
        return before, after

    @property
    def beside(self) -> dict[str, Any]:
        """What else stands in the first row, by which a person finds it."""
        return {name: value for row in self.first.input for name, value in row.items() if name != self.column}


class CandidateInfo(Value):
    """Which candidate a verdict is about."""

    name: str
    sha256: str
    shape: Shape = Shape.TABLE
    modifies: tuple[str, ...] | None = None

    @classmethod
    def of(cls, candidate: Candidate) -> "CandidateInfo":
        contract = candidate.contract
        return cls(name=candidate.name, sha256=candidate.sha256, shape=contract.shape, modifies=contract.modifies)


class ResourceUsage(Value):
    """What the candidate used, over all containers of its verdict."""

    cpu_s: float = 0.0
    peak_bytes: int = 0


class Timings(Value):
    model_config = ConfigDict(allow_inf_nan=False)

    screen_s: float = 0.0
    wait_s: float = 0.0
    sandbox_s: float = 0.0
    judge_s: float = 0.0
    total_s: float = 0.0


class Verdict(Value):
    """All checks of one candidate. `samples`: changed rows to show to people; they do not affect the verdict.

    `rows_changed`: of the sample, without what was held out. `changes`: the most frequent ones there, each once.
    `weakened`: what was weaker than in the default policy (`core.weakened`); signed with the rest of the evidence.
    `inputs_sha256`: of the cases that each container was given, in the order in which they ran (`core.jobs`).
    `effects`: what it did to the sample, which is held against every batch that it is applied to.
    `baseline`: what the sample looked like, for `cleanroom check`; only of what may be promoted.
    `concerns`: what no independent witness has settled, one for each kind and column. With them alone it is held.
    `settled`: what a model in the role of the tester has said of it, and which concerns that settled.
    `questions`: changes that settle most concerns at once, once somebody independent has said that they are right.
    `state`: what a fitted candidate had learnt when it was judged.
    `helpers`: the helper modules that the source names, with the hashes of the texts that it was run with.
    """

    candidate: CandidateInfo
    verdict: Outcome
    checks: tuple[CheckResult, ...]
    sandbox: SandboxInfo = SandboxInfo()
    usage: ResourceUsage = ResourceUsage()
    timings: Timings = Timings()
    samples: tuple[Counterexample, ...] = ()
    rows_changed: int = 0
    changes: tuple[DistinctChange, ...] = Field(default=(), exclude_if=lambda changes: not changes)
    weakened: tuple[str, ...] = Field(default=(), exclude_if=lambda layers: not layers)
    inputs_sha256: tuple[str, ...] = Field(default=(), exclude_if=lambda hashes: not hashes)
    effects: Effects | None = Field(default=None, exclude_if=lambda effects: effects is None)
    baseline: DataBaseline | None = Field(default=None, exclude_if=lambda baseline: baseline is None)
    concerns: tuple[Concern, ...] = Field(default=(), exclude_if=lambda concerns: not concerns)
    questions: tuple[Question, ...] = Field(default=(), exclude_if=lambda questions: not questions)
    settled: SettledConcerns | None = Field(default=None, exclude_if=lambda settled: settled is None)
    state: LearntState | None = Field(default=None, exclude_if=lambda state: state is None)
    helpers: dict[str, str] = Field(default_factory=dict, exclude_if=lambda helpers: not helpers)

    @property
    def passed(self) -> bool:
        return self.verdict is Outcome.PASS

    @property
    def held(self) -> bool:
        """Whether only somebody independent can let it through, or reject it."""
        return self.verdict is Outcome.HOLD

    def judged_before(self, earlier: "Verdict | None") -> "Verdict":
        """The same, if it is a newer verdict of the same candidate: a model's word still counts, and is still said."""
        if earlier is None or self.settled is not None or earlier.settled is None or self.failures:
            return self
        return self.model_copy(update={"settled": earlier.settled})

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        return tuple(c for c in self.checks if c.outcome is Outcome.FAIL)

    def _repr_html_(self) -> str:
        """What a notebook shows: every check, with why where there is something to say."""
        rows = [(check.id, check.outcome, check.detail) for check in self.checks]
        concerns = [("concern", one.kind, f"{one.detail} {one.settles}") for one in self.concerns]
        return html_table(f"{self.candidate.name}: {self.verdict}", [*rows, *concerns])
