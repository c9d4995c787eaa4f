"""Postcodes get the form of their country: "sw1a1aa" → "SW1A 1AA", "k1a0b1" → "K1A 0B1", "1017kd" → "1017 KD".

The blank goes where most cells have none. Left alone: columns in which some cells are no postcodes of the country.
"""

import re

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_COUNTRIES = {
    "GB": r"([A-Z]{1,2}\d[A-Z\d]?)[ -]?(\d[ABD-HJLNP-UW-Z]{2})",
    "CA": r"([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])[ -]?(\d[ABCEGHJ-NPRSTV-Z]\d)",
    "NL": r"([1-9]\d{3})[ -]?([A-Z]{2})",
}
_NAMED = frozenset({"post", "postal", "postcode", "postalcode", "zip", "zipcode", "postleitzahl", "postcodes", "pcode"})
_NEARLY_ALL, _GAPS = 0.95, 0.4  # of the cells are postcodes; of these have a blank
_DIFFERENT = 3


def _same_postcode(value: str, pattern: str, between: str) -> str:
    """A postcode in capitals with its two parts parted alike; any other text as it is."""
    match = re.fullmatch(pattern, value.upper())
    return f"{match[1]}{between}{match[2]}" if match else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if words_of(column.name).isdisjoint(_NAMED) or len(column.counts) < _DIFFERENT:
        return None
    for country, pattern in _COUNTRIES.items():
        form = re.compile(pattern)
        known = [text for text in column.counts if form.fullmatch(text.upper())]
        rows = sum(map(column.counts.__getitem__, known))
        if known and rows >= _NEARLY_ALL * column.filled:
            gaps = sum(column.counts[text] for text in known if " " in text)
            settings = {"pattern": pattern, "between": " " if gaps >= _GAPS * rows else ""}
            if any(_same_postcode(text, **settings) != text for text in known):
                return RuleFinding(settings, words={"country": country})
    return None


RULE = RepairRule(
    name="same_form_of_postcodes_in_{columns}",
    issue="Postcodes in {columns} are written in several ways.",
    doc="Write postcodes ({country}) in capitals, with their two parts parted alike.",
    fix=_same_postcode,
    look=_look,
    imports=("re",),
)
