"""What a confined reader complains of, as an error for people. Called by the formats whose files such a reader reads.

The reader was given a stranger's file, so what it says is checked and bounded like anything else that it sends.
"""

import json
from pathlib import Path

from orchestrator.core.errors import DataError
from orchestrator.data.text import clean_text


def reader_fault(path: Path, said: bytes, otherwise: str = "cannot be read") -> DataError:
    """`said`: JSON, a clause about the file and what to do next. `otherwise`: the clause where it is neither."""
    try:
        message, advice = json.loads(said)
    except (TypeError, ValueError):
        message, advice = otherwise, ""
    joint = "," if str(message).startswith("sheet ") else ""
    return DataError(f"{path}{joint} {clean_text(str(message), 300)}.", advice=clean_text(str(advice), 300))
