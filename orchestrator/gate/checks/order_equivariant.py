"""A row's result does not depend on where in the table it stands."""

import numpy as np
import pyarrow as pa

from orchestrator.core.verdict import CheckResult
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.outcome import Violation, example, failed, passed
from orchestrator.gate.judge.compare import difference
from orchestrator.gate.judge.observations import Observations

ID = "order-equivariant"
LAW = "f(shuffle(x)) = shuffle(f(x))."


def violation(observations: Observations, case_id: str) -> Violation | None:
    """Sort the shuffled result back and compare it with the result of the rows as they came."""
    plain = observations.cases.get("working") or observations.cases.get("confirm")
    mixed = observations.cases.get(case_id)
    if not plain or not mixed or plain.result is None or mixed.result is None:
        return None
    if plain.origin is None or mixed.origin is None:
        return None
    rows = np.asarray(observations.orders[case_id], dtype=np.int64)[mixed.origin]
    back = np.argsort(rows, kind="stable")
    if not np.array_equal(rows[back], plain.origin):
        return Violation("in another order of the rows, other rows survive")
    detail, row, columns = difference(plain.result, mixed.result.take(pa.array(back)))
    if not detail:
        return None
    if row is None:
        return Violation(f"shuffled rows come out differently: {detail}")
    shown = example(
        plain.input,
        mixed.result,
        "the same result wherever the row stands",
        before_rows=[int(plain.origin[row])],
        after_rows=[int(back[row])],
        columns=columns,
    )
    return Violation(f"shuffled rows come out differently: {detail}", shown)


def check(observations: Observations) -> CheckResult | None:
    found = violation(observations, "shuffled")
    return passed(ID, 2) if found is None else failed(ID, found, 2)


CHECK = Check(ID, LAW, check)
