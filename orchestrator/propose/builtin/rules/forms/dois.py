"""DOIs get the form of most cells, the bare one: "https://doi.org/10.1000/182" and "doi:10.1000/182" → "10.1000/182".

Left alone: addresses of other hosts, and columns in which the bare form is not usual.
"""

import re

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.working_rows import TextColumn

_USUAL = 0.5  # of the cells are bare
_NEARLY_ALL = 0.9  # of the cells are DOIs
_BARE = re.compile(r"10\.\d{4,9}/\S{1,200}")


def _bare_doi(value: str) -> str:
    """The DOI alone; any other text as it is."""
    found = re.fullmatch(r"(?i)(?:https?://(?:dx\.|www\.)?doi\.org/|doi: ?)(10\.\d{4,9}/\S{1,200})", value)
    return found[1] if found else value


def _are_mixed(column: TextColumn) -> bool:
    if not column.may_be(lambda text: text.startswith("10.")):
        return False
    bare = column.rows(lambda text: _BARE.fullmatch(text) is not None)
    dressed = column.rows(lambda text: _bare_doi(text) != text)
    return dressed > 0 and bare >= _USUAL * column.filled and bare + dressed >= _NEARLY_ALL * column.filled


RULE = RepairRule(
    name="bare_dois_in_{columns}",
    issue="Some DOIs in {columns} are written as addresses or with a label, and most are not.",
    doc="Write DOIs alone, without 'https://doi.org/' or 'doi:'.",
    fix=_bare_doi,
    look=where(_are_mixed),
    imports=("re",),
)
