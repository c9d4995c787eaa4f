"""What a fitted function replaced by another answer though neither its rows nor a witness say so.

Called by changed_column.py.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from decimal import Decimal

from orchestrator.core.wording import plural
from orchestrator.gate.checks.changed_columns.cell_keys import pair_key
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.information.similarity import clusters
from orchestrator.gate.information.value_kinds.number_parsing import reading

_ENOUGH = 3  # different numbers on one line are a conversion


def overruled(cells: Sequence[Change], rows: Sequence[int], shown: Sequence[Change]) -> Suspected | None:
    """The first answer that is no spelling of the one before. `cells`: the column; `rows`: those that changed."""
    settled = set(map(pair_key, shown))
    converted = _conversion(shown)
    other: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in rows:
        before, after = cells[row]
        if holds_something(before) and not is_missing(after) and pair_key((before, after)) not in settled:
            other[pair_key((before, after))].append(row)
    for (before, after), changed in other.items():
        if before != after and not converted(cells[changed[0]]) and clusters([before, after], after) > 1:
            told = f"{len(changed)} {plural(len(changed), 'cell')}"
            detail = f"{told} with {before[:60]!r} became {after[:60]!r}, as no other row has it"
            return Suspected("value-overruled", detail, changed[0], "the value that the row had", len(changed))
    return None


def _conversion(shown: Sequence[Change]) -> Callable[[Change], bool]:
    """Whether a number became another one as all those did that witnesses show: by one factor, and what is added."""
    known = sorted({pair: None for one in shown if (pair := _numbers(one)) is not None})
    if len({before for before, _ in known}) < _ENOUGH:
        return lambda _: False
    (least, made), (most, last) = known[0], known[-1]
    unit = max(_unit(after) for _, after in known)  # they may be rounded

    def fits(pair: Change | tuple[Decimal, Decimal]) -> bool:
        if (numbers := _numbers(pair)) is None:
            return False
        away = (numbers[0] - least) / (most - least)
        return abs(made + away * (last - made) - numbers[1]) <= unit * (1 + max(abs(away), abs(1 - away)))

    return fits if all(map(fits, known)) else lambda _: False


def _numbers(pair: Change | tuple[Decimal, Decimal]) -> tuple[Decimal, Decimal] | None:
    before, after = map(reading, pair)
    return None if before is None or after is None else (before, after)


def _unit(number: Decimal) -> Decimal:
    exponent = number.as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)
