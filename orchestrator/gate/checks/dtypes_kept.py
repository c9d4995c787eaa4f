"""A column keeps its type: text that looks like a number is text, and an integer is not a float."""

import pyarrow as pa

from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult
from orchestrator.data.record_tables import kind_of
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.outcome import Violation, over, row_example, words
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "dtypes-kept"
LAW = "Every column that stays has the type that it had; a record's value, a kind that its key has in the sample."

_TEXT = frozenset({"str", "string"})
# A missing value has no place in these numpy types, so that pandas itself changes them.
_WITH_NULLS = ("int", "uint", "bool", "Int", "UInt", "boolean", "float64", "object")
# Too few rows to tell int64 from Int64: pandas reads a column as the one or the other by whether a value is missing.
_FEW = frozenset({"empty", "first-row", "nulls", "blanks", "mixed", "examples"})


def violation(case: CaseObservation) -> Violation | None:
    if case.result is None:
        return None
    if case.by_row:
        return _kinds(case, case.result)
    for name in case.comparable:
        before, after = case.input.column(name), case.result.column(name)
        if not _same(before.type, after.type):
            rows = row_example(case, 0, f"{name!r} as {before.type}", [name]) if case.result.num_rows else None
            return Violation(
                f"column {name[:60]!r} was {before.type} and came back as {after.type} on {words(case)}", rows
            )
    if case.id in _FEW or not case.input.num_rows:
        return None  # whether values can be missing shows in the sample, not in a handful of rows
    for hint in case.op(Op.F).dtypes:
        if hint.before is None or hint.after is None or hint.column not in case.comparable:
            continue
        if not _same_hint(hint.before, hint.after, case.input.column(hint.column), case.result.column(hint.column)):
            told = f"column {hint.column[:60]!r} was {hint.before} and came back as {hint.after} on {words(case)}"
            return Violation(f"{told}; `.astype(df[{hint.column[:60]!r}].dtype)` gives it its type back")
    return None


def _kinds(case: CaseObservation, result: pa.Table) -> Violation | None:
    """A changed value of a record has one of the kinds that the sample's values under this key have, or its own."""
    for name, mask in case.masks.items():
        if name in case.contract.adds:
            continue
        before, after = case.input.column(name), result.column(name)
        for row in mask.nonzero()[0].tolist():
            old, new = kind_of(before[row].as_py()), kind_of(after[row].as_py())
            if new != old and new not in case.kinds.get(name, ()) and new not in ("null", "absent"):
                detail = f"the value of {name[:60]!r} was of the kind {old} and came back as {new} on {words(case)}"
                return Violation(detail, row_example(case, row, f"{name!r} as {old}", [name]))
    return None


def _same(before: pa.DataType, after: pa.DataType) -> bool:
    if pa.types.is_large_string(before) or pa.types.is_string(before):
        return bool(pa.types.is_large_string(after) or pa.types.is_string(after))
    return bool(before == after)


def _same_hint(before: str, after: str, old: pa.ChunkedArray, new: pa.ChunkedArray) -> bool:
    """The guest's word on pandas types, which Arrow cannot tell apart (int64 and Int64): can only accuse."""
    if before == after or {before, after} <= _TEXT or new.null_count == len(new):
        return True
    if before in _TEXT and after == "object" and new.null_count > old.null_count:
        return True  # what pandas itself makes of a text column in which values are replaced by None
    if old.type == new.type and pa.types.is_integer(old.type) and after.startswith("float"):
        return True  # an assignment that might leave a value out, and did not: all values are the integers they were
    missing = old.null_count or new.null_count
    return bool(missing) and before.startswith(_WITH_NULLS) and after.startswith(_WITH_NULLS)


def check(observations: Observations) -> CheckResult | None:
    return over(ID, list(observations.cases.values()), violation)


CHECK = Check(ID, LAW, check)
