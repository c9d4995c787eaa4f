"""An object of a store as a data set: a private copy of the file, read as its name says. Called by `data.sources`."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from orchestrator.core.errors import DataError, UsageError
from orchestrator.data.data_address import DataAddress
from orchestrator.data.formats import Batch, Dataset, open_dataset
from orchestrator.data.formats.format_interface import BATCH_ROWS
from orchestrator.data.formats.input_file import changed_meanwhile
from orchestrator.data.objects.object_store import download, version_of
from orchestrator.data.spool import Spool, name_for_copy


def open_object(address: DataAddress, **reading: Any) -> "ObjectDataset":
    """The data set in the object, read as `open_dataset` says. Raises DataError, UsageError, OutputError."""
    spool = Spool()
    path = spool.folder / name_for_copy(address.name)
    version = download(address, path, spool)
    with named_as(path, address):
        return ObjectDataset(address, open_dataset(path, **reading), spool, version)


class ObjectDataset(Dataset):
    """`inner`: the copy. Messages name the object, not the copy."""

    def __init__(self, address: DataAddress, inner: Dataset, spool: Spool, version: object) -> None:
        super().__init__(inner.path, inner.format)
        self.suffix = inner.suffix
        self.name, self.place = address.name, address
        self.address = address
        self.inner = inner
        self.unreadable = inner.unreadable
        self._spool = spool  # the copy goes away with it
        self._version = version

    @property
    def schema(self) -> pa.Schema:
        with named_as(self.path, self.address):
            return self.inner.schema

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        with named_as(self.path, self.address):
            yield from self.inner.read(rows)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.inner.notes

    @cached_property
    def rows(self) -> int:
        with named_as(self.path, self.address):
            return self.inner.rows

    @cached_property
    def sha256(self) -> str:
        return self.inner.sha256

    def check_unchanged(self) -> None:
        """Raise DataError where the object is another one than was read."""
        check_version(self.address, self._version)
        self.inner.check_unchanged()


def check_version(address: DataAddress, version: object) -> None:
    """Raise DataError where the object is another one than was read."""
    try:
        now: object = version_of(address)
    except DataError as error:
        raise DataError(f"{error.message.rstrip('.')}, where it was read: nothing was written.") from None
    if now != version:
        raise changed_meanwhile(address)


@contextmanager
def named_as(path: Path, address: DataAddress) -> Iterator[None]:
    """Let errors name the object in place of its copy."""
    try:
        yield
    except UsageError as error:
        message = error.message.replace(str(path), address.shown)
        raise type(error)(message, advice=error.advice.replace(str(path), address.shown)) from error
