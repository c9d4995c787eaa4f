"""Reads a whole file by a parser: judged on its beginning first, then run in a container on one block after the other.

Called by `cleanroom parse`, and by `parsed_source` for other commands. Nothing of a parser runs on the host. That rows
account for every byte is checked here for every block, whatever the verdict said (`block_reading`).
"""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.parsers import ParserVerdict
from orchestrator.core.wording import joined_by_and
from orchestrator.data.files import atomic_file
from orchestrator.data.formats import open_writer
from orchestrator.data.formats.parsed import ParsedDataset
from orchestrator.data.raw_file import RawFile
from orchestrator.gate.parsers import parser_file, parser_laws
from orchestrator.gate.parsers.parser_calls import ParserCalls, ParserFailed, ParserInput
from orchestrator.gate.parsers.parser_cases import HEAD_BYTES
from orchestrator.gate.parsers.parser_gate import judge_parser
from orchestrator.run.parse.block_audit import BlockAudit
from orchestrator.run.parse.block_reading import BlockReading, SetAside
from orchestrator.run.parse.fixed_width import unnamed
from orchestrator.run.services import Services

_NO_NAMES = (
    "names of columns were not found, so they are {}; to name them, keep the parser "
    "(`cleanroom parse … --save-parser FILE`), change it, and read the file by it"
)


@dataclass(frozen=True)
class FileToParse:
    """A file and the source text of a parser for it."""

    file: RawFile
    source: str = ""

    def head(self) -> bytes:
        """The beginning of the file, and one byte more where that is not all of it. Raises DataError."""
        _ = self.file.sha256  # from here on it must stay as it is: what is judged is what is read
        with self.file.open() as opened:
            return opened.read(HEAD_BYTES + 1)

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

    def rows(self, services: Services, aside: SetAside | None = None) -> ParsedDataset:
        """All rows of the file. Only for a parser that passed. Raises DataError, SandboxError, OutputError.

        `aside`: takes the lines that the parser cannot read; without it they are an error.
        """
        parser = parser_file.read(self.source)
        with (
            ParserCalls(parser, services.access, GuestEnvironment.FIRST) as calls,
            ParserCalls(parser, services.access, GuestEnvironment.CONFIRM) as again,
        ):
            reading = BlockReading(self.file, parser, calls, BlockAudit(again), aside)
            dataset = ParsedDataset(self.file, parser.contract.columns, reading.groups())
        dataset.parser_sha256 = parser.sha256
        dataset.say(*reading.notes)
        if list(dataset.columns) == unnamed(len(dataset.columns)):
            dataset.say(_NO_NAMES.format(joined_by_and(dataset.columns)))
        dataset.check_unchanged()
        return dataset

    def write_rows(self, services: Services, output: Path, quarantine: Path | None = None) -> ParsedDataset:
        """Write all rows to `output`, and to `quarantine` the lines that the parser cannot read; what was written.

        The lines are whole before the rows appear: where they cannot be kept, no line is missing without a word; where
        there are none, there is no such file. Raises DataError, SandboxError, OutputError; UsageError where the format
        of `output` is unknown.
        """
        with ExitStack() as lines:
            kept: list[BinaryIO] = []
            count = 0

            def aside(_number: int, line: bytes, _why: str) -> None:
                nonlocal count
                if not kept and quarantine is not None:
                    kept.append(lines.enter_context(atomic_file(quarantine)))
                kept[0].write(line)
                count += 1

            dataset = self.rows(services, None if quarantine is None else aside)
            if count:
                dataset.say(f"lines that the parser could not read, set aside: {count:,}")
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
