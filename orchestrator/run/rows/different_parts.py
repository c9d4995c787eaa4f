"""The parts in which two texts differ, of very many pairs at a time. Called by `change_kinds`."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.profile.patterns import own_bytes

_MASK, _INSIDE = 0xC0, 0x80  # of UTF-8: bytes that begin no character


def different_parts(before: pa.Array, after: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Each pair without what its texts have in common at the beginning, and then at the end."""
    one, other = _Texts(before), _Texts(after)
    most = np.minimum(one.lengths, other.lengths)
    start = _common(one, one.starts, other, other.starts, most, 1)
    start -= one.inside(one.starts + start, -1)
    last = _common(one, one.ends - 1, other, other.ends - 1, most - start, -1)
    last -= one.inside(one.ends - last, 1)
    return one.part(start, last), other.part(start, last)


class _Texts:
    def __init__(self, texts: pa.Array) -> None:
        self.lengths = pc.binary_length(texts).to_numpy().astype(np.int64)
        self.ends = np.cumsum(self.lengths)
        self.starts = self.ends - self.lengths
        # One more byte, for whoever looks behind the last one.
        self.bytes = np.frombuffer(own_bytes(texts) + b"\0", np.uint8)

    def inside(self, places: Any, step: int) -> Any:
        """How many bytes it is from each place to where a character begins: none, mostly."""
        steps = np.zeros(len(places), np.int64)
        while (within := (self.bytes[places + step * steps] & _MASK) == _INSIDE).any():
            steps += within
        return steps

    def part(self, start: Any, last: Any) -> pa.Array:
        """The texts without so many bytes at both ends."""
        lengths = self.lengths - start - last
        ends = np.cumsum(lengths)
        places = np.arange(lengths.sum()) + np.repeat(self.starts + start - (ends - lengths), lengths)
        offsets = np.concatenate([[0], ends]).astype(np.int32)
        buffers = [None, pa.py_buffer(offsets.tobytes()), pa.py_buffer(self.bytes[places].tobytes())]
        return pa.Array.from_buffers(pa.string(), len(lengths), buffers)


def _common(one: _Texts, places: Any, other: _Texts, theirs: Any, most: Any, step: int) -> Any:
    """How many bytes of each pair are the same, from a place on, and `most` of them."""
    found = np.zeros(len(most), np.int64)
    alike, at = np.flatnonzero(most > 0), 0
    while len(alike):
        alike = alike[one.bytes[places[alike] + step * at] == other.bytes[theirs[alike] + step * at]]
        at += 1
        found[alike] = at
        alike = alike[most[alike] > at]
    return found
