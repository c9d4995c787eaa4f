"""Describes the columns and chooses the rows for a prompt. Pure functions over an Arrow table, for `context`."""

import datetime as dt
import decimal
import heapq
import math
import unicodedata
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from orchestrator.propose.prompting.fencing import Json

if TYPE_CHECKING:
    import pyarrow as pa

PROFILED_ROWS = 5_000
TRUE_TYPE = b"cleanroom.type"  # metadata of a column that holds patterns instead of cells
BY_VALUE = frozenset({"distinct", "frequent", "rare"})  # left out of such a column's description


def pattern(value: object) -> str:
    """The form of a value: 9 for digits, a and A for letters, runs counted up to three, all else as it is."""
    if value is None:
        return "null"
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    letters = []
    for char in str(value)[:200]:
        if char.isalpha():
            letters.append("A" if char.isupper() else "a")
        elif char.isnumeric():
            letters.append("9")
        elif not char.isascii() and unicodedata.category(char)[0] == "M":  # a vowel or an accent of the letter before
            letters.append("a")
        else:
            letters.append(char)
    runs = ((char, len(list(group))) for char, group in groupby(letters))
    return "".join(char * min(n, 3) + ("+" if n > 3 else "") for char, n in runs)


def plain(value: Any, max_chars: int) -> Json:
    """A cell as JSON; long text is cut and says so. Numbers, dates and nested values keep their look."""
    if value is None or isinstance(value, bool | int):
        return value if not isinstance(value, int) or abs(value) < 10**18 else str(value)[:max_chars]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return f"bytes: {value[:max_chars].hex()}"
    if isinstance(value, decimal.Decimal | dt.date | dt.time | dt.timedelta):
        return str(value)
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= max_chars else f"{text[:max_chars]}… [{len(text)} characters in all]"


def profile(rows: "pa.Table", *, max_chars: int, max_values: int) -> dict[str, Json]:
    """Per column: type, nulls, blanks, distinct values, the most frequent values and patterns, a few rare values."""
    head = rows.slice(0, PROFILED_ROWS)
    return {f"{i + 1}": _column(head, i, max_chars, max_values) for i in range(head.num_columns)}


def _column(rows: "pa.Table", index: int, max_chars: int, max_values: int) -> Json:
    cells = rows.column(index).to_pylist()
    field = rows.schema.field(index)
    about: dict[str, Json] = {
        "column": plain(field.name, max_chars),
        "type": str(field.type)[:60],
        "null": sum(c is None for c in cells),
        **counted(cells, max_chars, max_values),
    }
    if field.metadata and TRUE_TYPE in field.metadata:  # these are patterns already, of cells that stay hidden
        about["type"] = field.metadata[TRUE_TYPE].decode()[:60]
        return {name: value for name, value in about.items() if name not in BY_VALUE}
    return about


def counted(cells: list[Any], max_chars: int, max_values: int) -> dict[str, Json]:
    """Blanks, distinct values, the most frequent values and patterns, a few rare values."""
    texts = [c if isinstance(c, str) else plain(c, max_chars) for c in cells]
    values = Counter(str(t) for t in texts if t is not None and t != "")
    patterns = Counter(pattern(c) for c in cells)
    about: dict[str, Json] = {
        "blank": sum(isinstance(c, str) and not c.strip() for c in cells),
        "distinct": len(values),
        "frequent": [[plain(v, max_chars), n] for v, n in values.most_common(max_values)],
        "patterns": [[plain(p, 60), n] for p, n in patterns.most_common(max_values)],
    }
    if len(values) > max_values:
        about["rare"] = [[plain(v, max_chars), n] for v, n in values.most_common()[: -max_values // 2 - 1 : -1]]
    return about


def mixture(rows: "pa.Table") -> dict[str, float]:
    """Per column the share of its cells that do not have its most frequent form: where issues are likely left."""
    head = rows.slice(0, PROFILED_ROWS)
    if not head.num_rows:
        return {}
    forms = [Counter(pattern(c) for c in column.to_pylist()) for column in head.columns]
    shares = [1 - max(found.values()) / head.num_rows for found in forms]
    return dict(zip(head.column_names, shares, strict=True))


def diverse(rows: "pa.Table", count: int) -> list[int]:
    """Indices of at most `count` rows, ascending: greedily those whose cells have the rarest forms not yet shown."""
    head = rows.slice(0, PROFILED_ROWS)
    total = head.num_rows
    if total <= count:
        return list(range(total))
    forms = [[pattern(c) for c in column.to_pylist()] for column in head.columns]
    weights = [{p: 1 / n for p, n in Counter(column).items()} for column in forms]
    shown: list[set[str]] = [set() for _ in forms]

    def score(row: int) -> float:
        return sum(w[f[row]] for f, w, seen in zip(forms, weights, shown, strict=True) if f[row] not in seen)

    # Scores only fall as more is shown, so that a row whose fresh score still leads is the best (lazy greedy).
    queue = [(-score(row), row) for row in range(total)]
    heapq.heapify(queue)
    chosen: list[int] = []
    while len(chosen) < count and queue[0][0] < 0:
        row = queue[0][1]
        fresh = (-score(row), row)
        if fresh != queue[0]:
            heapq.heapreplace(queue, fresh)
            continue
        heapq.heappop(queue)
        chosen.append(row)
        for column, seen in zip(forms, shown, strict=True):
            seen.add(column[row])
    left = sorted(set(range(total)) - set(chosen))
    missing = count - len(chosen)
    return sorted(chosen + left[:: max(1, len(left) // max(1, missing))][:missing])
