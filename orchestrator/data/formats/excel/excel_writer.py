"""Writes sheets of workbooks. Called by `data.formats`.

What is written into an .xlsx file replaces the cells that changed (`excel_edit`, in the disposable process), so that
everything else in the workbook stays. Rows of other formats make a new workbook (`excel_new`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.errors import DataError, OutputError
from orchestrator.core.wording import counted
from orchestrator.data.cells import as_text, differing, has_column
from orchestrator.data.formats.excel.excel_dataset import ExcelDataset, asked, check_installed
from orchestrator.data.formats.format_interface import Batch, Dataset, Writer
from orchestrator.data.formats.output_file import output_file
from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json
from orchestrator.data.text import clean_text

_BLOCK, _UNFORMATTED = b"B", b"U"  # as in `excel_edit`, which needs the extra


@contextmanager
def excel_writer(
    path: Path, like: Dataset, schema: pa.Schema, said: Callable[[str], None] = lambda _: None
) -> Iterator[Writer]:
    """A writer into the workbook that `like` is from, or into a new one. Raises OutputError.

    `said` is told which cells have lost the formatting of parts of their texts.
    """
    check_installed()
    with output_file(path) as file:
        if isinstance(like, ExcelDataset) and like.format == "xlsx":
            editor = _Editor(file, like, schema)
            yield editor
            editor.finish(said)
        else:
            from orchestrator.data.formats.excel.excel_new import new_workbook

            kinds = {name: like.most(name) for name in like.columns} if isinstance(like, ExcelDataset) else {}
            with new_workbook(file, path, schema, kinds) as writer:
                yield writer


class _Editor:
    """Collects what differs from the sheet; at the end the workbook is written with it."""

    def __init__(self, file: BinaryIO, like: ExcelDataset, schema: pa.Schema) -> None:
        self._file, self._like = file, like
        self._cells: dict[int, dict[int, str]] = {}
        self._touched: set[int] = set()
        self._written: set[int] = set()
        new = [name for name in schema.names if name not in like.columns]
        self._new = {name: like.last_column + place for place, name in enumerate(new, 1)}
        numeric = {f.name for f in schema if pa.types.is_integer(f.type) or pa.types.is_floating(f.type)}
        self._new_kinds = {str(place): "n" for name, place in self._new.items() if name in numeric}
        self._dropped = [like.column(name) for name in like.columns if name not in schema.names]
        if new or self._dropped:
            header = dict.fromkeys(self._dropped, "") | {column: name for name, column in self._new.items()}
            self._cells[like.header_row] = header
        self._touched.update(self._dropped)

    def write(self, table: pa.Table, source: Batch | None = None) -> None:
        if source is None or source.raw is None:
            raise OutputError("The rows of a workbook cannot be written without those that were read.")
        numbers = [int(number) for number in source.raw]
        self._written.update(numbers)
        for name in table.column_names:
            column = table.column(name)
            known = has_column(source.table, name)
            mask = differing(source.table.column(name), column) if known else pc.is_valid(column)
            if mask is None:
                continue
            place = self._new[name] if name in self._new else self._like.column(name)
            found = pc.indices_nonzero(mask)
            if len(found):
                self._touched.add(place)
            texts = as_text(column.take(found)).to_pylist()
            for row, text in zip(found.to_pylist(), texts, strict=True):
                self._cells.setdefault(numbers[row], {})[place] = text or ""
        for number in numbers if self._dropped else ():
            self._cells.setdefault(number, {}).update(dict.fromkeys(self._dropped, ""))

    def finish(self, said: Callable[[str], None]) -> None:
        like = self._like
        gone = [int(n) for batch in like.read() for n in batch.raw or () if int(n) not in self._written]
        kinds = {str(like.column(name)): like.kind(name) for name in like.columns} | self._new_kinds
        request = {
            "sheet": like.sheet, "header": like.header_row, "cells": self._cells, "gone": gone,
            "touched": sorted(self._touched), "kinds": kinds,
            "most": {str(like.column(name)): like.most(name) for name in like.columns},
        }  # fmt: skip
        for part in asked(like, "edit", request):
            if part[:1] == _UNFORMATTED:
                said(_unformatted(like, part[1:]))
                continue
            if part[:1] != _BLOCK:
                raise DataError(f"{like.path} cannot be written again.")
            self._file.write(part[1:])
        like.check_unchanged()  # what has been read here is the last that is read of it


def _unformatted(like: ExcelDataset, answer: bytes) -> str:
    """A note on the cells that have lost it: how many, and the first."""
    try:
        found = strict_json(answer)
    except HostileOutput as error:
        raise DataError(f"{like.path} cannot be written again: {error}.") from None
    count, first = found if isinstance(found, list) and len(found) == 2 else (0, "")
    if type(count) is not int or count < 1 or not isinstance(first, str):
        raise DataError(f"{like.path} cannot be written again.")
    where = f"the first is {clean_text(first, 20)} of sheet '{clean_text(like.sheet, 40)}'"
    have = "has" if count == 1 else "have"
    return f"{counted(count, 'changed cell')} {have} no bold or coloured parts of the text any more: {where}"
