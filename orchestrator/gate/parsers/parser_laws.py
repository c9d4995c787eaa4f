"""The laws of parsers, each a function of what containers answered. Called by `parser_gate`; a table: docs/parsers.md.

A law gives a clause that says what is wrong, or nothing. None needs to know what the format means.
"""

import re
from collections.abc import Sequence
from itertools import accumulate

from orchestrator.core.parsers import ParsedPart, ParserAnswer, ParserContract
from orchestrator.data.text import clean_text
from orchestrator.gate.parsers.parser_calls import ParserInput
from orchestrator.gate.parsers.parser_cases import LATE, ChangedByte

SCREEN, EXECUTED, ACCOUNTS, SKIPS = "screen", "executed", "accounts-for-every-byte", "skips-only-marked"
CUTS, EDGES, DETERMINISTIC, STATELESS, KEEPS = "cut-invariant", "edges", "deterministic", "stateless", "loses-nothing"
CHECKS = (SCREEN, EXECUTED, ACCOUNTS, SKIPS, CUTS, EDGES, DETERMINISTIC, STATELESS, KEEPS)
_UNREAD = 0.5
"""The share of the beginning of a longer file that may be left unread, because its row does not end there."""
_LETTERS = re.compile(rb"[0-9A-Za-z]+")
_WORD = re.compile(r"\w+")


def executed(answer: ParserAnswer, data: bytes) -> str:
    """It reads the sample, and finds rows."""
    if answer.error:
        return f"it fails {place(data, answer.read)}: {clean_text(answer.error, 300)}"
    if not any(part.values is not None for part in answer.parts):
        return "it found no row"
    return ""


def accounts(answer: ParserAnswer, asked: ParserInput) -> str:
    """At the end of a file nothing is left unread; before it, no more than a row that has not ended yet."""
    left = len(asked.data) - answer.read
    if left and (asked.last or left > _UNREAD * len(asked.data)):
        where = place(asked.data, answer.read)
        return f"{left:,} of {len(asked.data):,} bytes are left unread, {where}: {_shown(asked.data[answer.read :])}"
    return ""


def skips(answer: ParserAnswer, data: bytes, contract: ParserContract, *, at_start: bool = True) -> str:
    """What is no row holds no letter or digit, begins with a mark of the contract, or is the header."""
    start = 0
    for part in answer.parts:
        if part.values is None:
            text = data[start : start + part.size].decode("utf-8", "replace").strip()
            header = at_start and start == 0 and _names(text, contract.columns)
            if not text.startswith(contract.skips) and not header and _WORD.search(text):
                return f"it skips {_shown(text.encode())} {place(data, start)}, which no mark in `skips` announces"
        start += part.size
    return ""


def same_parts(answer: ParserAnswer, whole: ParserAnswer, asked: ParserInput, how: str) -> str:
    """The parts are those of the whole; of a beginning, those that end in it, but for the last ones."""
    if answer.error:
        return f"it fails {how}: {clean_text(answer.error, 300)}"
    wanted = whole.parts
    if len(asked.data) < whole.read:
        ends = accumulate(part.size for part in wanted)
        wanted = wanted[: max(0, sum(end <= len(asked.data) for end in ends) - LATE)]
    for number, (one, other) in enumerate(zip(answer.parts, wanted, strict=False), 1):
        if one != other:
            return f"{how} part {number} is {_part(one)}, and else {_part(other)}"
    if len(answer.parts) < len(wanted) or (wanted == whole.parts and len(answer.parts) > len(wanted)):
        return f"{how} it gives {len(answer.parts)} parts, and else {len(wanted)}"
    return ""


def loses_nothing(
    first: bytes, plain: ParserAnswer, changes: Sequence[ChangedByte], made: Sequence[ParserAnswer], before: bytes = b""
) -> str:
    """Another letter or digit in the file is another value in a row, or is refused. `before`: what stands in front."""
    rest = iter(made)
    for change in changes:
        answers = [next(rest) for _ in change.values]
        if change.place >= plain.read:
            continue  # the row waits for what follows, and there is nothing
        known = [plain, *answers] if len(answers) == 1 else answers
        told = [answer for answer in known if not answer.error]
        if len(told) == len(known) and all(_values(one) == _values(told[0]) for one in told[1:]):
            other = change.values[-1].decode("latin-1")
            where = place(before + first, len(before) + change.place)
            text = first[first.rfind(b"\n", 0, change.place) + 1 :].partition(b"\n")[0]
            was = chr(first[change.place])
            at = f"{where}, byte {len(before) + change.place:,}"
            return f"{at} can be {was!r} or {other!r} and the rows stay the same: {_shown(text)}"
    return ""


def one_to_one(answer: ParserAnswer, data: bytes) -> str:
    """A row without a value is made of no letter or digit, and equal rows are made of the same ones.

    So that a line that a parser does not understand is no empty row, and no row is given twice.
    """
    start, made = 0, dict[object, tuple[bytes, int]]()
    for part in answer.parts:
        text, begun = data[start : start + part.size], start
        start += part.size
        if part.values is None:
            continue
        letters = b"".join(_LETTERS.findall(text))
        if letters and not any(value and value.strip() for value in part.values):
            return f"{place(data, begun)} it makes a row without a value of {_shown(text)}"
        known, first = made.setdefault(part.values, (letters, begun))
        if known != letters:
            return (
                f"{place(data, begun)} it makes the same row of {_shown(text)} as {place(data, first)} of other "
                "letters and digits"
            )
    return ""


def _values(answer: ParserAnswer) -> list[object]:
    return [part.values for part in answer.parts]


def edges(answers: Sequence[ParserAnswer], asked: Sequence[ParserInput]) -> str:
    """An odd file is refused, or all of its bytes are accounted for."""
    for answer, one in zip(answers, asked, strict=True):
        if not answer.error and (wrong := accounts(answer, one)):
            return f"of a file of {len(one.data):,} odd bytes, {wrong}"
    return ""


def place(data: bytes, at: int) -> str:
    """The line of a byte, in words."""
    return f"in line {data.count(10, 0, at) + 1:,}"


def _names(text: str, columns: Sequence[str]) -> bool:
    known = {word.casefold() for name in columns for word in _WORD.findall(name)}
    return {word.casefold() for word in _WORD.findall(text)} <= known


def _part(part: ParsedPart) -> str:
    return f"{part.size} bytes, {_shown(repr(part.values).encode())}"


def _shown(data: bytes) -> str:
    return repr(clean_text(data[:400].decode("utf-8", "replace"), 100))
