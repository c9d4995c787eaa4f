"""A row's result does not depend on which other rows are in the table."""

import numpy as np
import pyarrow as pa

from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.outcome import Violation, example, failed, passed, words
from orchestrator.gate.inputs.case_planner import LATER
from orchestrator.gate.judge.compare import Rows, difference, other_type, shown_rows
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "split-invariant"
LAW = "f(a ++ b) = f(a) ++ f(b): data of any size can be cleaned in pieces, with the same result."


def check(observations: Observations) -> CheckResult | None:
    cases = observations.present("working", "part-a", "part-b", "doubled", "mixed", *LATER)
    found = _parts(observations) or _doubled(observations) or _among_others(observations) or _later(observations)
    return passed(ID, len(cases)) if found is None else failed(ID, found, len(cases))


def _parts(observations: Observations) -> Violation | None:
    whole, first, last = (observations.cases.get(name) for name in ("working", "part-a", "part-b"))
    if whole is None or whole.result is None or not first or first.result is None or not last or last.result is None:
        return None
    if first.result.schema != last.result.schema:
        other = other_type(first.result, last.result)
        told = f": {other}" if other else ""
        return Violation(f"the two parts of the sample come out with different columns or types{told}")
    both = pa.concat_tables([first.result, last.result])
    return _compare(whole, np.arange(whole.result.num_rows), both, "when the sample is cut in two")


def _doubled(observations: Observations) -> Violation | None:
    """The sample twice over comes out as its result twice over: equal rows do not influence each other."""
    whole, doubled = observations.cases.get("working"), observations.cases.get("doubled")
    if not whole or not doubled or whole.result is None or doubled.result is None:
        return None
    rows = np.arange(whole.result.num_rows)
    for half in (doubled.result.slice(0, len(rows)), doubled.result.slice(len(rows))):
        found = _compare(whole, rows, half, "when the sample is there twice")
        if found is not None:
            return found
    return None


def _among_others(observations: Observations) -> Violation | None:
    """The first rows of the sample, followed by odd ones, come out as they did among their own."""
    whole, mixed = observations.cases.get("working"), observations.cases.get("mixed")
    if not whole or not mixed or whole.result is None or mixed.result is None:
        return None
    if whole.origin is None or mixed.origin is None:
        return None
    known = int(observations.orders.get("known", [0])[0])
    alone = np.flatnonzero(whole.origin < known)
    among = mixed.result.filter(pa.array(mixed.origin < known))
    return _compare(whole, alone, among, "when odd rows stand beside them")


def _later(observations: Observations) -> Violation | None:
    """Some rows of the sample, in a process that had others before, come out as they did among all."""
    whole = observations.cases.get("working")
    if not whole or whole.result is None or whole.origin is None:
        return None
    for case in observations.present(*LATER):
        if case.result is None:
            return Violation(f"it gave no result for {words(case)}")
        rows = np.flatnonzero(np.isin(whole.origin, observations.orders[case.id]))
        found = _compare(whole, rows, case.result, "when the process had other rows before")
        if found is not None:
            return found
    return None


def _compare(whole: CaseObservation, rows: Rows, other: pa.Table, how: str) -> Violation | None:
    """`rows` of the whole sample's result against another result for the same input rows."""
    if whole.result is None:
        return None
    wanted = whole.result if len(rows) == whole.result.num_rows else whole.result.take(pa.array(rows))
    detail, row, columns = difference(wanted, other)
    if not detail:
        return None
    violation = f"the same rows come out differently {how}: {detail}"
    if row is None or whole.origin is None:
        return Violation(violation)
    return Violation(
        violation,
        example(
            whole.input,
            other,
            f"as in the whole sample: {shown_rows(wanted, [row], columns)[0]}",
            before_rows=[int(whole.origin[rows[row]])],
            after_rows=[row],
            columns=columns,
        ),
    )


CHECK = Check(ID, LAW, check)
