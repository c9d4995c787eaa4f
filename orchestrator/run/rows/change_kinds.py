"""Tells which changes of cells are of one kind. Called by `kinds_of_change`, for each column and batch.

Two changes are of one kind where their cells look alike before and after (`patterns`), and as much of the cell stays.
Of cells that are all of forms of their own (addresses, remarks) what is put in place of what may be alike all the same.
"""

import secrets
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.profile.patterns import own_bytes, patterns_of
from orchestrator.run.rows.different_parts import different_parts

_PLACES = 4_096  # of a longer text, what stands behind them counts as if it stood at the beginning again


class Stays(IntEnum):
    """What of a cell is there afterwards: the more, the less there is to doubt."""

    LITTLE = 0
    CONTENT = 1
    """All letters and figures."""
    ORDER = 2
    """All letters and figures, in their order."""
    SIGNS = 3
    """All but blanks, and small letters for capitals."""


class ChangeKind(NamedTuple):
    """`part`: whether the patterns are of the parts that differ."""

    before: str
    after: str
    stays: Stays
    part: bool = False


class ChangeKinds:
    """The kinds of changes. What two texts have in common is told by numbers that are drawn anew in each process.

    So nobody can make two texts whose numbers are the same.
    """

    def __init__(self) -> None:
        signs = _drawn(256)
        for byte in range(128):
            signs[byte] = 0 if chr(byte).isspace() else signs[ord(chr(byte).lower())]
        self._signs, self._letters = signs, signs.copy()
        self._letters[[byte for byte in range(128) if not chr(byte).isalnum()]] = 0
        self._places = _drawn(_PLACES) | np.uint64(1)

    def of(self, before: pa.Array, after: pa.Array, most: int) -> Mapping[ChangeKind, list[int]]:
        """Each kind with the places of some changes: some from all over, and the first ones."""
        stays = self._stays(before, after)
        return dict(_grouped(before, after, stays, most))

    def of_parts(self, before: pa.Array, after: pa.Array, most: int) -> Mapping[ChangeKind, list[int]]:
        """The same of the changes of more than blanks and case, by the parts in which the cells differ."""
        stays = self._stays(before, after)
        rows = np.flatnonzero(stays < Stays.SIGNS)
        parts = different_parts(*(texts.take(pa.array(rows)) for texts in (before, after)))
        grouped = _grouped(*parts, stays[rows], most)
        return {kind._replace(part=True): rows[places].tolist() for kind, places in grouped}

    def _stays(self, before: pa.Array, after: pa.Array) -> Any:
        """A `Stays` for each change."""
        stays = np.full(len(before), Stays.LITTLE, np.int64)
        left = np.arange(len(before))
        for found, weights in (
            (Stays.SIGNS, self._signs),
            (Stays.ORDER, self._letters),
            (Stays.CONTENT, self._letters),
        ):
            placed = found is not Stays.CONTENT
            old, new = (self._sums(texts.take(pa.array(left)), weights, placed) for texts in (before, after))
            stays[left[old == new]] = found
            left = left[old != new]
        return stays

    def _sums(self, texts: pa.Array, weights: Any, placed: bool) -> Any:
        """A number for each text: the same for texts of the same bytes, as far as these have a weight.

        `placed`: in the same order.
        """
        lengths = pc.binary_length(texts).to_numpy()
        each = weights[np.frombuffer(own_bytes(texts), np.uint8)]
        ends = np.cumsum(lengths)
        if placed:
            counted = _running(each != 0)
            place = counted[1:] - np.repeat(counted[ends - lengths], lengths)
            each = each * self._places[(place % _PLACES).astype(np.int64)]
        sums = _running(each)
        return sums[ends] - sums[ends - lengths]


def _grouped(before: pa.Array, after: pa.Array, stays: Any, most: int) -> Iterator[tuple[ChangeKind, list[int]]]:
    old, new = (patterns_of(texts).dictionary_encode() for texts in (before, after))
    codes = (old.indices.to_numpy() * np.int64(len(new.dictionary)) + new.indices.to_numpy()) * len(Stays) + stays
    order = np.argsort(codes, kind="stable")
    names = (old.dictionary.to_pylist(), new.dictionary.to_pylist())
    for places in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1) if len(order) else ():
        one = int(places[0])
        kind = ChangeKind(names[0][old.indices[one].as_py()], names[1][new.indices[one].as_py()], Stays(stays[one]))
        spread = places[np.linspace(0, len(places) - 1, min(len(places), most)).astype(int)]
        yield kind, np.concatenate([spread, places]).tolist()


def _running(values: Any) -> Any:
    """The sums up to each place, beginning with 0."""
    return np.concatenate([np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)])


def _drawn(count: int) -> Any:
    return np.frombuffer(secrets.token_bytes(count * 8), np.uint64).copy()
