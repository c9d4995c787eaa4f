"""Reads some blocks of a file again while a parser reads it, in a second container. Called by `block_reading`.

A parser is judged on the beginning of a file, and may do otherwise with the rest: once its state has counted so many
rows, or where a block is larger. So of the first block, the last one and of others drawn at random, what was taken is
held to the laws by which the parser was judged: the same parts however the block is cut, in another container with
another hash seed and time zone; and in rows drawn from it, another letter or digit is another value.
"""

import secrets

from orchestrator.core.parsers import ParserAnswer
from orchestrator.gate.parsers import parser_laws
from orchestrator.gate.parsers.parser_calls import ParserCalls, ParserFailed, ParserInput
from orchestrator.gate.parsers.parser_cases import FIRST_ROWS
from orchestrator.gate.parsers.rows_elsewhere import drawn_rows, lost_elsewhere

READ_AGAIN = 8
"""One block in so many, drawn at random, is read a second time; so are the first one and the last."""
_HOW = "read again in another container, cut elsewhere,"


class BlockAudit:
    """`calls`: the parser in containers that nothing was read in."""

    def __init__(self, calls: ParserCalls) -> None:
        self._calls = calls
        self._draw = secrets.SystemRandom()
        self._begun = False

    def wrong(self, answer: ParserAnswer, one: ParserInput) -> str:
        """What is wrong with what the parser made of a block, in a clause; empty where nothing is, or was looked at."""
        drawn = not self._begun or one.last or self._draw.randrange(READ_AGAIN) == 0
        self._begun = True
        if not drawn or not answer.parts:
            return ""
        try:
            return self._cut_elsewhere(answer, one) or self._changed(answer, one)
        except ParserFailed as failure:
            return f"{_HOW} {failure}"

    def _cut_elsewhere(self, answer: ParserAnswer, one: ParserInput) -> str:
        cut = self._draw.randrange(1, max(2, len(one.data)))
        ends = (cut, len(one.data)) if cut < len(one.data) else one.ends
        (again,) = self._calls.answers([one._replace(ends=ends)])
        return parser_laws.same_parts(again, answer, one, _HOW)

    def _changed(self, answer: ParserAnswer, one: ParserInput) -> str:
        """The law `loses-nothing` on some rows from anywhere in the block."""
        numbers = drawn_rows(answer, one.data, self._draw, 1)
        return lost_elsewhere(self._calls, answer, one, numbers, self._draw, FIRST_ROWS)
