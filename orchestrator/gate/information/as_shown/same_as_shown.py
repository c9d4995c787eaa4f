"""Changes that a witness shows of another cell, which is written otherwise. Called by column.py.

What is left out, put in or replaced is the same to the letter, or both cells say that there is nothing. So the witness
speaks for them as it does for its own cell.
"""

import re
from functools import lru_cache

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import says_nothing
from orchestrator.gate.information.similarity import alike_from_the_start

LONGEST = 300  # characters of a value that is compared letter by letter
LEAST = 2  # letters of a part that goes: one may be the mark of a code
SHORT_WORD = 3  # letters of a word for nothing that may be a code of two: `NA` is Namibia, too
_WHOLE, _FRONT, _END, _INSIDE = "whole", "front", "end", "inside"


def same_as_shown(change: Change, shown: Change) -> bool:
    """Whether the change is that of the witness. Both are texts that change."""
    return _same_nothing(change, shown) or _same_replacement(change, shown) or _same_end(change, shown)


def _same_nothing(change: Change, shown: Change) -> bool:
    """Whether words for nothing become the same word: `n/a` as `Other` beside `-`. A number is none: 0 says more."""
    if change[1] != shown[1] or any(map(str.isdigit, change[1])):
        return False
    return all(says_nothing(one) and not _may_be_code(one) for one in (change[0], shown[0]))


def _may_be_code(text: str) -> bool:
    return text.strip().isalpha() and len(text.strip()) < SHORT_WORD


def _same_replacement(change: Change, shown: Change) -> bool:
    """Whether the same whole words go in the same place, and the same ones come: `uk.` as `www.` in another link.

    All of them: what goes in one place of the text and stays in another is half of the change.
    """
    if max(map(len, (*change, *shown))) > LONGEST:
        return False
    ours, theirs = _apart(*change), _apart(*shown)
    if ours != theirs or "\n" in ours[1] or any(map(str.isdigit, ours[1] + ours[2])):
        return False
    if ours[1].strip() in change[1].replace(ours[2], "", 1):
        return False
    between = ours[0] == _INSIDE and ours[1].strip() and ours[2].strip() and not _parts_figures(change, ours[1])
    return sum(map(str.isalpha, ours[1])) >= LEAST or bool(between)


def _parts_figures(change: Change, sign: str) -> bool:
    """Whether the sign may stand beside a figure, where it is a decimal mark, a fraction or a minus: `3/4`, `1,200`."""
    bare = re.escape(sign.strip())
    return re.search(rf"\d\s*{bare}|{bare}\s*\d", change[0]) is not None


@lru_cache(maxsize=4_096)
def _apart(before: str, after: str) -> tuple[str, str, str]:
    """Where a text changes, and what stood and stands there, in whole words."""
    start = alike_from_the_start(before, after)
    while start and (before[start - 1 : start + 1].isalnum() or after[start - 1 : start + 1].isalnum()):
        start -= 1
    one, other = before[start:], after[start:]
    end = alike_from_the_start(one[::-1], other[::-1])
    while end and any(text[len(text) - end - 1 : len(text) - end + 1].isalnum() for text in (one, other)):
        end -= 1
    place = _WHOLE if not start and not end else _FRONT if not start else _END if not end else _INSIDE
    return place, one[: len(one) - end], other[: len(other) - end]


def _same_end(change: Change, shown: Change) -> bool:
    """Whether both lose their last lines from one that is the same in both: `--` above a signature."""
    ours, theirs = (_first_line_gone(*one) for one in (change, shown))
    return ours == theirs != ""


def _first_line_gone(before: str, after: str) -> str:
    """The first line with signs or letters of the lines that are left out at the end; empty where other lines go."""
    kept = after.rstrip()
    if not kept or "\n" not in before or not before.startswith(kept):
        return ""
    rest = before[len(kept) :]
    if not rest.lstrip(" \t\r").startswith("\n"):
        return ""
    lines = [line.strip() for line in rest.splitlines() if line.strip()]
    return lines[0].casefold() if len(lines) > 1 and len(lines[0]) >= LEAST else ""
