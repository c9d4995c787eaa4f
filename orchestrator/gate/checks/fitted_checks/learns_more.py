"""A fitted function does the same with many more rows, and more keys, to learn from: it waits for no large data set."""

import numpy as np
import pyarrow as pa

from orchestrator.core.verdict import CheckResult, Concern
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.fitted_checks.learns import only_fitted
from orchestrator.gate.checks.outcome import held, passed, row_example
from orchestrator.gate.fitted.agreement import keys_of
from orchestrator.gate.fitted.learning_plan import GROWN, LEARNT, MORE
from orchestrator.gate.judge.compare import Rows, differing
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "learns-more"
LAW = (
    "A fitted function that has learnt of the same rows many times over, or also of rows with other keys in `by`, "
    "changes cells as it does with the sample's state. It may also leave them, or give them what the rows of their key "
    "say. Anything else is confirmed by somebody."
)
KIND = "changes-with-more-rows"
_SETTLES = "Confirm that it may do this once it has learnt from many more rows than the sample has."


def check(observations: Observations) -> CheckResult | None:
    if not observations.final or MORE not in observations.cases:
        return None
    learnt, grown = observations.cases[LEARNT], observations.cases.get(GROWN, observations.cases[MORE])
    if learnt.result is None:  # the other checks say what is wrong
        return passed(ID, 1)
    if grown.result is None or GROWN not in observations.cases:
        why = grown.results["f"].error if "f" in grown.results else "it did not get that far"
        detail = f"it gives no table once it has learnt from many more rows: {why[:500]}"
        return held(ID, [Concern(kind=KIND, check=ID, detail=detail, settles=_SETTLES)], 1)
    concerns = [
        Concern(
            kind=KIND,
            check=ID,
            detail=f"in column {name[:60]!r} it makes something else of cells once it has learnt from many more rows",
            settles=_SETTLES,
            columns=(name,),
            counterexample=row_example(grown, int(rows[0]), "what it makes with the state of the sample", [name]),
            rows=len(rows),
        )
        for name in grown.masks
        if len(rows := _otherwise(learnt, grown, name, observations))
    ]
    return held(ID, concerns, 1) if concerns else passed(ID, 1)


def _otherwise(learnt: CaseObservation, grown: CaseObservation, name: str, observations: Observations) -> Rows:
    """The rows of the grown case whose cell is neither the input's, nor made with the sample's state, nor its key's."""
    rows: Rows = np.flatnonzero(grown.masks[name])
    before, made, origin = learnt.result, grown.result, grown.origin
    if before is None or made is None or origin is None or learnt.origin is None:
        return rows
    if name in before.column_names:
        _, ours, theirs = np.intersect1d(origin, learnt.origin, assume_unique=True, return_indices=True)
        one, other = (table.column(name).take(pa.array(at)) for table, at in ((made, ours), (before, theirs)))
        rows = np.setdiff1d(rows, ours[~differing(one, other)])
    agreed = observations.agreed.get(name)
    if agreed is None or grown.kept_input is None:
        return rows
    keys, cells = keys_of(grown.kept_input, agreed.by), grown.values(made, name)
    return np.array([row for row in rows if not agreed.supports(keys[row], cells[row])], dtype=np.int64)


CHECK = Check(ID, LAW, check, only_fitted)
