"""Blood groups get one form: "a +", "O neg" and "AB positive" → "A+", "O-", "AB+".

Left alone: columns with anything else but blanks, and those without a group that no grade has (AB, O), unless the
column is named after blood.
"""

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.forms.word_table import _known_word
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_NEARLY_ALL, _USUAL = 0.95, 0.2
_SIGNS = {
    "+": ("+", " +", "+ve", " +ve", "pos", " pos", " pos.", " positive", " rh+", " rh positive"),
    "-": ("-", " -", "-ve", " -ve", "neg", " neg", " neg.", " negative", " rh-", " rh negative", "\u2212"),
}
_GROUPS = {
    f"{group}{said}".casefold(): f"{group}{sign}"
    for group in ("A", "B", "AB", "O", "0")
    for sign, spellings in _SIGNS.items()
    for said in spellings
}


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if not column.may_be(lambda text: text.casefold() in _GROUPS):
        return None
    known = {text: _GROUPS[text.casefold()] for text in column.counts if text.casefold() in _GROUPS}
    rows = sum(map(column.counts.__getitem__, known))
    usual = sum(column.counts[text] for text, group in known.items() if text == group)
    named = not words_of(column.name).isdisjoint({"blood", "rh", "bloodtype", "bloodgroup"})
    no_grades = named or any(group[0] in "O0" or group[:2] == "AB" for group in known.values())
    if rows < _NEARLY_ALL * column.filled or usual < _USUAL * column.filled or usual == rows or not no_grades:
        return None
    return RuleFinding({"words": _GROUPS})


RULE = RepairRule(
    name="same_blood_groups_in_{columns}",
    issue="Some blood groups in {columns} are written otherwise than most.",
    doc="Write blood groups like 'AB+'.",
    fix=_known_word,
    look=_look,
    examples=8,
)
