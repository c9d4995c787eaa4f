"""`--parser`: data that a parser reads are opened as any other, or refused in one sentence."""

import gzip
import hashlib
import io
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.candidate import source_hash
from orchestrator.core.errors import CandidateError, CleanroomError, DataError, SandboxError, UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.steps import RunStep
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.formats import open_writer, private_copy
from orchestrator.run.apply.apply import apply_functions
from orchestrator.run.journal.resume import PastRun
from orchestrator.run.parse.parsed_source import ParsedSource
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.run.test_parse_file import LINES, PARSER, TABLE


@pytest.fixture(scope="module")
def services(local_sandbox: LocalSandbox, decoder: DisposableProcess) -> Services:
    return Services(local_sandbox, NotImplemented, decoder, Policy(), "", lambda _: NotImplemented)


@pytest.fixture
def source(tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch) -> ParsedSource:
    monkeypatch.chdir(tmp_path)
    Path("parser.py").write_text(PARSER)
    Path("in.log").write_text(LINES)
    return ParsedSource("parser.py", lambda: nullcontext(services))


def test_the_rows_of_a_log_are_a_data_set_like_any_other(source: ParsedSource) -> None:
    """Which parser has read them, and what becomes of them, is said."""
    dataset = source("in.log")
    assert (dataset.rows, dataset.columns, dataset.suffix) == (201, ("key", "value"), ".csv")
    assert dataset.notes[1] == "read by the parser parser.py; results are CSV, unless their name says another format"
    assert (dataset.parser, dataset.parser_sha256) == ("parser.py", source_hash(PARSER))
    assert dataset.sha256 == hashlib.sha256(LINES.encode()).hexdigest()


def test_what_was_judged_is_what_reads(source: ParsedSource, services: Services) -> None:
    """A file that is another one when the containers run is not looked at again."""

    def changed_meanwhile() -> Any:
        Path("parser.py").write_text("raise SystemExit")
        return nullcontext(services)

    assert ParsedSource("parser.py", changed_meanwhile)("in.log").parser_sha256 == source_hash(PARSER)


def test_lines_that_cannot_be_read_are_rows_set_aside(source: ParsedSource, services: Services) -> None:
    """Rows in are rows out and rows set aside; without a quarantine the line is named."""
    Path("in.log").write_bytes(b"a=1\nneither\nb=2\nno \xff text\n")
    with pytest.raises(CandidateError, match=r"rejected on in\.log: executed: it fails in line 2") as refused:
        source("in.log")
    assert "--quarantine" in refused.value.advice
    dataset = source("in.log", set_aside=True)
    assert [(row.number, row.text) for row in dataset.unreadable] == [(2, "neither"), (4, "no \\xff text")]
    done = apply_functions(dataset, [], Path("out.csv"), services.access, quarantine=Path("rest.csv"))
    assert (done.rows_in, done.rows_out, done.quarantined) == (4, 2, 2)
    assert Path("out.csv").read_text() == "key,value\na,1\nb,2\n"
    assert Path("rest.csv").read_text().splitlines()[1].startswith(',,"row 2 of the file: the parser fails: ValueError')


def test_a_parser_that_loses_something_reads_nothing(source: ParsedSource) -> None:
    """The law is named; the exit code is that of a rejection."""
    Path("parser.py").write_text(PARSER.replace('"value": value', '"value": "1"'))
    with pytest.raises(CandidateError, match=r"parser\.py is rejected on in\.log: loses-nothing: .*") as refused:
        source("in.log")
    assert refused.value.exit_code == 1


def test_a_parser_that_nothing_could_run_is_no_rejection(source: ParsedSource, services: Services) -> None:
    """Broken machinery is never the parser's fault."""

    class Broken:
        def session(self, *, alone: bool = False) -> Any:
            raise SandboxError("the engine is gone")

    broken = Services(Broken(), NotImplemented, services.decoder, Policy(), "", lambda _: NotImplemented)  # type: ignore[arg-type]
    with pytest.raises(SandboxError, match=r"could not be judged on in\.log: .*the engine is gone"):
        ParsedSource("parser.py", lambda: nullcontext(broken))("in.log")


