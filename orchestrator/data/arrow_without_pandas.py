"""Keeps pandas out of a process that uses Arrow, until there is a value that needs it. Called by the commands.

At its first `pa.array` pyarrow imports pandas, 0.35 s of processor time, only to ask whether the values are a Series.
No command has any. The library does not call this: a program that imports it may hand Arrow a Series of its own.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

import pyarrow as pa

_by_others = False


class _NoPandas(MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name, path, target)


class PandasNeeded(Exception):
    """There are values that need pandas, in a process that may not import it itself."""


def defer_pandas(*, by_others: bool = False) -> None:
    """Have pyarrow look for pandas now and find none. It looks again as soon as it must have it.

    `by_others`: `import_pandas_for` raises PandasNeeded, and whoever forked this process imports it.
    """
    global _by_others  # noqa: PLW0603 - how this process behaves from now on
    if "pandas" in sys.modules:
        return
    _by_others = by_others
    refuse = _NoPandas()
    sys.meta_path.insert(0, refuse)
    try:
        pa.array([])
    finally:
        sys.meta_path.remove(refuse)


def import_pandas_for(schema: pa.Schema) -> None:
    """Have pyarrow find pandas where the schema has times in nanoseconds: as Python objects they are its Timestamps."""
    if any("[ns" in str(kind) for kind in schema.types):
        if _by_others and "pandas" not in sys.modules:
            raise PandasNeeded
        import_pandas()


def import_pandas() -> None:
    """Have pyarrow find pandas."""
    pa.array([0]).to_pandas(use_threads=False)
