"""Has a model write a parser until one passes. Called by `cleanroom parse --model`."""

from collections.abc import Callable
from typing import Protocol

from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.gate.parsers.parser_cases import HEAD_BYTES
from orchestrator.run.parse.parse_file import FileToParse, JudgedParser
from orchestrator.run.services import Services

MOST_ATTEMPTS = 4


class WritesParsers(Protocol):
    """Whoever writes parsers: a language model, or a fake of one."""

    def write(
        self, head: bytes, instruction: str, *, attempt: int = 0, rejected: str = "", failed: CheckResult | None = None
    ) -> str: ...


def written_parser(
    file: FileToParse,
    writer: WritesParsers,
    services: Services,
    *,
    instruction: str = "",
    said: Callable[[str], None] = lambda _: None,
) -> JudgedParser:
    """The first parser that passes, or the last one that was tried. Raises ProposalError, DataError."""
    head = file.head()[:HEAD_BYTES]
    judged: JudgedParser | None = None
    for attempt in range(MOST_ATTEMPTS):
        rejected, failed = ("", None) if judged is None else (judged.file.source, judged.verdict.failure)
        source = writer.write(head, instruction, attempt=attempt, rejected=rejected, failed=failed)
        judged = FileToParse(file.file, source).judged(services)
        if judged.verdict.verdict is not Outcome.FAIL:
            break
        if failed := judged.verdict.failure:
            said(f"attempt {attempt + 1} of {MOST_ATTEMPTS} was rejected by {failed.id}: {failed.detail}")
    if judged is None:
        raise AssertionError  # there is at least one attempt
    return judged
