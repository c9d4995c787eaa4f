"""Every reader of a sandbox's bytes: refused in the one allowed way, or read with its promises kept."""

import time
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz import strategies, targets

CORPUS = Path(__file__).parent / "corpus"
SEEDS = strategies.seeds()
some = settings(max_examples=150, deadline=30_000, suppress_health_check=[HealthCheck.too_slow], database=None)


def _kept() -> list[Path]:
    return sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", _kept(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_once_went_wrong_is_refused_or_read(path: Path) -> None:
    """Each input that a fuzzer once found stays found: its reader now keeps its promises on it, and quickly."""
    started = time.process_time()
    targets.TARGETS[path.parent.name](path.read_bytes())
    assert time.process_time() - started < 2


def test_every_folder_of_the_corpus_has_a_target() -> None:
    """Nothing is kept that nobody replays."""
    assert {path.parent.name for path in _kept()} <= set(targets.TARGETS)
    assert len(_kept()) >= 8


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_the_good_messages_are_taken(name: str) -> None:
    """The positive control: what the fuzzers start from is accepted, so that they get past the first check."""
    for seed in SEEDS[name]:
        targets.TARGETS[name](seed)


@pytest.mark.parametrize("name", sorted(set(targets.TARGETS) - {"judged", "judged_table"}))
@some
@given(data=st.data())
def test_a_few_lies(name: str, data: st.DataObject) -> None:
    """A good message with some bytes, lengths or offsets replaced."""
    targets.TARGETS[name](data.draw(strategies.mutated(SEEDS[name])))


@some
@given(strategies.replies())
def test_replies_that_say_anything(message: bytes) -> None:
    """Any JSON in place of any field of the guest's reply."""
    targets.reply(message)


@some
@given(strategies.record_outputs())
def test_records_that_say_anything(message: bytes) -> None:
    """Any JSON in place of any field of a record."""
    targets.records(message)
    targets.decoded(message)


@some
@given(strategies.answers())
def test_answers_that_say_anything(message: bytes) -> None:
    """Any JSON in place of any field of the disposable process's answer."""
    targets.answer(message)


@some
@given(st.binary(max_size=200))
@example(b"n")  # what the host writes in front of several requests, and of one
@example(b"1\x00")
def test_any_bytes(data: bytes) -> None:
    """Bytes of no form at all."""
    for target in targets.TARGETS.values():
        target(data)


@some
@given(strategies.typed_tables())
def test_impossible_values_are_read_or_refused(data: bytes) -> None:
    """Days, times and numbers that no calendar and no clock has."""
    targets.table(data)
    targets.decoded(targets.record(0, "f", data))


def test_a_day_outside_the_calendar_does_not_confuse_the_judge() -> None:
    """A date in the year 5,000,000 is an observation like any other for the judge, which refuses it."""
    days = pa.array([2**31 - 1, -(2**31), None], pa.int32()).cast(pa.date32())
    number = targets.INPUT_TABLE.column_names.index("day")
    targets.judged_table(targets.indexed(targets.INPUT_TABLE.set_column(number, "day", days)))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("nested", [False, True])
def test_a_duration_beyond_all_calendars_does_not_confuse_the_judge(unit: str, nested: bool) -> None:
    """Nor does one within a list: Python has no value for either."""
    took = pa.array([2**62, -(2**62), None], pa.int64()).cast(pa.duration(unit))
    if nested:
        took = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), took)
    number = targets.INPUT_TABLE.column_names.index("took")
    targets.judged_table(targets.indexed(targets.INPUT_TABLE.set_column(number, "took", took)))


@pytest.mark.parametrize("reader", ["judged", "decoded"])
def test_a_nested_name_that_is_not_utf_8_does_not_confuse_a_reader(reader: str) -> None:
    """A field within a list or a structure is named in bytes of the candidate's choice: that is refused, too."""
    seed = next(one for one in SEEDS[reader] if b"item" in one)
    targets.TARGETS[reader](seed.replace(b"item", b"\x80tem"))


@some
@given(strategies.mutated(SEEDS["judged"]))
def test_the_judge_answers_whatever_a_child_wrote(data: bytes) -> None:
    """A few lies in a whole child's output: the judge gives its checks."""
    targets.judged(data)
