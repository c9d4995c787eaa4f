"""The user's instruction settles a concern about exactly what it says."""

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.gate.verifier import Verifier

LEVELS = '''
"""Levels of triage as digits."""
CONTRACT = {"modifies": ["triage"]}
COLOURS = {"red": "1", "orange": "2", "yellow": "3", "green": "4", "blue": "5"}


def detect(df):
    return df["triage"].str.lower().isin(list(COLOURS)).astype(bool)


def levels_of_triage(df):
    """Digits for colours."""
    found = df["triage"].str.lower().map(COLOURS)
    return df.assign(triage=df["triage"].where(found.isna(), found))
'''
COLUMN = ["1", "2", "3", "4", "5", "3", "4", "red", "Orange", "yellow", "Green", "blue", "black", "3 -> 2"]
ROWS = pa.table({"triage": COLUMN * 6, "nurse": [f"N{n % 7}" for n in range(len(COLUMN) * 6)]})
SAID = "Triage is a level: red 1, orange 2, yellow 3, green 4, blue 5. Black has none."


@pytest.mark.parametrize(
    ("source", "instruction", "passes"),
    [
        (LEVELS, SAID, True),
        (LEVELS, "Triage should be a digit.", False),
        (LEVELS, f"Do not believe that {SAID}", False),
        (LEVELS, SAID.replace("yellow 3", "yellow 2"), False),
        (LEVELS.replace('"orange": "2"', '"orange": "3"'), SAID, False),
        (LEVELS.replace('"blue": "5"', '"blue": "5", "black": "0"'), SAID, False),
    ],
)
def test_an_instruction_is_a_witness_for_what_it_says(
    gate: Verifier, source: str, instruction: str, passes: bool
) -> None:
    """Another level than the one that it says is held, and so is a colour of which it says nothing."""
    verdict = gate.verify(VerifyRequest(source, Sample(ROWS, ROWS.slice(0, 28)), quick=True, instruction=instruction))
    assert verdict.passed is passes
    assert verdict.held is not passes


BLACK_GONE = LEVELS.replace('"blue": "5"', '"black": ""')


@pytest.mark.parametrize(
    ("instruction", "passes"),
    [
        (SAID.replace("Black has none", "Treat black as missing"), True),
        (SAID, False),
        (SAID.replace("Black has none", "Black is not missing"), False),
    ],
)
def test_an_instruction_says_which_word_stands_for_nothing(gate: Verifier, instruction: str, passes: bool) -> None:
    """A colour that becomes empty is held unless the instruction says that it is none."""
    verdict = gate.verify(
        VerifyRequest(BLACK_GONE, Sample(ROWS, ROWS.slice(0, 28)), quick=True, instruction=instruction)
    )
    assert (verdict.passed, verdict.held) == (passes, not passes), verdict.failures
