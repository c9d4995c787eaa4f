"""What the check `keeps-information` says of a function of meaning, in this process. Called by the bench.

A whole verdict in containers costs seconds of processor time, and there are a thousand functions of meaning, wrong ones
among them: they try the gate's suspicions, which this check raises. What another check says of columns
that nobody asked for is heard as well. The functions are our own, trusted code.
"""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.gate.corpus import sample
from orchestrator.core.candidate import Candidate, Example, ExampleSource, Shape
from orchestrator.core.policy import Policy
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.verdict import CheckResult, Outcome, Question
from orchestrator.data.record_tables import from_table, records_of, row_of, table_of
from orchestrator.gate.candidate_file import read
from orchestrator.gate.checks import examples as examples_check
from orchestrator.gate.checks import holdout, touches_only_declared
from orchestrator.gate.checks.keeps_information import CHECK, judged
from orchestrator.gate.inputs import edge_tables
from orchestrator.gate.inputs.emptied_cells import emptied_cells
from orchestrator.gate.inputs.example_case import example_case
from orchestrator.gate.inputs.wanted import Wanted
from orchestrator.gate.judge.observations import CaseObservation, Observations, OpResult

ID = "keeps-information"


def suspected(source: str, data: str, examples: Sequence[Example] = (), instruction: str = "") -> CheckResult:
    """The check's result on the sample and on what is held out, with a user's examples, or with the user's words.

    Of a function that contradicts the examples: what the check on examples says.
    """
    return _contradicted(source, data, examples) or _judged(_observed(source, data, examples, instruction))


def questioned(source: str, data: str, examples: Sequence[Example] = ()) -> tuple[Outcome, list[Question]]:
    """The same outcome, and what a person is asked where it is a hold."""
    observations = _observed(source, data, examples)
    result = _judged(observations)
    if result.outcome is not Outcome.HOLD:
        return result.outcome, []
    checks = (touches_only_declared.CHECK,) if result.id == touches_only_declared.ID else (CHECK, holdout.CHECK)
    asked = [one for check in checks if check.questions is not None for one in check.questions(observations)]
    return result.outcome, list({one.key: one for one in asked}.values())


def _contradicted(source: str, data: str, examples: Sequence[Example]) -> CheckResult | None:
    """What the check on examples says where the function does otherwise than they show."""
    candidate = read(source)
    shown = example_case(candidate, examples, sample(data).working.schema)
    if not examples or shown.table is None:
        return None
    case = _case(candidate, "examples", shown.table)
    observations = Observations(
        contract=candidate.contract,
        instruction="",
        has_detect=candidate.has_detect,
        policy=Policy().gate,
        cases={case.id: case},
        examples=shown.used,
        sources=shown.sources,
        numbers=shown.numbers,
    )
    result = examples_check.check(observations)
    return result if result is not None and result.outcome is Outcome.FAIL else None


def _judged(observations: Observations) -> CheckResult:
    result = judged(ID, observations.present("working", "holdout"), observations)
    return (touches_only_declared.check(observations) or result) if result.outcome is Outcome.PASS else result


def _observed(source: str, data: str, examples: Sequence[Example], instruction: str = "") -> Observations:
    candidate, rows = read(source), sample(data)
    cases = [_case(candidate, name, part) for name, part in (("working", rows.working), ("holdout", rows.holdout))]
    filling = (candidate.contract.modifies or ()) if candidate.contract.shape is Shape.TABLE else ()
    made = emptied_cells(rows.working, filling, random.Random(data))
    more = [_case(candidate, name, table) for name, (table, _) in made.items()]
    more += _of_nulls(candidate, rows.working.schema) if made else []
    shown = example_case(candidate, examples, cases[0].input.schema)
    user = [source is not ExampleSource.OWN for source in shown.sources]
    wanted = Wanted.of(candidate, VerifyRequest(candidate.source, rows, instruction=instruction), Policy())
    return Observations(
        contract=candidate.contract,
        instruction=instruction,
        has_detect=candidate.has_detect,
        policy=Policy().gate,
        cases={case.id: case for case in (*cases, *more)},
        orders={name: taken for name, (_, taken) in made.items()},
        examples=[example for example, is_user in zip(shown.used, user, strict=True) if is_user],
        sources=[ExampleSource.USER] * sum(user),
        declared=shown.declared,
        asked=[*_asked(examples), *wanted.asked],
        reads=wanted.reads,
    )


def _asked(examples: Sequence[Example]) -> list[str]:
    return [name for one in examples if isinstance(one.output, dict) for name in one.output]


def _of_nulls(candidate: Candidate, schema: pa.Schema) -> list[CaseObservation]:
    """What becomes of a table of nulls; nothing where the function raises, which is for another check to judge."""
    try:
        return [_case(candidate, "nulls", edge_tables.nulls(schema))]
    except Exception:  # noqa: BLE001 - whatever the function raises
        return []


def _case(candidate: Candidate, name: str, rows: pa.Table) -> CaseObservation:
    space: dict[str, Any] = {}
    exec(compile(candidate.source, "candidate", "exec"), space)  # noqa: S102 - our own code
    function, detect = space[candidate.name], space.get("detect")
    if candidate.contract.shape is Shape.TABLE:
        frame = rows.to_pandas()
        result, flags = function(frame.copy()), detect(frame.copy()).tolist() if detect else None
        given = rows
        got = pa.table({column: _column(_cells(result[column]), rows, column) for column in result.columns})
    else:
        given = from_table(rows) if candidate.contract.shape is Shape.TEXT else rows
        records = records_of(given)
        if candidate.contract.shape is Shape.TEXT:
            function, detect = _of_records(candidate, function, detect)
        made = [function(json.loads(json.dumps(record))) for record in records]
        flags = [bool(detect(record)) for record in records] if detect else None
        got = table_of([row_of(record) for record in made], given.column_names)
    index = np.arange(got.num_rows, dtype=np.int64)
    results = {"f": OpResult("returned", table=got, index=index)}
    if flags is not None:
        results["detect"] = OpResult("returned", flags=np.array(flags, dtype=np.bool_))
    return CaseObservation(name, given, candidate.contract, results)


def _column(cells: list[Any], given: pa.Table, name: str) -> pa.Array:
    """The cells with the type that the column had, where it holds them: pandas makes floats of numbers beside nulls."""
    if name in given.column_names and pa.types.is_integer(given.schema.field(name).type):
        whole = all(cell is None or (isinstance(cell, int | float) and cell == int(cell)) for cell in cells)
        cells = [None if cell is None else int(cell) for cell in cells] if whole else cells
    return pa.array(cells)


def _cells(column: Any) -> list[Any]:
    cells, missing = column.tolist(), column.isna().tolist()  # pandas' own NA equals nothing, not even itself
    return [None if lacks else cell for cell, lacks in zip(cells, missing, strict=True)]


def _of_records(
    candidate: Candidate, function: Callable[[str], str], detect: Callable[[str], bool] | None
) -> tuple[Callable[[dict[str, Any]], dict[str, Any]], Callable[[dict[str, Any]], bool] | None]:
    """A function of texts and its detect, as ones of the records in which the text stands."""
    (key,) = candidate.contract.modifies or ("",)

    def has(record: dict[str, Any]) -> bool:
        return isinstance(record.get(key), str)

    return (
        lambda record: {**record, key: function(record[key])} if has(record) else record,
        (lambda record: has(record) and detect(record[key])) if detect else None,
    )
