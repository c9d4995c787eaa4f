"""Where columns still have a few cells in another form than most when a chunk ends. Called by its worker.

`stopping.left_forms` looks at untidy columns and at those that an instruction names. A run without either was
"complete" beside `1-2` among `1:2`: nobody had looked at that column at all.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import pyarrow as pa

from orchestrator.core.conventions import ColumnConvention, Conventions
from orchestrator.core.ports import Sample
from orchestrator.core.steps import LeftForm
from orchestrator.data.cells import is_text
from orchestrator.data.profile.nested_texts import Place, path_of, texts_by_place
from orchestrator.data.profile.odd_forms import counted_texts, odd_forms
from orchestrator.data.record_tables import is_records, places_in
from orchestrator.propose.prompting.column_profile import TRUE_TYPE

_MOST, _MOST_OF_PLACE = 24, 4


def odd_left(
    sample: Sample,
    untouched: Collection[str] = (),
    conventions: Conventions | None = None,
    told: Iterable[LeftForm] = (),
) -> tuple[LeftForm, ...]:
    """The most frequent ones, in working rows and holdout, but for places of which something is `told` already.

    Nothing is said of a column that is to be left alone: by the conventions, or as the instruction says (`untouched`).
    """
    known = {(one.column, one.place) for one in told}
    found: list[LeftForm] = []
    for name in dict.fromkeys(sample.working.column_names):
        said = ColumnConvention() if conventions is None else conventions.of(name)
        if said.leave or name in untouched:
            continue
        right = {said.null, *said.values, *said.spellings.values()}
        seen, held = (dict(_texts(table, name)) for table in sample)
        for place in {**seen, **held}:
            path = path_of(place) if len(place) > 1 else ""
            if (name, path) not in known:
                rows, holdout = (counted_texts(side.get(place, ())) for side in (seen, held))
                found += list(_of_place(name, path, rows, holdout, right))[:_MOST_OF_PLACE]
    order = sorted(found, key=lambda one: (-one.rows - one.holdout, one.column, one.place, one.form))
    return tuple(order[:_MOST])


def _of_place(
    name: str, path: str, rows: Counter[str], holdout: Counter[str], right: set[str | None]
) -> Iterator[LeftForm]:
    for odd in odd_forms(rows + holdout):
        texts = odd.texts - right
        seen, held = sum(rows[text] for text in texts), sum(holdout[text] for text in texts)
        if seen + held:
            yield LeftForm(column=name, place=path, form=odd.form, usual=odd.usual, rows=seen, holdout=held)


def _texts(table: pa.Table, name: str) -> Iterator[tuple[Place, list[str]]]:
    """The texts of a column by place. A column of patterns in place of texts has none."""
    at = table.column_names.index(name)
    column, metadata = table.column(at), table.schema.field(at).metadata
    if metadata and TRUE_TYPE in metadata:
        return
    if is_records(table):
        for place, texts in places_in(column, name).items():
            yield place, [text for text in texts.to_pylist() if text is not None]
    elif is_text(column.type):
        values = [value for value in column.to_pylist() if value is not None]
        nested = any(map(_may_nest, values))
        yield from texts_by_place(name, map(_read, values) if nested else values).items()


def _may_nest(text: str) -> bool:
    return text.startswith(("[", "{")) and text.endswith(("]", "}"))


def _read(text: str) -> Any:
    try:
        return json.loads(text) if _may_nest(text) else text
    except (ValueError, RecursionError):
        return text
