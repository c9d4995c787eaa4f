"""Reads CSV and TSV: every cell is text, a blank is the empty text. Called through `data.formats`.

Arrow's streaming reader does the work; this module gives it checked UTF-8 and column names, and turns its errors into
sentences with file, row and column.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
from pyarrow import csv

from orchestrator.core.errors import DataError
from orchestrator.data.formats.base import BATCH_ROWS, Batch, Dataset, regroup
from orchestrator.data.formats.csv_dialect import SAMPLE_BYTES, Dialect, learn, sniff_delimiter
from orchestrator.data.formats.text_source import Encoding, TextSource, find_encoding
from orchestrator.data.text import clean_text

_BLOCK = 8 * 2**20  # also the longest row
_MAX_COLUMNS = 2_000


class CsvDataset(Dataset):
    """A CSV or TSV file. Its dialect is read once; `dialect` tells a writer how to write the same."""

    def __init__(self, path: Path, kind: str, encoding: str | None = None) -> None:
        super().__init__(path, kind)
        self._encoding = find_encoding(path, encoding)
        self.dialect, self._header_bytes = self._look()
        self._check_header()

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([(name, pa.string()) for name in self.dialect.header])

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        return (Batch(table) for table in regroup(self._tables(), rows))

    def _tables(self) -> Iterator[pa.Table]:
        with self._source() as source:
            source.push_back(source.read(self._header_bytes)[self._header_bytes :])
            wrong: list[Any] = []
            done = 0
            try:
                with self._reader(source, wrong) as reader:
                    last = None
                    for batch in reader:
                        done += batch.num_rows
                        last = batch if batch.num_rows else last
                        yield pa.Table.from_batches([batch])
            except pa.ArrowInvalid as error:
                self._explain(error, wrong, done)
            except OSError as error:
                raise DataError(f"{self.path} cannot be read: {error.strerror or error}.") from error
            self._check_last_quote(source, last, done)

    @contextmanager
    def _source(self) -> Iterator[TextSource]:
        source = TextSource(self.path, self._encoding)
        try:
            yield source
        finally:
            source.close()

    def _reader(self, source: TextSource, wrong: list[Any]) -> Any:
        def keep(row: Any) -> str:
            wrong.append(row)
            return "error"

        names = list(self.dialect.header)
        return csv.open_csv(
            pa.PythonFile(source, mode="r"),
            read_options=csv.ReadOptions(column_names=names, block_size=_BLOCK, use_threads=False),
            parse_options=csv.ParseOptions(
                delimiter=self.dialect.delimiter,
                newlines_in_values=True,
                ignore_empty_lines=len(names) > 1,
                invalid_row_handler=keep,
            ),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False, check_utf8=False
            ),
        )

    def _look(self) -> tuple[Dialect, int]:
        with self._source() as source:
            head = source.read(SAMPLE_BYTES)
            whole = len(head) < SAMPLE_BYTES
        text = head.decode("utf-8", errors="ignore")
        if not text.strip():
            raise DataError(f"{self.path} is empty.", advice="It needs a header and at least one row.")
        delimiter = sniff_delimiter(text, "\t" if self.format == "tsv" else None)
        dialect, end = learn(text, delimiter, self._encoding, whole=whole)
        if whole and not text[end:].strip("\r\n"):
            raise DataError(f"{self.path} has a header but no rows.", advice="Check how it was made.")
        if not whole and end == len(text):
            self._too_long(1)
        return replace(dialect, final_line_end=self._ends_with_line_end()), len(text[:end].encode())

    def _ends_with_line_end(self) -> bool:
        width = 4 if "32" in self._encoding.codec else 2 if "16" in self._encoding.codec else 1
        with self.path.open("rb") as file:
            file.seek(-width, 2)
            tail = file.read().decode(self._encoding.codec, errors="replace")
        return tail.endswith(("\n", "\r"))

    def _check_header(self) -> None:
        names = self.dialect.header
        if len(names) > _MAX_COLUMNS:
            raise DataError(f"{self.path} has {len(names)} columns; {_MAX_COLUMNS} are the most that can be read.")
        for number, name in enumerate(names, start=1):
            if not name.strip():
                raise DataError(
                    f"{self.path}, row 1: column {number} has no name.", advice="Give it one in the header."
                )
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            places = [str(i) for i, name in enumerate(names, start=1) if name == twice[0]]
            raise DataError(
                f"{self.path}, row 1: columns {' and '.join(places)} are both called '{clean_text(twice[0], 80)}'.",
                advice="Give each column a name of its own in the header.",
            )

    def _explain(self, error: Exception, wrong: list[Any], done: int) -> NoReturn:
        if wrong:
            row = wrong[0]
            number = row.number if row.number is not None else done + 1
            raise DataError(
                f"{self.path}, row {number + 1} (the header is row 1): {row.actual_columns} fields where the header "
                f"has {row.expected_columns}: {clean_text(row.text, 80)}",
                advice="Correct this row; a cell that holds the delimiter needs quotes around it.",
            ) from error
        if "straddling" in str(error):
            self._too_long(done + 2)
        raise DataError(f"{self.path} cannot be read as {self.format}: {clean_text(str(error), 200)}") from error

    def _too_long(self, row: int) -> NoReturn:
        raise DataError(
            f"{self.path}, in or after row {row}: a row is longer than {_BLOCK // 2**20} MiB, "
            "or a quote is opened and never closed.",
            advice="Check that it is a table of text; correct the quote or shorten the row.",
        )

    def _check_last_quote(self, source: TextSource, last: Any, done: int) -> None:
        """A quote without an end makes the rest of the file one cell; an odd number of quotes gives it away."""
        if last is None or source.quotes % 2 == 0:
            return
        cell = last.column(last.num_columns - 1)[last.num_rows - 1].as_py()
        if "\n" in cell or "\r" in cell:
            column = clean_text(self.dialect.header[-1], 80)
            raise DataError(
                f"{self.path}, row {done + 1}, column '{column}': a quote is opened and never closed.",
                advice="Add the closing quote, or double it if it belongs to the text.",
            )


__all__ = ["CsvDataset", "Encoding"]
