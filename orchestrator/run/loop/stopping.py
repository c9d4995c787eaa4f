"""When a run has seen enough, and how it ended: measured on the rows that are left, never the model's word alone."""

from collections.abc import Iterable

from orchestrator.core.ports import Sample
from orchestrator.core.steps import ChunkEndStep, RunStatus
from orchestrator.data.quality import look_at
from orchestrator.data.records import is_records, texts_in


def untidy(sample: Sample) -> dict[str, int]:
    """Cells by column in which there are still null words or stray blanks, the holdout included.

    Of records, texts by key: also those in its lists and objects.
    """
    left: dict[str, int] = {}
    for table in sample:
        for name in table.column_names:
            column = table.column(name)
            look = look_at(texts_in(column) if is_records(table) else column, values=False)
            if count := look.null_tokens + look.untrimmed:
                left[name] = left.get(name, 0) + count
    return left


class Saturation:
    """Counts chunks in a row that brought nothing new. Told of the chunks in their order."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._quiet = 0
        self._left: set[str] = set()

    def add(self, end: ChunkEndStep) -> bool:
        """Whether that is enough.

        A chunk is quiet when nothing was proposed in it and nothing is left in a column that earlier chunks left clean.
        """
        natural = end.status in {RunStatus.CLEAN, RunStatus.FINISHED}
        quiet = natural and not end.proposed and not end.left.keys() - self._left
        self._left |= end.left.keys()
        self._quiet = self._quiet + 1 if quiet else 0
        return self._quiet >= self._wanted


def overall(ends: Iterable[ChunkEndStep]) -> RunStatus:
    """The worst end of all chunks; clean when there was none."""
    order = list(RunStatus)
    return max((end.status for end in ends), key=order.index, default=RunStatus.CLEAN)
