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
    SEEN,
    char_classes,
    extremes,
    forms,
    null_words,
    signs,
)
from orchestrator.propose.prompting.fencing import Json
from orchestrator.propose.prompting.form_kinds import MOST_KINDS, collapsed, kind_of, merged, unmarked

if TYPE_CHECKING:
    import pyarrow as pa

PROFILED_ROWS = 5_000
TRUE_TYPE = b"cleanroom.type"  # metadata of a column that holds patterns instead of cells
_SMALL = 20  # different values up to which every one is worth a row
_MEDIUM = 500  # different values up to which the rare ones may be slips
_SINGLE = 0.9  # share of different values among all from which on they are names of rows
_RARE = 0.01  # share of the cells up to which a length that others do not have is rare
_LINE_FORMS = 4  # forms beside the usual one up to which a line tells rare lengths, too
_FORMS = 8  # patterns up to which a rare length is odd
_COMMON = 0.05  # share of the cells from which on a form is told of a column of very many
_HIDDEN_FORMS = 12  # of a column in a line, whose cells are patterns: nothing else is told of it
_BOTH_ENDS = 80  # characters from which on a text that is cut shows its end, too
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
    """A cell as JSON; long text loses its middle and says so. Numbers, dates and nested values keep their look.

    Where there is room for few characters only the beginning stays.
    """
    if value is None or isinstance(value, bool | int):
        return value if not isinstance(value, int) or abs(value) < 10**18 else str(value)[:max_chars]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return f"bytes: {value[:max_chars].hex()}"
    if isinstance(value, decimal.Decimal | dt.date | dt.time | dt.timedelta):
        return str(value)
    text = value if isinstance(value, str) else repr(value)
    if len(text) <= max_chars:
        return text
    end = max_chars // 2 if max_chars >= _BOTH_ENDS else 0
    cut = f"{text[: max_chars - end]}… [{len(text)} characters in all]"
    return f"{cut} …{text[-end:]}" if end else cut


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
    if field.metadata and TRUE_TYPE in field.metadata:  # these are patterns already, of cells that stay hidden
        about["type"] = field.metadata[TRUE_TYPE].decode()[:60]
        return about | of_patterns(cells, full=full)
    return about | (counted(cells, max_chars, max_values) if full else in_a_line(cells, max_chars, max_values))


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
    common = [(v, n) for v, n in common if n > 1 or len(v) <= max_chars]  # a text that is cut stands in the rows
    about["frequent"] = [[plain(v, max_chars), n] for v, n in common]
    if listed:
        about["patterns"] = [[plain(p, 60), n] for p, n, _ in found[:max_values]]
    else:
        few = found[: MOST_PATTERNS if roomy else max_values]
        about["patterns"] = [[plain(p, 60), n, *([] if one is None else [plain(one, max_chars)])] for p, n, one in few]
    if not listed and len(values) <= _MEDIUM:
        last = values.most_common()[: -max_values // 2 - 1 : -1]
        about["rare"] = [[plain(v, max_chars), n] for v, n in last if len(v) <= max_chars]
    if (ends := extremes(cells)) is not None:
        about["smallest"], about["largest"] = (plain(end, max_chars) for end in ends)
    if used := signs(cells):
        about["signs"] = used
    if words := null_words(cells):
        about["null_words"] = [[plain(word, max_chars), n] for word, n in words]
    return about


def in_a_line(cells: list[Any], max_chars: int, max_values: int) -> dict[str, Json]:
    """The least: how many different values, the usual form, other forms at any share, a cell of each or two values.

    `patterns`: [form, cells, a cell]; `other_forms`: how many are not told. Numbers of a typed column have one form.
    """
    there = Counter(str(c) for c in cells if c is not None and c != "")
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for text, n in there.items():
        form = pattern(text)
        counts[form] += n
        first.setdefault(form, text)
    short, most = min(max_chars, 40), max_values // 2 + 1
    usual, *others = _of_each_kind(counts) or [("", 0, "")]
    if typed := any(isinstance(c, int | float) for c in cells):
        others = []
    told = others if len(others) <= most else [*others[: most // 2], *others[-(most - most // 2) :]]
    free = 0 if typed else max(0, _LINE_FORMS - len(told))
    lengths = _rare_lengths(counts, usual[2])[: -free - 1 : -1] if free else []
    odd: list[Json] = [[plain(form, 40), n, plain(first[one], short)] for form, n, one in (*told, *lengths)]
    few = len(there) <= _SMALL and not odd
    one = [] if few or not there else [plain(first[usual[2]], short)]
    about: dict[str, Json] = {"distinct": len(there)}
    about["patterns"] = [[plain(usual[0], 40), usual[1], *one], *odd] if there else []
    if len(told) < len(others):
        about["other_forms"] = len(others) - len(told)
    if few:
        about["frequent"] = [plain(value, short) for value, _ in there.most_common(2)]
    return about


def _of_each_kind(counts: Counter[str]) -> list[tuple[str, int, str]]:
    """The most frequent form of each kind with its cells and one of its patterns, the most frequent kind first.

    Of very many kinds, as free text has them, those that are frequent.
    """
    kinds: dict[str, tuple[str, int, str]] = {}
    for group in _by_form(counts):
        example = next(iter(group))
        kinds.setdefault(kind_of(collapsed(example)), (merged([*group]), group.total(), example))
    usual, *others = kinds.values() or [("", 0, "")]
    if len(kinds) > MOST_KINDS:
        others = [one for one in others if one[1] >= _COMMON * counts.total()]
    return [usual, *others] if counts else []


def _by_form(counts: Counter[str]) -> list[Counter[str]]:
    """The patterns that differ in lengths only, together; the most frequent form first."""
    groups: dict[str, Counter[str]] = {}
    for found, n in counts.most_common():
        groups.setdefault(collapsed(found), Counter())[found] += n
    return sorted(groups.values(), key=lambda group: -group.total())


def _rare_lengths(counts: Counter[str], usual: str) -> list[tuple[str, int, str]]:
    """The patterns of the usual form with lengths that few cells have; nothing in a column of many lengths."""
    if len(counts) > _FORMS:
        return []
    alike = [(form, n) for form, n in counts.most_common() if form != usual and collapsed(form) == collapsed(usual)]
    return [(form, n, form) for form, n in alike if n <= _RARE * counts.total()]


def of_patterns(cells: list[Any], *, full: bool) -> dict[str, Json]:
    """What is told of cells that are patterns: all forms with their cells, as far as there is room, and their signs.

    `of_other_forms`: the cells of forms that are not told.
    """
    there = [str(c) for c in cells if c is not None and c != ""]
    counts = Counter(there)
    if full:
        told = [(form, n) for form, n, _ in forms(there, counts)]
    elif len(counts) <= _HIDDEN_FORMS:
        told = counts.most_common()
    else:
        told = [(merged([*group]), group.total()) for group in _by_form(counts)[:_HIDDEN_FORMS]]
    about: dict[str, Json] = {}
    if blanks := sum(not text.strip() for text in there):
        about["blank"] = blanks
    about["patterns"] = [[plain(form, 60), n] for form, n in told]
    if (rest := len(there) - sum(n for _, n in told)) > 0:
        about["of_other_forms"] = rest
    if full and (used := signs([unmarked(text) for text in there])):
        about["signs"] = used
    return about


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
    """What is to be told apart of each cell: its value in a column with few, else its form at both ends."""
    texts = [str(c) for c in cells]
    if len(set(texts)) <= _SMALL:
        return texts
    return [
        pattern(c) + (pattern(text[-SEEN:]) if len(text) > SEEN else "") for c, text in zip(cells, texts, strict=True)
    ]
