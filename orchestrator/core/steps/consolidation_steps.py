"""The steps that merge promoted functions that overlap; the candidate itself is a step of iteration 0."""

from typing import Literal

from orchestrator.core.proposals import Merger
from orchestrator.core.steps.step_base import Step
from orchestrator.core.verdict import Counterexample


class PlanningStep(Step):
    """The planner was asked which functions could be merged. The steps of each merger follow, as iteration 0.

    `chunk`: the chunk before it; `again` as in AnalysisStep. `against`: the fingerprint of the functions; empty
    where the planner was not asked, because there are too few, or because it has looked at the same ones before.
    """

    kind: Literal["planning"] = "planning"
    chunk: int
    against: str = ""
    mergers: tuple[Merger, ...] = ()
    again: bool = False
    reply: str = ""


class MergerStep(Step):
    """Whether a merger is adopted; if not, `reason` is one sentence, and `counterexample` may show a row."""

    kind: Literal["merger"] = "merger"
    chunk: int
    attempt: int  # the number of the merger in its plan
    name: str
    replaces: tuple[str, ...]
    adopted: bool
    reason: str = ""
    counterexample: Counterexample | None = None
