"""Reads sheets of workbooks: .xlsx, and .xls and .ods, which are written as .xlsx. Called by `data.formats`.

Every cell is text, as in CSV: a date in ISO form, a number without `.0`. The disposable process reads the sheet once
(`excel_reader`), into a private copy that is read from then on. `excel_writer` writes it.
"""

import io
import json
from collections.abc import Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.errors import DataError, UsageError
from orchestrator.core.wording import counted
from orchestrator.data.disposable.disposable_process import DisposableLimits, kept_process
from orchestrator.data.formats.column_names import own_names, renaming_note
from orchestrator.data.formats.format_interface import BATCH_ROWS, Batch, Dataset, Reading, regroup
from orchestrator.data.formats.input_file import open_input
from orchestrator.data.formats.private_copy import PrivateCopy
from orchestrator.data.formats.reader_fault import reader_fault, within_limits
from orchestrator.data.formats.second_header import SAMPLE_ROWS, second_header_note
from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json
from orchestrator.data.hostile.plain import read_plain
from orchestrator.data.text import clean_text

_LIMITS = DisposableLimits(wall_s=300.0, cpu_s=1800, memory_bytes=2 * 2**30)
_ENTRY = "orchestrator.data.formats.excel.excel_reader:rows"
_HEADER, _TABLE, _SUMMARY = b"H", b"T", b"S"  # as in `excel_reader`, which needs the extra
_ROW = "row of the sheet"
_SHOWN = 5


class ExcelDataset(Dataset):
    """One sheet of a workbook. `raw` of its batches: the number of each row in the sheet."""

    def __init__(self, path: Path, reading: Reading, kind: str) -> None:
        super().__init__(path, kind, reading.copy)
        check_installed()
        self._named = reading.sheet
        self._header: dict[str, Any] = {}
        self._summary: dict[str, Any] = {}
        self._copy = PrivateCopy(self._stored())
        self._places = [place for place, kinds in enumerate(self._kinds) if kinds or self._header["names"][place]]
        self.stored_names = [self._header["names"][place] for place in self._places]
        self._names = own_names(self.stored_names)
        if not self.rows:
            advice = "Check how it was made."
            if len(sheets := self._header["sheets"]) > 1:
                advice = f"Say --sheet NAME for another one: {clean_text(', '.join(map(str, sheets[:20])), 200)}."
            raise DataError(f"{path}, sheet '{self.sheet}', has a header but no rows.", advice=advice)
        if not any(name.strip() for name in self.stored_names):
            raise DataError(f"{path}, sheet '{self.sheet}': no column has a name.", advice="Give it a header.")

    @property
    def sheet(self) -> str:
        return str(self._header["sheet"])

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([(name, pa.string()) for name in self._names])

    @cached_property
    def rows(self) -> int:
        return sum(part.num_rows for part in self._parts())

    @property
    def header_row(self) -> int:
        return int(self._header["row"])

    @cached_property
    def blank_rows(self) -> tuple[int, ...]:
        """The numbers of the rows of the sheet below the header that are not read, as they have no value."""
        read = np.concatenate([part.column(_ROW).to_numpy() for part in self._parts()])
        return tuple(np.setdiff1d(np.arange(self.header_row + 1, read.max()), read).tolist())

    @property
    def last_column(self) -> int:
        return int(self._header["first"]) + len(self._header["names"]) - 1

    def column(self, name: str) -> int:
        """The number of a column in the sheet, from 1."""
        return int(self._header["first"]) + self._places[self._names.index(name)]

    def kind(self, name: str) -> str:
        """n, d, b or t where all values of a column are numbers, dates, truth values or texts; else empty."""
        kinds = self._kinds[self._places[self._names.index(name)]]
        return kinds if len(kinds) == 1 else ""

    def most(self, name: str) -> str:
        """n, d, b or t: what most values of a column are; empty where it has none."""
        return str(self._summary["mostly"][self._places[self._names.index(name)]])

    @property
    def notes(self) -> tuple[str, ...]:
        sheets, summary = self._header["sheets"], self._summary
        more = ", ".join(clean_text(str(name), 40) for name in sheets[:_SHOWN]) + (", …" if sheets[_SHOWN:] else "")
        said = [f"sheet '{clean_text(self.sheet, 40)}' of {len(sheets)} is read ({more})"] if len(sheets) > 1 else []
        if self._header["above"]:
            said.append(f"the header is in row {self.header_row}, below a title or headings that are no rows")
        said += [renaming_note(self.stored_names, self._names)]
        with_formulas = [self._names[self._places.index(int(p))] for p in summary["formulas"] if int(p) in self._places]
        if with_formulas:
            names = ", ".join(f"'{clean_text(name, 40)}'" for name in with_formulas[:_SHOWN])
            said.append(f"columns with formulas ({names}) are read as their values, and get values where one changes")
        if summary["uncalculated"]:
            said.append(
                f"cell {clean_text(summary['uncalculated'], 20)} has a formula without a value: open and save it"
            )
        said += self._as_texts()
        if summary["merged"]:
            said.append(
                f"merged cells ({clean_text(', '.join(summary['merged'][:_SHOWN]), 80)}): the first has the value"
            )
            if any(_row_of(place) == self.header_row and _is_wide(place) for place in summary["merged"]):
                said.append(
                    f"row {self.header_row} has merged cells: the row below may be a second header, read as data"
                )
        if not said or "second header" not in said[-1]:
            said.append(self._second_header())
        if self.format != "xlsx":
            others = [clean_text(str(name), 40) for name in sheets if name != self.sheet]
            lost = ", ".join(others[:_SHOWN]) + (", …" if others[_SHOWN:] else "")
            new = f"a new .xlsx without the other sheets ({lost})" if lost else "a new .xlsx"
            said.append(f"{self.path.suffix} is read only: unless its name says another format, the result is {new}")
        return tuple(filter(None, said))

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        for table in regroup(self._parts(), rows):
            numbers = [str(number).encode() for number in table.column(_ROW).to_pylist()]
            yield Batch(table.drop_columns([_ROW]), numbers)

    def _as_texts(self) -> list[str]:
        """No function can mend them: to it they look like the others."""
        kinds = {"n": "number", "d": "date", "b": "truth value"}
        return [
            f"column '{clean_text(self._names[self._places.index(int(place))], 40)}': "
            f"{counted(int(count), kinds[self._summary['mostly'][int(place)]])} stored as text among others that are "
            f"not (first in {clean_text(str(cell), 20)}): a spreadsheet neither adds nor sorts them alike"
            for place, (count, cell) in [*self._summary["as_texts"].items()][:_SHOWN]
        ]

    def _second_header(self) -> str:
        first = next(self.read(SAMPLE_ROWS))
        rows = list(zip(*(column.to_pylist() for column in first.table.columns), strict=True))
        return second_header_note(int((first.raw or (b"0",))[0]), rows)

    @property
    def _kinds(self) -> list[str]:
        return [str(kinds) for kinds in self._summary["kinds"]]

    def _parts(self) -> Iterator[pa.Table]:
        with self._copy.path.open("rb") as file, pa.ipc.open_stream(file) as stream:
            for batch in stream:
                columns = [batch.column(place) for place in [*self._places, batch.num_columns - 1]]
                yield pa.table(columns, names=[*self._names, _ROW])

    def _stored(self) -> Iterator[bytes]:
        """The rows as an Arrow stream; the header and what is said of all of it are kept."""
        sink = io.BytesIO()
        stream: Any = None
        for part in asked(self, "rows", {"kind": self.format, "sheet": self._named}):
            mark, rest = part[:1], part[1:]
            if mark == _HEADER:
                self._header = _said(self.path, rest)
                names = [str(i) for i in range(len(self._header["names"]))]
                fields = [*((name, pa.string()) for name in names), (str(len(names)), pa.int64())]
                schema = pa.schema(fields)
                stream = pa.ipc.new_stream(sink, schema)
            elif mark == _TABLE:
                try:
                    stream.write_table(read_plain(rest).cast(schema))
                except (HostileOutput, pa.ArrowException, ValueError) as error:
                    raise DataError(f"{self.path} cannot be read: {clean_text(str(error), 150)}.") from None
                yield _taken(sink)
            elif mark == _SUMMARY:
                self._summary = _said(self.path, rest)
        if stream is None or not self._summary:
            raise DataError(f"{self.path} cannot be read.")
        stream.close()
        yield _taken(sink)


