"""What is drawn, how it is made smaller, and what counts as growth: pure parts, without a sandbox."""

import random
import re
import subprocess
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.core.policy import GatePolicy
from orchestrator.core.ports import Sample
from orchestrator.gate.candidate_file import read
from orchestrator.gate.checks.resources import growth
from orchestrator.gate.properties import edits
from orchestrator.gate.properties.plan import focus
from orchestrator.gate.properties.row_drawing import draw
from orchestrator.gate.properties.shrink import ShrinkAttempt, smaller

RUNS = st.lists(st.integers(0, 9999).map("{:04}".format), min_size=1, max_size=3).map("-".join)


def test_one_seed_draws_one_table(sample: Sample) -> None:
    """The same seed gives the same cells, another seed others; columns that are not asked for keep their cells."""
    names = ["phone", "date", "quantity"]
    first, again, other = (draw(sample.working, names, 20, seed) for seed in (5, 5, 6))
    assert first == again
    assert first["usual"] != other["usual"]
    assert set(first["odd"].column("city").to_pylist()) <= set(sample.working.column("city").to_pylist())


def test_a_process_with_other_modules_draws_the_same() -> None:
    """The seed alone decides, so that a recorded run can be judged again by another command."""
    lines = "import pyarrow as pa\nfrom orchestrator.gate.properties.row_drawing import draw\n"
    table = "pa.table({'a': ['x1', 'y 2'], 'n': [1, 70], 'x': [0.5, 2.25]})"
    lines += f"drawn = draw({table}, ['a', 'n', 'x'], 60, 7)\n"
    lines += "print({circle: rows.to_pydict() for circle, rows in drawn.items()})"
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", lines], cwd=root, capture_output=True, text=True, check=True)
    drawn = draw(pa.table({"a": ["x1", "y 2"], "n": [1, 70], "x": [0.5, 2.25]}), ["a", "n", "x"], 60, 7)
    assert done.stdout.strip() == str({circle: rows.to_pydict() for circle, rows in drawn.items()})


def test_random_numbers_of_other_threads_disturb_no_drawing(sample: Sample) -> None:
    """Threads of a cluster's client draw random numbers at any time; what is drawn here stays the same, unwarned."""
    quiet = draw(sample.working, ["phone", "date"], 60, 5)
    ended = threading.Event()

    def use_random_numbers() -> None:
        while not ended.is_set():
            random.seed()

    thread = threading.Thread(target=use_random_numbers)
    thread.start()
    try:
        assert draw(sample.working, ["phone", "date"], 60, 5) == quiet
    finally:
        ended.set()
        thread.join()


def test_drawing_leaves_no_files(tmp_path: Path) -> None:
    """Hypothesis keeps files of its own; none of them lands where the user stands."""
    lines = "import pyarrow as pa\nfrom orchestrator.gate.properties.row_drawing import draw\n"
    lines += "assert draw(pa.table({'a': ['x1', 'y 2']}), ['a'], 9, 1)['odd'].num_rows"
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", lines], cwd=tmp_path, env={"PYTHONPATH": str(root)}, check=True)
    assert list(tmp_path.iterdir()) == []


def test_drawn_cells_are_new(sample: Sample) -> None:
    """Beside the sample's own cells there are others, missing ones, and odd ones only in the outer circle."""
    drawn = draw(sample.working, ["phone"], 40, 5)
    known = set(sample.working.column("phone").to_pylist())
    usual = set(drawn["usual"].column("phone").to_pylist())
    assert len(usual - known) >= 5
    assert None in usual
    assert all(text.isascii() for text in usual - {None})
    assert not all((text or "").isascii() for text in drawn["odd"].column("phone").to_pylist())


@given(RUNS, RUNS, st.integers(0, 2**24))
def test_crossed_digits_come_from_both(one: str, other: str, number: int) -> None:
    """Lengths and separators stay, and every digit stands in one of the two at its place."""
    made = edits.crossed(one, other, number)
    assert re.sub(r"\d", "9", made) == re.sub(r"\d", "9", one)
    if len(one) == len(other):
        assert all(digit in pair for digit, *pair in zip(made, one, other, strict=True))


@pytest.mark.parametrize(
    ("texts", "first"),
    [(["31/12/2024"], True), (["12/31/2024"], False), (["1/2/2024"], None), (["31/12/2024", "12/31/2024"], None)],
)
def test_dates_say_what_comes_first(texts: list[str], first: bool | None) -> None:
    """A number above twelve tells day from month; where the texts disagree or say nothing, nothing is assumed."""
    assert edits.day_first(texts) is first
    assert (
        edits.at_month_end("due 03/04/2021", 0, day_first=first)
        == {
            True: "due 29/02/2024",
            False: "due 02/29/2024",
            None: "due 03/04/2021",
        }[first]
    )


def test_every_attempt_is_smaller_and_ends() -> None:
    """Going on from any attempt, nothing smaller is left in the end, and on the way all parts stay within the rows."""
    attempt = ShrinkAttempt("usual", pa.table({"a": ["Rome 12", "Oslo", None, "x"], "n": [1, 2, 3, 40]}), (3, 1, 0))
    for _ in range(200):
        rounds = [tries for tries in smaller(attempt, ["a", "n"]) if tries]
        if not rounds:
            break
        sizes = [one.size for tries in rounds for one in tries]
        assert min(sizes) <= attempt.size
        attempt = min((one for tries in rounds for one in tries), key=lambda one: one.size)
        assert all(0 <= row < attempt.rows.num_rows for row in attempt.part or ())
    assert attempt.rows.num_rows <= 1


@pytest.mark.parametrize(
    ("seconds", "fails"),
    [
        ({200: 0.02, 1600: 0.03, 12800: 0.1}, False),  # straight
        ({200: 0.02, 1600: 0.035, 12800: 0.2}, False),  # n log n, with noise
        ({200: 0.021, 1600: 0.084, 12800: 4.1}, True),  # the square
        ({200: 0.1, 1600: 0.02, 12800: 0.03}, False),  # noise alone
        ({0: 0.02, 200: 0.06, 1600: 0.4}, False),
        ({0: 0.02, 200: 0.06, 1600: 2.6}, True),
        ({200: 0.02, 1600: 9.0}, False),  # two points say nothing
    ],
)
def test_growth_is_told_from_noise(seconds: dict[int, float], fails: bool) -> None:
    """Only a clear excess over n to the power of 1.2 counts."""
    assert bool(growth(seconds, {}, GatePolicy())) is fails


def test_columns_that_python_cannot_read_are_left_alone() -> None:
    """Lists and days outside the calendar keep the sample's cells; the other columns are drawn."""
    far = pa.array([400_000_000_000, None], pa.timestamp("s"))
    rows = pa.table({"far": far, "list": pa.array([[1], None]), "city": [" Rome", "Oslo"]})
    candidate = read(
        '"""x."""\nCONTRACT = {"modifies": ["city", "far", "list"]}\ndef f(df):\n    """x."""\n    return df\n'
    )
    assert focus(candidate, rows) == ["city"]