def test_packed_files_and_stdin_are_read_as_they_are(source: ParsedSource, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hash is that of what came."""
    packed = gzip.compress(LINES.encode())
    Path("in.log.gz").write_bytes(packed)
    dataset = source("in.log.gz")
    assert (dataset.rows, dataset.sha256) == (201, hashlib.sha256(packed).hexdigest())
    private_copy.stdin_copy.cache_clear()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LINES.encode())))
    try:
        dataset = source("-")
    finally:
        private_copy.stdin_copy.cache_clear()
    assert (dataset.rows, dataset.name) == (201, "stdin")
    dataset.check_unchanged()


def test_a_file_that_changes_is_told(source: ParsedSource) -> None:
    """What was read is not what is there."""
    dataset = source("in.log")
    Path("in.log").write_text("a=1\n")
    with pytest.raises(DataError, match=r"in\.log has changed while cleanroom worked on it: nothing was written"):
        dataset.check_unchanged()


@pytest.mark.parametrize("named", ["fixed-width", "fixed-width:12,10,4"])
def test_fixed_width_needs_no_parser_of_ones_own(source: ParsedSource, services: Services, named: str) -> None:
    """Its columns are found or said."""
    Path("in.txt").write_bytes(TABLE.encode("latin-1"))
    fixed = ParsedSource(named, lambda: nullcontext(services))
    dataset = fixed("in.txt", encoding="latin-1")
    assert [row["NAME"] for table in dataset.batches() for row in table.to_pylist()] == ["Ann Lee", "Bo", "Zoë"]


@pytest.mark.parametrize(
    ("named", "place", "reading", "said"),
    [
        ("parser.py", "in.log", {"format": "csv"}, "A parser says itself where the rows are"),
        ("parser.py", "in.log", {"encoding": "latin-1"}, "The parser decodes the data itself"),
        ("nowhere.py", "in.log", {}, r"nowhere\.py: the file cannot be read"),
        ("fixed-width:3,x", "in.log", {}, "'3,x' is no list of widths"),
        ("parser.py", "nowhere.log", {}, r"There is no file nowhere\.log"),
        ("parser.py", "sqlite:///a.db?table=t", {}, "A parser reads bytes, and a database gives rows"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_started(
    source: ParsedSource, named: str, place: str, reading: dict[str, Any], said: str
) -> None:
    """One sentence."""
    refusing = ParsedSource(named, lambda: pytest.fail("containers were started"))
    with pytest.raises(CleanroomError, match=said):
        refusing(place, **reading)


def test_a_result_without_a_format_is_refused(source: ParsedSource) -> None:
    """A log's own format cannot be written."""
    dataset = source("in.log")
    with pytest.raises(UsageError, match=r"result: its name does not say in which format the rows of in\.log"):
        open_writer(Path("result"), like=dataset, schema=dataset.schema)


def _begun(dataset: Any, request: RunRequest) -> PastRun:
    """What a run left that was killed when it had begun."""
    opening = RunStep(
        at=datetime.now(UTC),
        run_id="1",
        data="in.log",
        data_sha256=dataset.sha256,
        data_format="csv",
        columns=dataset.columns,
        rows=dataset.rows,
        proposer="builtin",
        configuration=request.recorded() | {"parser_sha256": dataset.parser_sha256},
    )
    return PastRun(Path("out"), opening, (opening,), authentic=True)


def test_a_run_goes_on_with_the_same_parser_alone(
    source: ParsedSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another parser, or other data, is refused in a sentence; from whatever folder it is resumed."""
    request = RunRequest(data=Path("in.log"), parser="parser.py")
    past = _begun(request.check(source).dataset, request)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert past.parser == str(tmp_path / "parser.py")
    again = ParsedSource(past.parser, source.services)
    assert past.open(again).dataset.rows == 201
    (tmp_path / "parser.py").write_text(PARSER.replace("A row for each line", "Other words"))
    with pytest.raises(UsageError, match=r"The parser .*parser\.py has changed since the run began"):
        past.open(again)
    (tmp_path / "in.log").write_text("neither\n")
    with pytest.raises(UsageError, match=r"in\.log has changed since the run began"):
        past.open(again)
    with pytest.raises(UsageError, match="The run read its data by a parser"):
        past.anew("in.log", None)


def test_a_request_without_a_parser_is_recorded_as_ever(source: ParsedSource) -> None:
    """The journal's form stays."""
    assert "parser" not in RunRequest(data=Path("in.log")).recorded()
    assert RunRequest(data=Path("in.log"), parser="fixed-width").recorded()["parser"] == "fixed-width"


def test_a_journal_keeps_the_delimiter_that_was_said(tmp_path: Path) -> None:
    """A run that is resumed or replayed reads its file as before; older journals hold none."""
    said = RunRequest(data=tmp_path / "in.csv", delimiter="~")
    assert RunRequest.model_validate(said.recorded()).reading["delimiter"] == "~"
    assert "delimiter" not in RunRequest(data=tmp_path / "in.csv").recorded()


def test_a_file_that_is_another_than_was_judged_is_not_read(source: ParsedSource, services: Services) -> None:
    """Somebody wrote to it while the containers started."""

    def changed_meanwhile() -> Any:
        Path("in.log").write_text("a=1\nb=2\n")
        return nullcontext(services)

    with pytest.raises(DataError, match=r"in\.log has changed while cleanroom worked on it"):
        ParsedSource("parser.py", changed_meanwhile)("in.log")
