"""Different values of a changed column that become one. Called by changed_column.py."""

from collections import Counter, defaultdict

from orchestrator.gate.checks.changed_columns.cell_keys import counted, plain_key
from orchestrator.gate.checks.changed_columns.column_cells import ColumnCells
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.information.equivalence import Known
from orchestrator.gate.information.null_tokens import holds_something, is_missing
from orchestrator.gate.information.shown import is_shown, same_sentence
from orchestrator.gate.information.similarity import clusters
from orchestrator.gate.information.value_kinds.units import same_quantity

MAX_MERGED_ROWS = 0.2  # of the rows whose value may vanish when a column becomes a constant
MAX_DISTINCT = 1_000


def collapse(cells: ColumnCells) -> Suspected | None:
    """Different values must not become one; different spellings of one value may."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    where: dict[tuple[str, str], int] = {}
    for before, after, row, count in counted(cells.before, cells.with_added):
        if holds_something(before) and not is_missing(after):
            source, target = plain_key(before), plain_key(after)
            groups[target][source] += count
            where.setdefault((target, source), row)
    sources = {source for group in groups.values() for source in group}
    allowed = cells.policy.max_distinct_loss
    if len(groups) >= len(sources) * (1.0 - allowed) and len(groups) > 1:
        return None  # not even if every spelling is counted as a different value
    if not groups or len(sources) < 2:
        return None
    things = {target: _things(cells, group, target, of_many=len(groups) > 1) for target, group in groups.items()}
    total = sum(things.values())
    lost = 1.0 - len(groups) / total
    constant = len(groups) == 1 and total > 1 and _swallowed(cells, *next(iter(groups.items()))) > MAX_MERGED_ROWS
    if lost <= allowed and not constant:
        return None
    target = max(things, key=lambda name: things[name])
    source = next((source for source in groups[target] if source != target), target)
    stands = f"{target[:60]!r} stands for {len(groups[target])} of them"
    detail = f"{len(sources)} different values became {len(groups)}; {stands}"
    kind = "column-constant" if constant else "values-collapse"
    return Suspected(kind, detail, where[target, source], "different values kept apart", groups[target].total())


def _things(cells: ColumnCells, group: Counter[str], target: str, *, of_many: bool) -> int:
    """How many different things the sources mean; in a column `of_many` values, what is known counts as well."""
    promised = _promised(cells, target)
    sources = [source for source in group if source not in promised][:MAX_DISTINCT]
    shown = [pair for pair in cells.shown_texts if of_many and pair[0] != pair[1]]
    alike = [before for before, after in shown if after == target]
    sources = [source for source in sources if not any(same_sentence(source, one) for one in alike)]
    sources = [source for source in sources if not is_shown((source, target), shown)]
    sources = [source for source in sources if not same_quantity(source, target)]  # rounded, as any number may be
    known = [one for one in sources if of_many and cells.equivalence.known(one, target) is Known.SAME]
    sources = [one for one in sources if one not in known] + ([target] if known else [])
    return clusters(sources, target) if sources else 1


def _promised(cells: ColumnCells, target: str) -> set[str]:
    shown = (one for one in cells.witnesses if plain_key(cells.joined_output(one)) == target)
    return {plain_key(one.input[cells.name]) for one in shown}


def _swallowed(cells: ColumnCells, target: str, group: Counter[str]) -> float:
    """Share of the rows whose value means something else than the most frequent one."""
    promised = _promised(cells, target)
    main = group.most_common(1)[0][0]
    other = sum(n for source, n in group.items() if source not in promised and clusters([source, main], target) > 1)
    return other / group.total()
