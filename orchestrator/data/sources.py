"""Opens data wherever they lie: a file, an object in a store, a table in a database. Called by run/, the library, cli/.

A path is a file; an `Address` is read into a private temporary file first.
"""

from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.data.addresses import Address, location
from orchestrator.data.formats import Dataset, open_dataset


def open_source(
    place: Path | Address | str,
    *,
    format: str | None = None,  # noqa: A002 - the usual word
    encoding: str | None = None,
    sheet: str | None = None,
    array: str | None = None,
    set_aside: bool = False,
) -> Dataset:
    """The data set at the place, read as `open_dataset` says. Raises DataError, UsageError, OutputError."""
    place = location(place)
    if isinstance(place, Path):
        return open_dataset(place, format=format, encoding=encoding, sheet=sheet, array=array, set_aside=set_aside)
    if place.kind == "database":
        if any(said is not None for said in (format, encoding, sheet, array)):
            raise UsageError(
                "A table of a database has no format, encoding, sheet or array.", advice="Leave out that option."
            )
        from orchestrator.data.databases.table_dataset import TableDataset  # SQLAlchemy is only needed now

        return TableDataset(place)
    from orchestrator.data.objects.object_dataset import open_object

    return open_object(place, format=format, encoding=encoding, sheet=sheet, array=array, set_aside=set_aside)
