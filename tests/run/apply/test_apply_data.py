"""Apply, with the real guest and the real disposable process: what is written, what is refused, what is left."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import DataError, GuestProtocolError, OutputError, UsageError
from orchestrator.core.jobs import Job, JobResult, Limits
from orchestrator.core.ports import SandboxAccess, SandboxSession
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.formats import open_dataset
from orchestrator.run.apply.apply import ApplyOutcome, apply_functions
from orchestrator.sandbox.containers.local import LocalSandbox

Apply = Callable[..., ApplyOutcome]


@pytest.fixture(scope="module")
def sandbox(local_sandbox: LocalSandbox) -> LocalSandbox:
    return local_sandbox


@pytest.fixture
def apply(sandbox: LocalSandbox, decoder: DisposableProcess) -> Apply:
    def run(source: Path, functions: list[Promoted], output: Path, **options: Any) -> ApplyOutcome:
        access = SandboxAccess(options.pop("sandbox", sandbox), decoder, options.pop("limits", Limits()))
        return apply_functions(source, functions, output, access, **options)

    return run


def promoted(name: str, body: str, **contract: Any) -> Promoted:
    """A promoted table function whose body works on `out`, a copy of the table."""
    source = f"import pandas as pd\n\ndef {name}(df):\n    out = df.copy()\n    {body}\n    return out\n"
    candidate = Candidate(source=source, name=name, contract=Contract(**contract))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


TRIM_LINE = 'out["city"] = out["city"].str.strip()'
TRIM = promoted("trim", TRIM_LINE, modifies=("city",))
UPPER = promoted("upper", 'out["code"] = out["code"].str.upper()', modifies=("code",))
POSITIVE = promoted("positive", 'out = out[out["n"] != "-1"]', modifies=(), drops_rows=True)
PICKY = promoted("picky", 'out["n"] = out["n"].astype(int).astype(str)', modifies=("n",))


def data(folder: Path, text: str, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_applies_in_order(tmp_path: Path, apply: Apply) -> None:
    """All functions are applied to every row; what they changed is counted; the dialect stays."""
    source = data(tmp_path, 'city,code,n\r\n Köln ,"a,1",1\r\nBonn,B2,2\r\n')
    done: list[int] = []
    outcome = apply(source, [TRIM, UPPER], tmp_path / "out.csv", on_progress=done.append)
    assert (tmp_path / "out.csv").read_bytes() == 'city,code,n\r\nKöln,"A,1",1\r\nBonn,B2,2\r\n'.encode()
    assert (outcome.rows_in, outcome.rows_out, outcome.quarantined) == (2, 2, 0)
    assert {c.name: c.changed for c in outcome.columns} == {"city": 1, "code": 1, "n": 0}
    assert [(f.name, f.changed) for f in outcome.functions] == [("trim", {"city": 1}), ("upper", {"code": 1})]
    assert [(q.name, q.untrimmed) for q in outcome.quality_after] == [("city", 0), ("code", 0), ("n", 0)]
    assert done == [2]


def test_many_batches_stay_in_order(tmp_path: Path, apply: Apply) -> None:
    """Several lanes work at once, and the rows come out in their order."""
    source = data(tmp_path, "city,code,n\n" + "".join(f" c{i} ,x,{i}\n" for i in range(2000)))
    outcome = apply(source, [TRIM], tmp_path / "out.csv", batch_rows=150, workers=3)
    assert (tmp_path / "out.csv").read_text() == "city,code,n\n" + "".join(f"c{i},x,{i}\n" for i in range(2000))
    assert outcome.functions[0].changed == {"city": 2000}


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl"])
def test_no_function_copies(tmp_path: Path, apply: Apply, name: str) -> None:
    """Without functions the rows are written as they were read, and no sandbox is asked."""
    source = data(tmp_path, 'city,code,n\n" x ",1,"2"\n', "in.csv")
    outcome = apply(source, [], tmp_path / "out.csv", sandbox=_NoSandbox())
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()
    assert outcome.rows_out == 1


def test_jsonl_rows_that_do_not_change_are_untouched(tmp_path: Path, apply: Apply) -> None:
    """Key order, missing keys, nulls, numbers, nesting and spacing stay; a change touches one cell."""
    text = (
        '{"city":"Köln","n":1,"tags":["a",{"b":1.50}]}\n'
        '{"n":2.0,"city":" Bonn ","extra":null}\n'
        '{"n": 12345678901234567890, "city": "\\u00e9"}\n'
    )
    source = data(tmp_path, text, "in.jsonl")
    apply(source, [TRIM], tmp_path / "out.jsonl")
    wanted = text.replace('{"n":2.0,"city":" Bonn ","extra":null}', '{"n":2.0,"city":"Bonn","extra":null}')
    assert (tmp_path / "out.jsonl").read_text() == wanted


def test_parquet_types_are_kept(tmp_path: Path, apply: Apply) -> None:
    """Narrow integers, decimals, dictionaries and metadata of the file are as they were."""
    table = pa.table(
        {
            "city": pa.array([" a ", "b", None]),
            "i": pa.array([1, None, 3], pa.int32()),
            "d": pa.array([Decimal("1.10"), None, Decimal("2.00")], pa.decimal128(10, 2)),
            "k": pa.array(["x", "y", "x"]).dictionary_encode(),
            "t": pa.array([1, 2, None], pa.timestamp("ms", "UTC")),
        }
    ).replace_schema_metadata({"owner": "me"})
    pq.write_table(table, tmp_path / "in.parquet", compression="zstd", row_group_size=2)
    apply(tmp_path / "in.parquet", [TRIM], tmp_path / "out.parquet")
    got = pq.read_table(tmp_path / "out.parquet")
    assert got.schema.equals(table.schema, check_metadata=True)
    assert got.column("city").to_pylist() == ["a", "b", None]
    assert got.drop(["city"]).to_pydict() == table.drop(["city"]).to_pydict()
    stored = pq.ParquetFile(tmp_path / "out.parquet").metadata
    assert stored.row_group(0).column(0).compression == "ZSTD"
    assert stored.num_row_groups == 2


def test_declared_rows_may_go(tmp_path: Path, apply: Apply) -> None:
    """A function that declares it may drop rows, over several batches and to the last row."""
    source = data(tmp_path, "city,code,n\n" + "a,b,-1\nc,d,1\n" * 50)
    outcome = apply(source, [POSITIVE], tmp_path / "out.csv", batch_rows=7)
    assert (outcome.rows_in, outcome.rows_out) == (100, 50)
    apply(data(tmp_path, "city,code,n\na,b,-1\n"), [POSITIVE], tmp_path / "none.csv")
    assert (tmp_path / "none.csv").read_text() == "city,code,n\n"


def test_columns_appear_and_go_as_declared(tmp_path: Path, apply: Apply) -> None:
    """Added columns come last, dropped ones go, the others keep their order."""
    split = promoted("split", 'out.insert(0, "x", 1); del out["code"]', modifies=(), adds=("x",), drops=("code",))
    apply(data(tmp_path, "city,code,n\na,b,1\n"), [split], tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "city,n,x\na,1,1\n"


def test_planted_formulas_are_counted(tmp_path: Path, apply: Apply) -> None:
    """A function that turns cells into formulas is told on, column by column; one that does not is not."""
    (tmp_path / "in.csv").write_text("city,code,n\n ulm ,a,-5\n=B1 ,b,2\n")
    plant = promoted("plant", 'out["city"] = "=" + out["city"].str.strip()', modifies=("city",))
    assert apply(tmp_path / "in.csv", [TRIM], tmp_path / "trimmed.csv").formulas == {}
    assert apply(tmp_path / "in.csv", [plant], tmp_path / "out.csv").formulas == {"city": 1}


def test_a_text_of_paragraphs_holds_no_formulas(tmp_path: Path, apply: Apply) -> None:
    """An item of a list in Markdown begins with a sign, and no spreadsheet opens it; written as a table it is told."""
    source = data(tmp_path, "* one\n\n* two\n\nthree\n", "in.md")
    items = promoted("items", 'out["text"] = out["text"].str.replace("* ", "- ", regex=False)', modifies=("text",))
    assert apply(source, [items], tmp_path / "out.md").formulas == {}
    assert apply(source, [items], tmp_path / "out.csv").formulas == {"text": 2}


def test_failing_row_is_named(tmp_path: Path, apply: Apply) -> None:
    """Without a quarantine a failing row stops everything: row, function and reason are named, nothing is written."""
    source = data(tmp_path, "city,code,n\n" + "a,b,1\n" * 333 + "a,b,zwölf\n" + "a,b,2\n" * 100)
    with pytest.raises(
        DataError,
        match=r"Row 335 of data.csv \(the header is row 1\): the function picky fails on it: ValueError.*zwölf",
    ):
        apply(source, [TRIM, PICKY, UPPER], tmp_path / "out.csv", batch_rows=50)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv"]


def test_failing_rows_go_to_quarantine(tmp_path: Path, apply: Apply) -> None:
    """With a quarantine the rows at fault are kept apart, as they were, with the reason; the others are cleaned."""
    source = data(tmp_path, "city,code,n\n" + " a ,b,1\n" * 20 + " q ,b,x\n" + " a ,b,2\n" * 20 + " r ,b,y\n")
    outcome = apply(source, [TRIM, PICKY], tmp_path / "out.csv", quarantine=tmp_path / "bad.csv")
    assert (outcome.rows_in, outcome.rows_out, outcome.quarantined) == (42, 40, 2)
    assert (tmp_path / "out.csv").read_text() == "city,code,n\n" + "a,b,1\n" * 20 + "a,b,2\n" * 20
    header, *lines = (tmp_path / "bad.csv").read_text().splitlines()
    assert header == "city,code,n,cleanroom_reason"
    assert [line[:7] for line in lines] == [" q ,b,x", " r ,b,y"]
    assert all("picky: ValueError" in line for line in lines)
    assert {c.name: c.changed for c in outcome.columns}["city"] == 40


def test_rows_of_an_earlier_file_do_not_stay_in_quarantine(tmp_path: Path, apply: Apply) -> None:
    """Where all rows are fine, the file that another call left holds none; where there was none, none is made."""
    bad, fine = tmp_path / "bad.csv", data(tmp_path, "city,code,n\n" + " a ,b,1\n" * 20)
    assert apply(fine, [PICKY], tmp_path / "out.csv", quarantine=bad).quarantined == 0
    assert not bad.exists()
    bad.write_text("city,code,n,cleanroom_reason\n q ,b,x,picky: ValueError\n")
    assert apply(fine, [PICKY], tmp_path / "out.csv", quarantine=bad).quarantined == 0
    assert bad.read_text() == "city,code,n,cleanroom_reason\n"


def test_rows_that_cannot_be_read_go_to_quarantine_too(tmp_path: Path, apply: Apply) -> None:
    """In one file, with the row as it stood; rows in are rows out and rows set aside."""
    source = data(tmp_path, "city,code,n\n a ,b,1\n c ,d\n e ,f,x\n" + " g ,h,3\n" * 20)
    dataset = open_dataset(source, set_aside=True)
    outcome = apply(dataset, [TRIM, PICKY], tmp_path / "out.csv", quarantine=tmp_path / "bad.csv")
    assert (outcome.rows_in, outcome.rows_out, outcome.quarantined) == (23, 21, 2)
    header, unread, failed = (tmp_path / "bad.csv").read_text().splitlines()
    assert header == "city,code,n,cleanroom_reason,cleanroom_text"
    assert unread == ',,,row 3 of the file (the header is row 1): 2 fields where the header has 3," c ,d"'
    assert failed.startswith(" e ,f,x,row 4 of the file (the header is row 1): picky: ValueError")
    with pytest.raises(UsageError, match="need a place"):
        apply(dataset, [TRIM], tmp_path / "other.csv")


def test_no_output_appears_without_the_rows_that_were_set_aside(
    tmp_path: Path, apply: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the quarantine cannot be finished, its rows would be lost: nothing is written."""
    source = data(tmp_path, "city,code,n\n a ,b,1\n c ,d\n" + " g ,h,3\n" * 5)
    rename = os.replace

    def refuse(old: Any, new: Any, **options: Any) -> None:
        if Path(new).name == "bad.csv":
            raise OSError(28, "No space left on device")
        rename(old, new, **options)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OutputError, match=r"bad\.csv"):
        apply(open_dataset(source, set_aside=True), [TRIM], tmp_path / "out.csv", quarantine=tmp_path / "bad.csv")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv"]


