"""cleanroom as a library, on the real engine."""

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator import Cleanroom
from orchestrator.core.errors import DataError, ModelRefused, RunInterrupted, UsageError
from orchestrator.core.steps import ChunkStep, EndStep, PromotionStep, RunStep

pytestmark = pytest.mark.docker
TRIM = '''
def unpad_city(df):
    """Strip."""
    return df.assign(city=df["city"].str.strip())
'''


@pytest.fixture(scope="module")
def room() -> Iterator[Cleanroom]:
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


def test_a_cancelled_run_ends_and_keeps_what_it_has(room: Cleanroom, messy: Path, tmp_path: Path) -> None:
    """After `cancel` the result is RunInterrupted, and the report of what was done so far lies there."""
    run = room.run(messy, out=tmp_path / "result")
    next(event for event in run if isinstance(event, ChunkStep))
    run.cancel()
    with pytest.raises(RunInterrupted):
        run.result()
    assert (tmp_path / "result" / "report.html").exists()


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


def test_a_model_of_ones_own_sees_what_privacy_lets_it(messy: Path, tmp_path: Path) -> None:
    """With masked rows the object is never given a value of the file; with raw ones it is, so the test can fail."""

    class Listens:
        said = ""

        def generate(self, messages: list[dict[str, str]]) -> str:
            self.said += "".join(message["content"] for message in messages)
            return "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"

    raw, masked = Listens(), Listens()
    with Cleanroom(raw) as room:
        room.run(messy, out=tmp_path / "raw").result()
    with Cleanroom(masked, privacy="masked") as room:
        room.run(messy, out=tmp_path / "masked").result()
    assert "Town" in raw.said
    assert "Town" not in masked.said
