"""Describes the columns and chooses the rows for a prompt. Pure functions over an Arrow table, for `prompt_context`."""

import datetime as dt
import decimal
import heapq
import math
from collections import Counter
from collections.abc import Collection
from itertools import groupby
from typing import TYPE_CHECKING, Any

from orchestrator.propose.prompting.cell_facts import (
    MOST_PATTERNS,
    MOST_VALUES,
    char_classes,
    extremes,
    forms,
    null_words,
    signs,
)
from orchestrator.propose.prompting.fencing import Json

if TYPE_CHECKING:
    import pyarrow as pa

PROFILED_ROWS = 5_000
TRUE_TYPE = b"cleanroom.type"  # metadata of a column that holds patterns instead of cells
BY_VALUE = frozenset({"distinct", "frequent", "rare", "smallest", "largest", "null_words"})  # left out of such a column
_SMALL = 20  # different values up to which every one is worth a row
_MEDIUM = 500  # different values up to which the rare ones may be slips
_SINGLE = 0.9  # share of different values among all from which on they are names of rows
_RARE = 0.01  # share of the cells up to which a form is rare
_FORMS = 8  # forms up to which a rare one is odd
_MANY = 8  # values from which on a prompt has room for all of a small column


def pattern(value: object) -> str:
    """The form of a value: 9 for digits, a and A for letters, runs counted up to three, all else as it is."""
    if value is None:
        return "null"
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    runs = ((char, len(list(group))) for char, group in groupby(char_classes(value)))
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


def profile(
    rows: "pa.Table", *, max_chars: int, max_values: int, full: Collection[str] | None = None
) -> dict[str, Json]:
    """What is in each column: all that is known of those in `full` (None: of every one), a line for the others."""
    head = rows.slice(0, PROFILED_ROWS)
    return {
        f"{i + 1}": _column(head, i, max_chars, max_values, full=full is None or head.column_names[i] in full)
        for i in range(head.num_columns)
    }


def _column(rows: "pa.Table", index: int, max_chars: int, max_values: int, *, full: bool) -> Json:
    cells = rows.column(index).to_pylist()
    field = rows.schema.field(index)
    about: dict[str, Json] = {"column": plain(field.name, max_chars), "type": str(field.type)[:60]}
    if nulls := sum(c is None for c in cells):
        about["null"] = nulls
    about |= counted(cells, max_chars, max_values) if full else in_a_line(cells, max_chars)
    if field.metadata and TRUE_TYPE in field.metadata:  # these are patterns already, of cells that stay hidden
        about["type"] = field.metadata[TRUE_TYPE].decode()[:60]
        return without_values(about)
    return about


def counted(cells: list[Any], max_chars: int, max_values: int) -> dict[str, Json]:
    """Blanks, values (all where they are few), forms, extremes, signs, null words.

    `frequent` and `rare`: [value, cells]. `patterns`: [form, cells], and a cell of the form where not all are listed.
    """
    texts = [c if isinstance(c, str) else plain(c, max_chars) for c in cells]
    values = Counter(str(t) for t in texts if t is not None and t != "")
    roomy = max_values >= _MANY
    listed = len(values) <= (MOST_VALUES if roomy else max_values)
    found = forms(cells, Counter(pattern(c) for c in cells))
    about: dict[str, Json] = {}
    if blanks := sum(isinstance(c, str) and not c.strip() for c in cells):
        about["blank"] = blanks
    about["distinct"] = len(values)
    common = values.most_common(None if listed else max_values)
    if not listed and len(values) > _SINGLE * values.total():
        common = common[:2]  # hardly a value twice
    about["frequent"] = [[plain(v, max_chars), n] for v, n in common]
    if listed:
        about["patterns"] = [[plain(p, 60), n] for p, n, _ in found[:max_values]]
    else:
        few = found[: MOST_PATTERNS if roomy else max_values]
        about["patterns"] = [[plain(p, 60), n, *([] if one is None else [plain(one, max_chars)])] for p, n, one in few]
    if not listed and len(values) <= _MEDIUM:
        about["rare"] = [[plain(v, max_chars), n] for v, n in values.most_common()[: -max_values // 2 - 1 : -1]]
    if (ends := extremes(cells)) is not None:
        about["smallest"], about["largest"] = (plain(end, max_chars) for end in ends)
    if used := signs(cells):
        about["signs"] = used
    if words := null_words(cells):
        about["null_words"] = [[plain(word, max_chars), n] for word, n in words]
    return about


def in_a_line(cells: list[Any], max_chars: int) -> dict[str, Json]:
    """The least: how many different values, the usual form, the rarest forms with a cell of each, two values."""
    there = Counter(str(c) for c in cells if c is not None and c != "")
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for text, n in there.items():
        form = pattern(text)
        counts[form] += n
        first.setdefault(form, text)
    short = min(max_chars, 40)
    rare = [one for one in counts.most_common()[1:] if one[1] <= _RARE * counts.total()][-4:]
    if len(counts) > _FORMS:  # free text: no form is odd
        rare = []
    about: dict[str, Json] = {"distinct": len(there)}
    usual: list[Json] = [[plain(p, 40), n] for p, n in counts.most_common(1)]
    about["patterns"] = [*usual, *([plain(p, 40), n, plain(first[p], short)] for p, n in rare)]
    about["frequent"] = [plain(value, short) for value, _ in there.most_common(2)]
    return about


def without_values(about: dict[str, Json]) -> dict[str, Json]:
    """A description whose cells are patterns already: what would be said of values is left out."""
    kept = {name: value for name, value in about.items() if name not in BY_VALUE}
    if isinstance(shown := kept.get("patterns"), list):
        kept["patterns"] = [one[:2] if isinstance(one, list) else one for one in shown]
    return kept


def mixture(rows: "pa.Table") -> dict[str, float]:
    """Per column the share of its cells that do not have its most frequent form: where issues are likely left."""
    head = rows.slice(0, PROFILED_ROWS)
    if not head.num_rows:
        return {}
    forms = [Counter(pattern(c) for c in column.to_pylist()) for column in head.columns]
    shares = [1 - max(found.values()) / head.num_rows for found in forms]
    return dict(zip(head.column_names, shares, strict=True))


def diverse(rows: "pa.Table", count: int, *, enough: int | None = None) -> list[int]:
    """Indices of at most `count` rows, ascending: greedily those that show most of what is not shown yet.

    Shown shall be every value of a column with few values, and of the others every form. `enough`: where nothing new is
    left to show, no more rows than that.
    """
    head = rows.slice(0, PROFILED_ROWS)
    total = head.num_rows
    if total <= count:
        return list(range(total))
    forms = [_told_apart(column.to_pylist()) for column in head.columns]
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
    missing = max(0, (count if enough is None else enough) - len(chosen))
    return sorted(chosen + left[:: max(1, len(left) // max(1, missing))][:missing])


def _told_apart(cells: list[Any]) -> list[str]:
    """What is to be told apart of each cell: its value in a column with few, else its form."""
    texts = [str(c) for c in cells]
    return texts if len(set(texts)) <= _SMALL else [pattern(c) for c in cells]
