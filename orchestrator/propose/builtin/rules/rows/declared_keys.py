"""What the user declares (`settled_by`): rows that agree in the declared columns get what most of them say."""

from collections import defaultdict
from collections.abc import Iterator

from orchestrator.propose.builtin import majority
from orchestrator.propose.builtin.fitted_remedy import FittedRemedy
from orchestrator.propose.builtin.function_names import listed, slugs
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.working_rows import WorkingRows


def find(table: WorkingRows, preferences: Preferences) -> Iterator[FittedRemedy]:
    """One function for all columns that the same columns settle."""
    names = {column.name for column in table.columns}
    settled: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for column in table.columns:
        by = preferences[column.name].settled_by
        if by and names.issuperset(by) and column.name not in by:
            settled[by].append(column.name)
    for by, columns in settled.items():
        yield FittedRemedy(
            name=f"agree_on_{slugs(tuple(columns))}",
            issue=f"Rows that agree in {listed(by)} should agree in {listed(tuple(columns))}, as was declared.",
            doc=f"Write what most rows with the same {listed(by)} say.",
            columns=tuple(columns),
            read=(),
            by=by,
            learner=majority,
        )
