"""Columns of lists and objects in Parquet and databases: no rule looks inside of them, and a person is told.

Called by the proposer on a chunk's first question. In JSON and CSV such a cell is a text, which `nested_places` reads.
"""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from orchestrator.core.wording import counted
from orchestrator.data.profile.nested_texts import own_texts
from orchestrator.data.profile.quality import look_at

if TYPE_CHECKING:
    import pyarrow as pa


def untidy_lists(rows: "pa.Table", untouched: Collection[str]) -> Iterator[str]:
    """A sentence for each such column with null words or stray blanks, but for those that are to be left alone."""
    from pyarrow import types

    for place, one in enumerate(rows.schema):
        if not types.is_nested(one.type) or one.name in untouched:
            continue
        look = look_at(own_texts(rows.column(place)), values=False)
        if untidy := look.null_tokens + look.untrimmed:
            said = f"Null words or stray blanks in {counted(untidy, 'text')} inside of {one.name} stay: no rule"
            yield (
                f"{said} of the built-in ones looks into lists and objects of this format. A function of your own or a"
                " model's can."
            )
