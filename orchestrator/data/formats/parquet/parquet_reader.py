"""Reads Parquet for `parquet_dataset`, in a disposable process: what a file says of itself, and its rows as values.

A Parquet file is a program for its reader: lengths, encodings and offsets that somebody wrote. Here it can break
nothing but this process, and take no more memory and time than that is given. The file comes as an open descriptor.
Answers are JSON (`describe`), or parts that begin with `TABLE` or `FAULT` (`rows`). Without `pre_buffer`, which would
start threads.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from orchestrator.core.errors import DataError
from orchestrator.data.arrow_without_pandas import defer_pandas
from orchestrator.data.formats.column_names import own_names
from orchestrator.data.formats.parquet.dense_text import DenseText
from orchestrator.data.formats.parquet.parquet_schema import plain_type, told
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.hostile.plain import write_plain
from orchestrator.data.text import clean_text

ENTRY = "orchestrator.data.formats.parquet.parquet_reader:describe"
TABLE, FAULT = b"T", b"F"
MAX_COLUMNS = 20_000
MAX_GROUPS = 1_000_000
_FILE = 4
_BYTES = "BYTE_ARRAY"


def warm() -> None:
    """Write and read a small file, so that no child pays for the first time."""
    defer_pandas()
    pa.set_cpu_count(1)
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"text": ["a", None], "number": [1, 2]}), sink)
    with pq.ParquetFile(pa.BufferReader(sink.getvalue()), pre_buffer=False) as file:
        for batch in file.iter_batches(use_threads=False):
            write_plain(pa.Table.from_batches([batch.take(np.arange(1))]))  # imports numpy.ma, which no child could


def describe(request: bytes) -> bytes:
    """Schema, compression and the rows of each row group; `fault` where the file cannot be read."""
    path = json.loads(request)["path"]
    try:
        with pq.ParquetFile(os.fdopen(_FILE, "rb"), pre_buffer=False) as file:
            return json.dumps(_described(path, file)).encode()
    except (pa.ArrowException, OSError) as error:
        message = f"{path} is not a readable Parquet file: {clean_text(str(error), 150)}"
        return json.dumps({"fault": [message, "Check that it was written completely."]}).encode()
    except DataError as error:
        return json.dumps({"fault": [error.message, error.advice]}).encode()


def _described(path: str, file: pq.ParquetFile) -> dict[str, Any]:
    metadata = file.metadata
    if metadata.num_columns > MAX_COLUMNS or metadata.num_row_groups > MAX_GROUPS:
        raise DataError(
            f"{path} claims {metadata.num_columns:,} columns and {metadata.num_row_groups:,} row groups; at most "
            f"{MAX_COLUMNS:,} and {MAX_GROUPS:,} can be read.",
            advice="Write it again with those columns that are needed, and larger row groups.",
        )
    groups = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    if min(groups, default=0) < 0 or sum(groups) != metadata.num_rows:
        raise DataError(f"{path} says that it has {metadata.num_rows} rows, and its row groups say {sum(groups)}.")
    filled = metadata.num_row_groups and metadata.num_columns
    compression = metadata.row_group(0).column(0).compression if filled else "SNAPPY"
    return {"schema": _told(path, file.schema_arrow), "groups": groups, "compression": compression}


def _told(path: str, schema: pa.Schema) -> dict[str, Any]:
    for field in schema:
        try:
            told(pa.schema([field]))
        except HostileOutput:
            kind = clean_text(str(field.type), 80)
            raise DataError(f"{path}, column '{clean_text(field.name, 80)}': {kind} cannot be read.") from None
    return told(schema)


def rows(request: bytes) -> Iterator[bytes]:
    """The rows of one row group, in parts of a bounded size."""
    asked = json.loads(request)
    path = asked["path"]
    try:
        yield from _rows(path, asked)
    except DataError as error:
        yield FAULT + json.dumps([error.message, error.advice]).encode()
    except (MemoryError, pa.ArrowMemoryError):
        message = f"{path}: row group {asked['group'] + 1} needs more memory than reading a file may take"
        advice = "Check where the file comes from, or write it again with smaller row groups."
        yield FAULT + json.dumps([f"{message}.", advice]).encode()
    except (pa.ArrowException, OSError, HostileOutput, UnicodeDecodeError) as error:
        yield FAULT + json.dumps([f"{path} cannot be read: {clean_text(str(error), 150)}", ""]).encode()


def _rows(path: str, asked: dict[str, Any]) -> Iterator[bytes]:
    file = os.fdopen(_FILE, "rb")
    plain = pq.ParquetFile(file, pre_buffer=False)
    leaves = [plain.schema.column(number) for number in range(len(plain.schema))]
    dictionaries = [leaf.path for leaf in leaves if leaf.physical_type == _BYTES]
    stored = plain.schema_arrow
    named = zip(own_names(stored.names), stored.types, strict=True)
    schema = pa.schema([pa.field(name, plain_type(kind)) for name, kind in named])
    text = DenseText(path, schema, asked["first_row"])
    with pq.ParquetFile(file, read_dictionary=dictionaries, pre_buffer=False) as parquet:
        for batch in parquet.iter_batches(asked["rows"], row_groups=[asked["group"]], use_threads=False):
            for part in text.parts(batch):
                cut = part.num_rows < batch.num_rows
                yield TABLE + write_plain(part.take(np.arange(part.num_rows)) if cut else part)
