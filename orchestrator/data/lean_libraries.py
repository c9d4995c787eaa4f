"""Imports NumPy and PyArrow without what only people who read their documentation need. Called by `cli.main`, `worker`.

At its import PyArrow's compute module makes some 280 functions with documentation and signature, 0.1 s of processor
time; here each is made when it is first asked for. NumPy adds documentation to what is written in C. The guest does the
same on its own (`sandbox_image/lean_imports.py`). The library API leaves the libraries of its caller as they are.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_COMPUTE = "pyarrow.compute"
_ONLY_DOCUMENTATION = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars")
_RENAMED = {"and_": "and", "or_": "or"}  # Python's keywords
_AT_IMPORT = ("utf8_zero_fill",)  # the compute module gives it a second name


def import_lean() -> None:
    """From now on, import these libraries in this way. Imports nothing itself. Idempotent."""
    if not any(isinstance(finder, _LeanFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _LeanFinder())


class _LeanFinder(MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name in _ONLY_DOCUMENTATION:
            return ModuleSpec(name, _Nothing())
        if name != _COMPUTE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _ComputeLoader(spec.loader)
        return spec


class _Nothing(Loader):
    """Makes an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing in it."""


class _ComputeLoader(Loader):
    """Runs the compute module with a registry of few functions; the others are made when they are asked for."""

    def __init__(self, inner: Loader) -> None:
        self._inner = inner

    def exec_module(self, module: ModuleType) -> None:
        """Run it. Raises ImportError."""
        from pyarrow import _compute

        parts: Any = _compute
        registry = parts.function_registry
        parts.function_registry = lambda: _FewFunctions(registry())
        try:
            self._inner.exec_module(module)
        finally:
            parts.function_registry = registry
        made: Any = module
        made.function_registry = registry
        made.__getattr__ = _maker(made, registry())


class _FewFunctions:
    """PyArrow's registry of functions, as far as they are wanted at once."""

    def __init__(self, real: Any) -> None:
        self._names: set[str] = {*real.list_functions()}
        self.get_function = real.get_function

    def list_functions(self) -> list[str]:
        return [name for name in _AT_IMPORT if name in self._names]


def _maker(module: Any, registry: Any) -> Callable[[str], Any]:
    """The `__getattr__` of the compute module."""

    def make(name: str) -> Any:
        try:
            function = registry.get_function(_RENAMED.get(name, name))
        except KeyError:
            raise AttributeError(f"module {_COMPUTE!r} has no attribute {name!r}") from None
        if function.kind == "hash_aggregate" or (function.kind == "scalar_aggregate" and not function.arity):
            raise AttributeError(f"module {_COMPUTE!r} has no attribute {name!r}")  # they cannot be called
        wrapper = module._wrap_function(name, function)  # noqa: SLF001 - what it does itself, for all, when imported
        setattr(module, name, wrapper)
        return wrapper

    return make
