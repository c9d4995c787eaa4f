"""Keeps pandas out of a process that uses Arrow, until there is a value that needs it. Called by the commands.

At its first `pa.array` pyarrow imports pandas, 0.35 s of processor time, only to ask whether the values are a Series.
No command has any. The library does not call this: a program that imports it may hand Arrow a Series of its own.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

import pyarrow as pa


class _NoPandas(MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name, path, target)


def defer_pandas() -> None:
    """Have pyarrow look for pandas now and find none. It looks again as soon as it must have it."""
    if "pandas" in sys.modules:
        return
    refuse = _NoPandas()
    sys.meta_path.insert(0, refuse)
    try:
        pa.array([])
    finally:
        sys.meta_path.remove(refuse)


def import_pandas_for(schema: pa.Schema) -> None:
    """Have pyarrow find pandas where the schema has times in nanoseconds: as Python objects they are its Timestamps."""
    if any("[ns" in str(kind) for kind in schema.types):
        pa.array([0]).to_pandas(use_threads=False)
