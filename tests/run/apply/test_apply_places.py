"""Apply from and to objects and tables: the results, what is refused, and that no password is told or stored."""

import json
import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import DataError, UsageError
from orchestrator.core.jobs import Limits
from orchestrator.core.policy import Policy
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.steps import ApplyStep
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.data_address import location
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile.decode_entry import ENTRY
from orchestrator.data.sources import open_source
from orchestrator.run.analyze import AnalysisRequest
from orchestrator.run.apply.step import apply_step
from orchestrator.run.outputs import Outputs
from orchestrator.run.request import RunRequest
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.support.object_server import ObjectServer, S3Server, objects, s3
from tests.support.postgresql import PASSWORD, Server, postgresql

__all__ = ["objects", "postgresql", "s3"]

SOURCE = (
    'def trim(df):\n    """Strip city."""\n    out = df.copy()\n'
    "    out['city'] = out['city'].str.strip()\n    return out\n"
)


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Temporary files of this test alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def trim() -> Promoted:
    candidate = Candidate(source=SOURCE, name="trim", contract=Contract(modifies=("city",)))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


def apply(source: str, target: str, **more: Any) -> ApplyStep:
    """One function over the data, with the real guest."""

    class Machine:
        policy = Policy()
        lanes = None
        libraries = ""

    with LocalSandbox() as sandbox, DisposableProcess(ENTRY) as decoder:
        machine: Any = Machine()
        machine.access = SandboxAccess(sandbox, decoder, Limits())
        return apply_step(open_source(source), [trim()], location(target), machine, **more)


def test_a_result_does_not_lie_where_the_functions_are_kept(tmp_path: Path) -> None:
    """Data under the name of the manifest kept the next apply from reading the bundle, also where none was there."""
    source = tmp_path / "d.csv"
    source.write_text("city\n Ulm\n")
    kept = tmp_path / "run/registry/manifest.json"
    kept.parent.mkdir(parents=True)
    for more in ({"target": str(kept)}, {"target": str(tmp_path / "o.csv"), "quarantine": kept}):
        with pytest.raises(UsageError, match=r"manifest\.json is named for a result, and belongs to "):
            apply(str(source), registry=tmp_path / "run", **more)
    assert not kept.exists()


def test_a_table_is_cleaned_into_a_new_one(postgresql: Server) -> None:
    """Types stay, one cell changes, and nothing that is told or stored has the password in it."""
    url = postgresql.new_database()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE t (id int PRIMARY KEY, city varchar(9), price numeric(8,2), day date)")
        connection.execute("INSERT INTO t VALUES (1, ' Rome ', 1.50, '2024-01-02'), (2, 'Bari', NULL, NULL)")
    step = apply(f"{url}&table=t", f"{url}&table=cleaned")
    assert (step.rows_in, step.rows_out, sum(column.changed for column in step.columns)) == (2, 2, 1)
    assert PASSWORD not in step.model_dump_json()
    assert step.output.endswith("table=cleaned")
    with psycopg.connect(url) as connection:
        assert [str(row) for row in connection.execute("SELECT c::text FROM cleaned c ORDER BY id")] == [
            "('(1,Rome,1.50,2024-01-02)',)",
            "('(2,Bari,,)',)",
        ]
    with pytest.raises(UsageError, match="is there already"):
        apply(f"{url}&table=t", f"{url}&table=cleaned")
    with pytest.raises(UsageError, match="same"):
        apply(f"{url}&table=t", f"{url}&table=t")


def test_an_object_is_cleaned_into_another(objects: ObjectServer) -> None:
    """In its own dialect; the object that is read is not written over."""
    objects.put("in.csv", b'city;n\r\n" Rome ";1\r\nBari;2\r\n')
    step = apply(objects.at("in.csv"), objects.at("out.csv"))
    assert objects.secret not in step.model_dump_json()
    assert objects.get("out.csv") == b"city;n\r\nRome;1\r\nBari;2\r\n"
    with pytest.raises(UsageError, match="same file"):
        apply(objects.at("in.csv"), objects.at("in.csv"))


def test_rows_that_fail_can_go_to_an_object(s3: S3Server, tmp_path: Path) -> None:
    """Quarantine is a place like any other; without it nothing is written."""
    file = tmp_path / "a.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE t (city)")
        connection.executemany("INSERT INTO t VALUES (?)", [(" Rome ",), ("Bari ",)])
        connection.commit()
    step = apply(f"sqlite:///{file}?table=t", s3.at("out.jsonl"), quarantine=location(s3.at("q.csv")))
    assert (step.rows_out, step.quarantined) == (2, 0)
    assert [json.loads(line) for line in (s3.get("out.jsonl") or b"").splitlines()] == [
        {"city": "Rome"},
        {"city": "Bari"},
    ]


def test_an_object_that_changes_while_it_is_cleaned_gives_nothing(s3: S3Server) -> None:
    """Neither the output nor a part of it."""
    s3.put("in.csv", b"city\n Rome \n")

    def change(_: object) -> None:
        s3.put("in.csv", b"city\n Bari \n")

    with pytest.raises(DataError, match="has changed"):
        apply(s3.at("in.csv"), s3.at("out.csv"), on_progress=change)
    assert s3.get("out.csv") is None


def test_requests_record_no_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a journal keeps of a run is the address without secrets, and the same data again."""
    monkeypatch.chdir(tmp_path)
    address = f"postgresql://me:{PASSWORD}@host/db?table=t"
    recorded = RunRequest(data=location(address)).recorded()
    assert recorded["data"] == "postgresql://me@host/db?table=t"
    assert PASSWORD not in json.dumps(recorded) + repr(RunRequest(data=location(address)))
    assert RunRequest.model_validate(recorded).data == location(recorded["data"])
    assert (
        RunRequest(data=location("sqlite:///a.db?table=t")).recorded()["data"] == f"sqlite:///{tmp_path}/a.db?table=t"
    )
    analysis = AnalysisRequest(data=location(address))
    assert PASSWORD not in f"{analysis!r} {analysis.model_dump_json()}"


def test_a_run_over_a_table_writes_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run changes no database by itself: its result is a Parquet file in a folder that is named after the table."""
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("CREATE TABLE orders (city TEXT)")
        connection.execute("INSERT INTO orders VALUES (' Rome ')")
        connection.commit()
    opened = RunRequest(data=location("sqlite:///a.db?table=orders")).check()
    assert str(opened.outputs.cleaned) == "orders-cleaned/cleaned.parquet"
    assert opened.rows == 1


def test_the_folder_of_data_with_a_long_name_has_a_name_that_it_can_have(tmp_path: Path) -> None:
    """File systems take 255 bytes: a file may have such a name, and a key of an object store more."""
    long = f"{'ü' * 125}.csv"
    outputs = Outputs.at(tmp_path / long, None, ".csv", overwrite=False)
    assert outputs.folder.name == f"{'ü' * 100}-cleaned"


def test_rows_of_a_table_need_a_name_that_says_their_format(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """It was said that `sqlite` is no format; stdout gets CSV, as rows of a parser do."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("CREATE TABLE t (city TEXT)")
        connection.execute("INSERT INTO t VALUES (' Rome ')")
        connection.commit()
    with pytest.raises(UsageError, match="does not say in which format the rows of t shall be written"):
        apply(f"sqlite:///{tmp_path}/a.db?table=t", str(tmp_path / "out"))
    apply(f"sqlite:///{tmp_path}/a.db?table=t", "-")
    assert capfdbinary.readouterr().out == b"city\nRome\n"
