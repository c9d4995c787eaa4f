"""Frames between host and guest (docs/wire.md), the guest's side. Called by guest.py and child.py.

Standard library only: the supervisor must be able to speak before pandas is imported. Every read and write has a
deadline, so that a host that went away cannot keep the guest alive.
"""

import json
import os
import select
import struct
import time
from collections.abc import Sequence
from typing import Any

VERSION = 1
MAX_HEADER = 8 * 2**20
MAX_RECORD_HEADER = 2**20
MAX_JOB = 512 * 2**20
_LENGTH = struct.Struct(">I")
_CHUNK = 2**20

Body = bytes | bytearray


class WireError(Exception):
    """The host went away, was too slow, or sent what is no frame: the guest ends itself."""


def encode(header: dict[str, Any]) -> bytes:
    """The beginning of a frame, header length and header; its bodies follow."""
    text = json.dumps(header, separators=(",", ":")).encode("utf-8", "backslashreplace")
    return _LENGTH.pack(len(text)) + text


def write_frame(fd: int, header: dict[str, Any], bodies: Sequence[Body], deadline: float) -> None:
    """One frame to a non-blocking descriptor, without a copy of the bodies."""
    for piece in (encode(header), *bodies):
        write_all(fd, piece, deadline)


def read_frame(fd: int, deadline: float) -> tuple[dict[str, Any], list[Body]] | None:
    """The next frame with the bodies that `blobs` lists; None at a clean end. `deadline` is monotonic."""
    prefix = _read(fd, _LENGTH.size, deadline, at_start=True)
    if prefix is None:
        return None
    (length,) = _LENGTH.unpack(prefix)
    if length > MAX_HEADER:
        raise WireError("header too long")
    text = _read(fd, length, deadline) or b""
    header = json.loads(text)
    if not isinstance(header, dict) or header.get("version") != VERSION:
        raise WireError("not a frame of this version")
    sizes = header.get("blobs", [])
    if sum(sizes) > MAX_JOB:
        raise WireError("job too big")
    return header, [_read(fd, size, deadline) or b"" for size in sizes]


def write_all(fd: int, data: Body, deadline: float) -> None:
    """Write everything to a non-blocking descriptor."""
    view = memoryview(data)
    while view:
        if not select.select([], [fd], [], _left(deadline))[1]:
            raise WireError("the host does not read")
        try:
            view = view[os.write(fd, view) :]
        except BlockingIOError:
            continue


def _read(fd: int, size: int, deadline: float, *, at_start: bool = False) -> bytearray | None:
    """Read in place: a pipe gives little at a time, and to put many parts together costs as much again."""
    data = bytearray(size)
    view, at = memoryview(data), 0
    while at < size:
        if not select.select([fd], [], [], _left(deadline))[0]:
            raise WireError("deadline passed")
        got = os.readv(fd, [view[at : at + _CHUNK]])
        if not got:
            if at_start and not at:
                return None
            raise WireError("the host went away")
        at += got
    return data


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())
