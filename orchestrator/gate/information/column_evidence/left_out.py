"""What a column leaves out at one end of its cells without losing anything. Called by column.py.

Nothing is lost where what is left out is the same in many different cells, and no cell keeps it there (`Read more…`; of
paragraphs at the end of a text, there may be several such), or where it only says again what stays: each value always
has the same one (`HR - Human Resources`, `Kenya (KEN)`), and other cells have the value alone.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.similarity import key
from orchestrator.gate.information.tokens import layout

ENOUGH = 3  # different values that show it
SHORTEST = 2  # letters of what is left out
ALONE = 0.6  # of the values that other cells have alone
_STATE = (
    r"sold|dead|deceased|cancell?ed|closed|expired|deleted|retired|unpaid|void(?:ed)?|refund(?:ed)?|recall(?:ed)?|allergic"
    r"|allergy|returned|stolen|damaged|broken|discontinued|suspended|blocked|banned|overdue|rejected|denied|refused|withdrawn"
    r"|disputed|obsolete"
)
_SAYS_MORE = re.compile(  # a word that tells a cell from one that does not have it
    r"\b(?:not?|non|never|without|except|former(?:ly)?|ex|un|kein\w*|nicht|ohne|sans|before|after|under|over|less"
    rf"|more than|minus|plus|per|each|bc|b\.c\.?|ret|jr|sr|ii|iii|iv|{_STATE})\b",
    re.IGNORECASE,
)

_BRACKETED = re.compile(r"[(\[][^()\[\]]{1,20}[)\]]")


class Cut(NamedTuple):
    """A change that only leaves out one end. `kept`: what stays; `end`: what goes; `front`: whether it stood first."""

    kept: str
    end: str
    front: bool


class LeftOut:
    """What the changed cells of a column leave out, taken together."""

    def __init__(self, cells: Sequence[Change]) -> None:
        texts = [cell for cell in cells if all(isinstance(text, str) and text.strip() for text in cell)]
        self._stay = {before.strip() for before, after in texts if before == after}
        cuts = [(cell, cut) for cell in texts if cell[0] != cell[1] and (cut := cut_end(*cell))]
        self._said: set[Change] = set()
        self._constant(cuts)
        self._said_again(cuts)

    def explains(self, change: Change) -> bool:
        """Whether what the change leaves out is no loss."""
        return change in self._said

    def _constant(self, cuts: Sequence[tuple[Change, Cut]]) -> None:
        groups: dict[tuple[str, bool], list[tuple[Change, str]]] = defaultdict(list)
        for change, cut in cuts:
            groups[_plain(cut.end), cut.front].append((change, cut.kept))
        one = len({key(end) for end, _ in groups}) == 1  # several would tell the cells apart
        paragraphs = {(_plain(cut.end), cut.front) for _, cut in cuts if _is_paragraph(cut)}
        for (end, front), group in groups.items():
            if not one and (end, front) not in paragraphs:
                continue
            if len({key(text) or text for _, text in group}) < ENOUGH or len(end) < SHORTEST or _says_more(end):
                continue
            if self._stay and _BRACKETED.fullmatch(end.strip()):
                continue  # `3 : 2 (aet)`: it tells the cell from those without it
            if not any(_plain(text).startswith(end) if front else _plain(text).endswith(end) for text in self._stay):
                self._said |= {change for change, _ in group}

    def _said_again(self, cuts: Sequence[tuple[Change, Cut]]) -> None:
        for front in (False, True):
            chosen = [(change, cut) for change, cut in cuts if cut.front is front]
            pairs = {(_plain(cut.kept), _plain(cut.end)) for _, cut in chosen}
            ends = {end for _, end in pairs}
            alone = {cut.kept for _, cut in chosen if cut.kept in self._stay}
            if len(pairs) < ENOUGH or not len(pairs) == len(ends) == len({kept for kept, _ in pairs}):
                continue
            forms = {layout(cut.end) for _, cut in chosen if cut.kept in alone}
            codes = not any(map(str.islower, "".join(alone))) and not any(map(str.isdigit, "".join(ends)))
            if len(alone) >= ALONE * len(pairs) and (codes or not any(_says_more(end) for end in ends)):
                self._said |= {change for change, cut in chosen if cut.kept in alone or layout(cut.end) in forms}


def cut_end(before: str, after: str) -> Cut | None:
    """What is left out, where that is one end of the text and the rest stays as it is."""
    before, after = before.strip(), after.strip()
    if before.endswith(after) and len(before) > len(after):
        end, front, beside = before[: -len(after)], True, after[:1]
    elif before.startswith(after) and len(before) > len(after):
        end, front, beside = before[len(after) :], False, after[-1:]
    else:
        return None
    inside = (end[-1:] if front else end[:1]) + beside  # a word or a number that is cut is damaged
    return None if inside.isalnum() else Cut(after, end, front)


def _is_paragraph(cut: Cut) -> bool:
    """Whether what goes is one paragraph of its own, before or behind others: the footer of a mail."""
    apart = cut.end.rstrip(" ").endswith("\n\n") if cut.front else cut.end.startswith("\n\n")
    return apart and "\n\n" not in cut.end.strip()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def tells_apart(word: str) -> bool:
    """Whether it is a word for a state that tells a cell from one without it: sold, deceased, unpaid."""
    return re.fullmatch(_STATE, word, re.IGNORECASE) is not None


def _says_more(end: str) -> bool:
    """Whether a figure, a sign or a word in it tells the cell from one that does not have it."""
    return any(map(str.isdigit, end)) or bool(set(end) & set("<>+±~≈%*")) or bool(_SAYS_MORE.search(end))
