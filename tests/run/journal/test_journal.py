"""The journal keeps every step, and survives a crash in the middle of a line."""

import io
import threading
import time
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from orchestrator.core.errors import OutputError, UsageError
from orchestrator.core.steps import ChunkStep, EndStep, PromotionStep, RunStatus
from orchestrator.run.journal.in_use import functions_in_use
from orchestrator.run.journal.journal import Journal, read_checked, read_journal
from orchestrator.run.journal.listing import runs_below

STEPS = (
    ChunkStep(at=datetime.now(UTC), chunk=0, rows=10, holdout=2),
    EndStep(at=datetime.now(UTC), status=RunStatus.CLEAN, promoted=1),
)


def _written(path: Path) -> Path:
    with Journal(path) as journal:
        for step in STEPS:
            journal.append(step)
    return path


def test_steps_come_back_as_they_were(tmp_path: Path) -> None:
    """Reading a journal gives equal, typed steps."""
    assert tuple(read_journal(_written(tmp_path / "run.jsonl"))) == STEPS


def test_a_step_is_on_disk_before_the_next_one(tmp_path: Path) -> None:
    """Another process can read a step as soon as append has returned."""
    with Journal(tmp_path / "run.jsonl") as journal:
        journal.append(STEPS[0])
        assert tuple(read_journal(journal.path)) == STEPS[:1]


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_last_line_cut_off_by_a_crash_is_left_out(tmp_path: Path, cut: int) -> None:
    """What was complete is read; the torn line is not."""
    path = _written(tmp_path / "run.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])
    assert tuple(read_journal(path)) == STEPS[:1]


def test_a_changed_line_is_named(tmp_path: Path) -> None:
    """A line that is no step is an error that says which."""
    path = _written(tmp_path / "run.jsonl")
    path.write_text("{}\n" + path.read_text())
    with pytest.raises(UsageError, match="Line 1"):
        tuple(read_journal(path))


@pytest.mark.parametrize(
    "line",
    [
        '{"kind":"chunk","at":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"kind":"chunk","at":"2024-01-01T00:00:00","chunk":0,"rows":1,"holdout":0}',
    ],
    ids=["deep", "time-without-zone"],
)
def test_a_line_that_somebody_made_is_named(tmp_path: Path, line: str) -> None:
    """What no reader can take apart, and a time of which no pause can be made, are refused as any other line."""
    path = tmp_path / "run.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(UsageError, match="Line 1"):
        tuple(read_journal(path))
    assert not list(runs_below(tmp_path))


def test_an_existing_journal_is_not_overwritten(tmp_path: Path) -> None:
    """A second run never writes into the journal of the first."""
    path = _written(tmp_path / "run.jsonl")
    with pytest.raises(OutputError):
        Journal(path)


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    """/dev/full behaves as a disk without space: OutputError, not OSError."""
    with Journal(tmp_path / "run.jsonl") as journal:
        journal._file.close()
        raw = Path("/dev/full").open("wb", buffering=0)  # noqa: SIM115 - the journal closes it
        journal._file = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
        with pytest.raises(OutputError, match="No space left"):
            journal.append(STEPS[0])


def test_a_journal_without_a_step_does_not_stay(tmp_path: Path) -> None:
    """On a full disk an empty one stayed, for which the same command was refused when there was space again."""
    path = tmp_path / "run.jsonl"

    def begun_in_vain(*, again: bool = False) -> None:
        with Journal(path, again=again) as journal:
            journal._file.close()
            raw = Path("/dev/full").open("wb", buffering=0)  # noqa: SIM115 - the journal closes it
            journal._file = io.TextIOWrapper(raw, write_through=True)
            journal.append(STEPS[0])

    with pytest.raises(OutputError, match="No space left"):
        begun_in_vain()
    assert not path.exists()
    _written(path)
    with pytest.raises(OutputError, match="No space left"):
        begun_in_vain(again=True)
    assert tuple(read_journal(path)) == STEPS, "the control: one that goes on stays"


def test_a_lone_surrogate_can_be_written(tmp_path: Path) -> None:
    """What a model replies need not be writable text; the journal keeps it all the same."""
    step = EndStep(at=datetime.now(UTC), status=RunStatus.FAILED, error="reply \ud800")
    with Journal(tmp_path / "run.jsonl") as journal:
        journal.append(step)
    assert tuple(read_journal(tmp_path / "run.jsonl")) == (step,)


def test_a_file_without_line_ends_is_not_taken_into_memory(tmp_path: Path) -> None:
    """A sparse file of eight gigabytes takes no space in an archive, and ended the list of all other runs."""
    path = tmp_path / "a" / "run.jsonl"
    path.parent.mkdir()
    with path.open("wb") as file:
        file.truncate(8 * 2**30)
    with pytest.raises(UsageError, match="too long for a step"):
        tuple(read_journal(path))
    assert not list(runs_below(tmp_path))


@pytest.mark.parametrize("cut", ["", '{"half'])
def test_a_long_journal_goes_on_without_being_taken_into_memory(tmp_path: Path, cut: str) -> None:
    """It was read whole, twice, for its last line; what is added after half a line is still proved."""
    path = _written(tmp_path / "run.jsonl")
    with path.open("ab") as file:
        file.write(cut.encode())
    tracemalloc.start()
    with Journal(path, again=True) as journal:
        journal.append(STEPS[0])
    assert read_checked(path) == ((*STEPS, STEPS[0]), True)
    with path.open("ab") as file:
        file.writelines(b" " * 2**20 + b"\n" for _ in range(20))
    tracemalloc.reset_peak()
    with Journal(path, again=True):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * 2**20


def test_a_strangers_journal_is_read_to_its_first_wrong_line(tmp_path: Path) -> None:
    """Of twenty long lines that are no steps, one is taken into memory."""
    path, line = tmp_path / "run.jsonl", 4 * 2**20
    path.write_bytes((b" " * line + b"\n") * 20)
    tracemalloc.start()
    try:
        with pytest.raises(UsageError, match=r"^Line 1 of"):
            read_checked(path)
        assert tracemalloc.get_traced_memory()[1] < 6 * line
    finally:
        tracemalloc.stop()


def test_a_journal_that_is_exchanged_while_it_is_read_is_not_trusted(tmp_path: Path) -> None:
    """Somebody who may write in its folder swaps it for the one that this machine wrote, as often as they can."""
    own = _written(tmp_path / "own.jsonl").read_bytes()
    forged = own.replace(b'"promoted":1', b'"promoted":9')
    path, over = tmp_path / "run.jsonl", threading.Event()
    path.write_bytes(own)

    def swap() -> None:
        while not over.is_set():
            for content in (forged, own):
                (tmp_path / "new").write_bytes(content)
                (tmp_path / "new").replace(path)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        seen = {(read.steps == STEPS, read.authentic) for read in (read_checked(path) for _ in range(400))}
    finally:
        over.set()
        swapping.join()
    assert seen == {(True, True), (False, False)}, "both were read, and each was known for what it is"


def test_many_promotions_are_counted_in_linear_time() -> None:
    """40,000 of them, in a journal of 7 MB that somebody sent, held up `runs list` for two minutes."""
    at, begun = datetime.now(UTC), time.process_time()
    names = [f"f{number // 2}" for number in range(40_000)]
    steps = [PromotionStep(at=at, chunk=0, iteration=1, name=name, sha256=f"{n}") for n, name in enumerate(names)]
    steps += [PromotionStep(at=at, chunk=0, iteration=1, name="g", sha256="g", replaces="f1")]
    found = functions_in_use(steps)
    assert (len(found), found["1"], found["g"], "0" in found, "3" in found) == (20_000, "f0", "g", False, False)
    assert time.process_time() - begun < 5
