"""Units behind numbers get the letters of most cells: "3 Kg" → "3 kg", "5 mmol/l" → "5 mmol/L".

Left alone: units of which case makes others (mW and MW, Mg and mg), and those that no writing has for the most part.
"""

import re
from collections import Counter, defaultdict

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_MEASURED, _MAJORITY = 0.5, 0.5  # of the rows; of those with the unit
_LEAST = 3  # rows with the unit as most write it
_SAFE = frozenset(
    """kg km cm mm ml dl cl lb lbs oz ft yd mi mph km/h kmh kph kmpl kwh kw hp bhp cc rpm khz ghz db dba mmhg mmol/l
    mg/dl mg/l g/l g/dl ml/min hr hrs min mins sec secs pcs pc pkt qty doz sqft sqm ppm""".split()  # noqa: SIM905 - prose is easier to keep than quoted words
)
_WORD = 5  # letters at least: no prefix makes another unit of it


def _parted(value: str) -> tuple[str, str]:
    """A number with what stands up to its unit, and the unit; of any other text the text and nothing."""
    match = re.fullmatch(r"([-+]?\d+(?:[.,]\d+)* ?)([^\W\d_]{2,12}(?:/[^\W\d_]{1,5})?)", value)
    return (match[1], match[2]) if match else (value, "")


def _same_case(value: str, units: dict[str, str]) -> str:
    """A number with its unit in the usual letters; any other text as it is."""
    number, unit = _parted(value)
    return number + units.get(unit, unit)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text, count in column.counts.items():
        if unit := _parted(text)[1]:
            written[unit.casefold()][unit] += count
    if sum(forms.total() for forms in written.values()) < _MEASURED * column.filled:
        return None
    units: dict[str, str] = {}
    for unit, forms in written.items():
        usual, most = forms.most_common(1)[0]
        if len(forms) > 1 and (unit in _SAFE or len(unit) >= _WORD) and most >= max(_LEAST, _MAJORITY * forms.total()):
            units |= {form: usual for form in forms if form != usual}
    return RuleFinding({"units": units}, words={"example": next(iter(units.values()))}) if units else None


RULE = RepairRule(
    name="same_case_of_units_in_{columns}",
    issue="Some units in {columns} are written in other letters than most.",
    doc="Write units like {example!r}.",
    fix=_same_case,
    look=_look,
    helpers=(_parted,),
    imports=("re",),
)