def asked(dataset: Dataset, function: str, request: dict[str, Any]) -> Iterator[bytes]:
    """The parts of an answer of the process that reads workbooks. Raises DataError for what it complains of."""
    path = dataset.path
    advice = "Check where the file comes from, or save the sheet as CSV."
    with within_limits(path, advice), dataset.watched(), open_input(dataset.content, path) as file:
        for part in kept_process(_ENTRY, _LIMITS).parts(json.dumps(request).encode(), function, file.fileno()):
            if part[:1] == b"F":
                raise reader_fault(path, part[1:])
            yield part


def _said(path: Path, data: bytes) -> dict[str, Any]:
    try:
        said = strict_json(data, max_depth=5)
    except HostileOutput as error:
        raise DataError(f"{path} cannot be read: {error}.") from None
    if not isinstance(said, dict):
        raise DataError(f"{path} cannot be read.")
    return said


def _taken(sink: io.BytesIO) -> bytes:
    data = sink.getvalue()
    sink.seek(0)
    sink.truncate()
    return data


def _row_of(place: str) -> int:
    digits = "".join(char for char in place.partition(":")[0] if char.isdigit())
    return int(digits or 0)


def _is_wide(place: str) -> bool:
    first, _, last = place.partition(":")
    return first.strip("0123456789") != last.strip("0123456789")


def check_installed() -> None:
    """Raise UsageError where workbooks cannot be read."""
    if find_spec("openpyxl") is None or find_spec("python_calamine") is None:
        raise UsageError("Spreadsheets need packages that are not installed.", advice="pip install 'cleanroom[excel]'")
