"""What the disposable process runs for apply and for probes: one child's output in, one canonical table out.

Called by `apply.function_runner`, `propose.roles.probing` and the red team. The answer is a small JSON header and
plain values (`plain`). Everything hostile is checked here, and the host checks the answer again before it uses it.
"""

import json
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from orchestrator.core.jobs import Op
from orchestrator.data.arrow_without_pandas import PandasNeeded, import_pandas
from orchestrator.data.hostile.arrow_tables import DEFAULT_CAPS, DETECT, INDEX, Caps, read_table, restored, write_table
from orchestrator.data.hostile.byte_parts import join_parts, split_parts
from orchestrator.data.hostile.hostile_output import HostileOutput, strict_json
from orchestrator.data.hostile.plain import read_plain, write_plain
from orchestrator.data.hostile.reply import OpRecord, changed_counts, positions, read_records
from orchestrator.data.record_tables import LinesReader, table_of
from orchestrator.data.text import clean_text

_MAX_HEADER = 8 * 2**20
ENTRY = "orchestrator.data.hostile.decoder_process:decode"
_ONE, _SEVERAL = b"1", b"n"  # what a message to the process begins with; no child writes in front of it
_HEAD = struct.Struct("<cB??")  # of a request: that mark, cases, whether `detect` was asked, whether of records
MORE_NEEDED = PandasNeeded


class Decoded(NamedTuple):
    """The table that a child returned for op `f`, or in `error` one sentence that says why there is none.

    `same`: the columns that are the source's, unchanged. `flags`: a column of bool, the rows of the input that `detect`
    flags, where that was asked for. `tried`: a file, a socket or a process that the function tried to get at, if any.
    """

    table: pa.Table | None
    same: frozenset[str] = frozenset()
    changed: tuple[dict[str, int], ...] = ()
    error: str = ""
    flags: pa.ChunkedArray | None = None
    tried: str = ""


def decode(message: bytes) -> bytes:
    """Decode a child's output, a `request`, for `read_decoded`; `requests`, for `answers`.

    Runs in the disposable process.
    """
    if message.startswith(_SEVERAL):
        each = split_parts(memoryview(message)[len(_SEVERAL) :])
        return join_parts(answer for one in each for answer in _decoded(one))
    return b"".join(_decoded(memoryview(message))[0])


def _decoded(asked: memoryview) -> list[list[bytes]]:
    """An answer for each case of the child, in pieces."""
    _, count, detect, of_records = _HEAD.unpack_from(asked)
    ops = (Op.F, Op.DETECT) if detect else (Op.F,)
    try:
        records = read_records(asked[_HEAD.size :], [ops] * count, echo=[False] * count)
    except HostileOutput as error:
        return [_unreadable(error)] * count
    values = "json" if of_records else "arrow"
    return [_case(records[at : at + len(ops)], values) for at in range(0, len(records), len(ops))]


def _case(records: Sequence[OpRecord], values: str) -> list[bytes]:
    """The answer for one case, of its record of `f` and, where that was asked, of `detect`."""
    record, *more = records
    try:
        for one, who in ((record, "it"), *((flagged, "its detect") for flagged in more)):
            if one.status != "returned":
                return _answer({"error": _failure(one, who)})
        table = _records(record.body) if values == "json" else read_table(record.body, Caps(bytes=len(record.body)))
        _check_index(table)
        flags = [_digits(one.body) if values == "json" else _flags(read_table(one.body)) for one in more]
        bodies = [write_plain(one) for one in (table, *flags)]
    except HostileOutput as error:
        return _unreadable(error)
    header = {
        "error": "",
        "changed": [dict(one) for one in record.changed],
        "same": record.same,
        "table": len(bodies[0]),
        "tried": next((tried for one in (record, *more) for tried in one.tried), ""),
    }
    return _answer(header, bodies)


def request(output: bytes, *, records: bool, detect: bool) -> bytes:
    """The request to decode a child's output: of functions of `records`, after the ops `f` and `detect`."""
    return _HEAD.pack(_ONE, 1, detect, records) + output


def requests(outputs: Sequence[bytes], *, detect: bool = False, cases: int = 1, records: bool = False) -> bytes:
    """One request for what one function made in several processes, each of so many `cases`: there are as many
    answers. Whatever the function does to the decoder, it does to its own.
    """
    head = _HEAD.pack(_ONE, cases, detect, records)
    return join_parts(((head, output) for output in outputs), _SEVERAL)


def answers(answer: bytes, count: int) -> list[memoryview]:
    """The answers to `requests`, on the host. Raises HostileOutput."""
    each = split_parts(answer)
    if len(each) != count:
        raise HostileOutput(f"{len(each)} answers came back for {count} tables")
    return each


