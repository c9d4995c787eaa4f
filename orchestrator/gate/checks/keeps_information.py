"""Cleaning changes how something is written, not what it means.

What is gone for good fails the candidate. That cells mean something else is a suspicion: it raises concerns, which a
witness settles. What the candidate itself shows in its examples settles nothing.
"""

from collections.abc import Iterator, Mapping, Sequence

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult, Concern, Counterexample, Outcome, Question
from orchestrator.data.cells import python_rows
from orchestrator.gate.checks.changed_columns.added_concerns import added_concerns
from orchestrator.gate.checks.changed_columns.added_rows import questions_of_rows, unshown_rows
from orchestrator.gate.checks.changed_columns.band_concerns import band_concerns
from orchestrator.gate.checks.changed_columns.changed_column import ChangedColumn
from orchestrator.gate.checks.changed_columns.column_doubts import changed_columns, doubts, gone_for_good
from orchestrator.gate.checks.changed_columns.questions import questions
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.formula_concerns import formula_concerns
from orchestrator.gate.checks.outcome import Violation, example, failed, held, passed, row_example, words
from orchestrator.gate.checks.removed import asks_for_rows, removed_rows
from orchestrator.gate.information.null_tokens import holds_something
from orchestrator.gate.information.text_changes.text_cut import cut_text
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "keeps-information"
LAW = "No new nulls and no vanished values beyond the policy; what may have lost its meaning is confirmed by a witness."


def violation(
    case: CaseObservation, observations: Observations, columns: Mapping[str, ChangedColumn]
) -> Violation | None:
    """What is gone for good, and explained by neither `detect` nor a witness."""
    if case.result is None or case.kept_input is None or case.origin is None:
        return None
    gone = _rows_gone(case, observations)
    if gone and not (case.result.num_rows and _flags_all_dropped(case)):
        return Violation(gone)
    lost = gone_for_good(columns)
    return None if lost is None else Violation(_sentence(lost[0], lost[1].detail, case), _shown(case, *lost))


def concerns(
    case: CaseObservation, observations: Observations, columns: Mapping[str, ChangedColumn]
) -> Iterator[Concern]:
    """What may have lost its meaning."""
    if case.result is None or case.kept_input is None or case.origin is None:
        return
    if gone := removed_rows(case, observations):
        yield Concern(
            kind="rows-dropped",
            check=ID,
            detail=f"it drops rows with values, which nobody asked for, on {words(case)}",
            settles="Confirm that such rows are to be dropped, with an example whose output is null.",
            counterexample=example(case.input, None, "the row kept", before_rows=gone[:1]),
            rows=len(gone),
        )
    yield from formula_concerns(case, ID, observations.witnesses)
    yield from band_concerns(case, ID, observations.witnesses)
    yield from added_concerns(case, ID, observations.witnesses)
    yield from unshown_rows(case, observations, ID)
    for name, one in doubts(columns):
        yield _concern(case, name, one)


def _cuts(observations: Observations) -> Iterator[Concern]:
    """Long texts that lose what the short ones of the sample keep."""
    for case, long in zip(observations.present("working"), observations.present("long"), strict=False):
        for name in long.masks:
            pairs = [
                list(zip(one.values(one.kept_input, name), one.values(one.result, name), strict=True))
                for one in (case, long)
            ]
            row = cut_text(*pairs)
            if row is not None:
                detail = "a long text loses most of its letters, and short ones do not"
                yield _concern(long, name, Suspected("text-cut", detail, row, "the whole text"))


def judged(check_id: str, cases: Sequence[CaseObservation], observations: Observations) -> CheckResult:
    """The result over some cases: also for what was held out."""
    seen = [(case, observations, changed_columns(case, observations)) for case in cases]
    for case in seen:
        if (found := violation(*case)) is not None:
            return failed(check_id, found, len(cases))
    raised = [concern for case in seen for concern in concerns(*case)]
    return held(check_id, raised, len(cases)) if raised else passed(check_id, len(cases))


def _rows_gone(case: CaseObservation, observations: Observations) -> str:
    """What is said of dropped rows where they are more than the policy allows, and no witness shows a dropped row.

    Rows that the instruction names do not count.
    """
    gone = case.input.num_rows - (0 if case.result is None else case.result.num_rows)
    if gone <= observations.policy.max_distinct_loss * case.input.num_rows or not _hold_something(case):
        return ""
    if any(example.output is None for example in observations.witnesses):
        return ""
    if asks_for_rows(observations):
        unasked = len(removed_rows(case, observations))
        if unasked <= observations.policy.max_distinct_loss * case.input.num_rows:
            return ""
    return f"{gone} of {case.input.num_rows} rows are dropped, on {words(case)}"


def _flags_all_dropped(case: CaseObservation) -> bool:
    flags = case.op(Op.DETECT).flags
    if flags is None or case.origin is None:
        return False
    kept = set(case.origin.tolist())
    return all(flags[row] for row in range(case.input.num_rows) if row not in kept)


def _hold_something(case: CaseObservation) -> bool:
    """Whether most rows of the input have a cell that holds something: blank lines may go, however many."""
    rows = python_rows(case.input)
    return 2 * sum(any(holds_something(value) for value in row.values()) for row in rows) > len(rows)


def _concern(case: CaseObservation, name: str, found: Suspected) -> Concern:
    shown = _shown(case, name, found)
    before, after = (row[0].get(name) if row else None for row in (shown.input, shown.output))
    return Concern(
        kind=found.kind,
        check=ID,
        detail=_sentence(name, found.detail, case),
        settles=f"Confirm that {before!r} is right as {after!r} in column {name[:60]!r}."[:700],
        columns=(name,),
        counterexample=shown,
        rows=found.rows,
    )


def _sentence(name: str, detail: str, case: CaseObservation) -> str:
    return f"in column {name[:60]!r} {detail}, on {words(case)}"


def _shown(case: CaseObservation, name: str, found: Suspected) -> Counterexample:
    return row_example(case, int(found.row), found.wanted, [name])


def check(observations: Observations) -> CheckResult | None:
    result = judged(ID, observations.present("working", "rest"), observations)
    cuts = list(_cuts(observations))
    if cuts and result.outcome is not Outcome.FAIL:
        return held(ID, [*result.concerns, *cuts], result.cases)
    return result


def _questions(observations: Observations) -> list[Question]:
    cases = observations.present("working", "rest")
    return [*questions(cases, observations), *questions_of_rows(cases, observations)]


CHECK = Check(ID, LAW, check, questions=_questions)
