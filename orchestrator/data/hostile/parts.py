"""Several byte strings as one, between the host and the disposable process. Called by `entry`."""

import struct
from collections.abc import Sequence

from orchestrator.data.hostile.errors import HostileOutput

_LENGTH = struct.Struct("<Q")


def join_parts(parts: Sequence[bytes]) -> bytes:
    """The parts, each behind its length."""
    return b"".join(piece for part in parts for piece in (_LENGTH.pack(len(part)), part))


def split_parts(joined: bytes) -> list[bytes]:
    """The parts of `join_parts`. Raises HostileOutput for anything else."""
    parts, at = [], 0
    while at < len(joined):
        start = at + _LENGTH.size
        size = _LENGTH.unpack_from(joined, at)[0] if start <= len(joined) else len(joined)
        at = start + size
        if at > len(joined):
            raise HostileOutput("several answers are cut off")
        parts.append(joined[start:at])
    return parts
