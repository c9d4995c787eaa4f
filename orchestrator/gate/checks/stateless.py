"""What a process saw before changes nothing, and neither does how many of the rows beside a row are wrong.

The first container's result for the sample is compared with what the second container makes of other cuts of it, in
other orders, in processes that saw nothing else: a law that compares two calls in one process is blind to what the
process remembers. Among the cuts are the wrong rows alone, few of them among many that need nothing, and values of a
column without the others, each group in a process of its own.
"""

import pyarrow as pa

from orchestrator.core.verdict import CheckResult
from orchestrator.data.cells import has_column
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.outcome import Violation, example, failed, passed, words
from orchestrator.gate.inputs.case_planner import AMONG_CLEAN, AMONG_NULLS, KIND, VALUES
from orchestrator.gate.judge.compare import difference, shown_rows
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "stateless"
LAW = "A fresh process that gets other rows first, or fewer, or many of one kind, makes the same of each row."
PARTS = ("begin-cut", "end-cut")
CASES = (*PARTS, "wrong-alone", "right-alone", "diluted", *VALUES)


def check(observations: Observations) -> CheckResult | None:
    """The result, once the second container has run; every case of the judge must have one."""
    if not observations.final:
        return None
    cases = observations.present(*CASES, *(name for name in observations.cases if name.startswith(KIND)))
    chained = observations.cases.get("chained")
    if chained is None or not cases:
        return failed(ID, Violation("it gave no result for other cuts of the sample"), len(cases))
    for case in cases:
        found = _violation(observations, case, chained.input)
        if found is not None:
            return failed(ID, found, len(cases))
    for case in observations.present(AMONG_NULLS, AMONG_CLEAN):
        found = _among(observations, case, chained.input)
        if found is not None:
            return failed(ID, found, len(cases))
    dropped = _dropped(observations, chained.input)
    return passed(ID, len(cases)) if dropped is None else failed(ID, dropped, len(cases))


def _violation(observations: Observations, case: CaseObservation, whole: pa.Table) -> Violation | None:
    """`whole`: the first container's result for all rows of the sample, in their order."""
    if case.result is None:
        return Violation(f"it gave no result for {words(case)}")
    if case.contract.drops_rows:  # which row a result comes from is a guess then, where rows are alike
        return None
    rows = observations.orders[case.id]
    wanted = whole.take(pa.array(rows, pa.int64()))
    detail, row, columns = difference(wanted, case.result)
    if not detail:
        return None
    detail = f"for {words(case)}, in a fresh process, the same rows come out differently: {detail}"
    if row is None:
        return Violation(detail)
    expected = f"as among the whole sample: {shown_rows(wanted, [row], columns)[0]}"
    shown = example(case.input, case.result, expected, before_rows=[row], after_rows=[row], columns=columns)
    return Violation(detail, shown)


def _among(observations: Observations, case: CaseObservation, whole: pa.Table) -> Violation | None:
    """One wrong row among many that need nothing becomes what it becomes among the others."""
    row, place = observations.orders[case.id]
    if case.result is None:
        return Violation(f"it gave no result for {words(case)}")
    if case.contract.drops_rows or case.result.num_rows != case.input.num_rows:
        return None
    wanted, got = whole.slice(row, 1), case.result.slice(place, 1)
    names = [name for name in case.contract.modifies or wanted.column_names if has_column(got, name)]
    detail, _, columns = difference(wanted.select(names), got.select(names))
    if not detail:
        return None
    expected = f"as among the whole sample: {shown_rows(wanted, [0], columns)[0]}"
    shown = example(case.input, case.result, expected, before_rows=[place], after_rows=[place], columns=columns)
    return Violation(f"for {words(case)}, it comes out differently: {detail}", shown)


def _dropped(observations: Observations, whole: pa.Table) -> Violation | None:
    """How many rows survive in both parts of the shuffled sample together."""
    parts = observations.present(*PARTS)
    left = sum(case.result.num_rows for case in parts if case.result is not None)
    if len(parts) < len(PARTS) or left == whole.num_rows:
        return None
    return Violation(f"{left} rows survive in parts of the sample, and {whole.num_rows} of the whole")


CHECK = Check(ID, LAW, check)
