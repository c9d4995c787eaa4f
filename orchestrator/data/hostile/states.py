"""Reads what a fitted function has learnt, out of the table of one cell in which it comes. Called by gate and apply.

A state is hostile bytes: it is bounded, strict JSON, and taken in its one canonical spelling, or not at all.
"""

import json
from typing import Any

import pyarrow as pa

from orchestrator.core.fitted import MAX_STATE, STATE
from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json

_MAX_DIGITS = 4_000  # of an integer: Python reads no more at once
_MAX_DEPTH = 64


def read_state(table: pa.Table) -> str:
    """The state as canonical JSON. Raises HostileOutput for anything but one cell that holds one."""
    if STATE not in table.column_names or table.num_rows != 1:
        raise HostileOutput("it gave no state")
    text = table.column(STATE)[0].as_py()
    if not isinstance(text, str):
        raise HostileOutput("its state is no text")
    data = text.encode()
    if len(data) > MAX_STATE:
        raise HostileOutput(f"its state has {len(data):,} bytes, more than the {MAX_STATE:,} allowed")
    try:
        value = strict_json(data, max_depth=_MAX_DEPTH, max_digits=_MAX_DIGITS)
    except HostileOutput:
        raise HostileOutput("its state is no strict JSON, or nested too deeply") from None
    if canonical(value) != text:
        raise HostileOutput("its state is not written as JSON is written here")
    return text


def canonical(value: Any) -> str:
    """The one spelling of a state: sorted keys, no blanks, numbers as Python writes them."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def state_table(*states: str) -> pa.Table:
    """States as a container takes them: one column of texts."""
    return pa.table({STATE: pa.array(states, pa.string())})
