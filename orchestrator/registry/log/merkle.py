"""The Merkle tree of RFC 6962, section 2.1. Called by the log, which appends to it, and by the bundle, which proves.

Hashes are bytes[32]. A leaf is the whole text of an entry.
"""

import hashlib
from collections.abc import Sequence

EMPTY = hashlib.sha256(b"").digest()


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Frontier:
    """The complete subtrees of a tree, largest first: all that appending and the root take."""

    def __init__(self, size: int = 0, subtrees: Sequence[bytes] = ()) -> None:
        """Raises ValueError where there are not as many subtrees as the size has bits."""
        if size < 0 or len(subtrees) != size.bit_count() or any(len(each) != len(EMPTY) for each in subtrees):
            raise ValueError("the subtrees do not fit the size")
        self.size = size
        self.subtrees = list(subtrees)

    def append(self, leaf: bytes) -> None:
        """Add the hash of one leaf."""
        joined, rest = leaf, self.size
        while rest & 1:
            joined = _node(self.subtrees.pop(), joined)
            rest >>= 1
        self.subtrees.append(joined)
        self.size += 1

    def root(self) -> bytes:
        """The hash of the whole tree."""
        if not self.subtrees:
            return EMPTY
        *others, root = self.subtrees
        for subtree in reversed(others):
            root = _node(subtree, root)
        return root


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The hash of the tree over these leaf hashes."""
    frontier = Frontier()
    for leaf in leaves:
        frontier.append(leaf)
    return frontier.root()


def inclusion_proof(leaves: Sequence[bytes], place: int) -> list[bytes]:
    """The hashes that lead from the leaf at this place to the root, nearest first (section 2.1.1)."""
    if len(leaves) <= 1:
        return []
    middle = _split(len(leaves))
    if place < middle:
        return [*inclusion_proof(leaves[:middle], place), root_of(leaves[middle:])]
    return [*inclusion_proof(leaves[middle:], place - middle), root_of(leaves[:middle])]


def is_included(leaf: bytes, place: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof leads from the leaf at this place of a tree of this size to this root."""
    if not 0 <= place < size:
        return False
    sides = []  # whether the other subtree is the left one, from the root down
    while size > 1:
        middle = _split(size)
        right = place >= middle
        sides.append(right)
        place, size = (place - middle, size - middle) if right else (place, middle)
    if len(sides) != len(proof):
        return False
    for other, right in zip(proof, reversed(sides), strict=True):
        leaf = _node(other, leaf) if right else _node(leaf, other)
    return leaf == root


def _split(size: int) -> int:
    """The largest power of two below the size."""
    return 1 << (size - 1).bit_length() - 1
