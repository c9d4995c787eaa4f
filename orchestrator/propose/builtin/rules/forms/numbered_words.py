"""Lists of words and numbers with words: "Long Jump" among "Long jump" and "100 m", "100m hurdles" among the others.

The rules on spelling look at columns in which nearly all texts are mostly letters. Where others are mostly figures, a
text becomes the frequent one that differs only in the case of a longer word, or in a blank between a number and
letters. Left alone: words with a digit in them, short words (they may be units or codes), and all that is rare.
"""

import re
from collections import Counter, defaultdict

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.distance import _fingerprint
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules import spelling
from orchestrator.propose.builtin.rules.exemptions.meant_case import CASE_COUNTS
from orchestrator.propose.builtin.rules.exemptions.spelling_exceptions import is_of_its_own
from orchestrator.propose.builtin.rules.exemptions.two_in_case import are_two_things
from orchestrator.propose.builtin.rules.number_parts import looks_numeric
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_LEAST, _OFTEN, _RARER = 20, 5, 4  # rows; rows of a listed text; times as often as another way to write it
_MOST_LISTED, _COVERAGE = 100, 0.9
_FIGURES, _WORDS = 0.1, 0.3  # of the rows are mostly figures; have a longer word
_WORD = re.compile(r"[^\W\d_]{4,}")
_JOINED = re.compile(r"(?<=\d) ?(?=[^\W\d_])")


def _as_listed(value: str, written: dict[str, str]) -> str:
    """The usual way to write the text; any other text as it is."""
    return written.get(value, value)


def _look(column: TextColumn, convention: ColumnConvention, table: WorkingRows) -> RuleFinding | None:
    if convention.case or convention.values or column.filled < _LEAST or not _has_words_and_figures(column):
        return None
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        groups[_JOINED.sub("", text.casefold())][text] += count
    listed = [total for group in groups.values() if (total := group.total()) >= _OFTEN]
    if not 2 <= len(listed) <= _MOST_LISTED or sum(listed) < _COVERAGE * column.filled:
        return None
    if is_of_its_own(column) or spelling.is_closed_list(column):
        return None
    spellings: dict[str, list[str]] = defaultdict(list)
    for text in column.counts:
        spellings[_fingerprint(text)].append(text)
    written: dict[str, str] = {}
    for group in groups.values():
        (usual, most), *others = group.most_common()
        for text, count in others:
            same = _differ_in_writing(text, usual) and not are_two_things(table, column, usual, text, spellings)
            if most >= max(_OFTEN, _RARER * count) and same:
                written[text] = usual
    return RuleFinding({"written": written}, words={"example": next(iter(written.values()))}) if written else None


def _has_words_and_figures(column: TextColumn) -> bool:
    figures = column.rows(lambda text: 2 * sum(map(str.isalpha, text)) < len(text) and any(map(str.isdigit, text)))
    numbers = column.share(looks_numeric)
    return figures >= _FIGURES * column.filled and column.share(_has_word) >= _WORDS and numbers < 1 - _WORDS


def _has_word(text: str) -> bool:
    return _WORD.search(text) is not None


def _differ_in_writing(text: str, other: str) -> bool:
    """Whether only longer words differ, and these in case, or a blank behind figures where such a word stands."""
    ours, theirs = (_JOINED.sub(" ", one).split(" ") for one in (text, other))
    if len(ours) != len(theirs) or CASE_COUNTS.search(text) or "_" in text + other:
        return False
    return all(one == two or (_WORD.fullmatch(one) and two.isalpha()) for one, two in zip(ours, theirs, strict=True))


RULE = RepairRule(
    name="usual_writing_in_{columns}",
    issue="Some texts in {columns} differ from frequent ones in case or in a blank behind a number.",
    doc="Write such texts as most cells do, like {example!r}.",
    fix=_as_listed,
    look=_look,
    compares=True,
)
