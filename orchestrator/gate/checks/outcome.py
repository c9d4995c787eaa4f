"""Results of checks and their counterexamples. Called by every check."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from orchestrator.core.verdict import CheckResult, Concern, Counterexample, Outcome
from orchestrator.gate.inputs.case_planner import LATER
from orchestrator.gate.judge.compare import narrowed, shown_rows
from orchestrator.gate.judge.observations import CaseObservation, OpResult

CASE_WORDS = {
    "working": "the sample",
    "confirm": "the sample, in a second container",
    "repeat": "the sample, called again",
    "doubled": "the sample twice over",
    "rest": "the rest of the sample",
    "part-a": "the first part of the sample",
    "part-b": "the last part of the sample",
    "shuffled": "the shuffled sample",
    **dict.fromkeys(LATER, "some rows of the sample, in a process that had others before"),
    "reshuffled": "the shuffled sample, in a second container",
    "first-row": "one row",
    "holdout": "rows that were held out",
    "begin-cut": "a part of the shuffled sample",
    "end-cut": "the other part of the shuffled sample",
    "wrong-alone": "the rows of the sample that it changes, alone",
    "right-alone": "the rows of the sample that it leaves as they are, alone",
    "among-nulls": "one row of the sample that it changes, among many that hold nothing",
    "among-clean": "one row of the sample that it changes, among many with cells that it makes",
    "diluted": "one row of the sample that it changes, among many that it does not change",
    "chained": "its own result, in a second container",
    "empty": "a table without rows",
    "nulls": "rows that are null in every column",
    "blanks": "blank and white-space cells",
    "mixed": "sample rows followed by odd, huge and extreme cells",
    "long": "long texts, of many lines of the sample",
    "examples": "the examples",
    "usual": "drawn rows",
    "near": "drawn rows with slips",
    "odd": "drawn rows with odd cells",
}


_BY_ROW = {
    "empty": "no record at all",
    "nulls": "records with nulls and missing keys",
    "blanks": "blank and white-space texts",
    "mixed": "sample rows followed by odd, huge and extreme values",
}


@dataclass(frozen=True)
class Violation:
    """A law broken on one case, with the smallest rows that show it."""

    detail: str
    counterexample: Counterexample | None = None


PerCase = Callable[[CaseObservation], Violation | None]


def passed(check: str, cases: int, detail: str = "") -> CheckResult:
    return CheckResult(id=check, outcome=Outcome.PASS, detail=detail, cases=cases)


def failed(check: str, violation: Violation, cases: int) -> CheckResult:
    return CheckResult(
        id=check,
        outcome=Outcome.FAIL,
        detail=violation.detail,
        counterexample=violation.counterexample,
        cases=cases,
    )


def held(check: str, concerns: Sequence[Concern], cases: int) -> CheckResult:
    """The result of a check that found no law broken, and raised concerns."""
    first = concerns[0]
    return CheckResult(
        id=check,
        outcome=Outcome.HOLD,
        detail=first.detail,
        counterexample=first.counterexample,
        cases=cases,
        concerns=tuple(concerns),
    )


def over(check: str, cases: Sequence[CaseObservation], law: PerCase) -> CheckResult:
    """Hold one law against several cases; the first violation is the result."""
    for case in cases:
        violation = law(case)
        if violation is not None:
            return failed(check, violation, len(cases))
    return passed(check, len(cases))


def at_line(raised: OpResult) -> str:
    """Where in the candidate's source it was raised, for the end of a sentence."""
    return f" (line {raised.line})" if raised.line is not None else ""


def words(case: CaseObservation) -> str:
    if case.by_row and case.id in _BY_ROW:
        return _BY_ROW[case.id]
    if case.id.startswith("kind-"):
        return "the rows of the sample whose cells look alike, alone"
    if case.id.startswith("values-"):
        return "the rows of the sample with some of the values of a column, alone"
    return CASE_WORDS.get(case.id, "drawn rows" if "~" in case.id or case.id == "load" else case.id)


def example(
    before: pa.Table | None,
    after: pa.Table | None,
    wanted: str,
    *,
    before_rows: Iterable[int] = (),
    after_rows: Iterable[int] = (),
    columns: Sequence[str] = (),
) -> Counterexample:
    """A counterexample of a few rows before and after. Of a wide table the judge keeps `columns` and what matters."""
    shown = Counterexample(
        input=() if before is None else shown_rows(before, before_rows),
        output=() if after is None else shown_rows(after, after_rows),
        wanted=wanted,
    )
    return narrowed(shown, columns) or shown if columns else shown


def row_example(case: CaseObservation, row: int, wanted: str, columns: Sequence[str] = ()) -> Counterexample:
    """The counterexample of one row of f's result and the input row that it comes from."""
    return rows_example(case, [row], wanted, columns)


def rows_example(
    case: CaseObservation, rows: Sequence[int], wanted: str, columns: Sequence[str] = ()
) -> Counterexample:
    """The same of several rows."""
    origin = case.origin
    return example(
        case.input,
        case.result,
        wanted,
        before_rows=[] if origin is None else [int(origin[row]) for row in rows],
        after_rows=rows,
        columns=columns,
    )


def pair(one: pa.Table, other: pa.Table, row: int | None, columns: Sequence[str], wanted: str) -> Counterexample | None:
    """The same row of two tables that should be equal; None when it is not about one row."""
    if row is None:
        return None
    return example(one, other, wanted, before_rows=[row], after_rows=[row], columns=columns)
