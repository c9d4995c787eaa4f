"""The bytes of an object of a store, for parsers. Called by `data.sources`."""

from orchestrator.data.data_address import DataAddress
from orchestrator.data.objects.object_dataset import check_version, named_as
from orchestrator.data.objects.object_store import download
from orchestrator.data.raw_file import RawFile
from orchestrator.data.spool import Spool, name_for_copy


class RawObject(RawFile):
    """The object is copied, and the copy goes away with this value. Raises DataError, OutputError."""

    def __init__(self, address: DataAddress) -> None:
        spool = Spool()
        path = spool.folder / name_for_copy(address.name)
        self._version = download(address, path, spool)
        self._address, self._spool = address, spool
        with named_as(path, address):
            super().__init__(address, path)

    def check_unchanged(self) -> None:
        check_version(self._address, self._version)
