"""Numbers with something that says nothing, among plain ones: "7/10" a mark out of ten, "7th" a place, "x50" a number
of pieces, "Vol. 256" a volume.

Needed: nearly all numbers are plain and whole, and none of the dressed ones is larger. "/10" is the same everywhere,
behind several numbers, and no plain number exceeds it. The ending goes with the number (1st, 2nd). The word in front
begins the column's name. An "x" stands where the name says that something is counted, before numbers that the column
has. Left alone: fractions (1/2), ties (=3), and all else.
"""

import re
from collections import Counter

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_LEAST, _MOST = 20, 0.75  # rows with plain numbers; of those with figures
_ALL = 0.95  # of the rows with figures are plain or dressed
_TOPS = ("/5", "/10", "/20", "/100")
_SEVERAL = 3  # numbers in front of one of these
_PLAIN = re.compile(r"0|[1-9]\d{0,5}")
_COUNTS = frozenset(
    "amount anzahl count menge pack packs pcs piece pieces qty quantity stock stück units".split()  # noqa: SIM905
)
_NUMBER_SIGNS = frozenset({"no", "nr"})
_SHORTENED = 3  # letters of a word that begins the name


def _parted_number(value: str) -> tuple[str, str, str]:
    """What stands in front of a number, the number, what stands behind it; the number is "" where the text is none."""
    match = re.fullmatch(r"([^\W\d_]{0,12}\.?|\u00d7) ?(0|[1-9]\d{0,5}) ?(/\d{1,3}|st|nd|rd|th|)", value)
    return (match[1].casefold(), match[2], match[3]) if match else ("", "", "")


def _is_ordinal(number: str, end: str) -> bool:
    """Whether the ending goes with the number: 1st, 2nd, 3rd, 11th."""
    teen = number[-2:-1] == "1"
    return end == ("th" if teen else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th"))


def _bare_number(value: str, heads: list[str], end: str) -> str:
    """The number alone where one of `heads` is in front of it, or `end` behind it ("th": any ending of a place)."""
    head, number, behind = _parted_number(value)
    if not number or bool(head) == bool(behind):
        return value
    if head:
        return number if head in heads else value
    if end == "th":
        return number if _is_ordinal(number, behind) else value
    return number if behind == end and int(number) <= int(end[1:]) else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    plain = {text: count for text, count in column.counts.items() if _PLAIN.fullmatch(text)}
    rows = sum(plain.values())
    figured = column.rows(lambda text: any(map(str.isdigit, text)) and text[0] != "=")  # a tie says more
    if not _LEAST <= rows < figured or rows < _MOST * figured:
        return None
    parted = {text: _parted_number(text) for text in column.counts if text not in plain}
    ends = Counter(end if end[0] == "/" else "th" for head, _, end in parted.values() if end and not head)
    heads = sorted({head for head, _, end in parted.values() if head and not end and _says_nothing(head, column.name)})
    end = max(ends, key=ends.__getitem__, default="")
    largest = max(map(int, plain))
    if end in _TOPS:
        top = int(end[1:])
        end = end if ends[end] >= _SEVERAL and top / 2 < largest <= top else ""
    elif end != "th":
        end = ""
    bare = {text: new for text in parted if (new := _bare_number(text, heads, end)) != text}
    dressed = sum(map(column.counts.__getitem__, bare))
    if not bare or rows + dressed < _ALL * figured or any(int(new) > largest for new in bare.values()):
        return None
    if any(text[0] in "xX\u00d7" and new not in plain for text, new in bare.items()):
        return None  # an x may stand for a character that was lost
    return RuleFinding({"heads": heads, "end": end}, words={"example": max(bare, key=column.counts.__getitem__)})


def _says_nothing(head: str, name: str) -> bool:
    """Whether the word in front of a number begins a word of the column's name, or is an "x" before a count."""
    words, word = words_of(name), head.rstrip(".")
    if word in ("x", "\u00d7"):
        return not words.isdisjoint(_COUNTS)
    if word in _NUMBER_SIGNS:
        return not words.isdisjoint({*_NUMBER_SIGNS, "number", "nummer"})
    return len(word) >= _SHORTENED and any(one.startswith(word) for one in words)


RULE = RepairRule(
    name="bare_numbers_in_{columns}",
    issue="Some numbers in {columns} have something with them that says nothing, as {example!r}.",
    doc="Write such numbers as plain ones.",
    fix=_bare_number,
    look=_look,
    helpers=(_parted_number, _is_ordinal),
    imports=("re",),
    examples=8,
)
