"""Days of the week and months by name get the form of most cells: "TUE", "Tues" and "Tuesday" → "Tue", "3" → "March".

Left alone: columns of which some cells are neither, but for a few slips (`Setp`), columns without a clear form, and
numbers of days, since weeks begin on different days; persons called Jan or May.
"""

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.distance import _edits
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.exemptions.spelling_exceptions import are_persons
from orchestrator.propose.builtin.rules.forms.word_table import _known_word
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MAJORITY, _USUAL = 0.6, 0.25  # of the cells are names; are in the form
_DIFFERENT = 3
_SLIPS = 0.05  # of the cells may be slips of a name: they stay, for the rule on spelling
_DAYS = ("monday", "tuesday tues", "wednesday weds", "thursday thurs thur", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september sept", "october", "november",
    "december",
)  # fmt: skip
_CASES = (str.title, str.upper, str.lower)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    for names in (_DAYS, _MONTHS) if not are_persons(column) else ():
        known = _spellings(names)
        plain = {text: known.get(text.casefold()) for text in column.counts}
        named = {text: number for text, number in plain.items() if number and not text.isdigit()}
        slips = [text for text, number in plain.items() if number is None]
        if len(set(named.values())) < _DIFFERENT or not _are_few_slips(slips, column, known):
            continue
        if sum(map(column.counts.__getitem__, named)) < _MAJORITY * column.filled:
            continue
        forms = [[case(name.split()[0][:length]) for name in names] for length in (3, 12) for case in _CASES]
        rows = [sum(map(column.counts.__getitem__, form)) for form in forms]
        usual = forms[rows.index(max(rows))]
        words = {spelt: usual[number - 1] for spelt, number in known.items()}
        if max(rows) >= _USUAL * column.filled and any(_known_word(text, words) != text for text in column.counts):
            return RuleFinding({"words": words}, words={"example": usual[1]})
    return None


def _are_few_slips(texts: list[str], column: TextColumn, known: dict[str, int]) -> bool:
    """Whether each text begins as a name does and is one slip away from it, and few rows have one."""
    if sum(map(column.counts.__getitem__, texts)) > _SLIPS * column.filled:
        return False
    folded = (text.casefold() for text in texts)
    return all(
        len(text) > 1 and any(text[0] == name[0] and _edits(text, name, 1) == 1 for name in known) for text in folded
    )


def _spellings(names: tuple[str, ...]) -> dict[str, int]:
    """Each way to write a name, folded, and its number from 1; months also as numbers."""
    known: dict[str, int] = {}
    for number, spelt in enumerate(names, 1):
        digits = (str(number), f"{number:02}") if names is _MONTHS else ()
        short = [spelt[:3], *spelt.split()[1:]]
        known |= dict.fromkeys([*spelt.split(), *short, *(f"{name}." for name in short), *digits], number)
    return known


RULE = RepairRule(
    name="same_calendar_words_in_{columns}",
    issue="Days or months in {columns} are written in several ways.",
    doc="Write days and months like {example!r}.",
    fix=_known_word,
    look=_look,
    examples=6,
)
