"""Lays out what `fit` and `merge` are run on: three containers before those of the other checks. Called by `learning`.

The sample is shuffled and cut in three parts, one row is taken out of it, and rows of odd cells are put beside it; so
are as many rows as a batch has where it is applied (`many_rows`). The first container fits all of these; the second one
fits the sample again, with another hash seed, and merges the states of the first. `SUMS` says which merge must give
which state. The function itself is run there as well, with what it learns of no row and of the sample; and in a third
one with what it learns of the same rows many times over. No process that cleans rows has merged states before: where it
is applied, none has.
"""

import random
from collections.abc import Mapping

import pyarrow as pa

from orchestrator.core.candidate import Candidate
from orchestrator.core.fitted import FIT, MERGE
from orchestrator.core.jobs import Case, Child, GuestEnvironment, Job, Limits, Op, Program
from orchestrator.core.ports import Sample
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.data.hostile.states import state_table
from orchestrator.gate.fitted.many_rows import BESIDE, TOGETHER, growing, strangers, sums_of
from orchestrator.gate.inputs import edge_tables
from orchestrator.gate.inputs.case_planner import Stage

WHOLE, NONE, AGAIN, UNSEEN = "fit-whole", "fit-none", "fit-again", "unseen"
ONE, OTHERS = "fit-one", "fit-others"
MORE, STRANGERS = "fit-more", "fit-strangers"
LEARNT, GROWN = "learnt", "grown"
APPLIED = (UNSEEN, LEARNT, GROWN)
"""Where the function itself is run."""
MOST_ROWS = 5_000
_UNSEEN_ROWS = 200

SUMS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "a-b-c": (WHOLE, ("fit-a", "fit-b", "fit-c")),
    "c-a-b": (WHOLE, ("fit-c", "fit-a", "fit-b")),
    "b-c-a": (WHOLE, ("fit-b", "fit-c", "fit-a")),
    "ab-c": (WHOLE, ("fit-ab", "fit-c")),
    "a-bc": (WHOLE, ("fit-a", "fit-bc")),
    "a-b": ("fit-ab", ("fit-a", "fit-b")),
    "b-a": ("fit-ab", ("fit-b", "fit-a")),
    "one-others": (WHOLE, ("fit-one", "fit-others")),
    "others-one": (WHOLE, ("fit-others", "fit-one")),
    "whole-odd": ("fit-odder", (WHOLE, "fit-odd")),
    "odd-whole": ("fit-odder", ("fit-odd", WHOLE)),
    "none-a": ("fit-a", (NONE, "fit-a")),
    "a-none": ("fit-a", ("fit-a", NONE)),
    "none-none": (NONE, (NONE, NONE)),
}
"""By merge, the state that must come out and those that go in."""
SUMS_OF_MANY = sums_of(WHOLE)
"""The same, of many more rows than the sample has; those that were made."""
SAME_ROWS = ("fit-shuffled", "fit-repeat")
"""What must be the state of the whole sample, as the confirming container's must."""


class LearningPlan:
    """The stages of one candidate, drawn from a secret seed."""

    def __init__(self, candidate: Candidate, sample: Sample, limits: Limits, seed: int) -> None:
        self._candidate = candidate
        self._limits = limits
        self._whole = pa.concat_tables([sample.working, sample.holdout]).slice(0, MOST_ROWS).combine_chunks()
        self._draw = random.Random(seed)  # noqa: S311 - the seed is secret; the numbers need not be

    @property
    def rows(self) -> int:
        """How many rows the state is learnt from."""
        return int(self._whole.num_rows)

    def first(self) -> Stage:
        """Fit the sample and its parts; the sample once more in a process of its own."""
        whole, rows = self._whole, self.rows
        order = self._draw.sample(range(rows), rows)
        cut, end = sorted(self._draw.choices(range(rows + 1), k=2))
        shuffled = whole.take(pa.array(order, pa.int64())).combine_chunks()
        odd = edge_tables.odd(whole).cast(whole.schema)
        edges = pa.concat_tables([edge_tables.nulls(whole.schema), edge_tables.blanks(whole), odd]).cast(whole.schema)
        tables = {
            WHOLE: whole,
            NONE: whole.slice(0, 0),
            "fit-a": shuffled.slice(0, cut),
            "fit-b": shuffled.slice(cut, end - cut),
            "fit-c": shuffled.slice(end),
            "fit-ab": shuffled.slice(0, end),
            "fit-bc": shuffled.slice(cut),
            ONE: shuffled.slice(0, 1),
            OTHERS: shuffled.slice(1),
            "fit-odd": edges,
            "fit-odder": pa.concat_tables([whole, edges]),
        }
        cases = [Case(name, write_table(table.combine_chunks()), program=0) for name, table in tables.items()]
        others = [Case("fit-shuffled", write_table(shuffled), program=0), Case("fit-repeat", cases[0].input, program=0)]
        children = [Child(tuple(others), self._limits, ends_job=True), Child(tuple(cases), self._limits)]
        children += self._of_many()
        return Stage(Job((self._learning(FIT),), tuple(children)))

    def _of_many(self) -> list[Child]:
        """Fit many rows in a process of their own, as where it is applied, and what was put beside them in another."""
        made = dict(growing(self._whole, self._draw))
        cases = {name: Case(name, write_table(table), program=0) for name, table in made.items()}
        parts = tuple(cases[name] for name in BESIDE if name in cases)
        whole = [Child((cases[name],), self._limits) for name in TOGETHER if name in cases]
        by = self._candidate.contract.by
        others = strangers(self._whole, by, self._draw) if by else self._whole.slice(0, 0)
        if others.num_rows:
            parts += (Case(STRANGERS, write_table(others), program=0),)
        return [*whole, Child(parts, self._limits)] if parts else []

    def second(self, states: Mapping[str, str]) -> Stage:
        """Fit the sample again, merge the states, and run the function with those of no row and of the sample."""
        untaught = Program.of(self._candidate.model_copy(update={"state": states[NONE]}))
        merges = tuple(
            Case(name, write_table(state_table(*(states[part] for part in parts))), program=1)
            for name, (_, parts) in SUMS.items()
        )
        again = Case(AGAIN, write_table(self._whole), program=0)
        unseen = Case(UNSEEN, write_table(self._whole.slice(0, _UNSEEN_ROWS)), (Op.F,), program=2)
        learnt = Case(LEARNT, again.input, (Op.F,), program=3)
        parts = state_table(*(states[name] for name in (ONE, OTHERS, WHOLE, STRANGERS) if name in states))
        more = Case(MORE, write_table(parts), program=4)
        of_many = tuple(
            Case(name, write_table(state_table(*(states[part] for part in parts))), program=1)
            for name, (whole, parts) in SUMS_OF_MANY.items()
            if {whole, *parts} <= states.keys()
        )
        each = (again,), merges, of_many, (unseen,), (learnt,), (more,)
        children = tuple(Child(cases, self._limits, ends_job=True) for cases in each if cases)
        programs = (
            self._learning(FIT),
            self._learning(MERGE),
            untaught,
            Program.of(self._candidate.model_copy(update={"state": states[WHOLE]})),
            Program.grown(self._candidate),
        )
        return Stage(Job(programs, children, GuestEnvironment.CONFIRM))

    def third(self, state: str) -> Stage:
        """Run the function with what it learns of the same rows many times over."""
        program = Program.of(self._candidate.model_copy(update={"state": state}))
        children = (Child((Case(GROWN, write_table(self._whole)),), self._limits),)
        return Stage(Job((program,), children))

    def _learning(self, part: str) -> Program:
        return Program.learning(self._candidate, part)
