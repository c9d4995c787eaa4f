"""Apply and residual with functions of records and texts: only what changed is written anew, whatever the format."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.candidate import Candidate, Contract, Shape
from orchestrator.core.errors import DataError, UsageError
from orchestrator.core.ports import Sample, SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.record_tables import records_of, row_of, table_of
from orchestrator.run.apply.apply import ApplyOutcome, apply_functions
from orchestrator.run.apply.residual import Residual
from orchestrator.sandbox.containers.local import LocalSandbox


@pytest.fixture(scope="module")
def sandbox(local_sandbox: LocalSandbox) -> LocalSandbox:
    return local_sandbox


class Machinery:
    """Both halves of what apply needs."""

    def __init__(self, sandbox: LocalSandbox, decoder: DisposableProcess) -> None:
        self.access = SandboxAccess(sandbox, decoder)

    def apply(self, source: Path, functions: list[Promoted], output: Path, **options: Any) -> ApplyOutcome:
        return apply_functions(source, functions, output, self.access, **options)


@pytest.fixture(scope="module")
def machinery(sandbox: LocalSandbox, decoder: DisposableProcess) -> Machinery:
    return Machinery(sandbox, decoder)


def promoted(body: str, **contract: Any) -> Promoted:
    """A promoted function `f(x)` of the shape that the contract names."""
    source = f"def f(x):\n    {body}\n"
    candidate = Candidate(source=source, name="f", contract=Contract(**contract))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


STRIP = promoted("return x.strip()", shape=Shape.TEXT, modifies=("city",))
FLAT = promoted(
    "return {**x, 'tags': [t.strip() for t in x['tags']]} if 'tags' in x else x", shape=Shape.RECORD, modifies=("tags",)
)
SWAP = promoted(
    "return {**{k: v for k, v in x.items() if k != 'old'}, 'new': x.get('old')}",
    shape=Shape.RECORD, modifies=(), adds=("new",), drops=("old",),
)  # fmt: skip
PICKY = promoted("return {**x, 'n': x['n'] + 1}", shape=Shape.RECORD, modifies=("n",))
TABLE = promoted("return x", shape=Shape.TABLE, modifies=())


def test_untouched_lines_and_values_stay_as_they_are(tmp_path: Path, machinery: Machinery) -> None:
    """Number formats, spacing, key order, missing keys and nulls of a JSONL file survive; changed cells are new."""
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(
        '{"n": 1.50,  "city": "Rome"}\n{"city": " Oslo", "n": 1e2, "x": null}\n{"tags": [" a", "b"], "n": 1.0}\n{}\n'
    )
    outcome = machinery.apply(source, [STRIP, FLAT], output)
    assert output.read_text() == (
        '{"n": 1.50,  "city": "Rome"}\n{"city": "Oslo", "n": 1e2, "x": null}\n{"tags": ["a", "b"], "n": 1.0}\n{}\n'
    )
    assert {column.name: column.changed for column in outcome.columns if column.changed} == {"city": 1, "tags": 1}
    assert [function.changed for function in outcome.functions] == [{"city": 1}, {"tags": 1}]


def test_keys_come_and_go(tmp_path: Path, machinery: Machinery) -> None:
    """A null is not a missing key; a key that the contract drops is gone from every line."""
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"old": {"a": 1}, "n": 1}\n{"old": null}\n{"n": 2}\n')
    machinery.apply(source, [SWAP], output)
    assert [json.loads(line) for line in output.read_text().splitlines()] == [
        {"n": 1, "new": {"a": 1}}, {"new": None}, {"n": 2, "new": None},
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_other_formats_keep_their_types(tmp_path: Path, machinery: Machinery, suffix: str) -> None:
    """Rows of a CSV or Parquet file are records for the function, and rows of the same types again."""
    source, output = tmp_path / f"in{suffix}", tmp_path / f"out{suffix}"
    if suffix == ".csv":
        source.write_text('city,n\n" Rome",01\nOslo ,2\n')
    else:
        pq.write_table(pa.table({"city": [" Rome", None], "n": pa.array([1, None], pa.int16())}), source)
    machinery.apply(source, [STRIP], output)
    if suffix == ".csv":
        assert output.read_text() == "city,n\nRome,01\nOslo,2\n"
    else:
        made = pq.read_table(output)
        assert made.to_pylist() == [{"city": "Rome", "n": 1}, {"city": None, "n": None}]
        assert made.schema.field("n").type == pa.int16()


def test_failing_rows_go_to_quarantine(tmp_path: Path, machinery: Machinery) -> None:
    """A record on which the function raises is found alone and kept apart with the reason."""
    source, output, bad = (tmp_path / name for name in ("in.jsonl", "out.jsonl", "bad.jsonl"))
    source.write_text('{"n": 1}\n{"n": "x"}\n{"n": 3}\n')
    outcome = machinery.apply(source, [PICKY], output, quarantine=bad)
    assert outcome.quarantined == 1
    assert output.read_text() == '{"n": 2}\n{"n": 4}\n'
    assert "TypeError" in json.loads(bad.read_text())["cleanroom_reason"]
    with pytest.raises(DataError, match="Row 2"):
        machinery.apply(source, [PICKY], output)


def test_an_undeclared_key_is_not_written(tmp_path: Path, machinery: Machinery) -> None:
    """What the contract does not allow ends as an error that names the function's word."""
    source = tmp_path / "in.jsonl"
    source.write_text('{"n": 1}\n')
    for body, why in (("return {**x, 'extra': 1}", "'extra' appeared"), ("return {'n': 2}", "'n' changed")):
        function = promoted(body, shape=Shape.RECORD, modifies=("city",))
        with pytest.raises(DataError, match=why):
            machinery.apply(source, [function], tmp_path / "out.jsonl")


