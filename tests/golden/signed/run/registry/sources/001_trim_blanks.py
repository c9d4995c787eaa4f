"""Stray blanks stand around the texts of city."""

import functools
import re

import pandas as pd

CONTRACT = {
    'shape': 'table',
    'modifies': ['city'],
    'examples': [
        {'input': {'city': ' Paris'}, 'output': {'city': 'Paris'}},
        {'input': {'city': ' LONDON'}, 'output': {'city': 'LONDON'}},
        {'input': {'city': ' London'}, 'output': {'city': 'London'}},
    ],
}

_COLUMNS = ['city']


def _trim(value: str) -> str:
    """The text with plain spaces, no invisible characters, and nothing around it."""
    value = re.sub("[\u00a0\u2007\u202f]", " ", value)
    return re.sub("[\u200b\u2060\ufeff]", "", value).strip()


def _repair(column):
    """The repair of the texts of a column, which remembers what it has seen."""
    return functools.cache(lambda value: _trim(value))


def detect(df):
    """True where a row still has the issue."""
    flagged = pd.Series(False, index=df.index)
    for name in _COLUMNS:
        fix = _repair(name)
        wrong = [isinstance(cell, str) and fix(cell) != cell for cell in df[name].tolist()]
        flagged = flagged | pd.Series(wrong, index=df.index, dtype=bool)
    return flagged


def trim_blanks(df):
    """Strip blanks at both ends; make odd spaces plain and drop invisible characters."""
    out = df.copy()
    for name in _COLUMNS:
        fix = _repair(name)
        cells = [fix(cell) if isinstance(cell, str) else cell for cell in df[name].tolist()]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
