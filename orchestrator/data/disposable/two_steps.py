"""A request of two steps: one child decodes hostile bytes, another one works on what that child said.

An exploit of a decoder gains the process that decodes, and no more: what it answers is read as plain values by a second
process, which never sees the hostile bytes and whose answer counts. The second request is made by the host, of its own
part and of the first answer, unread. Made by `join`, by whoever asks; taken apart by `disposable_process`.
"""

import struct
from typing import NamedTuple

_MARK = b"2"
"""Other requests begin with a length, whose first byte is never this one, or with a head of ours; never with the
bytes of somebody else, which could say that they are two steps."""
_HEAD = struct.Struct(">c15sQ")
_LENGTH = struct.Struct(">Q")


class TwoSteps(NamedTuple):
    """`hostile` is for the function with this name; `own` and the answer are for the entry. Both without a copy."""

    function: str
    hostile: memoryview
    own: memoryview

    def second(self, decoded: bytes) -> bytes:
        """The request of the second step."""
        return with_decoded(self.own, decoded)


def join(function: str, hostile: bytes, own: bytes) -> bytes:
    """A request of two steps."""
    return _HEAD.pack(_MARK, function.encode(), len(hostile)) + hostile + own


def two_steps(request: bytes) -> TwoSteps | None:
    """The steps of a request of `join`; None of any other."""
    if not request.startswith(_MARK):
        return None
    _, function, size = _HEAD.unpack_from(request)
    end = _HEAD.size + size
    view = memoryview(request)
    return TwoSteps(function.rstrip(b"\0").decode(), view[_HEAD.size : end], view[end:])


def with_decoded(own: bytes | memoryview, decoded: bytes) -> bytes:
    """The request of a second step, as the entry takes it."""
    return b"".join([_LENGTH.pack(len(own)), own, decoded])


def own_and_decoded(request: bytes) -> tuple[bytes, bytes]:
    """The parts of `with_decoded`. Raises ValueError when it is not whole."""
    if len(request) < _LENGTH.size or (size := _LENGTH.unpack_from(request)[0]) > len(request) - _LENGTH.size:
        raise ValueError("the request is cut off")
    return request[_LENGTH.size : _LENGTH.size + size], request[_LENGTH.size + size :]
