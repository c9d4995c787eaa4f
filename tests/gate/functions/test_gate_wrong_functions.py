"""Plainly wrong functions fail, each at the check whose law it breaks."""

from collections.abc import Callable

import pytest

from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.gate.feedback import feedback

TRIM = '''
def f(df):
    """Trim."""
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
'''

# What the predecessor promoted, as functions of a table: (check that must fail, source).
PREDECESSOR = {
    "blanks a column": (
        "keeps-information",
        '''
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Clean."""
    return df.assign(city="")
''',
    ),
    "returns an empty dict": (
        "returns-shape",
        '''
def f(df):
    """Clean."""
    return {}
''',
    ),
    "appends +1 each time": (
        "idempotent",
        '''
CONTRACT = {"modifies": ["phone"]}
def f(df):
    """Country code."""
    return df.assign(phone="+1" + df["phone"])
''',
    ),
    "the same record for every row": (
        "split-invariant",
        '''
def f(df):
    """Clean."""
    out = df.copy()
    for name in out.columns:
        out[name] = out[name].iloc[0] if len(out) else out[name]
    return out
''',
    ),
    "a random date": (
        "pure",
        '''
import numpy as np
CONTRACT = {"modifies": ["date"]}
def f(df):
    """A date."""
    return df.assign(date=["2024-01-%02d" % d for d in np.random.randint(1, 29, len(df))])
''',
    ),
    "a row counter in amount": (
        "order-equivariant",
        '''
CONTRACT = {"modifies": ["amount"]}
def f(df):
    """Number."""
    return df.assign(amount=[str(i) for i in range(len(df))])
''',
    ),
    "a row counter that counts on": (
        "pure",
        '''
CONTRACT = {"modifies": ["amount"]}
_SEEN = []
def f(df):
    """Number."""
    _SEEN.extend(range(len(df)))
    return df.assign(amount=[str(len(_SEEN) + i) for i in range(len(df))])
''',
    ),
    "an extra column": (
        "columns-kept",
        '''
def f(df):
    """Clean."""
    return df.assign(cleaned=True)
''',
    ),
    "does nothing": (
        "effective",
        '''
def f(df):
    """Clean."""
    return df.copy()
''',
    ),
    "amount becomes a dict": (
        "dtypes-kept",
        '''
CONTRACT = {"modifies": ["amount"]}
def f(df):
    """Structure."""
    return df.assign(amount=[{"value": v} for v in df["amount"]])
''',
    ),
    "truncates money": (
        "keeps-information",
        '''
CONTRACT = {"modifies": ["amount"]}
def f(df):
    """Whole numbers."""
    return df.assign(amount=df["amount"].str.replace(r"\\.\\d+", "", regex=True))
''',
    ),
    "raises off the sample": (
        "edges",
        '''
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Trim."""
    if df["city"].str.len().max() > 100:
        raise ValueError("too long")
    return df.assign(city=df["city"].str.strip())
''',
    ),
    "makes objects of texts": (
        "dtypes-kept",
        '''
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Trim."""
    return df.assign(city=df["city"].str.strip().astype(object))
''',
    ),
    "swallows errors and nulls everything": (
        "split-invariant",
        '''
CONTRACT = {"modifies": ["zip"]}
def f(df):
    """Pad."""
    out = df.copy()
    try:
        out["zip"] = ["%05d" % int(v) if v is not None and v == v else v for v in out["zip"]]
    except Exception:
        out["zip"] = None
    return out
''',
    ),
    "always raises": (
        "executed",
        '''
def f(df):
    """Clean."""
    raise RuntimeError("no")
''',
    ),
}

