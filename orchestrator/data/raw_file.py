"""The bytes of a file of any format, wherever they lie: a local file, stdin, a packed file, an object of a store.

For parsers, which read bytes where a format reads rows. Opened by `data.sources`, read by run/parse.
"""

from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from orchestrator.data.data_address import DataAddress
from orchestrator.data.files import file_sha256
from orchestrator.data.formats.input_file import changed_meanwhile, file_state, input_errors, open_input
from orchestrator.data.formats.packed import packing_of, unpack
from orchestrator.data.formats.private_copy import PrivateCopy


class RawFile:
    """`place`, and `str()`, are for people; `path`: where it lies. `copy`: its bytes, where they lie elsewhere.

    A packed file is unpacked. Raises DataError, OutputError.
    """

    def __init__(self, place: Path | DataAddress, path: Path, copy: PrivateCopy | None = None) -> None:
        self.place, self.path = place, path
        self._opened_as = file_state(path)
        self._copy = unpack(path).copy if copy is None and packing_of(path) else copy

    def __str__(self) -> str:
        return str(self.place)

    @property
    def name(self) -> str:
        return self.place.name

    def open(self) -> BinaryIO:
        """The bytes, unpacked. Raises DataError."""
        return open_input(self.path if self._copy is None else self._copy.path, self)

    @cached_property
    def sha256(self) -> str:
        """Of the file as it came, packed or not, when it was first asked for."""
        if self._copy is not None:
            return self._copy.sha256
        with input_errors(self):
            return file_sha256(self.path)

    def check_unchanged(self) -> None:
        """Raise DataError where the file is not what it was when its hash was first asked for, or was written to."""
        if self._copy is not None and not self._copy.packed:
            return
        if self._copy is None and file_state(self.path) != self._opened_as:
            raise changed_meanwhile(self)
        try:
            now = file_sha256(self.path)
        except OSError:
            now = ""
        if now != self.sha256:
            raise changed_meanwhile(self)
