"""Spellings and values that the user declared: known other spellings, and slips of the only values that are allowed."""

from collections.abc import Iterator

from orchestrator.propose.builtin.distance import _edits, _fingerprint
from orchestrator.propose.builtin.names import slug
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import WorkingRows


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


def find(table: WorkingRows, wishes: Preferences) -> Iterator[Remedy]:
    for column in table.columns:
        asked = wishes[column.name]
        values, spellings = list(asked.values), dict(asked.spellings)
        if any(_as_declared(text, values, spellings) != text for text in column.counts):
            yield Remedy(
                rule="declared",
                name=f"declared_values_in_{slug(column.name)}",
                issue=f"Some texts in {column.name} are not among the declared values, or are known other spellings.",
                doc="Write declared values as they were declared.",
                columns=(column.name,),
                fix=_as_declared,
                examples=16,
                settings={"values": values, "spellings": spellings},
                helpers=(_edits, _fingerprint),
            )
