"""What a confined reader complains of, and how it ends, as an error for people. Called by the formats that have one.

The reader was given a stranger's file, so what it says is checked and bounded like anything else that it sends.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from orchestrator.core.errors import DataError, DisposableDied
from orchestrator.data.text import clean_text


def reader_fault(path: Path, said: bytes, otherwise: str = "cannot be read") -> DataError:
    """`said`: JSON, a clause about the file and what to do next. `otherwise`: the clause where it is neither."""
    try:
        message, advice = json.loads(said)
    except (TypeError, ValueError):
        message, advice = otherwise, ""
    joint = "," if str(message).startswith("sheet ") else ""
    return DataError(f"{path}{joint} {clean_text(str(message), 300)}.", advice=clean_text(str(advice), 300))


@contextmanager
def within_limits(path: Path, advice: str, *, done: str = "read") -> Iterator[None]:
    """Raise DataError where the reader ends instead of answering. `done`: what cannot be done with the file."""
    try:
        yield
    except DisposableDied as error:
        raise DataError(
            f"{path} cannot be {done} within the limits of time and memory for files: {error.message}", advice=advice
        ) from None