def test_shapes_that_do_not_mix_are_refused(tmp_path: Path, machinery: Machinery) -> None:
    """Functions of tables and of records cannot follow each other, in apply and in what is left to clean."""
    source = tmp_path / "in.jsonl"
    source.write_text('{"city": " a"}\n')
    with pytest.raises(UsageError, match="one after the other"):
        machinery.apply(source, [STRIP, TABLE], tmp_path / "out.jsonl")
    rows = pa.table({"city": [" a"]})
    with Residual(machinery.access) as residual, pytest.raises(UsageError):
        residual.of(Sample(rows, rows), [STRIP])


def test_the_residual_of_records_is_records(machinery: Machinery) -> None:
    """What promoted functions leave is handed on without loss."""
    rows = table_of([row_of({"city": " a", "n": 1.0}), row_of({"n": [1, {"a": None}]})], ("city", "n"))
    with Residual(machinery.access) as residual:
        rest = residual.of(Sample(rows, rows.slice(1)), [STRIP]).sample
    assert records_of(rest.working) == [{"city": "a", "n": 1.0}, {"n": [1, {"a": None}]}]
    assert records_of(rest.holdout) == [{"n": [1, {"a": None}]}]


def test_the_residual_is_computed_once_for_a_function(machinery: Machinery) -> None:
    """What a function left before it was promoted is what it leaves; another function's work is computed."""
    rows = table_of([row_of({"city": " a", "n": 1.0})], ("city", "n"))
    sample = Sample(rows, rows)
    other = promoted('return {**x, "city": x["city"].upper()}', shape=Shape.RECORD, modifies=("city",))
    with Residual(machinery.access) as residual:
        rest = residual.of(sample, [STRIP])
        assert residual.of(sample, [STRIP.model_copy(update={"version": 2, "order": 7})]) is rest
        assert records_of(residual.of(sample, [other]).sample.working) == [{"city": " A", "n": 1.0}]
        assert residual.of(sample, []).sample is sample


def test_mapped_keys(tmp_path: Path, machinery: Machinery) -> None:
    """Records are read from the file's own text, under the mapped keys; other keys stay as they were written."""
    (tmp_path / "in.jsonl").write_text('{"town": " Ulm", "n": 1}\n{"n": 2.50, "town": "Bonn"}\n')
    strip = promoted('return {**x, "city": x["city"].strip()}', shape=Shape.RECORD, modifies=("city",))
    machinery.apply(tmp_path / "in.jsonl", [strip], tmp_path / "out.jsonl", columns={"city": "town"})
    assert (tmp_path / "out.jsonl").read_text() == '{"town": "Ulm", "n": 1}\n{"n": 2.50, "town": "Bonn"}\n'