# Tricks that aim at the verdict itself.
VERDICT = {
    "a value whose __eq__ always agrees": (
        "returns-shape",
        '''
class _Agrees:
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 0
def f(df):
    """Clean."""
    return df.assign(city=[_Agrees() for _ in range(len(df))])
''',
    ),
    "a DataFrame subclass": (
        "returns-shape",
        '''
import pandas as pd
class _Frame(pd.DataFrame):
    def equals(self, other):
        return True
def f(df):
    """Clean."""
    return _Frame(df)
''',
    ),
    "changes the input in place": (
        "pure",
        '''
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Trim."""
    df["city"] = df["city"].str.strip()
    return df
''',
    ),
    "returns the input itself": (
        "effective",
        '''
def f(df):
    """Clean."""
    return df
''',
    ),
    "all NaN": (
        "keeps-information",
        '''
CONTRACT = {"modifies": ["score"]}
def f(df):
    """Clean."""
    return df.assign(score=float("nan"))
''',
    ),
    "turns 0.0 to -0.0 outside what it declares": (
        "touches-only-declared",
        '''
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Trim."""
    return df.assign(city=df["city"].str.strip(), score=df["score"].where(df["score"] != 0, 0.0))
''',
    ),
    "launders text of numbers": (
        "dtypes-kept",
        '''
CONTRACT = {"modifies": ["zip"]}
def f(df):
    """Numbers."""
    return df.assign(zip=df["zip"].astype(float))
''',
    ),
    "launders float64 to Float64": (
        "dtypes-kept",
        '''
CONTRACT = {"modifies": ["score", "city"]}
def f(df):
    """Types."""
    return df.assign(city=df["city"].str.strip(), id=df["id"].astype("category"))
''',
    ),
    "duplicate column names": (
        "returns-shape",
        '''
import pandas as pd
def f(df):
    """Clean."""
    return pd.concat([df, df[["city"]]], axis=1)
''',
    ),
    "an empty frame": (
        "rows-kept",
        '''
def f(df):
    """Clean."""
    return df.iloc[:0]
''',
    ),
    "an empty frame, declared": (
        "precise",
        '''
CONTRACT = {"drops_rows": True}
def detect(df):
    return df["city"] == "nowhere"
def f(df):
    """Clean."""
    return df.iloc[:0]
''',
    ),
    "sorts the rows": (
        "rows-kept",
        '''
def f(df):
    """Sort."""
    return df.sort_values("city")
''',
    ),
    "sorts the rows and numbers them anew": (
        "order-equivariant",
        '''
def f(df):
    """Sort."""
    return df.sort_values("id").reset_index(drop=True)
''',
    ),
    "drops every row, with a detect that flags every row": (
        "keeps-information",
        '''
CONTRACT = {"drops_rows": True}
def detect(df):
    return df["id"].notna()
def f(df):
    """Drop."""
    return df[df["id"].isna()]
''',
    ),
    "touches another column": (
        "touches-only-declared",
        '''
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Trim."""
    return df.assign(city=df["city"].str.strip(), note=df["note"].str.upper())
''',
    ),
    "touches one cell of another column": (
        "touches-only-declared",
        '''
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Trim."""
    out = df.assign(city=df["city"].str.strip())
    out["status"] = out["status"].mask(out["id"] == "A00007", "shipped!")
    return out
''',
    ),
    "leaves by os._exit": (
        "executed",
        '''
import os
def f(df):
    """Leave."""
    os._exit(0)
''',
    ),
    "leaves with the code of success": (
        "executed",
        '''
import os
def f(df):
    """Leave."""
    os._exit(77)
''',
    ),
    "forges records": (
        "executed",
        '''
import json, os, struct
def f(df):
    """Forge."""
    text = json.dumps({"case": 0, "op": "f", "status": "returned", "type": "DataFrame", "body": 0}).encode()
    os.write(3, struct.pack(">I", len(text)) + text)
    os._exit(77)
''',
    ),
    "writes noise into the result pipe": (
        "executed",
        '''
import os
def f(df):
    """Noise."""
    os.write(3, b"PASS" * 100)
    return df
''',
    ),
    "raises a BaseException of its own": (
        "executed",
        '''
class _FinalAnswer(BaseException):
    pass
def f(df):
    """Raise."""
    raise _FinalAnswer("PASS")
''',
    ),
    "forks and returns twice": (
        "executed",
        '''
import os
_FORKED = []
def f(df):
    """Twice, but no bomb: nothing bounds it here."""
    if not _FORKED:
        _FORKED.append(os.fork())
    return df.assign(city=df["city"].str.strip())
''',
    ),
    "never ends": (
        "executed",
        '''
def f(df):
    """Loop."""
    while True:
        pass
''',
    ),
    "remembers the sample by heart": (
        "holdout",
        '''
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Trim what is known."""
    out = df.copy()
    known = out["id"].isin(["A%05d" % i for i in range(120)])
    out["city"] = out["city"].mask(known, out["city"].str.strip())
    return out
''',
    ),
    "depends on the time zone": (
        "deterministic",
        '''
import os
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Trim in one place only."""
    import time
    return df.assign(city=df["city"].str.strip() + ("" if time.tzname[0] == "UTC" else " "))
''',
    ),
    "detect that never flags": (
        "effective",
        '''
def detect(df):
    return df["city"] == "Atlantis"
def f(df):
    """Atlantis has sunk."""
    return df.assign(city=df["city"].replace("Atlantis", "sunk"))
''',
    ),
    "detect that still flags": (
        "effective",
        f"""
def detect(df):
    return df["status"] == "SHIPED"
{TRIM}""",
    ),
    "detect that is flipped by a call": (
        "effective",
        '''
CONTRACT = {"modifies": ["city"]}
_CALLS = []
def detect(df):
    _CALLS.append(1)
    return (df["id"] == "A00003") & (len(_CALLS) == 1)
def f(df):
    """Nothing."""
    return df.copy()
''',
    ),
    "changes what detect does not flag": (
        "precise",
        f"""
def detect(df):
    return df["city"].str.startswith(" ")
{TRIM}""",
    ),
    "changes what detect does not flag, and adds a column": (
        "precise",
        '''
CONTRACT = {"modifies": ["city", "status"], "adds": ["initial"]}
def detect(df):
    return df["city"].notna() & (df["city"] != df["city"].str.strip())
def f(df):
    """Trim, and the first letter."""
    status = df["status"].str.strip().str.lower()
    return df.assign(city=df["city"].str.strip(), status=status, initial=df["city"].str.strip().str[:1])
''',
    ),
    "an example that does not hold": (
        "examples",
        f"""
CONTRACT = {{"examples": [{{"input": {{"city": " Rome"}}, "output": {{"city": "ROME"}}}}]}}
{TRIM}""",
    ),
    "mode of the column": (
        "split-invariant",
        '''
CONTRACT = {"modifies": ["phone"]}
def f(df):
    """Fill with the most frequent."""
    return df.assign(phone=df["phone"].fillna(df["phone"].min()))
''',
    ),
    "one status for all": (
        "keeps-information",
        '''
CONTRACT = {"modifies": ["status"]}
def f(df):
    """Everything is shipped."""
    return df.assign(status=df["status"].where(df["status"].isna(), "shipped"))
''',
    ),
    "contract about another table": (
        "executed",
        '''
CONTRACT = {"modifies": ["town"]}
def f(df):
    """Trim."""
    return df.copy()
''',
    ),
}
EVERY = PREDECESSOR | VERDICT
DOUBTFUL = ("truncates money",)  # no law says that decimals must stay: somebody may have wanted whole numbers


