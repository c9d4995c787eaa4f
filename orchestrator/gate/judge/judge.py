"""Judges observations: plain values and the cases that they answer in, check results out. A pure function.

Runs in a disposable process only (`judge_entry`), after another one has decoded what the candidate wrote (`decoding`):
here is nothing that Arrow or a decompressor would have to parse. Its answer is JSON; the one blob that may follow, the
candidate's own result for the sample, is passed on to a container and never decoded on the host.
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from orchestrator.core.jobs import Ended
from orchestrator.core.verdict import CheckResult, Counterexample, Outcome
from orchestrator.data.cells import is_text
from orchestrator.data.disposable.two_steps import own_and_decoded
from orchestrator.data.hostile.arrow_tables import read_own_table, write_table
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.reply import INPUT, OpRecord, read_records
from orchestrator.data.record_tables import is_records, lines_of
from orchestrator.data.text import clean_text
from orchestrator.gate.checks import effective
from orchestrator.gate.checks.catalog import CHECKS
from orchestrator.gate.checks.outcome import example
from orchestrator.gate.judge.compare import narrowed
from orchestrator.gate.judge.observations import CaseObservation, ChildEnd, Observations, OpResult
from orchestrator.gate.judge.protocol import AS_IT_CAME, DECODED, ChildReply, JudgeRequest, pack, unframed
from orchestrator.gate.judge.record_observations import RecordCases
from orchestrator.gate.judge.sample_evidence import distinct_changes, effects
from orchestrator.gate.judge.table_results import Results

if TYPE_CHECKING:
    import pyarrow as pa

MAX_SAMPLES = 3
MAX_CLEAN_CELLS, MAX_CLEAN_CELL = 20, 200


def judge(request: bytes) -> bytes:
    """Judge one stage. Raises ValueError for an invalid request; nothing that the candidate wrote makes it raise."""
    judge_request, observations = observed(request)
    results = _results(observations, set(judge_request.done))
    answer: dict[str, Any] = {"checks": [result.model_dump(mode="json") for result in results]}
    working = observations.cases.get("working")
    if working is None or working.result is None:
        return pack(answer)
    answer |= {
        "facts": _facts(observations),
        "samples": [sample.model_dump(mode="json") for sample in _samples(working, observations.matter)],
        "changes": distinct_changes(observations.present("working", "rest"), observations.matter),
        "rows_changed": sum(case.rows_changed for case in observations.present("working", "rest")),
        "touched": _touched(working),
        "clean": _clean_cells(working),
        **effects(observations.present("working", "rest"), judge_request.candidate, judge_request.salt),
        "origin": None if working.origin is None else working.origin.tolist(),
    }
    result = working.result.combine_chunks()
    return pack(answer, [lines_of(result) if is_records(result) else write_table(result)])


def _results(observations: Observations, done: set[str]) -> list[CheckResult]:
    results: list[CheckResult] = []
    for check in CHECKS:
        if check.judge is None or check.id in done:
            continue
        started = time.perf_counter()
        result = check.judge(observations)
        if result is None:
            continue
        seconds = round(time.perf_counter() - started, 6)
        results.append(_narrow(result, observations).model_copy(update={"seconds": seconds}))
        if result.outcome is Outcome.FAIL and check.structural:
            break
    return results if any(one.outcome is Outcome.FAIL for one in results) else _asking(results, observations)


def _asking(results: list[CheckResult], observations: Observations) -> list[CheckResult]:
    """The results with what a person is asked where one holds the candidate; of one that fails nobody is asked."""
    asks = {check.id: check.questions for check in CHECKS}
    reads = {"reads": tuple(observations.reads)}
    return [
        one.model_copy(update={"questions": tuple(asked.model_copy(update=reads) for asked in ask(observations))})
        if one.outcome is Outcome.HOLD and (ask := asks[one.id]) is not None
        else one
        for one in results
    ]


def _narrow(result: CheckResult, observations: Observations) -> CheckResult:
    """Its rows with the columns that matter, where there are many."""
    concerns = tuple(
        concern.model_copy(update={"counterexample": _shown(concern.counterexample, observations)})
        for concern in result.concerns
    )
    return result.model_copy(
        update={"counterexample": _shown(result.counterexample, observations), "concerns": concerns}
    )


def _shown(example: Counterexample | None, observations: Observations) -> Counterexample | None:
    """Of rows that are gone what the function reads is in front, since no change tells what matters."""
    shown = narrowed(example, observations.matter)
    if shown is None or shown.output or observations.contract.shape.by_row:
        return shown
    rows = tuple({name: row[name] for name in observations.reads if name in row} | row for row in shown.input)
    return shown.model_copy(update={"input": rows})


def observed(message: bytes, mark: bytes = b"") -> tuple[JudgeRequest, Observations]:
    """The request of the second step, and what it says as the checks see it. Raises ValueError if it is invalid."""
    own, decoded = own_and_decoded(message)
    request, blobs = JudgeRequest.unpacked(own.removeprefix(mark))
    cases, ends = _cases(request, blobs, unframed(decoded, len(request.children)))
    observations = Observations(
        contract=request.candidate.contract,
        has_detect=request.candidate.has_detect,
        policy=request.policy,
        cases=cases,
        ends=ends,
        orders=request.orders,
        examples=request.examples,
        sources=request.sources,
        numbers=request.numbers,
        declared=request.declared,
        instruction=request.instruction,
        agreed=request.agreed,
        conventions=request.conventions,
        asked=request.asked,
        matter=request.matter,
        reads=request.reads,
        problems=request.problems,
        promoted=request.promoted,
        promoted_contracts=request.promoted_contracts,
        duplicate_of=request.duplicate_of,
        namesake=request.candidate.name in request.promoted,
        facts=request.facts,
        rules=request.rules,
        team=request.team,
        final=request.final,
    )
    return request, observations


def _cases(
    request: JudgeRequest, blobs: list[bytes], outputs: list[bytes]
) -> tuple[dict[str, CaseObservation], list[ChildEnd]]:
    """The cases by their names, and how each child ended."""
    contract = request.candidate.contract
    tables: dict[int, pa.Table] = {}
    cases: dict[str, CaseObservation] = {}
    by_row = RecordCases(contract, request.kinds)
    ends: list[ChildEnd] = []
    results_of = Results()
    for child, output in zip(request.children, outputs, strict=True):
        records, end = _records(child, output)
        ends.append(end)
        for number, case in enumerate(child.cases):
            name, place = case.id, case.input
            own = [record for record in records if record.case == number]
            if contract.shape.by_row:
                by_row.add(name, place, blobs[place], own)
                continue
            if place not in tables:
                tables[place] = read_own_table(blobs[place])
            results: dict[str, OpResult] = {str(r.op): results_of.op(r, tables[place]) for r in own}
            cases[name] = CaseObservation(name, tables[place], contract, results)
    return cases | by_row.observations(), ends


def _records(child: ChildReply, output: bytes) -> tuple[Sequence[OpRecord], ChildEnd]:
    """What a child wrote, how it ended, and at which case and op it stopped."""
    ended = child.ended
    ops = [case.ops for case in child.cases]
    echo = [case.echo for case in child.cases]
    names = [case.id for case in child.cases]
    try:
        records = read_records(_readable(output), ops, echo=echo, complete=ended is Ended.OK)
    except HostileOutput as error:
        return (), ChildEnd(ended, names[0], str(ops[0][0]), child.wall_s, str(error))
    answered = {(record.case, str(record.op)) for record in records if record.op != INPUT}
    missing = [(n, str(op)) for n, wanted in enumerate(ops) for op in wanted if (n, str(op)) not in answered]
    number, op = missing[0] if missing else (len(ops) - 1, str(ops[-1][-1]))
    tried = tuple(dict.fromkeys(attempt for record in records for attempt in record.tried))
    return records, ChildEnd(ended, names[number], op, child.wall_s, tried=tried)


def _readable(output: bytes) -> bytes:
    """The records of a child. Raises HostileOutput with what the decoder complains of."""
    if output[:1] in (AS_IT_CAME, DECODED):
        return output[1:]
    raise HostileOutput(clean_text(output[1:].decode(errors="replace"), 300) or "the decoder said nothing")


def _facts(observations: Observations) -> dict[str, int]:
    seen = observations.present("working", "rest")
    return {
        "rows": sum(case.input.num_rows for case in seen),
        "changed": sum(case.rows_changed for case in seen),
        "flagged": effective.flagged_rows(observations),
    }


def _touched(case: CaseObservation) -> list[int]:
    """The rows of the input that were changed or dropped."""
    if case.changed is None or case.origin is None:
        return []
    left_alone = set(case.origin[~case.changed].tolist())
    return [row for row in range(case.input.num_rows) if row not in left_alone]


def _clean_cells(case: CaseObservation) -> dict[str, list[str]]:
    """Some texts of the result, by column: among them a wrong row must become what it becomes alone."""
    if case.by_row or case.result is None:
        return {}
    columns = {name: case.result.column(name) for name in case.masks if is_text(case.result.column(name).type)}
    return {name: _different_texts(column.to_pylist()) for name, column in columns.items()}


def _different_texts(cells: Sequence[str | None]) -> list[str]:
    return list(dict.fromkeys(cell for cell in cells if cell and len(cell) <= MAX_CLEAN_CELL))[:MAX_CLEAN_CELLS]


def _samples(case: CaseObservation, columns: Sequence[str]) -> list[Counterexample]:
    """Up to three changed rows before and after, for people."""
    if case.changed is None or case.origin is None or case.result is None:
        return []
    picked = [int(row) for row in case.changed.nonzero()[0]]
    picked = picked[:: max(1, len(picked) // MAX_SAMPLES)][:MAX_SAMPLES]
    return [
        example(case.input, case.result, "", before_rows=[int(case.origin[row])], after_rows=[row], columns=columns)
        for row in picked
    ]
