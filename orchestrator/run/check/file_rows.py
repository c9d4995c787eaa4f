"""Counts in the whole file what was found in some of its rows. Called by `proof_check` for larger files.

Only patterns in columns that no earlier function changes: what the function is given is then what the file holds.
"""

from collections.abc import Sequence

import pyarrow.compute as pc

from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Dataset
from orchestrator.data.profile.baseline_counts import kind_names
from orchestrator.run.check.check_report import CheckedFunction
from orchestrator.run.rows.contract import Expected
from orchestrator.run.rows.drift_finding import DriftFinding, DriftKind

_COUNTED = frozenset({DriftKind.NEW_PATTERN, DriftKind.MORE_OF_PATTERN})


def counted_in_file(
    dataset: Dataset, functions: Sequence[Promoted], checked: Sequence[CheckedFunction]
) -> list[CheckedFunction]:
    """The same, with how many rows of the file have what was found, where that can be said."""
    wanted: dict[tuple[str, str], int] = {}
    countable = []
    for place, one in enumerate(checked):
        earlier = Expected.of(dataset.columns, [f.candidate.contract for f in functions[:place]])
        own = set() if earlier.modifiable is None else set(dataset.columns) - earlier.modifiable
        countable.append(own)
        wanted |= {(f.column, f.value): 0 for f in one.drift if f.kind in _COUNTED and f.column in own}
    if not wanted:
        return list(checked)
    for table in dataset.batches():
        for column in {name for name, _ in wanted}:
            counted = pc.value_counts(pc.drop_null(kind_names(table.column(column))))
            found = dict(zip(counted.field(0).to_pylist(), counted.field(1).to_pylist(), strict=True))
            for key in wanted:
                if key[0] == column:
                    wanted[key] += found.get(key[1], 0)

    def told(finding: DriftFinding, own: set[str]) -> DriftFinding:
        known = finding.kind in _COUNTED and finding.column in own
        return finding.model_copy(update={"file_rows": wanted[finding.column, finding.value]}) if known else finding

    return [
        one.model_copy(update={"drift": tuple(told(finding, own) for finding in one.drift)})
        for one, own in zip(checked, countable, strict=True)
    ]
