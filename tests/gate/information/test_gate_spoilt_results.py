"""One result of a good function, spoilt: a figure, a sign, a letter, a word. The good ones are believed as they are."""

from collections.abc import Iterator

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions
from tests.gate.information.ordinary_columns import COLUMNS

CELLS = 4  # of each column that are spoilt, one after the other
SEEN = 0.98  # of what is spoilt; a shorter name can be a name, and a word in another spelling a word


def spoilt(text: str) -> Iterator[str]:
    """The text with one mistake each."""
    figures = [at for at, char in enumerate(text) if char.isdigit()]
    letters = [at for at, char in enumerate(text) if char.isalpha()]
    for at in {figures[len(figures) // 2], figures[-1]} if figures else ():
        yield f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}"
    if len(figures) > 1:
        first, last = figures[-2:]
        yield text[:first] + text[last] + text[first + 1 : last] + text[first] + text[last + 1 :]
        yield text[: figures[1]] + text[figures[1] + 1 :]
    if figures:
        yield text[1:] if text.startswith("-") else f"-{text}"
    if len(letters) > 5:
        at = letters[len(letters) // 2]
        yield f"{text[:at]}{'x' if text[at] != 'x' else 'y'}{text[at + 1 :]}"
        yield text[:at] + text[at + 1 :]
    if len(text.split()) > 1:
        yield text.rsplit(maxsplit=1)[0]
        yield text.split(maxsplit=1)[1]
    yield f"{text} zebra"


def all_spoilt(cells: list[Change]) -> Iterator[tuple[Change, list[Change]]]:
    """Each spoilt cell, and the column with it."""
    changed = [cell for cell in cells if cell[0] != cell[1]]
    for before, after in changed[:CELLS]:
        for wrong in spoilt(after):
            if wrong not in (after, before):
                yield (before, wrong), [(before, wrong) if cell == (before, after) else cell for cell in cells]


@pytest.mark.parametrize("column", COLUMNS)
def test_a_good_result_is_believed(column: str) -> None:
    """Nothing is suspected where nothing was spoilt."""
    assert suspicions(COLUMNS[column]) == []


def test_a_spoilt_result_is_suspected() -> None:
    """Of all mistakes in one cell nearly each is seen, whatever the other cells are."""
    tried = [(column, *one) for column, cells in COLUMNS.items() for one in all_spoilt(cells)]
    missed = [(column, cell) for column, cell, cells in tried if not suspicions(cells)]
    assert len(tried) > 500
    assert len(missed) <= (1 - SEEN) * len(tried), missed
