"""Walks an Arrow IPC stream in plain Python, before Arrow's C++ touches any body. Called by `hostile.arrow_tables`.

Arrow's readers do not validate (its security page says so): a compressed body may unpack to a thousand times its size,
a null column may claim two thousand million rows in 600 bytes. These numbers are in the small flatbuffers in front of
the bodies; they are read here with bounds-checked slices, so that a false number only raises an exception. Field
numbers are those of format/Message.fbs and format/Schema.fbs (Arrow columnar format 1.x).
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from orchestrator.data.hostile.hostile_output import HostileOutput

_SCHEMA, _DICTIONARY, _BATCH = 1, 2, 3
_CONTINUATION = 0xFFFFFFFF
_MAX_METADATA = 8 * 2**20


@dataclass(frozen=True, slots=True)
class BatchFrame:
    """A record batch or dictionary as its metadata describes it: claimed rows and the rows of each node."""

    dictionary: bool
    rows: int
    nodes: tuple[int, ...]


def walk(data: bytes, max_frames: int) -> Iterator[BatchFrame]:
    """The batches of the stream. Raises HostileOutput for a frame that Arrow's plain writer would not write."""
    view = memoryview(data)
    at = 0
    for number in range(max_frames + 2):
        if number and _is_end(view, at):
            return
        if number > max_frames:
            break
        metadata, at = _metadata(view, at)
        try:
            kind, frame, body = _message(metadata)
        except (struct.error, IndexError):
            raise HostileOutput("an Arrow message's metadata points outside itself") from None
        if (kind == _SCHEMA) != (number == 0):
            raise HostileOutput("an Arrow stream must begin with its schema, and have only one")
        if body < 0 or at + body > len(view):
            raise HostileOutput("an Arrow message claims more bytes than there are")
        at += body
        if frame is not None:
            yield frame
    raise HostileOutput(f"an Arrow stream has more than {max_frames} batches")


def _is_end(view: memoryview, at: int) -> bool:
    if bytes(view[at : at + 8]) != b"\xff\xff\xff\xff\0\0\0\0":
        return False
    if at + 8 != len(view):
        raise HostileOutput("bytes follow the end of an Arrow stream")
    return True


def _metadata(view: memoryview, at: int) -> tuple[bytes, int]:
    if at + 8 > len(view):
        raise HostileOutput("an Arrow stream ends in the middle of a message")
    mark, size = struct.unpack_from("<Ii", view, at)
    if mark != _CONTINUATION or not 8 <= size <= _MAX_METADATA or at + 8 + size > len(view):
        raise HostileOutput("an Arrow stream has a broken message prefix")
    return bytes(view[at + 8 : at + 8 + size]), at + 8 + size


def _message(metadata: bytes) -> tuple[int, BatchFrame | None, int]:
    message = _Table.root(metadata)
    kind = message.u8(1)
    header = message.table(2)
    body = message.i64(3)
    if header is None:
        raise HostileOutput("an Arrow message has no header")
    if kind == _SCHEMA:
        if header.i16(0) != 0:
            raise HostileOutput("an Arrow stream is big-endian")
        return kind, None, body
    if kind == _DICTIONARY:
        if header.u8(2):
            raise HostileOutput("an Arrow stream has a delta dictionary")
        inner = header.table(1)
        if inner is None:
            raise HostileOutput("an Arrow dictionary has no data")
        return kind, _batch(inner, body, dictionary=True), body
    if kind == _BATCH:
        return kind, _batch(header, body, dictionary=False), body
    raise HostileOutput("an Arrow stream holds a message that is neither schema nor batch")


def _batch(batch: "_Table", body: int, *, dictionary: bool) -> BatchFrame:
    if batch.has(3):
        raise HostileOutput("an Arrow batch is compressed")
    if batch.has(4):
        raise HostileOutput("an Arrow batch has variadic buffers")
    rows = batch.i64(0)
    nodes = batch.pairs(1)
    if rows < 0 or any(length < 0 or not 0 <= nulls <= length for length, nulls in nodes):
        raise HostileOutput("an Arrow batch claims a negative or impossible number of rows")
    if any(offset < 0 or length < 0 or offset + length > body for offset, length in batch.pairs(2)):
        raise HostileOutput("an Arrow batch has a buffer outside its body")
    return BatchFrame(dictionary, rows, tuple(length for length, _ in nodes))


class _Table:
    """A flatbuffer table. Every access is bounds-checked: struct.error and IndexError mean false metadata."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at
        vtable = at - self._read("<i", at)
        size = self._read("<H", vtable)
        if vtable < 0 or size < 4 or vtable + size > len(data):
            raise IndexError(vtable)
        self._slots = struct.unpack_from(f"<{(size - 4) // 2}H", data, vtable + 4)

    @classmethod
    def root(cls, data: bytes) -> "_Table":
        return cls(data, struct.unpack_from("<I", data, 0)[0])

    def has(self, slot: int) -> bool:
        return slot < len(self._slots) and self._slots[slot] != 0

    def u8(self, slot: int) -> int:
        return self._scalar("<B", slot)

    def i16(self, slot: int) -> int:
        return self._scalar("<h", slot)

    def i64(self, slot: int) -> int:
        return self._scalar("<q", slot)

    def table(self, slot: int) -> "_Table | None":
        if not self.has(slot):
            return None
        at = self._at + self._slots[slot]
        return _Table(self._data, at + self._read("<I", at))

    def pairs(self, slot: int) -> list[tuple[int, int]]:
        """A vector of structs of two int64: FieldNode and Buffer."""
        if not self.has(slot):
            return []
        at = self._at + self._slots[slot]
        at += self._read("<I", at)
        count = self._read("<I", at)
        if at + 4 + 16 * count > len(self._data):
            raise IndexError(count)
        numbers = struct.unpack_from(f"<{2 * count}q", self._data, at + 4)
        return list(zip(numbers[::2], numbers[1::2], strict=True))

    def _scalar(self, form: str, slot: int) -> int:
        return self._read(form, self._at + self._slots[slot]) if self.has(slot) else 0

    def _read(self, form: str, at: int) -> int:
        if at < 0:
            raise IndexError(at)
        value: int = struct.unpack_from(form, self._data, at)[0]
        return value
