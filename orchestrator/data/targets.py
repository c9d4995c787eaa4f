"""Opens what results are written to, wherever it is: a file, an object, a new table. Called by `apply`.

All of them appear whole, when everything is written, or not at all.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pyarrow as pa

from orchestrator.core.errors import UsageError
from orchestrator.data.data_address import DataAddress
from orchestrator.data.files import check_writable
from orchestrator.data.formats import Dataset, Writer, open_writer, writes_paragraphs, writes_records
from orchestrator.data.formats.output_file import STDOUT
from orchestrator.data.kept_file import refuse_kept
from orchestrator.data.objects.object_dataset import ObjectDataset


def check_target(place: Path | DataAddress) -> None:
    """Refuse what cannot be written before any work is done. Raises UsageError, OutputError."""
    if isinstance(place, Path):
        if place != STDOUT:
            check_writable(place)
            refuse_kept(place)
        return
    if place.kind == "web":
        raise UsageError(f"{place} can be read, but not written.", advice="Name a file, or s3://, gs:// or az://.")
    if place.kind == "database":
        from orchestrator.data.databases.new_table import check_new_table  # SQLAlchemy is only needed now

        check_new_table(place)
        return
    from orchestrator.data.objects.object_store import check_store

    check_store(place)


def open_target(
    place: Path | DataAddress, *, like: Dataset, schema: pa.Schema, said: Callable[[str], None] = lambda _: None
) -> AbstractContextManager[Writer]:
    """A writer for the place, in the dialect and types of `like`. `said` is told what a person should know of it.

    Raises UsageError for an unknown format, OutputError when writing fails; then nothing is left behind.
    """
    if isinstance(like, ObjectDataset):
        like = like.inner
    if isinstance(place, Path):
        return open_writer(place, like=like, schema=schema, said=said)
    if place.kind == "database":
        from orchestrator.data.databases.new_table import new_table

        return new_table(place, like, schema, said)
    from orchestrator.data.objects.object_writer import object_writer

    return object_writer(place, like, schema, said)


def target_takes_records(place: Path | DataAddress, *, like: Dataset) -> bool:
    """Whether the writer also takes record tables, where the source's rows are such."""
    if isinstance(place, Path):
        return writes_records(place, like=like)
    return place.kind != "database" and writes_records(Path(place.name), like=like)


def target_computes(place: Path | DataAddress, *, like: Dataset) -> bool:
    """Whether a spreadsheet may open what is written as a table, and compute what looks like a formula."""
    if isinstance(place, DataAddress) and place.kind == "database":
        return True
    return not writes_paragraphs(place if isinstance(place, Path) else place.name, like=like)
