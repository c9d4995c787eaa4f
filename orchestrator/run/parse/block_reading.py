"""One pass of a parser over a file, block after block, each in a process of its own. Called by `parse_file`.

Every byte becomes part of a row, or is said to be none, or is set aside as it stands in the file, or ends the reading.
No block is larger than the beginning on which the parser was judged, and some are read again (`block_audit`).
"""

from collections.abc import Callable, Iterator

from orchestrator.core.errors import DataError
from orchestrator.core.parsers import ParserAnswer, ParserCandidate
from orchestrator.core.wording import counted
from orchestrator.data.formats.parsed import Values
from orchestrator.data.raw_file import RawFile
from orchestrator.data.text import clean_text
from orchestrator.gate.parsers import parser_laws
from orchestrator.gate.parsers.parser_calls import ParserCalls, ParserFailed, ParserInput
from orchestrator.gate.parsers.parser_cases import HEAD_BYTES
from orchestrator.run.parse.block_audit import BlockAudit

BLOCK_BYTES = 3 * HEAD_BYTES // 4
"""With what is left of the block before, it is hardly ever more than the parser was judged on."""
MAX_UNREAD = 8 * 2**20
MOST_ASIDE = 1_000
_ADVICE = "Mend the parser, or keep such lines apart with --quarantine FILE."


SetAside = Callable[[int, bytes, str], object]
"""Takes a line that the parser cannot read: its number, its bytes, and why."""


class BlockReading:
    """`aside`: who takes lines that the parser cannot read; without it, the first one is a DataError."""

    def __init__(
        self, file: RawFile, parser: ParserCandidate, calls: ParserCalls, audit: BlockAudit, aside: SetAside | None
    ) -> None:
        self._file, self._parser, self._calls, self._aside = file, parser, calls, aside
        self._audit = audit
        self._lines = 0
        self._begun = False
        self._skipped = self._set_aside = 0
        self._first_skipped = b""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of the pass, in clauses."""
        if not self._skipped:
            return ()
        shown = clean_text(self._first_skipped.decode("utf-8", "replace"), 60)
        said = f"{counted(self._skipped, 'part')} of the file {'is no row' if self._skipped == 1 else 'are no rows'}"
        return (f"{said}, as the parser says; the first is {shown!r}",)

    def groups(self) -> Iterator[list[Values]]:
        """The rows of one block after the other. Raises DataError."""
        rest = ParserInput.whole(b"", last=False)
        with self._file.open() as file:
            following = file.read(BLOCK_BYTES)
            while following or rest.data:
                block, following = following, file.read(BLOCK_BYTES)
                one = ParserInput.whole(rest.data + block, last=not following, state=rest.state)
                rows, rest = self._block(one)
                yield rows
                if one.last:
                    return

    def _block(self, one: ParserInput) -> tuple[list[Values], ParserInput]:
        """The rows of a block, and what is left of it."""
        rows: list[Values] = []
        while True:
            answer = self._answer(one)
            if not answer.error:
                rows += self._taken(answer, one)
                left = one.data[answer.read :]
                if left and (one.last or len(left) > MAX_UNREAD):
                    raise self._failed(left, f"{len(left):,} bytes are left unread")
                return rows, ParserInput.whole(left, last=False, state=answer.state)
            bad = answer.read
            if self._aside is None:
                raise self._failed(one.data, answer.error, bad)
            if self._set_aside >= MOST_ASIDE:
                raise self._failed(one.data, f"{answer.error}; {MOST_ASIDE:,} lines are set aside, and no more", bad)
            if bad:  # once more, without what comes behind them: a parser may have changed its state before it failed
                good = ParserInput.whole(one.data[:bad], last=False, state=one.state)
                before = self._answer(good)
                if before.error or before.read != bad:
                    raise self._failed(one.data, answer.error, bad)
                rows += self._taken(before, good)
                one = one._replace(state=before.state)
            end = one.data.find(b"\n", bad) + 1 or (len(one.data) if one.last else 0)
            if not end:  # the line goes on in the next block
                if len(one.data) - bad > MAX_UNREAD:
                    raise self._failed(one.data, f"{len(one.data) - bad:,} bytes are left unread", bad)
                return rows, ParserInput.whole(one.data[bad:], last=False, state=one.state)
            self._lines += 1
            self._aside(self._lines, one.data[bad:end], answer.error)
            self._set_aside += 1
            one = ParserInput.whole(one.data[end:], last=one.last, state=one.state)
            if not one.data:
                return rows, one

    def _answer(self, one: ParserInput) -> ParserAnswer:
        try:
            return self._calls.one_answer(one)
        except ParserFailed as failure:
            raise self._failed(one.data, str(failure)) from None

    def _taken(self, answer: ParserAnswer, one: ParserInput) -> list[Values]:
        if wrong := parser_laws.skips(answer, one.data, self._parser.contract, at_start=not self._begun):
            raise self._failed(one.data, wrong)
        if wrong := parser_laws.one_to_one(answer, one.data) or self._audit.wrong(answer, one):
            raise self._failed(one.data, wrong)
        start = 0
        for part in answer.parts:
            if part.values is None and (text := one.data[start : start + part.size].strip()):
                self._first_skipped = self._first_skipped or text[:200]
                self._skipped += 1
            start += part.size
        self._lines += one.data.count(b"\n", 0, answer.read)
        self._begun = self._begun or bool(answer.read)
        return [part.values for part in answer.parts if part.values is not None]

    def _failed(self, data: bytes, why: str, at: int = 0) -> DataError:
        line = self._lines + data.count(b"\n", 0, at) + 1
        told = f"{self._file}, line {line:,}: the parser fails: {clean_text(why, 300)}."
        return DataError(told, advice=_ADVICE if self._aside is None else "Mend the parser, or the file.")
