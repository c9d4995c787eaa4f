"""How often `cleanroom check` cries wolf, and what it finds: without containers, on rows drawn at random.

    python -m benchmarks.drift [--trials N] [--seed N]

Every column of every table has a function that strips it; its baseline is counted on 3,000 rows, as the gate counts it,
and held against new rows of the same table: other rows of it, and rows drawn from it again and again, as from a large
file. For the power, 0.5 % of the cells of a date column are written in another format.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.baseline import DataBaseline
from orchestrator.data.cells import as_text, differing
from orchestrator.data.formats import open_dataset
from orchestrator.data.profile.baseline_counts import count_baseline
from orchestrator.run.rows.contract import CheckedBatch
from orchestrator.run.rows.drift_finding import DriftFinding
from orchestrator.run.rows.drifting import ERROR, SeenRows, comparisons, drifts
from tests.support.shared_data import DATA

PROVED = 3_000
NEW = (200, 1_000, 4_000, 12_800)
_MOST_ROWS = 50_000


class Column(NamedTuple):
    """A column of texts, and what the function makes of it."""

    name: str
    before: pa.Array
    after: pa.Array
    mask: Any


def columns_of(table: pa.Table) -> list[Column]:
    made = []
    for name in table.column_names:
        before = as_text(table.column(name))
        after = pc.utf8_trim_whitespace(before)
        mask = differing(pa.chunked_array([before]), pa.chunked_array([after]))
        changed = np.zeros(len(before), np.bool_) if mask is None else mask.to_numpy(zero_copy_only=False)
        made.append(Column(name, before, after, np.asarray(changed)))
    return made


def taken(column: Column, rows: Any) -> CheckedBatch:
    """What a function made of some rows of the column."""
    places = pa.array(rows, pa.int64())
    source = pa.table({column.name: column.before.take(places)})
    result = pa.table({column.name: column.after.take(places)})
    mask = column.mask[rows]
    return CheckedBatch(source, result, np.arange(len(rows)), {column.name: mask}, mask)


def baseline(column: Column, rows: Any) -> DataBaseline:
    made = taken(column, rows)
    return count_baseline(made.source, made.table, made.rows, made.masks, made.flags, [column.name], "salt")


def check(proved: list[DataBaseline], columns: list[Column], rows: Any) -> Iterator[DriftFinding]:
    """All findings of one check of all functions."""
    error = ERROR / sum(comparisons(one) for one in proved)
    for known, column in zip(proved, columns, strict=True):
        made = taken(column, rows)
        yield from drifts(known, SeenRows(made.source, made, rows), error)


def tables() -> Iterator[tuple[str, pa.Table]]:
    """The shared tables with 400 rows or more, and generated ones."""
    for path in sorted(Path(DATA).rglob("*.csv")):
        if "clean" in path.name.split(".")[0].split("_"):
            continue
        dataset = open_dataset(path)
        if dataset.rows >= 400:
            yield f"{path.parent.name}/{path.name}", next(dataset.batches(_MOST_ROWS))
    yield "generated", generated(200_000, 7)


def generated(rows: int, seed: int) -> pa.Table:
    """Dates of one format, ids, amounts, few states, names with a long tail of patterns, notes of any length."""
    draw = np.random.default_rng(seed)
    days = np.datetime64("2024-01-01") + draw.integers(0, 700, rows)
    tail = np.minimum(draw.zipf(1.6, rows), 2_000)
    shapes = ["-".join("ab" if (shape >> bit) & 1 else "Ab" for bit in range(11)) for shape in range(2_001)]
    states = np.array(["new", "open", "closed", "On hold"])
    return pa.table(
        {
            "date": pa.array(days.astype(str)),
            "id": pa.array([f"C{number:06d}" for number in draw.integers(0, 10**6, rows)]),
            "amount": pa.array([f"{amount:.2f}" for amount in draw.lognormal(3, 1, rows)]),
            "state": pa.array(states[draw.choice(4, rows, p=[0.5, 0.3, 0.19, 0.01])]),
            "name": pa.array([shapes[one] for one in tail]),
            "note": pa.array(["x " * int(n) + "7" * int(n % 3) for n in draw.geometric(0.2, rows)]),
        }
    )


def alarms(table: pa.Table, trials: int, seed: int) -> Iterator[tuple[str, int, Counter[str]]]:
    """By kind of new rows: in how many of the trials there was an alarm, and what was said."""
    draw, columns = np.random.default_rng(seed), columns_of(table)
    rows = table.num_rows
    splits: list[tuple[str, Callable[[], Any]]] = [("other half", lambda: np.array_split(draw.permutation(rows), 2))]
    for new in NEW:
        splits.append((f"{new:,} again", partial(_again, draw, rows, new)))
        if rows >= PROVED + new:
            splits.append((f"{new:,} others", partial(_others, draw, rows, new)))
    for kind, split in splits:
        wrong, said = 0, Counter[str]()
        for _ in range(trials):
            known, new_rows = split()
            found = list(check([baseline(one, known) for one in columns], columns, np.asarray(new_rows)))
            wrong += bool(found)
            said.update(f"{one.kind} {one.column}" for one in found)
        yield kind, wrong, said


def _again(draw: np.random.Generator, rows: int, new: int) -> Any:
    return draw.integers(0, rows, PROVED), draw.integers(0, rows, new)


def _others(draw: np.random.Generator, rows: int, new: int) -> Any:
    return np.split(draw.permutation(rows)[: PROVED + new], [PROVED])


def power(trials: int, seed: int, new: int, share: float) -> int:
    """In how many trials a new format of dates is named, in that share of the rows."""
    draw, found = np.random.default_rng(seed), 0
    table = generated(100_000, seed)
    columns = columns_of(table)
    for _ in range(trials):
        known, rows = draw.integers(0, table.num_rows, PROVED), draw.integers(0, table.num_rows, new)
        proved = [baseline(one, known) for one in columns]
        dates = np.array(columns[0].before.take(pa.array(rows)).to_pylist(), dtype=object)
        other = np.flatnonzero(draw.random(new) < share) if share * new >= 20 else draw.choice(new, round(share * new))
        dates[other] = [f"{date[8:]}/{date[5:7]}/{date[:4]}" for date in dates[other]]
        changed = pa.array(dates.tolist(), pa.string())
        places = pa.array(rows)
        whole = [Column("date", changed, changed, np.zeros(new, np.bool_))]
        whole += [Column(c.name, c.before.take(places), c.after.take(places), c.mask[rows]) for c in columns[1:]]
        said = check(proved, whole, np.arange(new))
        found += any(one.kind == "new-pattern" and one.value == "9/9/9" for one in said)
    return found


def main() -> None:
    """Print both."""
    options = argparse.ArgumentParser()
    options.add_argument("--trials", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    total = checks = 0
    for name, table in tables():
        for kind, wrong, said in alarms(table, given.trials, given.seed):
            total, checks = total + wrong, checks + given.trials
            print(f"{name:45} {kind:15} {wrong:4} of {given.trials} {dict(said.most_common(3)) or ''}", flush=True)
    print(f"false alarms: {total} of {checks} checks ({total / checks:.2%})")
    for new in NEW:
        print(f"0.5 % in another format, {new:,} rows: named {power(50, given.seed, new, 0.005)} of 50")


if __name__ == "__main__":
    main()