def _unreadable(error: HostileOutput) -> list[bytes]:
    return _answer({"error": f"its output cannot be read: {error}"})


def _failure(record: OpRecord, who: str) -> str:
    said = record.error or f"it gave {record.status}"
    return said if who == "it" else f"{who} failed: {said}"


def _flags(table: pa.Table) -> pa.Table:
    """One column of bool, a row for each row of the input."""
    if table.column_names != [DETECT] or table.column(0).type != pa.bool_() or table.column(0).null_count:
        raise HostileOutput("detect did not come back as one column of True and False")
    return table


def _digits(body: bytes) -> pa.Table:
    """The digits of a function of records, one per row, or of texts, the same number for each row."""
    if body.strip(b"01"):
        raise HostileOutput("detect did not come back as digits")
    return pa.table({DETECT: pa.array([digit == ord("1") for digit in body], pa.bool_())})


def _records(body: bytes) -> pa.Table:
    """JSON Lines as the columns of a record table, numbered."""
    reader = LinesReader()
    numbers = reader.numbers(body)
    table = table_of(reader.distinct, reader.names).take(pa.array(numbers, pa.int64())).replace_schema_metadata(None)
    return table.add_column(0, INDEX, pa.array(range(len(numbers)), pa.int64()))


def read_decoded(answer: bytes | memoryview, source: pa.Table | None = None) -> Decoded:
    """The answer of `decode`, on the host. Raises HostileOutput if `decode` cannot have written it.

    `source` is the table that was sent; without it, columns that came back untouched are columns of nulls.
    The process that answers has read hostile bytes: its answer is trusted as little as the candidate's.
    """
    answer = memoryview(answer)
    size = int.from_bytes(answer[:4], "big")
    if not 2 <= size <= _MAX_HEADER:
        raise HostileOutput(f"an answer's header claims {size} bytes")
    header = strict_json(bytes(answer[4 : 4 + size]))
    error = header.get("error") if isinstance(header, dict) else None
    if not isinstance(error, str):
        raise HostileOutput("an answer has no header")
    if error:
        return Decoded(None, error=clean_text(error) or "it failed without a reason")
    body, end, tried = answer[4 + size :], header.get("table"), header.get("tried")
    if not isinstance(tried, str):
        raise HostileOutput("an answer does not say what was tried")
    if type(end) is not int or not 0 <= end <= len(body):
        raise HostileOutput("an answer's table has no length")
    table = _answered(body[:end])
    _check_index(table)
    changed = tuple(dict(one) for one in changed_counts(header.get("changed")))
    if source is None:
        return Decoded(table, changed=changed, tried=clean_text(tried))
    flags = _row_flags(_flags(_answered(body[end:])).column(0), source.num_rows) if end < len(body) else None
    same = positions(header.get("same"))
    table = restored(table, same, source)
    names = table.column_names  # a list that Arrow makes each time
    own = frozenset(names[position] for position in same)
    return Decoded(table, own, changed, flags=flags, tried=clean_text(tried))


def _answered(body: memoryview) -> pa.Table:
    table = read_plain(body)
    if table.num_rows > DEFAULT_CAPS.rows or table.num_columns > DEFAULT_CAPS.columns:
        raise HostileOutput("an answer has more rows or columns than were allowed")
    return table


def _row_flags(flags: pa.ChunkedArray, rows: int) -> pa.ChunkedArray:
    """A flag for each row: of texts, where any of its texts is flagged."""
    each, rest = divmod(len(flags), rows) if rows else (1, len(flags))
    if rest or not each:
        raise HostileOutput("detect did not come back with an answer for each row")
    if each == 1:
        return flags
    found = flags.to_pylist()
    return pa.chunked_array(
        [pa.array([any(found[row : row + each]) for row in range(0, len(found), each)], pa.bool_())]
    )


def load_more() -> None:
    """Import pandas, for values that need it. Called in the zygote."""
    import_pandas()


def warm() -> None:
    """Run the code that every child needs once before the first fork, so that no child pays for its first run."""
    table = pa.table({INDEX: [0], "text": ["a"], "number": [1.5]})
    read_table(write_table(table))
    _records(b'{"text":"a","number":1.5}')


def _check_index(table: pa.Table) -> None:
    names = table.column_names
    if not names or names[0] != INDEX or table.schema.field(0).type != pa.int64() or table.column(0).null_count:
        raise HostileOutput(f"a table must begin with the column {INDEX}")


def _answer(header: dict[str, Any], bodies: Sequence[bytes] = ()) -> list[bytes]:
    """In pieces. Blanks fill the header up, so that the values behind it lie where Arrow wants them."""
    text = json.dumps(header).encode()
    text += b" " * (-(4 + len(text)) % 8)
    return [len(text).to_bytes(4, "big") + text, *bodies]
