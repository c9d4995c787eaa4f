"""Finds Markdown code fences, however they are written: with three marks or more, with `~`, with any words behind them.

Called by `code_extraction`, `json_answers` and `fenced_functions`.
"""

import re
import textwrap
from typing import NamedTuple

from orchestrator.core.errors import ReplyError

_OPEN = re.compile(r"[ \t]*+(`{3,}+|~{3,}+)([^`]*+)")  # possessive: a long line of marks is read once
MOST = 200  # of one text: each is read as code in several ways
_LANGUAGE = re.compile(r"[{.\s]*([\w+-]*)")


class Fence(NamedTuple):
    """One block. `language`: the first word behind the marks, in lower case: `python` of `{python}`, `Python x=1`."""

    language: str
    body: str


def fences_in(text: str) -> list[Fence]:
    """The fences in order; the last one may lack its end. Raises ReplyError where there are too many."""
    found: list[Fence] = []
    marks, language, body = "", "", list[str]()
    for line in plain_ends(text).split("\n"):
        if not marks:
            if (opened := _OPEN.fullmatch(line)) is not None:
                marks = opened.group(1)
                if len(found) == MOST:
                    raise ReplyError(f"The answer has more than {MOST} blocks of code: answer with fewer.")
                language = _LANGUAGE.match(opened.group(2)).group(1).lower()  # type: ignore[union-attr]
                body = []
            continue
        end = line.strip()
        if len(end) >= len(marks) and not end.strip(marks[0]):
            found.append(Fence(language, tidy("\n".join(body))))
            marks = ""
        else:
            body.append(line)
    if marks:
        found.append(Fence(language, tidy("\n".join(body))))
    return found


def plain_ends(text: str) -> str:
    """The text with `\\n` at the end of each line."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def tidy(text: str) -> str:
    """Plain line ends, no blank lines around, no common indentation."""
    text = plain_ends(text).lstrip("\ufeff").rstrip()
    first = len(text) - len(text.lstrip())
    return textwrap.dedent(text[text.rfind("\n", 0, first) + 1 :])
