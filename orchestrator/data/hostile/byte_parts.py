"""Several byte strings as one, between the host and the disposable process. Called by `decode_entry`."""

import struct
from collections.abc import Iterable, Sequence

from orchestrator.data.hostile.hostile_output import HostileOutput

_LENGTH = struct.Struct("<Q")


def join_parts(parts: Iterable[bytes | memoryview | Sequence[bytes]], before: bytes = b"") -> bytes:
    """The parts, each behind its length, after what stands `before` them. A part may come in pieces: a copy less."""
    made: list[bytes | memoryview] = [before]
    for part in parts:
        pieces = [part] if isinstance(part, bytes | memoryview) else part
        made += [_LENGTH.pack(sum(map(len, pieces))), *pieces]
    return b"".join(made)


def split_parts(joined: bytes | memoryview) -> list[memoryview]:
    """The parts of `join_parts`, where they lie. Raises HostileOutput for anything else."""
    parts, at, joined = list[memoryview](), 0, memoryview(joined)
    while at < len(joined):
        start = at + _LENGTH.size
        size = _LENGTH.unpack_from(joined, at)[0] if start <= len(joined) else len(joined)
        at = start + size
        if at > len(joined):
            raise HostileOutput("several answers are cut off")
        parts.append(joined[start:at])
    return parts
