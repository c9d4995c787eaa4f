"""It must really have run: a verdict about code that was never executed proves nothing."""

import re

import numpy as np
import pyarrow as pa

from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Ended, Op
from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.outcome import Violation, at_line, example, failed, passed, words
from orchestrator.gate.judge.compare import names_text
from orchestrator.gate.judge.observations import CaseObservation, ChildEnd, Observations

ID = "executed"
LAW = "It ran to its end on non-empty cases in which the columns that it declares are present."

RETURNED = {Shape.TABLE: "a table", Shape.RECORD: "a dict", Shape.TEXT: "a str", Shape.FITTED: "a table"}
_INSIDE = re.compile(r"[.\[]")
_OF_PANDAS = re.compile(  # what a DataFrame or a column of it has, and no value of JSON
    r"object has no attribute '(?:apply|assign|astype|columns|dropna|empty|fillna|iloc|isin|isna|loc|map|mask|notna|"
    r"str|where)'"
)
_CALLED_WITH = {
    Shape.RECORD: "; the function is called once for each record, with a dict and no DataFrame",
    Shape.TEXT: "; the function is called once for each text, with a str and no DataFrame",
}
_RAN = frozenset({"returned", "unserialisable", "broken"})
_ENDINGS = {
    Ended.TIMEOUT: "it was stopped after {wall_s:.1f} s",
    Ended.MEMORY: "it used more memory than it may",
    Ended.OUTPUT_LIMIT: "it wrote more output than it may",
    Ended.KILLED: "its process was killed, or left before its work was done",
    Ended.PROTOCOL: "it wrote something that is not a result",
}


def check(observations: Observations) -> CheckResult | None:
    violation = _columns(observations) or _ends(observations) or _raised(observations)
    cases = [case for case in observations.cases.values() if case.input.num_rows and case.op(Op.F).status in _RAN]
    if violation is None and not cases:
        violation = Violation("it was not executed on a single row: the sample is empty")
    return passed(ID, len(cases)) if violation is None else failed(ID, violation, len(observations.cases))


def _columns(observations: Observations) -> Violation | None:
    working = observations.cases.get("working")
    if working is None:
        return None
    have = set(working.columns)
    missing = [
        name for name in (*(observations.contract.modifies or ()), *observations.contract.drops) if name not in have
    ]
    if missing:
        known = names_text(working.columns)
        inside = dict.fromkeys(key for name in missing if (key := _INSIDE.split(name)[0]) in have)
        told = f"; name the outermost key: {names_text(list(inside))}" if inside and working.by_row else ""
        return Violation(
            f"the contract names columns that the data does not have: {names_text(missing)} (it has {known}){told}"
        )
    taken = [n for n in observations.contract.adds if n in have and not (working.by_row and working.lacking(n))]
    return Violation(f"the contract adds columns that the data already has: {names_text(taken)}") if taken else None


def _ends(observations: Observations) -> Violation | None:
    return next(
        (ending(observations, end) for end in observations.ends if end.ended is not Ended.OK or end.broken), None
    )


def ending(observations: Observations, end: ChildEnd) -> Violation:
    """The violation of a child that did not end normally."""
    how = _ENDINGS.get(end.ended, "it did not end normally").format(wall_s=end.wall_s)
    if end.broken:
        how = f"hostile-output: {end.broken}"
    case = observations.cases.get(end.case)
    where = f" while {end.op} ran on {words(case)}" if case is not None else ""
    return Violation(f"{how}{where}")


def _raised(observations: Observations) -> Violation | None:
    for case in observations.present("working", "part-a", "part-b", "shuffled", "first-row", "rest", "repeat"):
        op_result = case.op(Op.F)
        if op_result.status in ("raised", "missing"):
            return raised(case, op_result.error)
    return None


def raised(case: CaseObservation, error: str, op: Op = Op.F) -> Violation:
    """The violation of an exception; its example is the row that raised, where that is known, else a few rows."""
    row = case.op(op).row
    if row is None:
        row = _quoted(case, error)
    count = case.input.num_rows
    first = max(count - 3, 0) if case.id == "mixed" else 0  # whose odd rows are last
    rows = np.arange(first, min(first + 3, count)) if row is None else np.array([row])
    wanted = f"{RETURNED[case.contract.shape]}, not an exception"
    told = _CALLED_WITH.get(case.contract.shape, "") if _OF_PANDAS.search(error) else ""
    said = f"it raised on {words(case)}: {error[:500]}{at_line(case.op(op))}{told}"
    return Violation(said, example(case.input, None, wanted, before_rows=rows))


def _quoted(case: CaseObservation, error: str) -> int | None:
    """The first row with a text that the error quotes, as most errors of conversions do."""
    changed = case.contract.modifies or ()
    for name in sorted(case.columns, key=lambda name: name not in changed):
        column = case.input.column(name)
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            for row, text in enumerate(column.to_pylist()):
                if text and repr(text)[:100] in error:  # which may be cut
                    return row
    return None


CHECK = Check(ID, LAW, check, structural=True)
