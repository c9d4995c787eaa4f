"""Units in a column of their own get the letters of most cells: "mg/dl" → "mg/dL", "MMOL/L" → "mmol/L".

Looked at are ratios of an amount to a volume, a weight or a time, which case makes no other ones. Left alone: all else,
for mW and MW, mm and Mm are two units, and what no writing has for the most part.
"""

from collections import Counter, defaultdict

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.exemptions.exact_texts import are_exact
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_OFTEN, _LEAST, _RATHER = 0.5, 3, 2  # of the cells are such units; rows of the usual writing, times as many
_AMOUNTS = frozenset(
    """g mg ug µg μg ng pg mol mmol umol µmol μmol nmol pmol iu miu uiu µiu μiu u ml l cells meq
    copies""".split()  # noqa: SIM905 - prose is easier to keep than quoted words
)
_VOLUMES = frozenset("l dl cl ml ul µl μl kg g h hr min day".split())  # noqa: SIM905


def _usual_unit(value: str, units: dict[str, str]) -> str:
    """The unit in the usual letters; any other text as it is."""
    return units.get(value, value)


def _look(column: TextColumn, convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if convention.case or convention.values or not column.may_be(_has_one_meaning):
        return None
    if column.share(_has_one_meaning) < _OFTEN or are_exact(column):
        return None
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        if _has_one_meaning(text):
            written[text.casefold()][text] += count
    units: dict[str, str] = {}
    for forms in written.values():
        (usual, most), *others = forms.most_common()
        if most >= _LEAST:
            units |= {form: usual for form, count in others if most >= _RATHER * count}
    return RuleFinding({"units": units}, words={"example": next(iter(units.values()))}) if units else None


def _has_one_meaning(text: str) -> bool:
    amount, _, volume = text.casefold().partition("/")
    return amount in _AMOUNTS and volume in _VOLUMES


RULE = RepairRule(
    name="usual_units_in_{columns}",
    issue="Some units in {columns} are written in other letters than most.",
    doc="Write units like {example!r}.",
    fix=_usual_unit,
    look=_look,
)
