"""Opens data wherever they lie: a file, an object in a store, a table in a database. Called by run/, the library, cli/.

A path is a file; an `DataAddress` is read into a private temporary file first.
"""

from collections.abc import Callable
from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.files import check_readable
from orchestrator.data.formats import Dataset, open_dataset
from orchestrator.data.formats.private_copy import STDIN, STDIN_NAME, stdin_copy
from orchestrator.data.raw_file import RawFile

OpensData = Callable[..., Dataset]
"""Opens data as `open_source` does, with its arguments."""


def open_source(
    place: Path | DataAddress | str,
    *,
    format: str | None = None,  # noqa: A002 - the usual word
    encoding: str | None = None,
    sheet: str | None = None,
    array: str | None = None,
    delimiter: str | None = None,
    set_aside: bool = False,
) -> Dataset:
    """The data set at the place, read as `open_dataset` says. Raises DataError, UsageError, OutputError."""
    place = location(place)
    reading = {"format": format, "encoding": encoding, "sheet": sheet, "array": array, "delimiter": delimiter}
    if isinstance(place, Path):
        return open_dataset(place, **reading, set_aside=set_aside)
    if place.kind == "database":
        if any(said is not None for said in reading.values()):
            raise UsageError(
                "A table of a database has no format, encoding, sheet, array or delimiter.",
                advice="Leave out that option.",
            )
        from orchestrator.data.databases.table_dataset import TableDataset  # SQLAlchemy is only needed now

        return TableDataset(place)
    from orchestrator.data.objects.object_dataset import open_object

    return open_object(place, **reading, set_aside=set_aside)


def open_bytes(place: Path | DataAddress | str) -> RawFile:
    """The bytes at the place, for a parser. Raises DataError, UsageError, OutputError."""
    place = location(place)
    if isinstance(place, Path):
        check_readable(place)
        return RawFile(STDIN_NAME, STDIN_NAME, stdin_copy()) if place == STDIN else RawFile(place, place)
    if place.kind == "database":
        raise UsageError("A parser reads bytes, and a database gives rows.", advice="Leave out the parser.")
    from orchestrator.data.objects.raw_object import RawObject

    return RawObject(place)
