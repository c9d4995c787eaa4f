"""A function that asks for the time is held: in containers the clock stands still, in the exported file it does not."""

import ast
from collections.abc import Callable

import pytest

from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.gate.syntax.clock import clock_reads

SOURCE = '''"""City names carry stray blanks."""
import datetime
import pandas as pd
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"].notna() & (df["city"] != df["city"].str.strip())
def trim_city(df):
    """Strip blanks."""
    out = df.assign(city=df["city"].str.strip())
    return WHAT
'''


@pytest.mark.parametrize(
    "reading",
    [
        "datetime.datetime.now()",
        "datetime.date.today()",
        "datetime.datetime.utcnow()",
        "(lambda ask: ask())(datetime.date.today)",
        "getattr(datetime.date, 'today')()",
        "pd.Timestamp.now()",
        "pd.Timestamp('now')",
        "pd.Timestamp(ts_input=' Today ')",
        "pd.to_datetime(['now'])",
        "np.datetime64('today')",
        "np.datetime64(WORD)",
        "np.array(['now'], dtype='datetime64[s]')",
        "np.asarray('today', 'datetime64[D]')",
        "pd.Series(['now']).astype('datetime64[ns]')",
        "pd.date_range(end=WORD, periods=1)",
        "np.busday_count('2024-01-01', 'today')",
        "df['day'].clip(upper='now')",
        "df['day'].between('2000', 'today')",
        "df['day'] < 'now'",
        "WORD >= df['day']",
        "time.time()",
        "clock.localtime()",
    ],
)
def test_what_asks_for_the_time_is_found(reading: str) -> None:
    """By a method, by a word that pandas takes for the time, or by a constant that is such a word."""
    (found,) = clock_reads(
        ast.parse(f"import time, time as clock; WORD = 'now'\ndef f(df):\n    x = {reading}\n    return df\n")
    )
    said, line = found.split(", line ")
    assert (line, said in reading) == ("3", True)


@pytest.mark.parametrize(
    "harmless",
    [
        "df['when'].replace({'now': 'at once', 'today': 'at once'})",
        "df['today'].str.strip()",
        "pd.to_datetime(df['now'].where(df['day'] != ''), format='%Y')",
        "pd.Timestamp('2024-01-01')",
        "datetime.datetime.strptime(text, '%d.%m.%Y').date()",
        "df.rename(columns={'now': 'today'})",
        "df['when'] == 'today'",
        "df['when'].isin(['now', 'today'])",
        "df['n'] < df['now']",
        "delta.time()",
        "[time.strftime('%H:%M') for time in df['t']]",
    ],
)
def test_words_and_columns_of_that_name_are_no_time(harmless: str) -> None:
    """Cells, columns and spans of time are data."""
    assert clock_reads(ast.parse(f"def f(df):\n    return {harmless}\n")) == []


@pytest.mark.parametrize("screened", [True, False])
def test_a_bomb_for_a_day_is_held(judge: Callable[..., Verdict], screened: bool) -> None:
    """Nothing in a container can show it. Where the caller has switched the screen off, nobody looks at the source."""
    bomb = "out.assign(city='') if (datetime.date.today().month, datetime.date.today().day) == (12, 24) else out"
    verdict = judge(SOURCE.replace("WHAT", bomb), screen=screened)
    if not screened:
        assert verdict.passed
        return
    (concern,) = verdict.concerns
    assert (verdict.verdict, concern.kind, concern.check) == (Outcome.HOLD, "reads-clock", "screen")
    assert "datetime.date.today, line 10" in concern.detail
    assert "as a column" in concern.settles


def test_the_same_function_without_the_time_passes(judge: Callable[..., Verdict]) -> None:
    """It is the question for the time that is held, not the module."""
    assert judge(SOURCE.replace("WHAT", "out")).passed
