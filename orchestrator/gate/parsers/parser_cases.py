"""What a parser is run on to judge it: the beginning of a file cut in many ways, with changed bytes, and odd files.

Drawn from a secret seed, so that a parser cannot know where the file will be cut or which byte will change.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from orchestrator.core.parsers import ParsedPart
from orchestrator.gate.parsers.parser_calls import ParserInput

HEAD_BYTES = 256 * 2**10
"""So much of a file a parser is judged on."""
_CHANGED_BYTES = 4_000
_SENT_BYTES = 8 * 2**20
_SMALL = 600
LATE = 2
"""So many parts may wait for bytes that follow them."""
_MINUS = re.compile(rb"(?<![\w-])-(?=\d)")
_SOMETIMES = 0.05
_ZEROS = 0.3
_HIGH = (b"\xe9", b"\xe8")
"""Two bytes that are no text in UTF-8: who reads both as one replacement character has lost what they were."""


@dataclass(frozen=True)
class ChangedByte:
    """The place of a byte, and what stands there instead, in one input each: all must come out differently.

    Of a minus nothing stands there, of the first digit of a number perhaps a zero and the digit.
    """

    place: int
    values: tuple[bytes, ...]


class Changes(NamedTuple):
    """In how many rows how many bytes are changed, at most."""

    rows: int
    changes: int


FIRST_ROWS = Changes(12, 400)


class ParserCases:
    """The inputs for one parser; `head`: the beginning of the file, `whole`: whether that is all of it."""

    def __init__(self, head: bytes, *, whole: bool, seed: int) -> None:
        self._head, self._whole = head, whole
        self.draw = random.Random(seed)  # noqa: S311 - the seed is secret; the numbers need not be

    @property
    def whole(self) -> ParserInput:
        """The head in one block."""
        return ParserInput.whole(self._head, last=self._whole)

    def cuts(self) -> list[ParserInput]:
        """The head, cut anywhere: in two, in blocks of odd sizes; its beginning byte by byte."""
        size = len(self._head)
        two = [(at, size) for at in self.draw.sample(range(1, max(2, size)), min(3, max(1, size - 1)))]
        ends = [one for one in two if one[0] < size]
        steps = [(*range(step, size, step), size) for step in (997, 4_099)]
        made = [ParserInput(self._head, cut, self._whole) for cut in (*ends, *steps)]
        small = self._head[:_SMALL]
        whole = self._whole and len(small) == size
        return [*made, ParserInput(small, tuple(range(1, len(small) + 1)), whole)]

    def blocks(self) -> list[int]:
        """The ends of three blocks, each of which a process of its own reads."""
        size = len(self._head)
        return [*sorted(self.draw.randrange(1, max(2, size)) for _ in range(2)), size]

    def changed(
        self, parts: Sequence[ParsedPart], most: Changes = FIRST_ROWS
    ) -> tuple[ParserInput, list[ChangedByte], list[ParserInput]]:
        """The first parts of the head, and them again and again with one letter, digit or minus changed.

        Some parts that do not change come behind them: a row may have to wait for the one that follows.
        """
        end, rows, behind, told = 0, 0, 0, list[int]()
        for part in parts:
            behind += behind > 0 or rows >= most.rows or (end > 0 and end + part.size > _CHANGED_BYTES)
            if behind > LATE:
                break
            if part.values is not None and not behind:
                told += range(end, end + part.size)
                rows += 1
            end += part.size
        first = self._head[:end]
        minus = {found.start() for found in _MINUS.finditer(first)}
        places = [at for at in told if bytes([first[at]]).isalnum() or at in minus]
        count = min(most.changes, max(8, _SENT_BYTES // max(1, end)))  # one row may be as long as the head
        drawn = sorted(self.draw.sample(places, min(count, len(places))))
        changes = [
            ChangedByte(at, (b"",) if at in minus else self._others(first, at) if number else _HIGH)
            for number, at in enumerate(drawn)
        ]
        inputs = [
            ParserInput.whole(first[: change.place] + value + first[change.place + 1 :], last=self._whole_at(end))
            for change in changes
            for value in change.values
        ]
        return ParserInput.whole(first, last=self._whole_at(end)), changes, inputs

    def _whole_at(self, end: int) -> bool:
        return self._whole and end == len(self._head)

    def _others(self, first: bytes, at: int) -> tuple[bytes, ...]:
        """Another digit; another letter, or the same one as a capital; sometimes two bytes that are no UTF-8.

        In front of a number sometimes a zero: who makes numbers of texts loses those of codes.
        """
        byte = first[at]
        if self.draw.random() < _SOMETIMES:
            return _HIGH
        if chr(byte).isdigit():
            if not first[at - 1 : at].isalnum() and self.draw.random() < _ZEROS:
                return (b"0" + bytes([byte]),)
            return (bytes([self.draw.choice([value for value in b"0123456789" if value != byte])]),)
        if self.draw.random() < 0.3:
            return (bytes([byte ^ 0x20]),)
        letters = b"abcdefghijklmnopqrstuvwxyz" if chr(byte).islower() else b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return (bytes([self.draw.choice([value for value in letters if value != byte])]),)

    def odd(self) -> list[ParserInput]:
        """No bytes, bytes of no meaning, zeros, a line that does not end, a head whose end is missing."""
        junk = bytes(self.draw.randrange(256) for _ in range(2_000))
        cut = self._head[: max(1, len(self._head[:_SMALL]) * 2 // 3)]
        odd = (b"", junk, bytes(500), b"a" * 100_000, b"\n" * 50, b"\r\n\r\n", cut)
        return [ParserInput.whole(data, last=True) for data in odd]
