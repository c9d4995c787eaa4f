"""Packs a JSON header and byte blobs into one message: what verifier and judge say to each other."""

import json
import struct
from collections.abc import Sequence
from typing import Any

MAX_HEADER = 8 * 2**20
_LENGTH = struct.Struct(">I")


def pack(header: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """`u32 header length`, the header with the blobs' lengths in it, then the blobs."""
    text = json.dumps({**header, "blobs": [len(blob) for blob in blobs]}).encode()
    return b"".join([_LENGTH.pack(len(text)), text, *blobs])


def unpack(message: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """The header and the blobs. Raises ValueError when the message is not whole."""
    if len(message) < _LENGTH.size:
        raise ValueError("the message is too short")
    (size,) = _LENGTH.unpack_from(message)
    if size > MAX_HEADER:
        raise ValueError("the header is too long")
    at = _LENGTH.size + size
    header = json.loads(message[_LENGTH.size : at])
    lengths = header.pop("blobs", None) if isinstance(header, dict) else None
    if lengths is None:
        raise ValueError("the message has no header")
    blobs = []
    for length in lengths:
        if type(length) is not int or length < 0 or at + length > len(message):
            raise ValueError("the message is cut off")
        blobs.append(message[at : at + length])
        at += length
    if at != len(message):
        raise ValueError("bytes follow the message")
    return header, blobs
