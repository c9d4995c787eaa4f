"""Make a messy orders table with its truth beside it, for `make demo` and the tests. Same seed, same files.

    python examples/make_orders.py --rows 6000 --seed 7 --out DIR

writes messy.csv, truth.csv (same rows and columns) and errors.csv (row, column and kind of mess of every spoilt cell).

What a score on this table means: every kind of mess here can be undone from the data alone, no cell has two kinds, no
typo comes near another true value, and the built-in rules were written with these kinds in view. A perfect score says
that the rules cover these kinds and leave the look-alikes alone. It says nothing about how often real data are mended:
for that, measure on real data.
"""

import argparse
import random
import sys
from pathlib import Path
from typing import NamedTuple

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that it also runs as a script, from any folder

from examples.orders.clean import COLUMNS, true_rows
from examples.orders.mess import spoil


class Orders(NamedTuple):
    """A messy table, its truth, and one line per spoilt cell (row, column, kind)."""

    dirty: pd.DataFrame
    clean: pd.DataFrame
    errors: pd.DataFrame


def make_orders(rows: int, seed: int) -> Orders:
    """Orders as text, dirty and clean, with the list of spoilt cells."""
    rng = random.Random(seed)
    clean = true_rows(rows, rng)
    dirty = [dict(row) for row in clean]
    errors: list[tuple[int, str, str]] = []
    for number, row in enumerate(dirty):
        for column in COLUMNS:
            spoilt = spoil(column, row[column], rng)
            if spoilt is not None:
                kind, row[column] = spoilt
                errors.append((number, column, kind))
    return Orders(
        pd.DataFrame(dirty, columns=list(COLUMNS), dtype=str),
        pd.DataFrame(clean, columns=list(COLUMNS), dtype=str),
        pd.DataFrame(errors, columns=["row", "column", "kind"]),
    )


def make(rows: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The messy table and its truth."""
    orders = make_orders(rows, seed)
    return orders.dirty, orders.clean


def write(orders: Orders, directory: Path) -> None:
    """messy.csv, truth.csv and errors.csv in the directory, which is made when it is missing."""
    directory.mkdir(parents=True, exist_ok=True)
    tables = {"messy.csv": orders.dirty, "truth.csv": orders.clean, "errors.csv": orders.errors}
    for name, table in tables.items():
        table.to_csv(directory / name, index=False, encoding="utf-8", lineterminator="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    orders = make_orders(options.rows, options.seed)
    write(orders, options.out)
    share = len(orders.errors) / orders.dirty.size
    kinds = orders.errors["kind"].nunique()
    print(
        f"{options.out}/messy.csv: {options.rows} rows, "
        f"{len(orders.errors)} spoilt cells ({share:.1%}), {kinds} kinds of mess"
    )


if __name__ == "__main__":
    main()
