"""Reads a whole file by a parser: judged on its beginning first, then run in a container on one block after the other.

Called by `cleanroom parse`. Nothing of a parser runs on the host. That rows account for every byte is checked here for
every block, whatever the verdict said; a block that a parser fails on ends the reading, with the line.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from orchestrator.core.errors import DataError
from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.parsers import ParsedPart, ParserAnswer, ParserCandidate, ParserVerdict
from orchestrator.data.formats.parsed import ParsedDataset, Values
from orchestrator.data.text import clean_text
from orchestrator.gate.parsers import parser_file, parser_laws
from orchestrator.gate.parsers.parser_calls import ParserCalls, ParserFailed, ParserInput
from orchestrator.gate.parsers.parser_cases import HEAD_BYTES
from orchestrator.gate.parsers.parser_gate import judge_parser
from orchestrator.run.services import Services

BLOCK_BYTES = 2**20
MAX_UNREAD = 8 * 2**20
_ADVICE = "Mend the parser, or the file."


@dataclass(frozen=True)
class FileToParse:
    """A file and the source text of a parser for it."""

    path: Path
    source: str = ""

    def head(self) -> bytes:
        """The beginning of the file, and one byte more where that is not all of it. Raises DataError."""
        try:
            with self.path.open("rb") as file:
                return file.read(HEAD_BYTES + 1)
        except OSError as error:
            raise DataError(f"{self.path} cannot be read: {error.strerror or error}.") from error

    def judged(self, services: Services) -> "JudgedParser":
        """The verdict on the parser, on the beginning of the file. Raises DataError."""
        head = self.head()
        whole = len(head) <= HEAD_BYTES
        return JudgedParser(self, judge_parser(self.source, head, services.access, services.policy, whole=whole))

    def rows(self, services: Services) -> ParsedDataset:
        """All rows of the file. Only for a parser that passed. Raises DataError, SandboxError, OutputError."""
        parser = parser_file.read(self.source)
        with self.path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        with ParserCalls(parser, services.access, GuestEnvironment.FIRST) as calls:
            reading = _Reading(self.path, parser, calls)
            dataset = ParsedDataset(self.path, parser.contract.columns, reading.groups(), sha256)
        if reading.skipped:
            shown = clean_text(reading.first_skipped.decode("utf-8", "replace"), 60)
            dataset.say(f"{reading.skipped:,} parts are no rows; the first is {shown!r}")
        dataset.check_unchanged()
        return dataset


@dataclass(frozen=True)
class JudgedParser:
    """A parser for a file, and its verdict."""

    file: FileToParse
    verdict: ParserVerdict


class _Reading:
    """One pass over the file."""

    def __init__(self, path: Path, parser: ParserCandidate, calls: ParserCalls) -> None:
        self._path, self._parser, self._calls = path, parser, calls
        self._lines = 0
        self._at_start = True
        self.skipped = 0
        self.first_skipped = b""

    def groups(self) -> Iterator[list[Values]]:
        state, held = None, b""
        with self._path.open("rb") as file:
            following = file.read(BLOCK_BYTES)
            while following or held:
                block, following = following, file.read(BLOCK_BYTES)
                data = held + block
                one = ParserInput.whole(data, last=not following, state=state)
                answer = self._answer(one)
                yield self._rows(answer, one)
                state, held = answer.state, data[answer.read :]
                if one.last:
                    return

    def _answer(self, one: ParserInput) -> ParserAnswer:
        try:
            answer = self._calls.one_answer(one)
        except ParserFailed as failure:
            raise self._failed(one.data, 0, str(failure)) from None
        if answer.error:
            raise self._failed(one.data, answer.read, answer.error)
        left = len(one.data) - answer.read
        if left and (one.last or left > MAX_UNREAD):
            raise self._failed(one.data, answer.read, f"{left:,} bytes are left unread")
        if wrong := parser_laws.skips(answer, one.data, self._parser.contract, at_start=self._at_start):
            raise self._failed(one.data, 0, wrong)
        return answer

    def _rows(self, answer: ParserAnswer, one: ParserInput) -> list[Values]:
        self._note_skipped(answer.parts, one.data)
        self._lines += one.data.count(b"\n", 0, answer.read)
        self._at_start = self._at_start and not answer.read
        return [part.values for part in answer.parts if part.values is not None]

    def _note_skipped(self, parts: tuple[ParsedPart, ...], data: bytes) -> None:
        start = 0
        for part in parts:
            if part.values is None and (text := data[start : start + part.size].strip()):
                self.first_skipped = self.first_skipped or text[:200]
                self.skipped += 1
            start += part.size

    def _failed(self, data: bytes, at: int, why: str) -> DataError:
        line = self._lines + data.count(b"\n", 0, at) + 1
        return DataError(f"{self._path}, line {line:,}: the parser fails: {clean_text(why, 300)}.", advice=_ADVICE)
