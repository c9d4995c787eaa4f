"""Writes rows into a new workbook, for `excel_dataset`: rows that come from another format, or from an older one."""

import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pyarrow as pa

from orchestrator.core.errors import OutputError
from orchestrator.data.cells import as_text
from orchestrator.data.formats.excel.sheet_values import is_number
from orchestrator.data.formats.format_interface import Batch, Writer
from orchestrator.data.spool import disk_mapped

_MAX_ROWS = 1_048_576
_PART = 2**20  # bytes that are copied at once
_TIMES = re.compile(r"<dcterms:(created|modified)\b.*?</dcterms:\1>", re.DOTALL)


@contextmanager
def new_workbook(file: BinaryIO, path: Path, schema: pa.Schema, kinds: Mapping[str, str]) -> Iterator[Writer]:
    """A writer of one sheet. `kinds`: n, d or b for columns most of whose texts are such. Raises OutputError."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")
    try:
        with _sheet_kept(path):
            writer = _NewSheet(sheet, path, schema, kinds)
        yield writer
        with _sheet_kept(path):
            _save(book, file)
    except BaseException:
        with suppress(Exception):  # its temporary file is open, and has a name
            sheet.close()
            sheet._writer.cleanup()  # noqa: SLF001 - the one way to it
        raise


@contextmanager
def _sheet_kept(path: Path) -> Iterator[None]:
    """Raise OutputError where the sheet's temporary file cannot be written. Where lxml is installed, it writes it."""
    with disk_mapped(f"The new sheet of {path}", OutputError):
        try:
            yield
        except Exception as failed:
            if type(failed).__name__ != "SerialisationError":
                raise
            number = getattr(errno, str(failed).removeprefix("IO_"), errno.EIO)
            raise OSError(number, os.strerror(number)) from failed


def _save(book: Any, file: BinaryIO) -> None:
    """As the book does it itself; but where it fails, its archive must not go on when it is collected."""
    from openpyxl.writer.excel import ExcelWriter

    archive = _TimelessArchive(file, "w", ZIP_DEFLATED)
    try:
        ExcelWriter(book, archive).save()
    except BaseException:
        archive.fp = None
        raise


class _TimelessArchive(ZipFile):
    """An archive that says nowhere when it was written: the same rows make the same bytes."""

    def writestr(
        self,
        zinfo_or_arcname: str | ZipInfo,
        data: Any,
        compress_type: int | None = None,
        compresslevel: int | None = None,
    ) -> None:
        if zinfo_or_arcname == "docProps/core.xml":
            data = _TIMES.sub("", data if isinstance(data, str) else data.decode())
        entry = ZipInfo(zinfo_or_arcname) if isinstance(zinfo_or_arcname, str) else zinfo_or_arcname
        super().writestr(entry, data, compress_type or ZIP_DEFLATED, compresslevel)

    def write(
        self,
        filename: Any,
        arcname: Any = None,
        compress_type: int | None = None,
        compresslevel: int | None = None,  # noqa: ARG002 - as the archive's own
    ) -> None:
        entry = ZipInfo.from_file(filename, arcname)  # with its size: one of 4 GiB has a header of its own
        entry.date_time, entry.compress_type = ZipInfo().date_time, compress_type or ZIP_DEFLATED
        with Path(filename).open("rb") as source, self.open(entry, "w") as part:
            copyfileobj(source, part, _PART)


class _NewSheet:
    def __init__(self, sheet: Any, path: Path, schema: pa.Schema, kinds: Mapping[str, str]) -> None:
        self._sheet, self._path, self._names = sheet, path, schema.names
        self._kinds = [
            "n" if pa.types.is_integer(field.type) or pa.types.is_floating(field.type) else kinds.get(field.name, "")
            for field in schema
        ]
        self._rows = 1
        sheet.append([self._text(name) for name in schema.names])

    def write(self, table: pa.Table, source: Batch | None = None) -> None:  # noqa: ARG002 - a new sheet needs none
        self._rows += table.num_rows
        if self._rows > _MAX_ROWS:
            raise OutputError(f"{self._path}: a sheet has at most {_MAX_ROWS:,} rows.", advice="Write CSV.")
        columns = [as_text(table.column(name)).to_pylist() for name in self._names]
        with _sheet_kept(self._path):
            self._append(columns)

    def _append(self, columns: list[list[str | None]]) -> None:
        for row in zip(*columns, strict=True):
            self._sheet.append([self._cell(*pair) for pair in zip(row, self._kinds, strict=True)])

    def _cell(self, text: str | None, kind: str) -> Any:
        if not text:
            return None
        if kind == "n" and is_number(text):
            return float(text) if "." in text else int(text)
        if kind == "b" and text in ("TRUE", "FALSE"):
            return text == "TRUE"
        if kind == "d":
            try:
                return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)
            except ValueError:
                return self._text(text)
        return self._text(text)

    def _text(self, text: str) -> Any:
        """A cell that is text, also where it begins with = and would be a formula."""
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.utils.exceptions import IllegalCharacterError

        cell = WriteOnlyCell(self._sheet)
        try:
            cell.value = text
        except IllegalCharacterError:
            raise OutputError(
                f"{self._path} cannot hold the text {text[:40]!a} in a cell.", advice="Write CSV."
            ) from None
        cell.data_type = "s"
        return cell
