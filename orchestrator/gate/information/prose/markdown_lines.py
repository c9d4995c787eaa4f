"""What Markdown says by blanks at the end of a line, and by several signs of a quotation in front. For prose_laws.py.

Two blanks before a line break keep the lines apart, which are one otherwise; `> >` is a quotation inside a quotation.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from orchestrator.gate.information.changes import Change, Found, both_text
from orchestrator.gate.information.similarity import key

HARD, MOSTLY = 2, 0.9  # blanks that break a line; of the lines with blanks at their end, or these are there by chance
MARKED = 2  # different texts that show Markdown
LONGEST = 20_000  # characters of a text that is looked at
_MARKDOWN = re.compile(r"^#{1,6} \S|^(?:```|~~~)|\*\*\S[^*\n]{0,80}\*\*|\]\([^()\s]{1,200}\)", re.MULTILINE)
_ENDED = re.compile(r"(?<=\S)([ \t]+)\n")
_BREAK = re.compile(r"(?<=[^\s|]) {2}\n(?:[ \t]{0,3}> ?)*(?![ \t]*(?:[-*+>#|\n]|```|~~~|\d{1,9}[.)][ \t]|$))")
_OTHER_BREAK = re.compile(r"\\\n|<br\s*/?>|\n[ \t]*\n(?=\s*\S)", re.IGNORECASE)
_FENCED = re.compile(r"^(```|~~~)[^\n]*\n.*?^\1", re.MULTILINE | re.DOTALL)
_QUOTE = re.compile(r"[ \t]{0,3}((?:>[ \t]?)+)([^>\s].*)")
_LETTERS = re.compile(r"[^\W\d_]{2}")  # without any, `> 5` is a comparison


def hard_breaks_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """Line breaks of Markdown that go with the two blanks in front of them, unless `<br>` or the like says the same.

    Only where nearly all lines with blanks at their end have two, and other signs show that it is Markdown.
    """
    gone = [change for change in filter(_looked_at, changed) if _breaks(change[1]) < _breaks(change[0])]
    gone = [(before, after) for before, after in gone if key(before) == key(_OTHER_BREAK.sub("\n", after))]
    if not gone:
        return None
    texts = {one for one, _ in cells if isinstance(one, str) and len(one) <= LONGEST}
    widths = Counter(end.expandtabs() for one in texts for end in _ENDED.findall(one))
    two = widths[" " * HARD] >= MOSTLY * widths.total()
    shown = sum(1 for one in texts if _MARKDOWN.search(one)) >= MARKED
    return ("a line break of Markdown goes with the blanks in front of it", gone[0]) if two and shown else None


def quote_levels_gone(changed: Sequence[Change], cells: Sequence[Change]) -> Found | None:
    """A quotation inside a quotation that comes to stand beside it: `> > No` as `> No`, where `> Yes` stays.

    Where all lines lose a sign, as those of a message that is no quotation any more, each stays apart from the others.
    """
    gone = {
        change: levels
        for change in filter(_looked_at, changed)
        if (levels := {two for one, two in _levels(*change) if two < one})
    }
    if not gone:
        return None
    kept = {one for cell in filter(_looked_at, cells) for one, two in _levels(*cell) if one == two}
    found = (change for change, levels in gone.items() if levels & kept)
    return next((("a quotation inside a quotation stands beside it", change) for change in found), None)


def _looked_at(change: Change) -> bool:
    return both_text(change) and max(map(len, change)) <= LONGEST


def _breaks(text: str) -> int:
    """How many breaks keep lines apart: outside of code, hard ones and what stands for them."""
    text = _FENCED.sub("", text)
    return len(_BREAK.findall(text)) + len(_OTHER_BREAK.findall(text))


def _levels(before: str, after: str) -> Iterator[tuple[int, int]]:
    """For each quoted line that both have, how many signs of a quotation stand in front before and after."""
    if ">" not in before or ">" not in after:
        return
    theirs = dict(_quoted(after))
    for words, level in _quoted(before):
        if words in theirs:
            yield level, theirs[words]


def _quoted(text: str) -> Iterator[tuple[str, int]]:
    for line in text.split("\n"):
        if (quote := _QUOTE.match(line)) and _LETTERS.search(quote[2]):
            yield " ".join(quote[2].split()), quote[1].count(">")
