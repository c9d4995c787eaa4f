"""Values that the user declared: "Gren" → "Green" where only "Green" and "Blue" are allowed, and declared spellings.

Left alone: texts that are near none, or several, of the declared values.
"""

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.distance import _edits, _fingerprint
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows


def _as_declared(value: str, values: list[str], spellings: dict[str, str]) -> str:
    """The declared value that was meant; a text that is one, or near none or several of them, as it is."""
    if value in values or len(value) > 200:
        return value
    if value in spellings:
        return spellings[value]
    alike = [known for known in values if _fingerprint(known) == _fingerprint(value)]
    if not alike:
        alike = [known for known in values if _edits(value.casefold(), known.casefold(), 2) <= min(2, len(known) // 4)]
    return alike[0] if len(alike) == 1 else value


def _look(column: TextColumn, convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    values, spellings = list(convention.values), dict(convention.spellings)
    if all(_as_declared(text, values, spellings) == text for text in column.counts):
        return None
    return RuleFinding({"values": values, "spellings": spellings})


RULE = RepairRule(
    name="declared_values_in_{columns}",
    issue="Some texts in {columns} are not among the declared values, or are known other spellings.",
    doc="Write declared values as they were declared.",
    fix=_as_declared,
    look=_look,
    helpers=(_edits, _fingerprint),
    examples=16,
)