@pytest.mark.parametrize("name", DOUBTFUL)
def test_a_doubtful_function_is_held(name: str, judge: Callable[..., Verdict]) -> None:
    """What only a heuristic finds wrong is not promoted either."""
    check, source = EVERY[name]
    verdict = judge(f'"""An issue."""{source}', screen=False)
    assert verdict.held
    assert {concern.check for concern in verdict.concerns} >= {check}
    assert feedback(verdict).startswith(verdict.concerns[0].kind)


CERTAIN = {name: case for name, case in EVERY.items() if name not in DOUBTFUL}


@pytest.mark.parametrize(("check", "source"), CERTAIN.values(), ids=CERTAIN.keys())
def test_wrong_function_fails_where_it_is_wrong(check: str, source: str, judge: Callable[..., Verdict]) -> None:
    """A wrong function is not promoted, and the check that it breaks says so, even when the screen is off."""
    verdict = judge(f'"""An issue."""{source}', screen=False)
    assert verdict.verdict is Outcome.FAIL
    assert check in {failure.id for failure in verdict.failures}, feedback(verdict)
    assert feedback(verdict).startswith(verdict.failures[0].id)


def test_an_exception_is_shown_with_the_cell_that_it_quotes(judge: Callable[..., Verdict]) -> None:
    """A function of the whole table does not say on which row it raised, but most errors quote the cell."""
    source = '''
CONTRACT = {"modifies": ["city"]}
def f(df):
    """Trim."""
    for city in df["city"].dropna():
        if len(city) > 100:
            raise ValueError(f"not a city: {city!r}")
    return df.assign(city=df["city"].str.strip())
'''
    verdict = judge(f'"""An issue."""{source}', screen=False)
    shown = next(one.counterexample for one in verdict.failures if one.id == "edges")
    assert shown is not None
    (row,) = shown.input
    assert str(row["city"]).startswith("x" * 40)
