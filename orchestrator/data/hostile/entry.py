"""What the disposable process runs for apply and for probes: one child's output in, one canonical table out.

Called by `run.apply.runner`, `propose.roles.probing` and the red team. The request and the answer are a small JSON
header and an Arrow stream. Everything hostile is checked here; the answer is written by our own writer, and the host
validates it again before it uses it.
"""

import json
from typing import Any, NamedTuple

import pyarrow as pa

from orchestrator.core.jobs import Op
from orchestrator.data.arrow_without_pandas import PandasNeeded, defer_pandas, import_pandas
from orchestrator.data.hostile.errors import HostileOutput, strict_json
from orchestrator.data.hostile.frames import INDEX, Caps, read_table, restored, write_table
from orchestrator.data.hostile.reply import changed_counts, positions, read_records
from orchestrator.data.records import LinesReader, table_of
from orchestrator.data.text import clean_text

_MAX_HEADER = 8 * 2**20
_JSON = b"\xff\xff\xff\xffjson"  # a record of a table's reply cannot begin like this: no header is that long
ENTRY = "orchestrator.data.hostile.entry:decode"
MORE_NEEDED = PandasNeeded


class Decoded(NamedTuple):
    """The table that a child returned for op `f`, or in `error` one sentence that says why there is none.

    `same`: the columns that are the source's, unchanged.
    """

    table: pa.Table | None
    same: frozenset[str] = frozenset()
    changed: tuple[dict[str, int], ...] = ()
    error: str = ""


def decode(output: bytes) -> bytes:
    """Decode a child's output for one case with op `f`, for `read_decoded`. Runs in the disposable process."""
    values = "json" if output.startswith(_JSON) else "arrow"
    output = output.removeprefix(_JSON)
    try:
        (record,) = read_records(output, [(Op.F,)], echo=[False])
        if record.status != "returned":
            return _answer({"error": record.error or f"it gave {record.status}"})
        table = _records(record.body) if values == "json" else read_table(record.body, Caps(bytes=len(record.body)))
        _check_index(table)
    except HostileOutput as error:
        return _answer({"error": f"its output cannot be read: {error}"})
    changed = [dict(one) for one in record.changed]
    return _answer({"error": "", "changed": changed, "same": record.same}, write_table(table))


def json_request(output: bytes) -> bytes:
    """The request to decode the output of functions of records or texts."""
    return _JSON + output


def _records(body: bytes) -> pa.Table:
    """JSON Lines as the columns of a record table, numbered."""
    reader = LinesReader()
    numbers = reader.numbers(body)
    table = table_of(reader.distinct, reader.names).take(pa.array(numbers, pa.int64())).replace_schema_metadata(None)
    return table.add_column(0, INDEX, pa.array(range(len(numbers)), pa.int64()))


def read_decoded(answer: bytes, source: pa.Table | None = None) -> Decoded:
    """The answer of `decode`, on the host. Raises HostileOutput if `decode` cannot have written it.

    `source` is the table that was sent; without it, columns that came back untouched are columns of nulls.
    The process that answers has read hostile bytes: its answer is trusted as little as the candidate's.
    """
    size = int.from_bytes(answer[:4], "big")
    if not 2 <= size <= _MAX_HEADER:
        raise HostileOutput(f"an answer's header claims {size} bytes")
    header = strict_json(answer[4 : 4 + size])
    error = header.get("error") if isinstance(header, dict) else None
    if not isinstance(error, str):
        raise HostileOutput("an answer has no header")
    if error:
        return Decoded(None, error=clean_text(error))
    body = answer[4 + size :]
    table = read_table(body, Caps(bytes=len(body)))
    _check_index(table)
    changed = tuple(dict(one) for one in changed_counts(header.get("changed")))
    if source is None:
        return Decoded(table, changed=changed)
    same = positions(header.get("same"))
    table = restored(table, same, source)
    return Decoded(table, frozenset(table.column_names[position] for position in same), changed)


def load_more() -> None:
    """Import pandas, for values that need it. Called in the zygote."""
    import_pandas()


def warm() -> None:
    """Run the code that every child needs once before the first fork, so that no child pays for its first run."""
    defer_pandas(by_others=True)
    table = pa.table({INDEX: [0], "text": ["a"], "number": [1.5]})
    read_table(write_table(table))
    _records(b'{"text":"a","number":1.5}')


def _check_index(table: pa.Table) -> None:
    names = table.column_names
    if not names or names[0] != INDEX or table.schema.field(0).type != pa.int64() or table.column(0).null_count:
        raise HostileOutput(f"a table must begin with the column {INDEX}")


def _answer(header: dict[str, Any], body: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(4, "big") + text + body
