"""A full stop behind texts of a closed list that mostly have none: "<=50K." → "<=50K".

Only where each text with a stop is another one of the column with a stop behind it, which is not rarer. Left alone:
texts without a figure (abbreviations; the rule on spelling knows other ways to write words), numbers (1. is the first),
and what only ends with a stop.
"""

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_LEAST = 2  # rows with a stop
_REPEATED = 4  # times that a text of the column occurs in the mean
_MOST_TEXTS = 100


def _without_stop(value: str, texts: list[str]) -> str:
    """One of the texts without the full stop behind it; any other text as it is."""
    return value[:-1] if value.endswith(".") and value[:-1] in texts else value


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    if len(column.counts) > _MOST_TEXTS or len(column.counts) * _REPEATED > column.filled:
        return None
    stopped = [text for text in column.counts if text.endswith(".")]
    texts = [text for text in column.counts if text not in stopped]
    if sum(map(column.counts.__getitem__, stopped)) < _LEAST:
        return None
    for text in stopped:
        bare = text[:-1]
        plain = bare.isdecimal() or not any(map(str.isdigit, bare)) or not any(map(str.isalpha, bare))
        if plain or column.counts[text] > column.counts[bare]:
            return None
    return RuleFinding({"texts": sorted(texts)}, words={"example": stopped[0][:-1]})


RULE = RepairRule(
    name="no_final_stops_in_{columns}",
    issue="Some texts in {columns} have a full stop behind them that others do not have.",
    doc="Write texts like {example!r} without a full stop behind them.",
    fix=_without_stop,
    look=_look,
)
