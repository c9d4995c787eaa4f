"""Delays the import of pandas in a process that uses Arrow until a value needs it.

Called by the commands and by the decoders of hostile bytes.

At its first `pa.array` pyarrow imports pandas, 0.35 s of processor time, only to ask whether the values are a Series.
No command passes one. The library API does not call this: a program that uses it may pass a Series to Arrow.
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
    """Some values need pandas, in a process that cannot import it itself."""


def defer_pandas(*, by_others: bool = False) -> None:
    """Make pyarrow look for pandas now and not find it. It looks again when a value needs it.

    `by_others`: `import_pandas_for` raises PandasNeeded, and the process that forked this one imports it.
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
    """Let pyarrow find pandas if the schema has times in nanoseconds, which become pandas Timestamps in Python."""
    if any("[ns" in str(kind) for kind in schema.types):
        if _by_others and "pandas" not in sys.modules:
            raise PandasNeeded
        import_pandas()


def import_pandas() -> None:
    """Let pyarrow find pandas."""
    pa.array([0]).to_pandas(use_threads=False)
