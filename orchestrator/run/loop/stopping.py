"""Decides when a run stops: by the user's limits, and by what the host measures on the remaining rows.

A model's claim alone never ends a run. Called by the loop; the limits are part of the request.
"""

from collections.abc import Collection, Iterable

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field

from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.core.option_value import OptionValue
from orchestrator.core.ports import Sample
from orchestrator.core.steps import ChunkEndStep, LeftForm, RunStatus
from orchestrator.data.cells import is_text
from orchestrator.data.profile.nested_texts import own_texts
from orchestrator.data.profile.quality import look_at
from orchestrator.data.record_tables import is_records, texts_in
from orchestrator.propose.prompting.focus import rare_forms
from orchestrator.propose.prompting.form_kinds import mixed_forms

UNREAD = "answers in a row could not be read"
"""Why a chunk has ended, where a run that is resumed asks again without a higher limit."""
_MOST_FORMS = 50


class RunLimits(OptionValue):
    """Hard limits of the loop; the proposer keeps its own budget of calls, tokens and money."""

    max_iterations: int = 60  # proposals per chunk
    max_repairs: int = 2  # repairs of one rejected candidate
    max_rejected: int = Field(default=5, ge=1)  # candidates given up with all their repairs, after which the chunk ends
    max_unread: int = 3  # proposals in a row that cannot be read before the chunk is given up
    saturation: int = 2  # stop after this many chunks in a row in which nothing was found
    plan_every: int = 4  # chunks between two searches for functions to merge; 0: never
    lanes: int = Field(default=1, ge=1, le=64)  # model calls at once


def untidy(sample: Sample, conventions: Conventions | None = None) -> dict[str, int]:
    """Number of cells with null words or stray blanks, by column, holdout included.

    In lists and objects each text counts, in records as in tables. What the conventions declare to be right does not.
    """
    left: dict[str, int] = {}
    for table in sample:
        for name in table.column_names:
            column = table.column(name)
            if conventions is not None and is_text(column.type) and (right := _right(conventions.of(name))):
                column = column.filter(pc.invert(pc.is_in(column, pa.array(right, column.type))))
            look = look_at(texts_in(column) if is_records(table) else own_texts(column), values=False)
            if count := look.null_tokens + look.untrimmed:
                left[name] = left.get(name, 0) + count
    return left


def _right(convention: ColumnConvention) -> list[str]:
    """The texts that are to stand in the column."""
    null = () if convention.null is None else (convention.null,)
    return [*null, *convention.values, *convention.spellings.values()]


def left_forms(sample: Sample, columns: Iterable[str], may_mix: Collection[str] = ()) -> tuple[LeftForm, ...]:
    """The rare forms that are left in these columns, the most frequent first, in working rows and holdout.

    Behind them the other forms, at any share, of columns that `may_mix` some and have no usual one.
    """
    found: list[LeftForm] = []
    for name in columns:
        seen, held = (_forms(table, name) for table in sample)
        both = {form: seen.get(form, 0) + held.get(form, 0) for form in {*seen, *held}}
        rare = rare_forms(both)
        mixed = mixed_forms(both) if name in may_mix and not rare else {}
        found += [
            LeftForm(column=name, form=f, rows=seen.get(f, 0), holdout=held.get(f, 0), suspected=f in mixed)
            for f in {**rare, **mixed}
        ]
    order = sorted(found, key=lambda one: (one.suspected, -one.rows - one.holdout, one.column, one.form))
    return tuple(order[:_MOST_FORMS])


def _forms(table: pa.Table, name: str) -> dict[str, int]:
    column = table.column(table.schema.get_field_index(name))
    return look_at(texts_in(column) if is_records(table) else column, values=False).patterns


class Saturation:
    """Counts consecutive chunks in which nothing new was found. Chunks are added in order."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._quiet = 0
        self._left: set[str] = set()

    def add(self, end: ChunkEndStep) -> bool:
        """Count the chunk; whether enough consecutive chunks were quiet.

        A chunk is quiet if nothing was proposed in it and nothing is left in a column that earlier chunks left clean.
        """
        natural = end.status in {RunStatus.CLEAN, RunStatus.FINISHED}
        quiet = natural and not end.proposed and not end.left.keys() - self._left
        self._left |= end.left.keys()
        self._quiet = self._quiet + 1 if quiet else 0
        return self._quiet >= self._wanted


def overall(ends: Iterable[ChunkEndStep]) -> RunStatus:
    """The worst end status of all chunks; clean if there was no chunk."""
    order = list(RunStatus)
    return max((end.status for end in ends), key=order.index, default=RunStatus.CLEAN)
