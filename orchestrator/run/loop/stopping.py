"""Decides when a run stops: by the user's limits, and by what the host measures on the remaining rows.

A model's claim alone never ends a run. Called by the loop; the limits are part of the request.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field

from orchestrator.core.candidate import Shape
from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.core.option_value import OptionValue
from orchestrator.core.ports import Sample
from orchestrator.core.requests import ProposalRequest
from orchestrator.core.steps import ChunkEndStep, LeftForm, RunStatus
from orchestrator.data.cells import is_text
from orchestrator.data.profile.nested_texts import own_texts, path_of
from orchestrator.data.profile.quality import ColumnLook, look_at
from orchestrator.data.record_tables import is_records, texts_in
from orchestrator.propose.prompting.focus import WantedPlaces, looks_of, rare_forms, wanted_in
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


def untidy(
    sample: Sample, conventions: Conventions | None = None, meant: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> dict[str, int]:
    """Number of cells with null words or stray blanks, by column, holdout included.

    In lists and objects each text counts, in records as in tables. What the conventions declare to be right does not,
    nor what is `meant`, by column: words that the rules take for values, and tell of.
    """
    left: dict[str, int] = {}
    for table in sample:
        for name in table.column_names:
            column = table.column(name)
            right = [*meant.get(name, ()), *(() if conventions is None else _right(conventions.of(name)))]
            if right and is_text(column.type):
                column = column.filter(pc.invert(pc.is_in(column, pa.array(right, column.type))))
            look = look_at(texts_in(column) if is_records(table) else own_texts(column), values=False)
            if count := _untidy(look):
                left[name] = left.get(name, 0) + count
    return left


def _right(convention: ColumnConvention) -> list[str]:
    """The texts that are to stand in the column."""
    null = () if convention.null is None else (convention.null,)
    return [*null, *convention.values, *convention.spellings.values()]


def left_forms(
    sample: Sample, columns: Collection[str], request: ProposalRequest | None = None
) -> tuple[LeftForm, ...]:
    """The rare forms that are left, the most frequent first, in working rows and holdout.

    They are looked for in the untidy `columns` and in what the `request` names or means. Behind them the other forms,
    at any share, of what may mix some and has no usual one. In records each place is looked at by itself.
    """
    names = columns if request is None else request.rows.column_names
    shape = Shape.RECORD if request is None else request.shape
    seen, held = ({p: one for n in names for p, one in looks_of(t, n, shape).items()} for t in sample)
    wanted = WantedPlaces() if request is None else wanted_in(request, [*{**seen, **held}])
    found: list[LeftForm] = []
    for place in {**seen, **held}:  # no set: where two forms are equally frequent, the first one counts as the usual
        looks = [side[place] for side in (seen, held) if place in side]
        if place not in wanted.named_or_meant and not (place[0] in columns and any(map(_untidy, looks))):
            continue
        rows, holdout = (Counter(side[place].patterns if place in side else {}) for side in (seen, held))
        both = {form: rows[form] + holdout[form] for form in {**rows, **holdout}}
        rare = rare_forms(both)
        mixed = mixed_forms(both) if place in wanted.may_mix and not rare else {}
        path = path_of(place) if len(place) > 1 else ""
        found += [
            LeftForm(column=place[0], place=path, form=f, rows=rows[f], holdout=holdout[f], suspected=f in mixed)
            for f in {**rare, **mixed}
        ]
    order = sorted(found, key=lambda one: (one.suspected, -one.rows - one.holdout, one.column, one.place, one.form))
    return tuple(order[:_MOST_FORMS])


def _untidy(look: ColumnLook) -> int:
    return look.null_tokens + look.untrimmed


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
