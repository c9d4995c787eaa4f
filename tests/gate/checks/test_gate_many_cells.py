"""Thousands of different changed cells are judged in little processor time, and one wrong cell among them is found."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Contract
from orchestrator.core.policy import GatePolicy
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.gate.checks import keeps_information
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.information.text_changes.inside_words import replaced_inside
from orchestrator.gate.judge.observations import CaseObservation, Observations, OpResult
from tests.support.cpu_time import assert_growth

FEW, MANY = 500, 4_000
LETTERS = str.maketrans("0123456789", "abcdefghij")
Made = Callable[[int], str]
COLUMNS: dict[str, tuple[Made, Made]] = {
    "telephone": (lambda n: f"({n % 700 + 200}) 555-{n:04}", lambda n: f"{n % 700 + 200}555{n:04}"),
    "day": (
        lambda n: f"{n % 12 + 1}/{n % 15 + 13}/{1200 + n // 9}",
        lambda n: f"{1200 + n // 9}-{n % 12 + 1:02}-{n % 15 + 13}",
    ),
    "amount": (
        lambda n: f"${n % 9 + 1},{n % 900 + 100}.{n % 97:02}",
        lambda n: f"{n % 9 + 1}{n % 900 + 100}.{n % 97:02}",
    ),
    "mail": (lambda n: f"Anna.{n}@EXAMPLE.com", lambda n: f"anna.{n}@example.com"),
    "note": (lambda n: f"leave  {n} at the  door  please", lambda n: f"leave {n} at the door please"),
}


def judged(rows: int, names: Sequence[str] = tuple(COLUMNS), *, wrong: bool = False) -> CheckResult:
    """What is said of a function that tidies these columns; `wrong`: one cell of each becomes what another one is."""
    before = pa.table({name: [COLUMNS[name][0](n) for n in range(rows)] for name in names})
    after = {name: [COLUMNS[name][1](n) for n in range(rows)] for name in names}
    for cells in after.values() if wrong else ():
        cells[rows - 7] = cells[rows - 8]
    contract, index = Contract(modifies=tuple(names)), np.arange(rows, dtype=np.int64)
    case = CaseObservation("working", before, contract, {"f": OpResult("returned", table=pa.table(after), index=index)})
    result = keeps_information.check(
        Observations(contract=contract, instruction="", has_detect=False, policy=GatePolicy(), cases={case.id: case})
    )
    assert result is not None
    return result


def test_eight_times_as_many_cells_take_little_more_time() -> None:
    """Once 4,000 rows of six such columns took longer than a judge is given, and the function failed for it."""
    outcomes = {}

    def judge(rows: int) -> None:
        outcomes[rows] = judged(rows).outcome

    assert_growth(partial(judge, FEW // 2), partial(judge, MANY // 2), below=5)
    assert outcomes == {FEW // 2: Outcome.PASS, MANY // 2: Outcome.PASS}


@pytest.mark.parametrize("name", COLUMNS)
def test_one_wrong_cell_among_thousands_is_doubted(name: str) -> None:
    assert judged(MANY, [name], wrong=True).outcome is Outcome.HOLD


def test_thousands_of_replaced_words_are_compared_in_time_that_their_number_explains() -> None:
    """Each was compared with each for a part of a word that is replaced as the whole word is elsewhere."""

    def replaced(words: int) -> Callable[[], object]:
        names = [f"{n:05}".translate(LETTERS) for n in range(words)]
        return partial(replaced_inside, [(f"mr {name}", f"mr {name[::-1]}q") for name in names])

    assert_growth(replaced(FEW), replaced(MANY), below=24)


@pytest.mark.parametrize("start", ["Marri", "Narri"], ids=["cut to the code", "all alike"])
def test_thousands_of_words_that_become_one_code_are_compared_in_time_that_their_number_explains(start: str) -> None:
    """Beside a witness of one of them, each was compared with each: 4,000 took five minutes."""

    def suspected(words: int) -> Callable[[], object]:
        cells = [(f"{start}{f'{n:05}'.translate(LETTERS)}edandwed", "M") for n in range(words)]
        return partial(suspicions, cells, cells[:1])

    assert_growth(suspected(FEW // 4), suspected(MANY // 4), below=24)
