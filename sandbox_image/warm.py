"""Imports and runs once what every child needs, so that no child pays for it. Called by guest.py before it is ready."""

import importlib
import platform

import pandas as pd
import pyarrow as pa
from frames import Source, mask_bytes, read_table, stream, table_bytes

# What candidates may import from the standard library (the screen's list): imported here, free in the child.
_LIBRARY = (
    "collections", "dataclasses", "datetime", "decimal", "difflib", "enum", "fractions", "functools", "html",
    "itertools", "json", "math", "numbers", "operator", "re", "statistics", "string", "textwrap", "typing",
    "unicodedata", "urllib.parse", "zoneinfo",
)  # fmt: skip


def up() -> dict[str, str]:
    """Warm everything; the versions for the ready frame."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    for name in _LIBRARY:
        importlib.import_module(name)
    exercise()
    return {"python": platform.python_version(), "pandas": pd.__version__, "pyarrow": pa.__version__}


def exercise() -> None:
    """What most functions do, once. A forked child repeats it while it waits, so that its pages are its own by then."""
    blob = stream(["text", "number"], [pa.array([" A ", None, "b"]), pa.array([1, None, 3])])
    source = Source(read_table(blob))
    frame = source.frame()
    frame["text"] = frame["text"].str.strip().str.lower().str.replace(r"\s+", " ", regex=True).replace({"a": "c"})
    frame["parsed"] = pd.to_datetime(pd.Series(["2024-01-02", None, "x"]), errors="coerce", format="%Y-%m-%d")
    frame["cast"] = pd.to_numeric(pd.Series(["1", "x", None]), errors="coerce")
    frame["mapped"] = frame["text"].map(lambda value: value)
    table_bytes(frame.copy().drop(columns="parsed"), source)
    mask_bytes(frame["text"].notna() & (frame["text"] != "c"), len(frame))
