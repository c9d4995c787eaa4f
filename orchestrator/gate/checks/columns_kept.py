"""Columns neither vanish nor appear nor move, but for what the contract declares."""

import pyarrow as pa

from orchestrator.core.candidate import Shape
from orchestrator.core.verdict import CheckResult
from orchestrator.data.cells import has_column
from orchestrator.data.record_tables import present
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import Violation, over, row_example, words
from orchestrator.gate.judge.compare import names_text
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "columns-kept"
LAW = "Column names and their order (the keys of a record) stay, but for what the contract adds and drops."


def violation(case: CaseObservation) -> Violation | None:
    if case.result is None:
        return None
    if case.by_row:
        return _keys(case, case.result)
    contract = case.contract
    after = case.result.column_names
    expected = [name for name in case.input.column_names if name not in contract.drops]
    stay, left = {*expected}, {*after}
    added = [name for name in contract.adds if name not in stay]
    declared = stay.union(added)
    for problem, names in (
        ("lost columns that it does not declare in `drops`", [n for n in expected if n not in left]),
        ("added columns that it does not declare in `adds`", [n for n in after if n not in declared]),
        ("kept columns that it declares in `drops`", [n for n in contract.drops if n in left]),
        ("did not make the columns that it declares in `adds`", [n for n in added if n not in left]),
    ):
        if names:
            return Violation(f"it {problem}: {names_text(names)} (on {words(case)})")
    if [name for name in after if name in stay] != expected:
        return Violation(f"the columns of {words(case)} came back in another order: {names_text(after)}")
    return None


def _keys(case: CaseObservation, result: pa.Table) -> Violation | None:
    """Each record keeps its keys; what is declared in `adds` and `drops` may come and go."""
    contract = case.contract
    for name in dict.fromkeys([*case.masks, *contract.adds, *contract.drops]):  # no other key can have come or gone
        if not has_column(result, name):
            continue
        before, after = case.input.column(name), result.column(name)
        had, has = (present(column).to_numpy(zero_copy_only=False) for column in (before, after))
        for problem, rows, wanted in (
            ("removed the key {!r}, which it does not declare in `drops`", had & ~has, name not in contract.drops),
            ("added the key {!r}, which it does not declare in `adds`", has & ~had, name not in contract.adds),
            ("kept the key {!r}, which it declares in `drops`", has, name in contract.drops),
        ):
            if wanted and rows.any():
                shown = row_example(case, int(rows.argmax()), "the keys that the record had", [name])
                return Violation(f"it {problem.format(name[:60])} (on {words(case)})", shown)
        if name in contract.adds and case.id in ("working", "confirm") and not has.any():
            return Violation(f"it did not make the key {name[:60]!r}, which it declares in `adds` (on {words(case)})")
    return None


def check(observations: Observations) -> CheckResult | None:
    return over(ID, [case for case in observations.cases.values() if case.id != "chained"], violation)


def not_applicable(scope: VerdictScope) -> str:
    return "holds by construction: it only ever sees one text" if scope.contract.shape is Shape.TEXT else ""


CHECK = Check(ID, LAW, check, not_applicable, structural=True)
