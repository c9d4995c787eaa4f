"""What is suspected of each changed column of a case. Called by `keeps-information`, `holdout`, and `questions`.

A column is looked at closely, which takes longer, only where something is suspected without that.
"""

from collections.abc import Iterator, Mapping

from orchestrator.gate.checks.changed_columns.changed_column import ChangedColumn
from orchestrator.gate.checks.changed_columns.suspected import Suspected
from orchestrator.gate.judge.observations import CaseObservation, Observations


def changed_columns(case: CaseObservation, observations: Observations) -> Mapping[str, ChangedColumn]:
    """Each changed column by its name; of records without the keys that are declared to come or go."""
    if case.result is None or case.kept_input is None or case.origin is None:
        return {}
    left_out = (*case.contract.drops, *case.contract.adds) if case.by_row else ()
    return {
        name: ChangedColumn(case, observations, name, mask) for name, mask in case.masks.items() if name not in left_out
    }


def gone_for_good(columns: Mapping[str, ChangedColumn]) -> tuple[str, Suspected] | None:
    """The first column of which values are gone that nothing explains."""
    for name, column in columns.items():
        if column.gone() and (found := column.closely().gone()):
            return name, found
    return None


def doubts(columns: Mapping[str, ChangedColumn]) -> Iterator[tuple[str, Suspected]]:
    """What may have lost its meaning, with the name of the column."""
    for name, column in columns.items():
        for one in column.closely().suspected() if column.suspected() else ():
            yield name, one
