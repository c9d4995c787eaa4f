"""What the examples show holds exactly."""

import datetime as dt
import decimal
import json
import math
from typing import Any

from orchestrator.core.candidate import Example
from orchestrator.core.jobs import Op
from orchestrator.core.verdict import CheckResult, Counterexample
from orchestrator.data.cells import python_rows
from orchestrator.data.record_tables import records_of
from orchestrator.data.typed_cells import read_cell
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.executed import raised
from orchestrator.gate.checks.outcome import Violation, failed, passed
from orchestrator.gate.inputs.example_case import WHOSE
from orchestrator.gate.judge.compare import plain, same_value, shown_rows
from orchestrator.gate.judge.observations import CaseObservation, Observations

ID = "examples"
LAW = "The contract's, the tester's and the user's examples hold exactly, in the columns that they name."
_WHOSE = "{} (number {})"


def check(observations: Observations) -> CheckResult | None:
    if observations.problems:
        return failed(ID, Violation(observations.problems[0]), len(observations.examples))
    case = observations.cases.get("examples")
    if case is None:
        return None
    found = _violation(case, observations)
    return passed(ID, len(observations.examples)) if found is None else failed(ID, found, len(observations.examples))


def _violation(case: CaseObservation, observations: Observations) -> Violation | None:
    op_result = case.op(Op.F)
    if op_result.status in ("raised", "missing"):
        return raised(case, op_result.error)
    if op_result.table is None or case.origin is None:
        return Violation("the examples could not be judged: no table came back for them")
    own = zip(observations.sources, observations.numbers, strict=True)
    whose = [_WHOSE.format(WHOSE[source], number) for source, number in own]
    where = {int(source): row for row, source in enumerate(case.origin)}
    for number, example in enumerate(observations.examples):
        row = where.get(number)
        if example.output is None:
            if row is not None:
                return _wrong(case, whose[number], row, example, "this row dropped")
            continue
        if row is None:
            return _wrong(case, whose[number], None, example, "this row kept")
        one = op_result.table.slice(row, 1)
        got = records_of(one)[0] if case.by_row else python_rows(one)[0]
        kinds = {field.name: field.type for field in one.schema}
        equal = same_value if case.by_row else same
        wrong = [
            name
            for name, wanted in example.output.items()
            if name not in got
            or not (equal(wanted, got[name]) or (not case.by_row and same(read_cell(wanted, kinds[name]), got[name])))
        ]
        if wrong:
            wanted = {name: example.output[name] for name in wrong}
            return _wrong(case, whose[number], row, example, json.dumps(wanted, ensure_ascii=False, default=str)[:1000])
    return None


def _wrong(case: CaseObservation, whose: str, row: int | None, example: Example, wanted: str) -> Violation:
    columns = list({**example.input, **(example.output or {})})
    output = () if row is None or case.result is None else shown_rows(case.result, [row])
    if output:
        output = ({name: value for name, value in output[0].items() if name in columns},)
    given = {name: plain(value) for name, value in example.input.items()}
    shown = Counterexample(input=(given,), output=output, wanted=wanted)
    return Violation(f"{whose} does not hold", shown)


def same(wanted: Any, got: Any) -> bool:
    """Whether a cell equals the value in the example, which is plain JSON."""
    if got is None or (isinstance(got, float) and math.isnan(got)):
        return wanted is None or wanted == ""  # a CSV file of examples can say "nothing" in no other way
    if wanted is None:
        return False
    if isinstance(wanted, bool) or isinstance(got, bool):
        return (type(wanted) is type(got) and bool(wanted == got)) or (isinstance(got, str) and str(wanted) == got)
    if isinstance(wanted, int | float) and isinstance(got, int | float | decimal.Decimal):
        return bool(wanted == got)
    if isinstance(got, dt.date | dt.time) and isinstance(wanted, str):
        return wanted in {str(got), got.isoformat(), str(got).removesuffix(" 00:00:00")}
    if isinstance(got, str) and isinstance(wanted, int | float):
        return str(wanted) == got
    return bool(wanted == got)


def not_applicable(scope: VerdictScope) -> str:
    return "" if scope.examples else "there are no examples for this function"


CHECK = Check(ID, LAW, check, not_applicable)
