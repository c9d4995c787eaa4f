"""A cell of some hundred thousand characters takes the built-in proposer no longer than its length explains."""

import random
from time import process_time

import pandas as pd
import pytest

from tests.propose.builtin_help import ask, settled

LENGTH = 150_000
WORDS = ["the", "quick", "brown", "fox", "customers", "order", "12", "chairs", "for", "$30.50", "by", "2025-03-04"]
DRAW = random.Random(5)  # noqa: S311 - test data
LONG = {
    "prose": " ".join(DRAW.choice(WORDS) for _ in range(LENGTH // 6)),
    "one word": "a" * LENGTH,
    "digits": "1" * LENGTH,
    "hyphens": "a-" * (LENGTH // 2),
    "signs of addresses": "@." * (LENGTH // 2),
    "exponents": "1e5" * (LENGTH // 3),
    "wrong characters": "Ã©" * (LENGTH // 2),
    "blanks": "x" + " " * LENGTH + "y",
    "records": "[" + '{"a":1},' * (LENGTH // 8) + "{}]",
    "brackets": "(" * LENGTH,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_long_cells_beside_short_ones_are_looked_at_in_seconds(text: str) -> None:
    """Long texts that are equal, differ by a word or a sign, or are half of another one; rows that agree on a key."""
    middle = len(text) // 2
    variants = [text, f"{text} z", f"q {text}", f"{text[:middle]} mid {text[middle:]}", text.replace(text[0], "k", 1)]
    rows = range(60)
    frame = pd.DataFrame(
        {
            "key": ["A", "B", "C"] * 20,
            "mixed": [variants[i % 5] if i % 3 == 0 else ["short", "Short ", "n/a", "12"][i % 4] for i in rows],
            "equal": [text if i % 10 == 0 else ["open", "Open", "closed "][i % 3] for i in rows],
            "long": [variants[i % 5] for i in rows],
            "settled": [text if i % 3 == 0 and i > 6 else ["x", "short text", "y"][i % 3] for i in rows],
        }
    )
    started = process_time()
    ask(frame)
    assert process_time() - started < 8


def test_rows_that_nearly_agree_on_long_texts_are_compared_in_seconds() -> None:
    """Two long texts of thousands of words, of which one has many words fewer, below the same key."""
    longer = LONG["prose"] * 6
    texts = [longer] * 14 + [longer[: LENGTH * 3]] * 2
    frame = pd.DataFrame({"key": ["A"] * 16 + ["B"] * 16 + ["C"] * 16, "text": texts + ["one"] * 16 + ["two"] * 16})
    started = process_time()
    ask(frame)
    assert process_time() - started < 4


def test_a_number_of_thousands_of_figures_is_left() -> None:
    """Python refuses to read one; it ended the run where three other cells had points before three figures."""
    cells = ["9" * 5000, "1.200", "2.300", "4.500", *(str(number) for number in range(310, 340))]
    assert settled(cells, "amount") == cells
