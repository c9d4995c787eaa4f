"""Imports and runs once what every child needs, so that no child pays for it. Called by guest.py before it is ready.

A light guest serves functions that work on records or texts and import neither pandas nor numpy: it is ready without
them.
"""

import importlib
import platform
import re
import sys
import unicodedata
from datetime import datetime

import lean_imports
from frozen_module import freeze
from programs import Loaded
from records import RecordWork, read_lines

# What candidates may import from the standard library (the screen's list): imported here, free in the child.
_LIBRARY = (
    "collections", "dataclasses", "datetime", "decimal", "difflib", "enum", "fractions", "functools", "html",
    "itertools", "json", "math", "numbers", "operator", "re", "statistics", "string", "textwrap", "typing",
    "unicodedata", "urllib.parse", "zoneinfo",
)  # fmt: skip
# What they may import beside it, frozen texts by name and version: cleanroom's own, and no part of the guest.
_HELPERS = ("cleanroom_dates_v1", "cleanroom_numbers_v1", "cleanroom_phones_v1")


def up(*, light: bool) -> dict[str, str]:
    """Warm everything; the versions for the ready frame."""
    for name in _LIBRARY:
        importlib.import_module(name)
    for name in _HELPERS:
        freeze(importlib.import_module(name))
    versions = {"python": platform.python_version(), "pandas": "", "pyarrow": ""}
    if not light:
        lean_imports.run()
        import pandas as pd
        import pyarrow as pa

        pa.set_cpu_count(1)
        pa.set_io_thread_count(1)
        versions |= {"pandas": pd.__version__, "pyarrow": pa.__version__}
    exercise()
    return versions


def exercise() -> None:
    """What most functions do, once: it imports what is only imported at first use."""
    touch()
    if "pandas" in sys.modules:
        _exercise_pandas()


def touch() -> None:
    """The way of values in and out. A forked child repeats it while it waits, so that its pages are its own by then.

    What functions do in between is left out: to do it in each child costs more than the pages that it touches.
    """
    _exercise_records()
    if "pandas" in sys.modules:
        _exercise_tables()


def _exercise_records() -> None:
    source = "def f(record):\n    return {**record, 'a': record['a'].strip()}\ndef detect(record):\n    return False\n"
    work = RecordWork([Loaded(0, {"name": "f", "source": source, "shape": "record"})], read_lines(b'{"a":" x "}'))
    header: dict[str, object] = {}
    work.f(header)
    work.ff(header)
    work.detect(header)
    work.input(header)
    re.sub(r"\s+", " ", unicodedata.normalize("NFC", " a  b "))
    datetime.strptime("2024-01-02", "%Y-%m-%d")  # noqa: DTZ007 - only to have it loaded


def _exercise_tables() -> None:
    import pyarrow as pa
    import tables  # noqa: F401 - for the children
    from frames import InputTable, mask_bytes, read_table, stream, table_bytes

    blob = stream(["text", "number"], [pa.array([" A ", None, "b"]), pa.array([1, None, 3])])
    source = InputTable(read_table(blob))
    frame = source.frame()
    frame["text"] = frame["text"].str.strip()
    table_bytes(frame, source, {})
    mask_bytes(frame["text"].notna(), len(frame))


def _exercise_pandas() -> None:
    import pandas as pd

    frame = pd.DataFrame({"text": [" A ", None, "b"]})
    frame["text"] = frame["text"].str.lower().str.replace(r"\s+", " ", regex=True).replace({"a": "c"})
    frame["parsed"] = pd.to_datetime(pd.Series(["2024-01-02", None, "x"]), errors="coerce", format="%Y-%m-%d")
    frame["cast"] = pd.to_numeric(pd.Series(["1", "x", None]), errors="coerce")
    frame["mapped"] = frame["text"].map(lambda value: value)
    frame.copy().drop(columns="parsed")
    frame["text"].notna() & (frame["text"] != "c")
