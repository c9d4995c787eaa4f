"""Where the real data sets are: they are too large for the repository. Used by the tests and by benchmarks/clean.py."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

VARIABLE = "CLEANROOM_SHARED_DATA"
_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


def shared_data(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that CLEANROOM_SHARED_DATA names, else `shared/data` beside the checkout, which may be missing.

    Raises FileNotFoundError when the variable names no folder: a mistake there must not skip tests.
    """
    named = environment.get(VARIABLE)
    if not named:
        return _BESIDE
    folder = Path(named).expanduser().resolve()
    if not folder.is_dir():
        raise FileNotFoundError(f"{VARIABLE} names no folder: {named}")
    return folder


DATA = shared_data()
needs_shared_data = [
    pytest.mark.shared,
    pytest.mark.skipif(
        not DATA.is_dir(), reason=f"no real data sets: neither {VARIABLE} nor shared/data beside the checkout"
    ),
]
