"""Shows what functions need of a file where not everything is there under its name. For `apply` and `check`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

_MOST_UNUSED = 10

if TYPE_CHECKING:
    from orchestrator.core.promoted import Promoted
    from orchestrator.data.formats import Dataset


def show_columns(
    dataset: "Dataset", functions: "Sequence[Promoted]", mapping: Mapping[str, str], place: str, *, refuse: bool = True
) -> None:
    """One table, where a column is missing, mapped, new or in another place than where the functions were proved.

    `place`: where the functions are. Raises ColumnsMissing where one cannot do without a column; if that is not to be
    refused, what to do is a note.
    """
    from orchestrator.cli.console import plain, stderr
    from orchestrator.core.errors import ColumnsMissing
    from orchestrator.registry.functions import has_registry
    from orchestrator.run.apply.column_match import match_columns, placed, refuse_missing, renamed

    dataset = renamed(dataset, mapping)
    matches = match_columns(dataset, functions, mapping)
    new, moved = placed(dataset, functions)
    if new or moved or any(one.own != one.name for one in matches):
        from rich.markup import escape
        from rich.table import Table

        table = Table("column", "used by", f"in {plain(dataset.name)}", box=None, pad_edge=False)
        for one in matches:
            elsewhere = ", in another place" if one.name in moved else ""
            table.add_row(
                escape(plain(one.name)), escape(plain(", ".join(one.functions))), escape(plain(one.state)) + elsewhere
            )
        used = {one.name for one in matches}
        for names, state in ((moved, "there, in another place"), (new, "new")):
            rest = [name for name in names if name not in used]
            for name in rest[:_MOST_UNUSED]:
                table.add_row(escape(plain(name)), "", state)
            if more := rest[_MOST_UNUSED:]:
                table.add_row(f"{len(more)} more", "", state)
        stderr().print(table)
    try:
        refuse_missing(dataset, matches, *([place] if has_registry(place) else []))
    except ColumnsMissing as error:
        if refuse:
            raise
        stderr().print(plain(f"note: {error.advice}"), markup=False, soft_wrap=True)
