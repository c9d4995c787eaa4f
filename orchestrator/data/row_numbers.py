"""How people are told which row of a file is meant, with the number that it has there.

Called by `apply`, `check`, `diff` and `registry diff`.

In CSV, TSV and sheets the header is a row, too, and what stands before it counts; rows that could not be read count
everywhere, and in sheets those without a value.
"""

from bisect import bisect_right
from typing import NamedTuple

from orchestrator.data.formats import Dataset
from orchestrator.data.formats.csv.csv_read import CsvDataset
from orchestrator.data.formats.excel.excel_dataset import ExcelDataset
from orchestrator.data.objects.object_dataset import ObjectDataset
from orchestrator.data.renamed import RenamedDataset


class RowNumbers(NamedTuple):
    """`header`: the number of the row with the names; 0 where a file has none, or they are not counted.

    `unreadable`: the numbers of the rows that are not among those read. `how`: what a person has to know to find a row.
    """

    header: int
    unreadable: tuple[int, ...]
    how: str = ""

    @classmethod
    def of(cls, dataset: Dataset) -> "RowNumbers":
        inner = dataset
        while isinstance(inner, RenamedDataset | ObjectDataset):
            inner = inner.inner
        if isinstance(inner, ExcelDataset):
            return cls(inner.header_row, inner.blank_rows)
        csv = inner if isinstance(inner, CsvDataset) and not inner.parser else None
        unreadable = tuple(sorted(row.number for row in dataset.unreadable))
        return cls(0, unreadable) if csv is None else cls(csv.header_row, unreadable, csv.how_rows_count)

    def of_row(self, row: int) -> int:
        """The number in the file of a row that could be read; `row`: its place among those, from 0."""
        number, gone = row + 1 + self.header, self.unreadable
        return number + bisect_right(range(len(gone)), number, key=lambda place: gone[place] - place)

    @property
    def remark(self) -> str:
        """`how`, to stand behind a number."""
        return f" ({self.how})" if self.how else ""
