"""Functions that learn from all rows before they clean one: the shape `fitted`, and what a sandbox runs of it.

`fit(df)` gives a state, `merge(state, state)` makes one of two, and the function itself, `transform(df, state)`,
cleans rows. A sandbox knows nothing of this: each of the three runs as a function of tables, by a few lines that are
put behind the candidate's source. `fit` and `merge` give a table of one cell, the state as canonical JSON; `transform`
gets a fresh copy of the state with every call. Called by whoever makes a `Program`.
"""

import hashlib

from orchestrator.core.value import Value

FIT, MERGE, TRANSFORM, GROWN = "fit", "merge", "transform", "grown"
STATE = "__state__"
"""The column in which a state goes into a container, and comes out."""
MAX_STATE = 1_500_000
"""Bytes of a state as UTF-8. As a literal in a program it may be four times as long, and a job's header has 8 MiB."""
NAMES = {FIT: "_cleanroom_fit", MERGE: "_cleanroom_merge", TRANSFORM: "_cleanroom_transform", GROWN: "_cleanroom_grown"}
"""By part, the name of the function of tables that `source_of` adds."""

_COMMON = f'''

# what follows is cleanroom's
import json as _cleanroom_json
import math as _cleanroom_math
import pandas as _cleanroom_pandas


def _cleanroom_check(value):
    """Refuse what JSON does not give back as it was."""
    if type(value) is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise TypeError(f"the state has a key of the type {{type(key).__name__}}, and JSON knows str only")
            _cleanroom_check(item)
    elif type(value) is list:
        for item in value:
            _cleanroom_check(item)
    elif type(value) is float:
        if not _cleanroom_math.isfinite(value):
            raise ValueError("the state has a number that is not finite")
    elif value is not None and type(value) not in (str, int, bool):
        raise TypeError(
            f"the state has a value of the type {{type(value).__name__}}: only dict, list, str, "
            "int, float, bool and None come back as they were"
        )


def _cleanroom_text(state):
    _cleanroom_check(state)
    text = _cleanroom_json.dumps(state, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    size = len(text.encode())
    if size > {MAX_STATE}:
        raise ValueError(f"the state has {{size:,}} bytes; at most {MAX_STATE:,} are allowed: keep less of each row")
    return text


def _cleanroom_table(text):
    return _cleanroom_pandas.DataFrame({{"{STATE}": [text]}})
'''
_FIT = f"""

def {NAMES[FIT]}(df):
    return _cleanroom_table(_cleanroom_text({FIT}(df)))
"""
_MERGE = f"""

def {NAMES[MERGE]}(df):
    text, *others = df["{STATE}"].tolist()
    for other in others:
        text = _cleanroom_text({MERGE}(_cleanroom_json.loads(text), _cleanroom_json.loads(other)))
    return _cleanroom_table(text)
"""
_TRANSFORM = """

# what follows is cleanroom's
import json as _cleanroom_json

_CLEANROOM_STATE = {state}


def {wrapper}(df):
    return {function}(df, _cleanroom_json.loads(_CLEANROOM_STATE))
"""
_GROWN = """

def _cleanroom_merged(one, other):
    return _cleanroom_text(merge(_cleanroom_json.loads(one), _cleanroom_json.loads(other)))


def {wrapper}(df):
    one, others, whole, *strangers = df["{column}"].tolist()
    merged = 0
    for _ in range({doublings}):
        if merged > {work} or 2 * len(whole.encode()) > {most} and merged:
            break
        one = _cleanroom_merged(whole, one)
        whole = _cleanroom_merged(one, others)
        merged += len(one) + len(whole)
    for other in strangers:
        if len(whole.encode()) + len(other.encode()) < {most}:
            whole = _cleanroom_merged(whole, other)
    return _cleanroom_table(whole)
"""
_DOUBLINGS, _MOST_MERGED = 24, 4_000_000  # times, characters of states
_DETECT = """

_cleanroom_detect = detect


def detect(df, *state):
    return _cleanroom_detect(df, *(state or (_cleanroom_json.loads(_CLEANROOM_STATE),)))
"""


class LearntState(Value):
    """What a fitted function has learnt: canonical JSON, and from how many rows. `sha256`: of the text as UTF-8."""

    sha256: str
    bytes: int
    rows: int
    text: str

    @classmethod
    def of(cls, text: str, rows: int) -> "LearntState":
        """The state with its digest."""
        data = text.encode()
        return cls(sha256=hashlib.sha256(data).hexdigest(), bytes=len(data), rows=rows, text=text)


def learning_source(source: str) -> str:
    """The source with functions of tables named `NAMES[FIT]` and `NAMES[MERGE]`."""
    return source + _COMMON + _FIT + _MERGE


def grown_source(source: str) -> str:
    """The source with `NAMES[GROWN]`, which makes of states what is learnt of the same rows up to 2 ** 24 times over.

    It takes those of two parts of the rows and that of all, and perhaps that of other rows, which are added once. What
    is merged is never twice the same state, so that `merge` cannot tell these from parts of a large data set.
    """
    wrapper = _GROWN.format(
        column=STATE,
        wrapper=NAMES[GROWN],
        doublings=_DOUBLINGS,
        work=_MOST_MERGED,
        most=MAX_STATE,
    )
    return source + _COMMON + wrapper


def bound_source(source: str, function: str, state: str, *, detect: bool) -> str:
    """The source with a function of tables named `NAMES[TRANSFORM]`, which knows the state, as `detect` then does."""
    wrapper = _TRANSFORM.format(state=ascii(state), wrapper=NAMES[TRANSFORM], function=function)
    return source + wrapper + (_DETECT if detect else "")
