"""Choices that a secret key makes: the same key makes the same ones. Called by all that fakes values."""

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Keyed:
    """Bytes, numbers and orders drawn from a key and a seed."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.blake2b(key, person=b"cleanroom mask").digest()

    def bytes(self, seed: str, length: int) -> bytes:
        return hashlib.shake_256(self._key + seed.encode("utf-8", "surrogatepass")).digest(length)

    def number(self, seed: str) -> int:
        """A number below 65,536."""
        return int.from_bytes(self.bytes(seed, 2), "big")

    @functools.cache  # noqa: B019 - few sets of numbers, and as many maskers as there are verdicts
    def _successors(self, first: int, last: int) -> dict[int, int]:
        drawn = sorted(range(first, last + 1), key=lambda n: self.bytes(f"order {first} {last} {n}", 8))
        return dict(zip(drawn, [*drawn[1:], drawn[0]], strict=True))

    def next_among(self, value: int, ranges: Sequence[tuple[int, int]]) -> int:
        """Another number of the same range, in one cycle through all of it; a number in none of them stays."""
        for first, last in ranges:
            if first <= value <= last:
                return self._successors(first, last)[value]
        return value


def walked(value: T, step: Callable[[T], T], accepted: Callable[[T], bool]) -> T:
    """The first accepted value that the steps lead to.

    Where `step` is one to one and `value` is accepted itself, this is one to one among the accepted values (cycle
    walking, Black and Rogaway 2002), and it ends: at the latest where it began.
    """
    value = step(value)
    while not accepted(value):
        value = step(value)
    return value
