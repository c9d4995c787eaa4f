"""Jobs and their answers in few words, for the tests of this folder."""

import io
from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from orchestrator.core.jobs import Case, Child, ChildResult, GuestEnvironment, Job, Limits, Op, Program
from orchestrator.core.ports import SandboxSession
from orchestrator.data.hostile.arrow_tables import read_table, restored
from orchestrator.data.hostile.reply import OpRecord, read_records

CITIES = pa.table({"city": [" Rome", "Oslo ", None, "Lima"], "people": pa.array([3, None, 2, 1], pa.int32())})
STRIP = 'def f(df):\n    out = df.copy()\n    out["city"] = out["city"].str.strip()\n    return out\n'
IDENTITY = "def f(df):\n    return df\n"


def blob(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def make_job(
    source: str | Sequence[str],
    *,
    table: pa.Table = CITIES,
    ops: Sequence[Op] = (Op.F,),
    limits: Limits | None = None,
    children: int = 1,
    echo: bool = False,
    program: int | None = None,
    environment: GuestEnvironment = GuestEnvironment.FIRST,
) -> Job:
    """One case per child; every program's public function is called f."""
    sources = [source] if isinstance(source, str) else source
    case = Case("case", blob(table), tuple(ops), program=program, echo_input=echo)
    child = Child((case,), limits or Limits())
    return Job(tuple(Program("f", text) for text in sources), (child,) * children, environment)


def one_each(sources: Sequence[str], *, limits: Limits | None = None) -> Job:
    """A job with several programs, each of which is run in a child of its own in the same container."""
    children = tuple(
        Child((Case("case", blob(CITIES), (Op.F,), program=number),), limits or Limits())
        for number in range(len(sources))
    )
    return Job(tuple(Program("f", text) for text in sources), children)


class Answer(NamedTuple):
    """The result of a child with its records read."""

    result: ChildResult
    records: tuple[OpRecord, ...]
    input: bytes

    @property
    def record(self) -> OpRecord:
        return self.records[0]

    def table(self, number: int = 0) -> pa.Table:
        """The table of a record, without the index column; columns that were left as they were are the input's."""
        record = self.records[number]
        made = restored(read_table(record.body), record.same, pa.ipc.open_stream(self.input).read_all())
        return made.drop_columns(["__index__"]) if "__index__" in made.column_names else made

    def said(self) -> list[Any]:
        """The values of the column `said`, by which test programs report what they saw."""
        values: list[Any] = self.table()["said"].to_pylist()
        return values


def read(result: ChildResult, job: Job) -> Answer:
    case = job.children[0].cases[0]
    complete = result.ended == "ok"
    return Answer(
        result, read_records(result.output, [case.ops], echo=[case.echo_input], complete=complete), case.input
    )


def run_one(sandbox: SandboxSession, source: str | Sequence[str], **options: Any) -> Answer:
    job = make_job(source, **options)
    return read(sandbox.run(job).children[0], job)
