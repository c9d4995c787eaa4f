"""What every exported `cleaning_functions.py` consists of, beside the functions themselves. Read as text by `export`.

It imports nothing of cleanroom, so that the exported file runs on its own; its reading and writing follow `data/`.
"""

import hashlib
import linecache
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pandas as pd


class Function(NamedTuple):
    """A function as it was promoted: `apply` takes a DataFrame and returns a cleaned one."""

    name: str
    source: str
    apply: Callable[[pd.DataFrame], pd.DataFrame]


def _load(name: str, sha256: str, text: str) -> Function:
    """Run the source in a module of its own and take its function. Refuses a text other than the proved one."""
    source = text[1:]  # the first line break only makes the listing readable
    if hashlib.sha256(source.encode()).hexdigest() != sha256:
        raise ImportError(f"{name} is not the text that was proved: it was changed after its export")
    module = ModuleType(f"{__name__}.{name}")
    filename = f"<{name} of {Path(__file__).name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - this file's purpose
    return Function(name, source, module.__dict__[name])


# --- functions ---
FUNCTIONS: tuple[Function, ...] = ()
# --- end of functions ---


def clean(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy of the frame with every function applied, in order."""
    cleaned = frame.copy()
    for function in FUNCTIONS:
        cleaned = function.apply(cleaned)
    return cleaned
