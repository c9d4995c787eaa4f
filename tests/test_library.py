"""cleanroom as a library, on the real engine."""

import gzip
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator import Cleanroom, DataFile, ModelChoice
from orchestrator.core.errors import DataError, ModelRefused, RunInterrupted, UsageError
from orchestrator.core.steps import ChunkStep, EndStep, PromotionStep, ResumeStep, RunStep, Step

pytestmark = pytest.mark.docker
TRIM = '''
def unpad_city(df):
    """Strip."""
    return df.assign(city=df["city"].str.strip())
'''


@pytest.fixture(scope="module")
def room(warm: None) -> Iterator[Cleanroom]:
    with Cleanroom() as made:
        yield made


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "messy.csv"
    rows = [f"{i},{' ' * (i % 2)}Town {i % 7}" for i in range(120)]
    path.write_text("\n".join(["id,city", *rows]) + "\n")
    return path


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The notebook-style example promotes its model's function, rejects the wrong one, and applies."""
    runpy.run_path(str(Path(__file__).parents[1] / "examples" / "library.py"))
    said = capsys.readouterr().out
    assert "promoted: unpad_city; cells changed: {'city': 150}" in said
    assert "complete after 10 steps and 2 questions" in said
    assert "blank_city: fail" in said
    assert "300 rows, 150 cells changed" in said


