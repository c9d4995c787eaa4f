"""Score a cleaned table against its truth, by exact text equality, cell by cell. For `make demo`, tests and benchmarks.

    python examples/score.py messy.csv cleaned.csv truth.csv [--errors errors.csv] [--json]

precision = changed cells that equal the truth / changed cells; recall = spoilt cells made right / spoilt cells. Every
cell that was right and no longer is gets listed. Only this program ever reads the truth. Columns match by position.
"""

import argparse
import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from rich.console import Console
from rich.table import Table
from rich.text import Text


class Broken(NamedTuple):
    """A cell that was right and no longer is."""

    row: int
    column: str
    was: str
    became: str


@dataclass
class Tally:
    """Cell counts of a column, of a kind of mess, or of the whole table."""

    error_cells: int = 0
    changed: int = 0
    right: int = 0  # changed, and equal to the truth
    wrong: int = 0  # changed, and not

    @property
    def precision(self) -> float:
        return self.right / self.changed if self.changed else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.error_cells if self.error_cells else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass
class Score(Tally):
    """The whole table's counts, with the same by column and by kind of mess."""

    broken: list[Broken] = field(default_factory=list)
    by_column: dict[str, Tally] = field(default_factory=dict)
    by_kind: dict[str, Tally] = field(default_factory=dict)


def score(dirty: pd.DataFrame, cleaned: pd.DataFrame, truth: pd.DataFrame, errors: pd.DataFrame | None = None) -> Score:
    """Compare three tables of text; `errors` (row, column, kind) adds counts by kind. Raises ValueError on a shape."""
    if not dirty.shape == cleaned.shape == truth.shape:
        raise ValueError(f"shapes differ: dirty {dirty.shape}, cleaned {cleaned.shape}, truth {truth.shape}")
    total = Score()
    for position, column in enumerate(map(str, dirty.columns)):
        was, became, wanted = (table.iloc[:, position].astype(str).to_numpy() for table in (dirty, cleaned, truth))
        spoilt, changed, equal = was != wanted, became != was, became == wanted
        total.by_column[column] = Tally(
            int(spoilt.sum()), int(changed.sum()), int((changed & equal).sum()), int((changed & ~equal).sum())
        )
        total.broken += [Broken(int(r), column, was[r], became[r]) for r in (~spoilt & ~equal).nonzero()[0]]
    for tally in total.by_column.values():
        total.error_cells += tally.error_cells
        total.changed += tally.changed
        total.right += tally.right
        total.wrong += tally.wrong
    if errors is not None:
        total.by_kind = _by_kind(dirty, cleaned, truth, errors)
    return total


def _by_kind(dirty: pd.DataFrame, cleaned: pd.DataFrame, truth: pd.DataFrame, errors: pd.DataFrame) -> dict[str, Tally]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    positions = {str(column): position for position, column in enumerate(dirty.columns)}
    for row, column, kind in errors[["row", "column", "kind"]].itertuples(index=False):
        at = int(row), positions[column]
        was, became, wanted = str(dirty.iat[at]), str(cleaned.iat[at]), str(truth.iat[at])
        tally = tallies[kind]
        tally.error_cells += 1
        tally.changed += became != was
        tally.right += became == wanted
        tally.wrong += became not in (was, wanted)
    return dict(sorted(tallies.items()))


def read(path: Path) -> pd.DataFrame:
    """A CSV file as text, blanks kept."""
    return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")


def as_json(result: Score) -> dict[str, object]:
    """Plain values for `--json` and for benchmark files."""

    def plain(tally: Tally) -> dict[str, float]:
        return {
            "error_cells": tally.error_cells, "changed": tally.changed, "right": tally.right, "wrong": tally.wrong,
            "precision": round(tally.precision, 4), "recall": round(tally.recall, 4), "f1": round(tally.f1, 4),
        }  # fmt: skip

    return {
        **plain(result),
        "broken": [cell._asdict() for cell in result.broken],
        "by_column": {name: plain(tally) for name, tally in result.by_column.items()},
        "by_kind": {name: plain(tally) for name, tally in result.by_kind.items()},
    }


def show(result: Score, console: Console) -> None:
    """Tables by column and by kind, the total, and every broken cell."""
    for title, tallies in (("column", result.by_column), ("kind of mess", result.by_kind)):
        if not tallies:
            continue
        table = Table(title=f"By {title}", title_justify="left")
        table.add_column(title)
        for heading in ("spoilt", "changed", "right", "wrong", "precision", "recall"):
            table.add_column(heading, justify="right")
        for name, tally in [*tallies.items(), *([("all", result)] if title == "column" else [])]:
            counts = (tally.error_cells, tally.changed, tally.right, tally.wrong)
            precision = f"{tally.precision:.1%}" if tally.changed else "-"
            table.add_row(Text(name), *map(str, counts), precision, f"{tally.recall:.1%}")
        console.print(table)
    console.print(Text(
        f"{result.right} of {result.error_cells} spoilt cells are right now (recall {result.recall:.1%}); "
        f"of {result.changed} changed cells {result.precision:.1%} are right (precision), F1 {result.f1:.3f}; "
        f"cells that were right and no longer are: {len(result.broken)}"
    ))  # fmt: skip
    for cell in result.broken:
        console.print(Text(f"  row {cell.row}, {cell.column}: {cell.was!r} became {cell.became!r}"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("dirty", "cleaned", "truth"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--errors", type=Path, help="errors.csv of the generator, for the table by kind")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    tables = read(options.dirty), read(options.cleaned), read(options.truth)
    try:
        result = score(*tables, read(options.errors) if options.errors else None)
    except ValueError as error:
        parser.error(str(error))
    if options.json:
        print(json.dumps(as_json(result)))
    else:
        show(result, Console())


if __name__ == "__main__":
    main()
