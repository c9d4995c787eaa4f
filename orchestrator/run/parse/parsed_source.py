"""Data that a parser reads, opened as any other. Made by the commands that take `--parser`, and by the library.

The parser is judged on the beginning of the file each time, and what was judged is what reads the file: its text is
read once.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from orchestrator.core.errors import CandidateError, SandboxError, UsageError
from orchestrator.core.parsers import ParserVerdict
from orchestrator.core.verdict import Outcome
from orchestrator.data.data_address import DataAddress
from orchestrator.data.formats import Dataset
from orchestrator.data.formats.format_interface import UnreadableRow
from orchestrator.data.raw_file import RawFile
from orchestrator.data.sources import open_bytes
from orchestrator.gate.parsers import parser_laws
from orchestrator.run.parse.parse_file import FileToParse
from orchestrator.run.parse.parser_choice import parser_source
from orchestrator.run.services import Services


@dataclass(frozen=True)
class ParsedSource:
    """Opens data as `open_source` does. `services`: starts the parser's containers, which end when the data is open."""

    parser: str
    services: Callable[[], AbstractContextManager[Services]]

    def __call__(
        self,
        place: Path | DataAddress | str,
        *,
        format: str | None = None,  # noqa: A002 - the usual word
        encoding: str | None = None,
        sheet: str | None = None,
        array: str | None = None,
        delimiter: str | None = None,
        set_aside: bool = False,
    ) -> Dataset:
        """The rows that the parser finds in the data. `encoding`: for the parser of fixed width.

        Raises DataError, UsageError, OutputError, SandboxError; CandidateError where the parser is rejected.
        """
        if any(said is not None for said in (format, sheet, array, delimiter)):
            raise UsageError(
                "A parser says itself where the rows are.", advice="Leave out the format, sheet, path and delimiter."
            )
        file = open_bytes(place)
        _ = file.sha256  # from here on it must stay as it is: what is judged is what is read
        parsed = FileToParse(file, parser_source(self.parser, file, encoding))
        unreadable: list[UnreadableRow] = []

        def aside(number: int, line: bytes, why: str) -> None:
            text = line.decode("utf-8", "backslashreplace").rstrip("\r\n")
            unreadable.append(UnreadableRow(number, text, f"the parser fails: {why}"))

        with self.services() as services:
            _refuse_rejected(f"The parser {self.parser}", file, parsed.judged(services, aside=set_aside).verdict)
            dataset = parsed.rows(services, aside if set_aside else None)
        dataset.unreadable, dataset.parser = tuple(unreadable), self.parser
        dataset.say(f"read by the parser {self.parser}; results are CSV, unless their name says another format")
        return dataset


def _refuse_rejected(parser: str, file: RawFile, verdict: ParserVerdict) -> None:
    if verdict.passed:
        return
    failure = verdict.failure
    why = "no check was made" if failure is None else f"{failure.id}: {failure.detail}".rstrip(".")
    if verdict.verdict is Outcome.INFRA:
        raise SandboxError(f"{parser} could not be judged on {file}: {why}.")
    aside = ", or set such lines apart with --quarantine" if failure and failure.id == parser_laws.EXECUTED else ""
    advice = f"Mend it{aside}; `cleanroom parse` shows all its checks."
    raise CandidateError(f"{parser} is rejected on {file}: {why}.", advice=advice)
