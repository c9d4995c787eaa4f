"""The tree of a run, as `runs show` draws it."""

from collections.abc import Sequence
from io import StringIO

from rich.console import Console

from orchestrator.cli.views.run_tree import run_tree
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    ChunkEndStep,
    LeftForm,
    MergerStep,
    PlanningStep,
    RunStatus,
)
from orchestrator.run.report.render import render_report
from tests.run.report.test_report_parts import left_and_replaced
from tests.run.report_steps import usual, with_roles


def drawn(steps: Sequence[AnyStep]) -> str:
    console = Console(file=StringIO(), width=200)
    console.print(run_tree(steps))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_roles_and_mergers_are_in_the_tree() -> None:
    """What was looked up and tested, what became of each merger, and what each role cost."""
    tree = drawn(with_roles())
    for line in (
        "looked up: Which blanks?",
        "examples by the tester: 1",
        "sly_city does not replace trim_city, squeeze_city: compared with",
        "lost_city does not replace trim_city, nobody: it would replace nobody",
        "tidy_city replaces trim_city, squeeze_city",
        "The planner cannot be reached.",
        "proposer: 2 calls, 2,400 tokens, $0.0200",
        "tester: 1 call, 1,200 tokens, cost unknown",
    ):
        assert line in tree, line


def test_a_plan_without_mergers_is_told_when_it_was_asked_for() -> None:
    """An answer that was paid for is a line; where nobody was asked, there is none."""
    steps = [step for step in with_roles() if not isinstance(step, PlanningStep | MergerStep)]
    plan = PlanningStep(at=steps[0].at, chunk=0)
    assert "plan" not in drawn([*steps[:-1], plan, steps[-1]])
    asked = plan.model_copy(update={"against": "0" * 16})
    assert "plan after chunk 1: nothing to merge" in drawn([*steps[:-1], asked, steps[-1]])


def test_rows_that_were_set_aside_are_told() -> None:
    """An apply that put rows into quarantine says how many; one without says nothing of it."""
    steps = usual()
    assert "set aside" not in drawn(steps)
    aside = [s.model_copy(update={"quarantined": 1_200}) if isinstance(s, ApplyStep) else s for s in steps]
    assert "cells changed, 1,200 rows set aside" in drawn(aside)


def test_columns_that_were_added_are_counted() -> None:
    """A function that only adds one changes no cell: `0 cells changed` read as if nothing had been done."""
    step = next(step for step in usual() if isinstance(step, ApplyStep))
    assert "added" not in step.changed_text
    assert step.model_copy(update={"added": ("year",)}).changed_text.endswith("changed, 1 column added")


def test_what_is_left_and_what_was_replaced_is_in_the_tree() -> None:
    """A line for each form that is left, with the rows held back; cells that come out otherwise."""
    tree = drawn(left_and_replaced())
    for line in (
        "left in zip: 9{4} in 7 rows, 2 of them held back",
        "trim_city replaces up",
        "row 7 of the sample, city: ' Ulm': not 'ULM', but 'Ulm'",
    ):
        assert line in tree, line
    assert "left in" not in drawn(usual())


def test_notes_are_told_at_the_end_of_the_tree() -> None:
    """Once each, whichever chunks they are on."""
    steps = usual()
    assert "note:" not in drawn(steps)
    told = [
        s.model_copy(update={"notes": ("Nothing was understood.",)}) if isinstance(s, AnalysisStep) else s
        for s in steps
    ]
    assert drawn(told).count("note: Nothing was understood.") == 1


def test_forms_that_may_be_right_are_perhaps_left() -> None:
    """A suspicion about a column that the instruction names is worded as one, here and in the report."""
    form = LeftForm(column="state", form="a", rows=18, holdout=2, suspected=True)
    end = ChunkEndStep(at=usual()[0].at, chunk=0, status=RunStatus.CLEAN, forms=(form,))
    steps = [*usual()[:-1], end, usual()[-1]]
    assert "perhaps left in state: a in 20 rows, 2 of them held back" in drawn(steps)
    page = render_report(steps)
    assert "What is left: 1 form<" in page
    assert "(may be right)" in page


def test_the_end_of_a_chunk_says_why_it_came() -> None:
    """Functions that were given up, a proposer that saw more to do, a limit; and apart from it what is left."""
    end = ChunkEndStep(at=usual()[0].at, chunk=0, status=RunStatus.GAVE_UP, rejected=2, left={"note": 189})
    more = "189 null words or stray blanks are left in note"
    for changed, said in (
        ({}, f"gave-up: 2 functions given up; {more}"),
        ({"rejected": 0}, f"gave-up: the proposer saw more to do and proposed nothing; {more}"),
        ({"left": {}}, "gave-up: 2 functions given up"),
        ({"status": RunStatus.LIMIT, "reason": "60 functions proposed", "left": {}}, "limit: 60 functions proposed"),
        ({"status": RunStatus.FINISHED}, f"finished: {more}"),
    ):
        lines = [line.strip("│├└─ ") for line in drawn([*usual()[:-1], end.model_copy(update=changed)]).splitlines()]
        assert said in lines
