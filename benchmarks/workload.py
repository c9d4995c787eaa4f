"""What every benchmark of isolation runs: one function, the same cases for all, and a figure as a value.

Imported by sandbox.py, and by peers.py in a virtual environment that has nothing of this project but this file.
"""

import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

ROWS, CASES, COLUMNS = 100, 12, 10
SOURCE = '''"""City names carry stray blanks."""
CONTRACT = {"shape": "table", "modifies": ["city"]}
def detect(df):
    return df["city"].str.strip() != df["city"]
def trim_city(df):
    """Strip leading and trailing blanks from city."""
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
'''
BY_ROW = {  # the same work in the shapes that need no pandas
    "record": '''"""City names carry stray blanks."""
CONTRACT = {"shape": "record", "modifies": ["city"]}
def detect(row):
    return isinstance(row.get("city"), str) and row["city"].strip() != row["city"]
def trim_city(row):
    """Strip leading and trailing blanks from city."""
    return {**row, "city": row["city"].strip()} if isinstance(row.get("city"), str) else row
''',
    "text": '''"""City names carry stray blanks."""
CONTRACT = {"shape": "text", "modifies": ["city"]}
def detect(text):
    return text.strip() != text
def trim_city(text):
    """Strip leading and trailing blanks."""
    return text.strip()
''',
}


def program(cases: int) -> str:
    """A whole Python program that makes its rows and runs function and detector on them, four ops a case."""
    return f"""
import pandas as pd
{SOURCE}
cells = {{f"c{{i}}": ["x"] * {ROWS} for i in range({COLUMNS - 1})}}
df = pd.DataFrame({{"city": [" Bonn", "Kiel"] * {ROWS // 2}}} | cells)
for _ in range({cases}):
    out = trim_city(df)
    trim_city(out)
    detect(df)
    detect(out)
print(len(out))
"""


class Figure(NamedTuple):
    """One line of the table. `target` says what is wanted; `met` is None where nothing is."""

    what: str
    value: float
    unit: str
    target: str = ""
    met: bool | None = None


def at_least(what: str, value: float, wanted: float) -> Figure:
    return Figure(what, value, "×", f"≥ {wanted:g}", value >= wanted)


def at_most(what: str, value: float, unit: str, wanted: float) -> Figure:
    return Figure(what, value, unit, f"≤ {wanted:g}", value <= wanted)


def median_ms(call: Callable[[], Any], times: int, before: Callable[[], Any] = lambda: None) -> float:
    """The median time of a call in milliseconds; `before` is not counted."""
    taken = []
    for _ in range(times):
        before()
        start = perf_counter()
        call()
        taken.append((perf_counter() - start) * 1000)
    return statistics.median(taken)
