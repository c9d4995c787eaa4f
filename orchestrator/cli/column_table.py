"""Reads `--map`, and shows what functions need of a file where not everything is there under its name. For `apply`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from orchestrator.core.promoted import Promoted
    from orchestrator.data.formats import Dataset


def read_map(options: Sequence[str]) -> dict[str, str]:
    """`KNOWN=OWN`, by the known name. Raises UsageError."""
    made: dict[str, str] = {}
    for option in options:
        known, sign, own = option.partition("=")
        if not sign or not known or not own or known in made:
            what = f"'{known}' is mapped twice" if known in made else f"'{option}' is not KNOWN=OWN"
            raise UsageError(f"--map: {what}.", advice="For example --map city=town, once for each column.")
        made[known] = own
    return made


def show_columns(dataset: "Dataset", functions: "Sequence[Promoted]", mapping: Mapping[str, str]) -> None:
    """One table, where a column is missing or mapped. Raises DataError where a function cannot do without one."""
    from orchestrator.run.apply.column_match import match_columns, refuse_missing, renamed

    dataset = renamed(dataset, mapping)
    matches = match_columns(dataset, functions, mapping)
    if any(one.own != one.name for one in matches):
        from rich.table import Table

        from orchestrator.cli.console import plain, stderr

        table = Table("column", "used by", f"in {plain(dataset.name)}", box=None, pad_edge=False)
        for one in matches:
            table.add_row(plain(one.name), plain(", ".join(one.functions)), plain(one.state))
        stderr().print(table)
    refuse_missing(dataset, matches)
