"""What is suspected of each changed column of a case. Called by `keeps-information`, and by `questions`."""

from collections.abc import Iterator

from orchestrator.gate.checks.changed_columns.changed_column import ChangedColumn
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.judge.observations import CaseObservation, Observations


def changed_columns(case: CaseObservation, observations: Observations) -> Iterator[tuple[str, ChangedColumn]]:
    """Each changed column by its name; of records without the keys that are declared to come or go."""
    for name, mask in case.masks.items():
        if not (case.by_row and name in (*case.contract.drops, *case.contract.adds)):
            yield name, ChangedColumn(case, observations, name, mask)


def doubts(case: CaseObservation, observations: Observations) -> Iterator[tuple[str, Suspected]]:
    """What may have lost its meaning, with the name of the column."""
    for name, column in changed_columns(case, observations):
        alone = (column.new_nulls() or column.emptied_alike(), column.filled())
        suspected = column.suspected() and column.closely().suspected()
        for one in [*(one for one in alone if one is not None), *suspected]:
            yield name, one
