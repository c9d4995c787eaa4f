"""Has a model write a parser for a file of unknown format, and correct it. Called by `run.parse`, made by `wiring`.

The model sees the first lines of the file, or fakes of them, and which law its last parser broke. It never sees what
the judge keeps secret: where the file is cut, and which bytes are changed.
"""

import re
from collections.abc import Callable, Sequence

from orchestrator.core.errors import ReplyError
from orchestrator.core.verdict import CheckResult
from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.privacy.byte_fakes import check_text, faked_line
from orchestrator.propose.prompting.fencing import Json, fence
from orchestrator.propose.prompting.prompts import load_prompt
from orchestrator.propose.replies import code_extraction
from orchestrator.propose.replies.parser import bounded
from orchestrator.propose.replies.thoughts import without_thoughts
from orchestrator.propose.roles.role_client import RoleClient, accounted

MAX_LINES, MAX_CHARS = 40, 400
_SHOWN = MAX_LINES * MAX_CHARS * 4  # bytes, of which lines are shown
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_NO_WORDS = "(nothing)"


class ParserWriter:
    """A model that writes parsers. `mask`: what makes a fake of a text, where the model must not see the file."""

    def __init__(self, client: RoleClient, *, imports: Sequence[str], mask: Callable[[str], str] | None = None) -> None:
        self._client = client
        self._imports = ", ".join(imports)
        self._mask = mask

    def write(
        self, head: bytes, instruction: str, *, attempt: int = 0, rejected: str = "", failed: CheckResult | None = None
    ) -> str:
        """The source of a parser for the file that begins like this; a better one than `rejected`, which `failed`.

        Raises ProposalError, and UsageError where lines of which no fakes can be made must not be seen.
        """
        if self._mask is not None:
            check_text(head[:_SHOWN])
        why = "" if failed is None else failed.id if self._mask else f"{failed.id}: {failed.detail}"
        values = parser_values([self._shown(line) for line in _lines(head)], rejected, why)
        messages = load_prompt("parser").render(
            privacy="masked" if self._mask else "raw",
            imports=self._imports,
            instruction=instruction.strip() or _NO_WORDS,
            attempt=attempt,
            **values,
        )
        wanted = "the whole file in one block of Python between ``` lines"
        with accounted() as log:
            return self._client.ask(messages, _source, log, about="a parser", wanted=wanted)

    def _shown(self, line: str) -> str:
        return line if self._mask is None else faked_line(line, self._mask)


def parser_values(lines: Sequence[str], rejected: str, why: str) -> dict[str, object]:
    """The values of the prompt that come from others, fenced."""
    shown: list[Json] = [*lines]
    source: list[Json] = [*rejected.split("\n")]
    fenced = fence({"lines": shown, "rejected": source, "why": why})
    return {"nonce": fenced.nonce, **fenced.blocks}


def _lines(head: bytes) -> list[str]:
    """The first lines as text; bytes that are none are shown as escapes."""
    lines = _LINE.findall(head[:_SHOWN])
    texts = [line.decode("utf-8", "backslashreplace") for line in lines[:MAX_LINES]]
    return [text if len(text) <= MAX_CHARS + 1 else f"{text[:MAX_CHARS]}…" for text in texts]


def _source(reply: ChatReply) -> str:
    """The code in an answer. Raises ReplyError."""
    source = code_extraction.read_code(without_thoughts(bounded(reply.text)).strip())
    if not code_extraction.is_code(source):
        raise ReplyError("The answer holds no Python with a function `parse`.")
    return source + "\n"