def test_a_run_tells_its_events_in_order_and_gives_its_summary(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """Iterating gives every step from the first to the last; the result lies where it was asked for."""
    run = room.run(messy, out=tmp_path / "result")
    events = list(run)
    assert isinstance(events[0], RunStep)
    assert isinstance(events[-1], EndStep)
    assert run.result().promoted == tuple(e.name for e in events if isinstance(e, PromotionStep))
    assert (tmp_path / "result" / "cleaned.csv").read_text() == messy.read_text().replace(", ", ",")


def test_a_cancelled_run_can_go_on(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """After `cancel` the result is RunInterrupted and the report is there; `resume` does the rest, but not twice."""
    run = room.run(messy, out=tmp_path / "result")
    next(event for event in run if isinstance(event, ChunkStep))
    run.cancel()
    with pytest.raises(RunInterrupted):
        run.result()
    assert (tmp_path / "result" / "report.html").exists()
    past = Cleanroom.past(run.folder)
    assert past.end is not None
    assert (past.end.status, past.finished) == ("interrupted", False)

    rest = room.resume(run.folder)
    events = list(rest)
    assert isinstance(events[0], ResumeStep)
    assert isinstance(events[-1], EndStep)
    assert rest.result().run_id == past.opening.run_id
    assert (tmp_path / "result" / "cleaned.csv").read_text() == messy.read_text().replace(", ", ",")
    steps = [event for event in events if isinstance(event, Step)]
    assert Cleanroom.past(run.folder).steps == (*past.steps, *steps)
    with pytest.raises(UsageError, match="The run has ended"):
        room.resume(run.folder)


def test_verdicts_are_values(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """A good function passes, from its text or its file; what is no function at all fails; nothing is raised."""
    file = tmp_path / "trim.py"
    file.write_text(TRIM)
    assert room.verify(TRIM, messy, quick=True).passed
    assert room.verify(file, messy, quick=True).passed
    assert not room.verify("this is no Python", messy).passed


def test_wrong_requests_are_said_at_once(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """A missing file or folder raises the same errors that the commands show."""
    with pytest.raises(DataError):
        room.run(tmp_path / "nothing.csv")
    with pytest.raises(DataError):
        room.verify(TRIM, tmp_path / "nothing.csv")
    with pytest.raises(UsageError):
        room.verify(tmp_path / "nothing.py", messy)


def test_a_broken_model_object_ends_the_run_with_its_words(messy: Path, tmp_path: Path) -> None:
    """What `generate` raises reaches the caller as ModelRefused, and so does an answer that is no text."""

    class Broken:
        def generate(self, messages: list[dict[str, str]]) -> str:
            raise RuntimeError(f"no licence for {messages[0]['role']} messages")

    with Cleanroom(Broken()) as room, pytest.raises(ModelRefused, match="no licence for system messages"):
        room.run(messy, out=tmp_path / "result").result()


def test_a_model_of_ones_own_sees_what_privacy_lets_it(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """With masked rows the object is never given a value of the file, also when the run is resumed by one that may.

    With raw ones it is, so the test can fail. Nobody but an object of the class can go on.
    """

    class Listens:
        def __init__(self, *, broken: bool = False) -> None:
            self.said = ""
            self._broken = broken

        def generate(self, messages: list[dict[str, str]]) -> str:
            self.said += "".join(message["content"] for message in messages)
            if self._broken:
                raise RuntimeError("out of memory")
            return "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"

    masked, raw = Listens(broken=True), Listens()
    with Cleanroom(masked, privacy="masked") as first, pytest.raises(ModelRefused):
        first.run(messy, out=tmp_path / "masked").result()
    with pytest.raises(UsageError, match="used custom/Listens, and only builtin"):
        room.resume(tmp_path / "masked")
    with Cleanroom(raw) as second:
        assert second.resume(tmp_path / "masked").result().status == "finished"
        assert "column" in raw.said
        assert "Town" not in masked.said + raw.said
        second.run(messy, out=tmp_path / "raw").result()
    assert "Town" in raw.said


def test_a_model_choice_says_it_all() -> None:
    """Its own address and privacy are not overruled in passing."""
    with pytest.raises(UsageError, match="says itself"):
        Cleanroom(ModelChoice(model="openai/x"), privacy="masked")


def test_data_that_changes_between_proof_and_apply(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """The attack: another process exchanges the file after the functions were proved on it. Nothing is applied."""
    run = room.run(messy, out=tmp_path / "result")
    next(event for event in run if isinstance(event, PromotionStep))
    messy.write_text(messy.read_text().replace("Town 1", "Evil 1"))
    with pytest.raises(DataError, match="has changed"):
        run.result()
    assert not (tmp_path / "result" / "cleaned.csv").exists()


def test_a_folder_from_somebody_else_is_judged_again(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """The attack: a recorded verdict is turned round. `resume` refuses, and with `data` believes nothing of it."""
    run = room.run(messy, out=tmp_path / "result")
    next(event for event in run if isinstance(event, PromotionStep))
    run.cancel()
    with pytest.raises(RunInterrupted):
        run.result()
    journal = run.folder / "run.jsonl"
    (run.folder / "registry").rename(tmp_path / "gone")
    told = journal.read_text()
    journal.write_text(told.replace('"outcome":"pass"', '"outcome":"fail"', 1))
    assert journal.read_text() != told
    with pytest.raises(UsageError, match="not written on this machine"):
        room.resume(run.folder)
    anew = room.resume(run.folder, data=messy)
    events = list(anew)
    assert isinstance(events[0], RunStep)
    assert any(isinstance(event, PromotionStep) for event in events)
    assert (tmp_path / "result" / "cleaned.csv").read_text() == messy.read_text().replace(", ", ",")
    with pytest.raises(UsageError, match="The run has ended"):
        room.resume(run.folder, data=messy)


def test_data_is_not_for_a_run_of_this_machine(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """It goes on with the data that it was begun with, and with nothing else."""
    run = room.run(messy, out=tmp_path / "result")
    next(event for event in run if isinstance(event, ChunkStep))
    run.cancel()
    with pytest.raises(RunInterrupted):
        run.result()
    with pytest.raises(UsageError, match="not recorded on this machine"):
        room.resume(run.folder, data=messy)


def test_a_proof_is_checked_on_a_file_of_another_kind(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """What was promoted on one file is applied to a packed one in another encoding, which the caller says."""
    room.run(messy, out=tmp_path / "result").result()
    packed = tmp_path / "more.data.gz"
    packed.write_bytes(gzip.compress(messy.read_text().replace("Town", "Köln").encode("cp1252")))
    more = DataFile(packed, format="csv", encoding="cp1252")
    step = room.apply(more, tmp_path / "result", tmp_path / "clean.csv")
    assert (step.rows_in, step.rows_out) == (120, 120)
    assert "Köln 3" in (tmp_path / "clean.csv").read_bytes().decode("cp1252")
    report = room.check(DataFile(messy), tmp_path / "result")
    assert report.valid, report
    messy.write_text(messy.read_text() + "ragged\n")
    assert room.check(messy, tmp_path / "result", quarantine=tmp_path / "aside.csv").valid
    assert "ragged" in (tmp_path / "aside.csv").read_text()
    lines = tmp_path / "more.txt"
    lines.write_text("id   city\n" + "".join(f"{i:<5}Town{i % 7}\n" for i in range(120)))
    fixed = DataFile(lines, parser="fixed-width")
    assert room.apply(fixed, tmp_path / "result", tmp_path / "fixed.csv").rows_out == 120
    assert (tmp_path / "fixed.csv").read_text().splitlines()[:2] == ["id,city", "0,Town0"]
    assert [one.name for one in report.functions] == ["trim_blanks"]


def test_how_a_file_is_read_is_checked_at_once(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """An argument of a wrong type, an unknown format, and functions that are not there: a sentence each."""
    with pytest.raises(UsageError, match="Invalid argument 'sheet': 3 is not a text"):
        room.run(DataFile(messy, sheet=3))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="'wordstar' is not a format"):
        room.verify(TRIM, DataFile(messy, format="wordstar"))
    with pytest.raises(UsageError, match="no functions in"):
        room.check(messy, tmp_path / "none")
