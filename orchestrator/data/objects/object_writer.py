"""Writes an object of a store: a private file first, then one upload. Called by `data.targets`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa

from orchestrator.core.errors import OutputError
from orchestrator.data.data_address import DataAddress
from orchestrator.data.formats import Dataset, Writer, open_writer
from orchestrator.data.objects.object_store import upload
from orchestrator.data.spool import ADVICE, Spool, name_for_copy


@contextmanager
def object_writer(
    address: DataAddress, like: Dataset, schema: pa.Schema, said: Callable[[str], None] = lambda _: None
) -> Iterator[Writer]:
    """A writer of the format that the name says. The object is there when the block ends without an error.

    `said` is told what a person should know of it. Raises UsageError for an unknown format, OutputError when it cannot
    be written: then no part of it can be seen.
    """
    spool = Spool()
    path = spool.folder / name_for_copy(address.name)
    try:
        with open_writer(path, like=like, schema=schema, said=said) as writer:
            yield writer
    except OutputError as error:
        if str(path) not in error.message:
            raise
        copy = f"The private copy of {address} in {spool.folder.parent}"
        raise OutputError(error.message.replace(str(path), copy), advice=ADVICE) from error
    upload(address, path)
    spool.remove()
