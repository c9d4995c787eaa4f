"""Runs for functions of records and texts, with a scripted proposer and gate, a real guest: rows, mergers, resuming."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator import Cleanroom, bootstrap
from orchestrator.core.candidate import Shape
from orchestrator.core.errors import DataError, ModelUnavailable, UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample
from orchestrator.core.proposals import Analysis, ChunkStatus, Consolidation, Merger
from orchestrator.core.requests import ProposalRequest
from orchestrator.core.steps import MergerStep, PlanningStep
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.record_tables import records_of, row_of, table_of
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.scripted_models import ScriptedPlanner, ScriptedProposer
from orchestrator.run.events import Callbacks
from orchestrator.run.journal.journal import read_journal
from orchestrator.run.journal.resume import read_past
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.loop.run_summary import RunSummary
from orchestrator.run.loop.stopping import RunLimits, untidy
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = '''"""Stray blanks."""
CONTRACT = {{"shape": "record", "modifies": {names!r}}}
def {name}(record):
    """Strip."""
    return {{k: v.strip() if k in {names!r} and isinstance(v, str) else v for k, v in record.items()}}
'''
COUNT = '''"""No count."""
CONTRACT = {"shape": "record", "adds": ["count"]}
def count_tags(record):
    """Count the tags."""
    return {**record, "count": len(record["tags"])} if isinstance(record.get("tags"), list) else record
'''
UPPER = '''"""Lower case."""
CONTRACT = {"shape": "text", "modifies": ["b"]}
def upper_b(text):
    """Upper case."""
    return text.upper()
'''
ROWS: list[dict[str, Any]] = [
    {"a": f" a{n}", "tags": [n, {"x": None}], **({"b": f"b{n} "} if n % 2 else {"c": 1.0})} for n in range(24)
]


def trim(name: str, *names: str) -> str:
    return TRIM.format(name=name, names=list(names))


@pytest.fixture(scope="module")
def parts(local_sandbox: LocalSandbox, decoder: DisposableProcess) -> Services:
    return Services(local_sandbox, ScriptedGate, decoder, Policy(), "policy", bootstrap.open_registry)


def request_for(folder: Path, shape: Shape, **more: Any) -> RunRequest:
    data = folder / "rows.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return RunRequest(data=data, out=folder / "out", shape=shape, chunk_rows=12, sampling="sequential", **more)


def run(request: RunRequest, parts: Services, proposer: ScriptedProposer) -> RunSummary:
    return CleaningJob(request, request.check(), parts, proposer, Callbacks()).run()


def cleaned(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "out" / "cleaned.jsonl").read_text(encoding="utf-8").splitlines()]


def seen(request: ProposalRequest) -> list[dict[str, Any]]:
    return records_of(request.rows)


def test_the_proposer_is_handed_what_is_left_of_the_records(parts: Services, tmp_path: Path) -> None:
    """Natural values first, then the same after what was promoted, also when asked again about the blanks in b."""
    proposer = ScriptedProposer([trim("trim_a", "a"), COUNT])
    summary = run(request_for(tmp_path, Shape.RECORD), parts, proposer)
    assert (summary.promoted, summary.added) == (("trim_a", "count_tags"), ("count",))
    assert {(request.shape, request.data_format) for request in proposer.requests} == {(Shape.RECORD, "jsonl")}
    asked = [(request.chunk_index, request.focus) for request in proposer.requests]
    assert asked == [(0, ()), (0, ()), (0, ()), (0, ("b",)), (1, ()), (1, ("b",))]
    first, second, third, doubted, other_chunk, other_doubted = map(seen, proposer.requests)
    assert all(record in ROWS for record in first)
    assert [record["a"] for record in second] == [record["a"].strip() for record in first]
    assert all(record["count"] == 2 for record in third + other_chunk)
    assert (doubted, other_doubted) == (third, other_chunk)
    assert cleaned(tmp_path) == [{**row, "a": row["a"].strip(), "count": 2} for row in ROWS]


def test_functions_of_texts(parts: Services, tmp_path: Path) -> None:
    """The proposer sees records; the functions get the texts; functions of records are refused."""
    proposer = ScriptedProposer([trim("trim_a", "a"), UPPER])
    summary = run(request_for(tmp_path, Shape.TEXT), parts, proposer)
    assert summary.promoted == ("upper_b",)
    assert "the shape `text` in its CONTRACT" in proposer.repair_requests[0].verdict.failures[0].detail
    assert all(record in ROWS for record in seen(proposer.requests[0]))
    assert cleaned(tmp_path) == [{**row, "b": row["b"].upper()} if "b" in row else row for row in ROWS]


def test_functions_of_records_can_be_merged(parts: Services, tmp_path: Path) -> None:
    """The merger is compared with what it replaces, on records that lack keys; one that differs is refused."""
    mergers = tuple(
        Merger(replaces=("trim_a", "trim_b"), source=source)
        for source in (trim("trim_wrong", "a"), trim("trim_ab", "a", "b"))
    )
    clean = Analysis(chunk_status=ChunkStatus.CLEAN)
    proposer = ScriptedPlanner(
        [trim("trim_a", "a"), clean, clean, trim("trim_b", "b")], [Consolidation(mergers=mergers)]
    )
    summary = run(request_for(tmp_path, Shape.RECORD, limits=RunLimits(plan_every=1, saturation=9)), parts, proposer)
    decided = [step for step in read_journal(tmp_path / "out" / "run.jsonl") if isinstance(step, MergerStep)]
    assert [(step.name, step.adopted) for step in decided] == [("trim_wrong", False), ("trim_ab", True)]
    assert summary.promoted == ("trim_ab",)
    assert [list(row) for row in cleaned(tmp_path)] == [list(row) for row in ROWS]


def test_the_planner_is_not_asked_twice_about_the_same_functions(parts: Services, tmp_path: Path) -> None:
    """One function is no question, two are one, and only a third is another; the journal tells the plans apart."""
    clean = Analysis(chunk_status=ChunkStatus.CLEAN)
    answers: list[str | Analysis] = [
        trim("trim_a", "a"),
        clean,
        clean,  # once more: b has blanks until trim_b
        trim("trim_b", "b"),
        clean,
        clean,
        trim("trim_c", "c"),
        clean,
    ]
    proposer = ScriptedPlanner(answers)
    limits = RunLimits(plan_every=1, saturation=9)
    request = request_for(tmp_path, Shape.RECORD, limits=limits).model_copy(update={"chunk_rows": 6})
    run(request, parts, proposer)
    assert [(r.chunk_index, r.focus) for r in proposer.requests if r.focus] == [(0, ("b",))]
    assert [[f.name for f in asked.functions] for asked in proposer.plan_requests] == [
        ["trim_a", "trim_b"],
        ["trim_a", "trim_b", "trim_c"],
    ]
    plans = [step for step in read_journal(tmp_path / "out" / "run.jsonl") if isinstance(step, PlanningStep)]
    assert [plan.against != "" for plan in plans] == [False, True, False, True]


def test_a_resumed_run_keeps_its_shape(parts: Services, tmp_path: Path) -> None:
    """The shape is a part of what was asked for; the rest of the run sees records again, and refuses other shapes."""
    gone = ScriptedProposer([trim("trim_a", "a"), ModelUnavailable("The model is away.")])
    with pytest.raises(ModelUnavailable):
        run(request_for(tmp_path, Shape.RECORD), parts, gone)
    past = read_past(tmp_path / "out")
    assert past.request().shape is Shape.RECORD
    table = 'CONTRACT = {"modifies": ["b"]}\ndef trim_b(df):\n    """Strip."""\n    return df\n'
    back = ScriptedProposer([table], [trim("trim_b", "b")])
    summary = CleaningJob(past.request(), past.open(), parts, back, Callbacks(), past=past).run()
    assert summary.promoted == ("trim_a", "trim_b")
    assert "a" in seen(back.requests[0])[0]
    assert back.requests[0].shape is Shape.RECORD
    assert [row.get("b") for row in cleaned(tmp_path)] == [row["b"].strip() if "b" in row else None for row in ROWS]


def test_a_journal_without_a_shape_is_one_of_tables(parts: Services, tmp_path: Path) -> None:
    """Runs of earlier versions can be resumed."""
    run(request_for(tmp_path, Shape.TABLE), parts, ScriptedProposer())
    past = read_past(tmp_path / "out")
    older = past.opening.model_copy(update={"configuration": {**past.opening.configuration}})
    del older.configuration["shape"]
    assert past._replace(opening=older).request().shape is Shape.TABLE


def test_data_without_json_words_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    """Dates of a Parquet file are no records; the sentence says what to do instead."""
    pq.write_table(pa.table({"day": [date(2024, 1, 2)]}), tmp_path / "d.parquet")
    request = RunRequest(data=tmp_path / "d.parquet", out=tmp_path / "out", shape=Shape.RECORD)
    with pytest.raises(DataError) as error:
        request.check()
    assert "JSON does not have" in error.value.message
    assert "table" in error.value.advice
    assert not (tmp_path / "out").exists()


def test_untidy_texts_are_found_inside_of_records() -> None:
    """What the host still measures counts texts in lists and objects too, and no mark of ours."""
    rows: list[dict[str, Any]] = [
        {"tags": [" x", {"y": "n/a", "z": "fine"}], "n": 1.5},
        {"other": "a  b"},
        {"tags": {}, "n": None},
    ]
    table = table_of([row_of(row) for row in rows], ["tags", "n", "other"])
    assert untidy(Sample(table, table.slice(0, 0))) == {"tags": 2, "other": 1}


def test_the_library_refuses_what_the_built_in_proposer_cannot_make(tmp_path: Path) -> None:
    """UsageError, before a file is opened or an engine is asked for."""
    with Cleanroom() as cleanroom, pytest.raises(UsageError, match="functions of tables only"):
        cleanroom.run(tmp_path / "none.jsonl", shape="record")
