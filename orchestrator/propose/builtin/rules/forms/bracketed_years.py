"""Years in brackets get none where the others have none: "(1961)" → "1961".

Brackets around an amount may say that it is negative. Years are told by the column's name, or by many different ones
of one time.
"""

import re

from orchestrator.propose.builtin.repair_rule import RepairRule, where
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn

_MOST, _FEW = 0.6, 0.05  # of the cells are years without brackets; are none, with no figure
_SEVERAL = 10  # different years
_MANY, _FROM, _TO = 20, 1850, 2040  # different years of this time, and nothing else, where no name says so
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NAMES = frozenset(
    """
    year years yr date born died founded published released built
    jahr baujahr année annee año ano anno jaar rok år
    """.split()  # noqa: SIM905 - prose is easier to keep than quoted words
)


def _bare_year(value: str) -> str:
    """A year without the brackets around it; any other text as it is."""
    return value[1:-1] if re.fullmatch(r"\((1[5-9]|20)[0-9]{2}\)|\[(1[5-9]|20)[0-9]{2}\]", value) else value


def _has_brackets(column: TextColumn) -> bool:
    odd = {text for text in column.counts if _bare_year(text) != text}
    years = {text for text in column.counts if _YEAR.fullmatch(text)} if odd else set()
    others = [text for text in column.counts if text not in odd and text not in years]
    plain, beside = (sum(map(column.counts.__getitem__, texts)) for texts in (years, others))
    if not odd or len(years) < _SEVERAL or plain < _MOST * column.filled or beside > _FEW * column.filled:
        return False
    if not _NAMES.isdisjoint(words_of(column.name)):
        return not any(sign.isdigit() for text in others for sign in text)
    return not others and len(years) >= _MANY and all(_FROM <= int(text) <= _TO for text in years)


RULE = RepairRule(
    name="bare_years_in_{columns}",
    issue="Some years in {columns} stand in brackets.",
    doc="Write years without brackets.",
    fix=_bare_year,
    look=where(_has_brackets),
    imports=("re",),
)
