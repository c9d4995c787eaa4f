"""Imports numpy, pandas and PyArrow without the work that only serves people who read their documentation.

Called by warmup.py. PyArrow makes 280 functions with documentation and signature when its compute module is imported: a
tenth of all that importing pandas costs, and few of them are ever called. Here each is made when it is first asked for.
"""

import sys
from types import ModuleType
from typing import Any

_ONLY_DOCUMENTATION = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars")
_RENAMED = {"and_": "and", "or_": "or"}
_AT_IMPORT = ("utf8_zero_fill",)  # the compute module gives it a second name


def run() -> None:
    """Import all three."""
    for name in _ONLY_DOCUMENTATION:
        sys.modules[name] = ModuleType(name)
    import numpy  # noqa: F401, ICN001

    for name in _ONLY_DOCUMENTATION:
        del sys.modules[name]
    _import_compute()
    import pandas  # noqa: F401, ICN001


class _Registry:
    """PyArrow's registry of functions, as far as they are wanted at once."""

    def __init__(self, real: Any) -> None:
        self.get_function = real.get_function

    def list_functions(self) -> list[str]:
        return list(_AT_IMPORT)


def _import_compute() -> None:
    from pyarrow import _compute

    registry, real = _compute.function_registry, _compute.function_registry()
    _compute.function_registry = lambda: _Registry(real)
    try:
        from pyarrow import compute
    finally:
        _compute.function_registry = registry
    made: Any = compute
    made.function_registry = registry

    def make(name: str) -> Any:
        try:
            function = real.get_function(_RENAMED.get(name, name))
        except KeyError:
            raise AttributeError(f"module 'pyarrow.compute' has no attribute {name!r}") from None
        if function.kind == "hash_aggregate" or (function.kind == "scalar_aggregate" and not function.arity):
            raise AttributeError(f"module 'pyarrow.compute' has no attribute {name!r}")  # they cannot be called
        wrapper = made._wrap_function(name, function)  # noqa: SLF001 - what it does itself, for all, when imported
        setattr(made, name, wrapper)
        return wrapper

    made.__getattr__ = make