def test_function_that_always_fails_is_stopped(tmp_path: Path, apply: Apply, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quarantine is for exceptions: a function that fails on row after row ends the job."""
    monkeypatch.setattr("orchestrator.run.apply.apply.MAX_QUARANTINED", 5)
    source = data(tmp_path, "city,code,n\n" + "a,b,x\na,b,1\n" * 20)
    with pytest.raises(
        DataError, match=r"5 rows fail; Row 2 of data\.csv \(the header is row 1\) is one, on which picky fails"
    ):
        apply(source, [PICKY], tmp_path / "out.csv", quarantine=tmp_path / "bad.csv")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv"]


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (promoted("f", 'out["n"] = "9"', modifies=("city",)), "the column 'n' changed, which no function declares"),
        (promoted("f", 'out["n"] = 5', modifies=("city",)), "the column 'n' changed"),
        (promoted("f", "out = out.iloc[0:0]", modifies=()), "1 row went in and 0 came out"),
        (promoted("f", "out = pd.concat([out, out])", modifies=(), drops_rows=True), "rows were moved, doubled"),
        (promoted("f", "out.index = [7]", modifies=(), drops_rows=True), "rows were moved, doubled or made up"),
        (promoted("f", 'out["z"] = 1', modifies=()), "the column 'z' appeared"),
        (promoted("f", 'del out["n"]', modifies=()), "the column 'n' is gone"),
        (promoted("f", 'out = "gone"', modifies=()), "instead of a DataFrame"),
        (promoted("f", "import os; os._exit(0)"), "killed or ended itself"),
        (promoted("f", 'raise SystemExit("bye")'), "SystemExit: bye"),
        (promoted("f", "while True: pass"), "ran longer than"),
        (promoted("f", "x = bytearray(10**10)"), "MemoryError|memory"),
    ],
)  # fmt: skip
def test_broken_contract(tmp_path: Path, apply: Apply, function: Promoted, says: str) -> None:
    """What comes back must keep the contract on every batch, whatever the function once proved."""
    source = data(tmp_path, "city,code,n\na,b,1\n")
    with pytest.raises(DataError, match=says):
        apply(source, [function], tmp_path / "out.csv", limits=Limits(wall_s=60.0, cpu_s=1.0))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv"]


def test_moved_rows_are_noticed(tmp_path: Path, apply: Apply) -> None:
    """A function that sorts would shift every cell to another row; the index tells, and nobody bisects for ever."""
    source = data(tmp_path, "city,code,n\n" + "b,b,2\na,a,1\n" * 100)
    backwards = promoted("backwards", "out = out.iloc[::-1]")
    with pytest.raises(DataError, match=r"backwards fails on rows together .* rows were moved"):
        apply(source, [backwards], tmp_path / "out.csv", quarantine=tmp_path / "bad.csv")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv"]


def test_output_must_be_another_file(tmp_path: Path, apply: Apply) -> None:
    """The input is never the output, under whatever name, and neither is the quarantine."""
    source = data(tmp_path, "city,code,n\na,b,1\n")
    (tmp_path / "soft.csv").symlink_to(source)
    (tmp_path / "hard.csv").hardlink_to(source)
    for target in (source, tmp_path / "soft.csv", tmp_path / "hard.csv", tmp_path / "x" / ".." / "data.csv"):
        with pytest.raises(UsageError, match="the same file"):
            apply(source, [TRIM], target)
    for quarantine in (source, tmp_path / "out.csv"):
        with pytest.raises(UsageError, match="the same file"):
            apply(source, [TRIM], tmp_path / "out.csv", quarantine=quarantine)
    assert source.read_text() == "city,code,n\na,b,1\n"


def test_output_that_cannot_be_written(tmp_path: Path, apply: Apply) -> None:
    """A folder that is not there is an OutputError."""
    with pytest.raises(OutputError):
        apply(data(tmp_path, "city,code,n\na,b,1\n"), [TRIM], tmp_path / "none" / "out.csv")


class _NoSandbox:
    """A sandbox that nobody may ask."""

    def run(self, job: Job) -> JobResult:
        raise AssertionError(job)

    def session(self, *, alone: bool = False) -> Any:
        raise AssertionError(alone)

    def close(self) -> None: ...


class _Shaky:
    """A sandbox whose machinery breaks on some calls; each session is then over."""

    def __init__(self, sandbox: LocalSandbox, breaks_on: set[int]) -> None:
        self._sandbox = sandbox
        self._breaks_on = breaks_on
        self.calls = self.opened = self.closed = 0

    def session(self, *, alone: bool = False) -> Any:
        from contextlib import contextmanager

        @contextmanager
        def opened() -> Iterator[SandboxSession]:
            self.opened += 1
            try:
                yield self
            finally:
                self.closed += 1

        return opened()

    def run(self, job: Job) -> JobResult:
        self.calls += 1
        if self.calls in self._breaks_on:
            raise GuestProtocolError("the container went away")
        return self._sandbox.run(job)

    def close(self) -> None: ...


@pytest.mark.parametrize("k", [1, 2, 3])
def test_broken_machinery_is_retried(tmp_path: Path, apply: Apply, sandbox: LocalSandbox, k: int) -> None:
    """When the k-th call breaks, another container does the batch; the result is the same and no session is left."""
    source = data(tmp_path, "city,code,n\n" + " a ,b,1\n" * 80)
    shaky = _Shaky(sandbox, {k})
    apply(source, [TRIM], tmp_path / "out.csv", sandbox=shaky, batch_rows=10, workers=1)
    assert (tmp_path / "out.csv").read_text() == "city,code,n\n" + "a,b,1\n" * 80
    assert shaky.opened == shaky.closed == 3  # the one that broke, the one in its place, and the one of the audit


def test_machinery_that_stays_broken_is_infrastructure(tmp_path: Path, apply: Apply, sandbox: LocalSandbox) -> None:
    """After three tries the error is the machinery's, no row is blamed and nothing is written."""
    source = data(tmp_path, "city,code,n\n a ,b,1\n")
    shaky = _Shaky(sandbox, set(range(100)))
    with pytest.raises(GuestProtocolError):
        apply(source, [TRIM], tmp_path / "out.csv", sandbox=shaky, quarantine=tmp_path / "bad.csv")
    assert shaky.opened == shaky.closed == shaky.calls == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv"]


def test_data_that_changes_while_it_is_applied_to(tmp_path: Path, apply: Apply) -> None:
    """The attack: another process writes the file once reading has begun. Nothing is written; quiet data is."""
    source = data(tmp_path, "city,code,n\n" + "".join(f" c{i} ,x,{i}\n" for i in range(2000)))

    def change(rows: int) -> None:
        if rows >= 1800:
            source.write_text(source.read_text().replace(" c0 ,", " zz ,"))

    with pytest.raises(DataError, match="has changed"):
        apply(source, [TRIM], tmp_path / "out.csv", batch_rows=150, on_progress=change)
    assert not (tmp_path / "out.csv").exists()
    apply(source, [TRIM], tmp_path / "out.csv", batch_rows=150)
    assert (tmp_path / "out.csv").read_text().startswith("city,code,n\nzz,x,0\n")


@pytest.mark.parametrize("name", ["data.csv", "data.jsonl"])
def test_rows_may_go_by_a_function_that_numbers_those_left_anew(tmp_path: Path, apply: Apply, name: str) -> None:
    """As at the gate, which lets `reset_index` pass: they were taken for the first rows, with other cells in them."""
    text = "n,city\n" + 20 * "-1,Rome\n2,Bari\n-1,Oslo\n3, Ulm\n2,Bari\n"  # a process is given pieces of it
    if name == "data.jsonl":
        rows = [row.split(",") for row in text.splitlines()[1:]]
        text = "".join(f'{{"n":  "{n}", "city": "{city}"}}\n' for n, city in rows)
    body = 'out = out[out["n"] != "-1"].reset_index(drop=True)'
    keeping = promoted("keeping", body, drops_rows=True)  # it may change any column
    trimming = promoted("trimming", f"{body}; {TRIM_LINE}", modifies=("city",), drops_rows=True)
    source, output = data(tmp_path, text, name), tmp_path / f"out-{name}"
    lines = [line for line in text.splitlines(keepends=True) if "-1" not in line]
    outcome = apply(source, [keeping], output)
    assert (output.read_text(encoding="utf-8"), outcome.rows_out) == ("".join(lines), 60)
    assert {c.name: c.changed for c in outcome.columns} == {"n": 0, "city": 0}
    outcome = apply(source, [trimming], output)
    assert output.read_text(encoding="utf-8") == "".join(lines).replace(" Ulm", "Ulm")
    assert {c.name: c.changed for c in outcome.columns} == {"n": 0, "city": 20}
