"""How much a packed file or stdin may hold: a small file can stand for terabytes. Read by `data.formats`."""

import os
from typing import NamedTuple

from orchestrator.core.errors import UsageError

BYTES_VARIABLE = "CLEANROOM_MAX_UNPACKED_BYTES"
RATIO_VARIABLE = "CLEANROOM_MAX_UNPACKED_RATIO"


class UnpackingLimits(NamedTuple):
    """`ratio`: unpacked bytes for each packed one; what unpacks to less than `free` bytes is never refused for it."""

    bytes: int = 32 * 2**30
    ratio: int = 200
    free: int = 64 * 2**20

    @classmethod
    def read(cls) -> "UnpackingLimits":
        """With what CLEANROOM_MAX_UNPACKED_BYTES and CLEANROOM_MAX_UNPACKED_RATIO say. Raises UsageError."""
        return cls(bytes=_number(BYTES_VARIABLE, cls().bytes), ratio=_number(RATIO_VARIABLE, cls().ratio))


def _number(name: str, default: int) -> int:
    said = os.environ.get(name)
    if not said:
        return default
    if not said.isascii() or not said.isdigit() or not int(said):
        raise UsageError(f"{name} is not a whole number above 0.", advice="Correct it, or unset it.")
    return int(said)
