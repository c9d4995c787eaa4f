"""Draws the dirty records of records.yaml from seeds, as tables.py does for tables. Called by corpus.py and witness.py.

A record that was drawn is written as a line of JSON and read back, as one of a JSON Lines file is.
"""

import json
import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks.gate import meaning
from benchmarks.gate.tables import filled
from benchmarks.gate.yaml_files import read_yaml
from orchestrator.data.record_tables import row_of, table_of

MISSING = 1 / 16
_NUMBERS = {"int": int, "float": float}
RECORDS: Mapping[str, Mapping[str, Any]] = {
    **read_yaml(Path(__file__).parent / "records.yaml"),
    **meaning.records(),
}


@cache
def record_table(name: str, rows: int, seed: int) -> pa.Table:
    """`rows` records as a record table; the same seed gives the same ones, whoever asks."""
    draw = random.Random(f"{name}:{seed}")
    lines = [json.dumps(_value(RECORDS[name], draw, seed * 1_000 + row)) for row in range(rows)]
    return table_of([row_of(json.loads(line)) for line in lines], [key.rstrip("!") for key in RECORDS[name]])


def _value(spec: Any, draw: random.Random, number: int) -> Any:
    match spec:
        case str():
            return filled(spec, draw, number)
        case list():
            return _value(draw.choice(spec), draw, number)
        case {"int": template} | {"float": template}:
            return _NUMBERS[next(iter(spec))](filled(template, draw, number))
        case {"each": each}:
            return [_value(each, draw, number) for _ in range(draw.randint(0, 3))]
        case dict():
            has = {key: key.endswith("!") or draw.random() >= MISSING for key in spec}
            return {key.rstrip("!"): _value(spec[key], draw, number) for key in spec if has[key]}
    return spec
