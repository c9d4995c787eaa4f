"""Reads a whole file by a parser: judged on its beginning first, then run in a container on one block after the other.

Called by `cleanroom parse`. Nothing of a parser runs on the host. That rows account for every byte is checked here for
every block, whatever the verdict said (`block_reading`).
"""

import hashlib
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from orchestrator.core.errors import DataError
from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.parsers import ParserVerdict
from orchestrator.data.files import atomic_file
from orchestrator.data.formats import open_writer
from orchestrator.data.formats.parsed import ParsedDataset
from orchestrator.gate.parsers import parser_file, parser_laws
from orchestrator.gate.parsers.parser_calls import ParserCalls, ParserFailed, ParserInput
from orchestrator.gate.parsers.parser_cases import HEAD_BYTES
from orchestrator.gate.parsers.parser_gate import judge_parser
from orchestrator.run.parse.block_reading import BlockReading
from orchestrator.run.services import Services


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

    def judged(self, services: Services, *, aside: bool = False) -> "JudgedParser":
        """The verdict on the parser, on the beginning of the file. Raises DataError.

        `aside`: lines that it cannot read will be set aside, so it is judged on what comes before the first of them.
        """
        head = self.head()
        whole = len(head) <= HEAD_BYTES
        verdict = judge_parser(self.source, head, services.access, services.policy, whole=whole)
        failed = verdict.failure
        if aside and failed is not None and failed.id == parser_laws.EXECUTED and (good := self._readable(services)):
            verdict = judge_parser(self.source, head[:good], services.access, services.policy, whole=False)
        return JudgedParser(self, verdict)

    def rows(self, services: Services, aside: BinaryIO | None = None) -> ParsedDataset:
        """All rows of the file. Only for a parser that passed. Raises DataError, SandboxError, OutputError.

        `aside`: takes the lines that the parser cannot read, as they stand in the file; without it they are an error.
        """
        parser = parser_file.read(self.source)
        with self.path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        with ParserCalls(parser, services.access, GuestEnvironment.FIRST) as calls:
            reading = BlockReading(self.path, parser, calls, aside)
            dataset = ParsedDataset(self.path, parser.contract.columns, reading.groups(), sha256)
        dataset.say(*reading.notes)
        dataset.check_unchanged()
        return dataset

    def write_rows(self, services: Services, output: Path, quarantine: Path | None = None) -> ParsedDataset:
        """Write all rows to `output`, and to `quarantine` the lines that the parser cannot read; what was written.

        The lines are whole before the rows appear: where they cannot be kept, no line is missing without a word. Raises
        DataError, SandboxError, OutputError; UsageError where the format of `output` is unknown.
        """
        with ExitStack() as lines:
            aside = None if quarantine is None else lines.enter_context(atomic_file(quarantine))
            dataset = self.rows(services, aside)
            with open_writer(output, like=dataset, schema=dataset.schema) as writer:
                for batch in dataset.read():
                    writer.write(batch.table)
                lines.close()
        return dataset

    def _readable(self, services: Services) -> int:
        """How many bytes of the beginning the parser reads before it fails."""
        head = self.head()
        one = ParserInput.whole(head[:HEAD_BYTES], last=len(head) <= HEAD_BYTES)
        try:
            with ParserCalls(parser_file.read(self.source), services.access, GuestEnvironment.FIRST) as calls:
                return calls.one_answer(one).read
        except ParserFailed:
            return 0


@dataclass(frozen=True)
class JudgedParser:
    """A parser for a file, and its verdict."""

    file: FileToParse
    verdict: ParserVerdict
