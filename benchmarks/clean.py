"""How well the built-in proposer cleans: precision, recall, F1 and broken cells on dirty tables whose truth is known.

    python benchmarks/clean.py [SET …] [--columns] [--broken N]

Only this script reads the truth. The proposer sees a random three quarters of the dirty rows; what it proposes is
applied to all of them. The functions are executed here, in this process, without a sandbox and without the gate,
because every one of them is rendered from the rules of this repository; the product itself never does that.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import pyarrow as pa

_ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(_ROOT))  # so that it also runs as a script

from orchestrator.core.proposals import PromotedSummary, ProposalRequest  # noqa: E402 - after the path above
from orchestrator.propose.builtin import BuiltinProposer  # noqa: E402 - the same

DATA = _ROOT.parent / "shared" / "data"
_WORKING = 0.75
_MOST_FUNCTIONS = 60

# What these data cannot show and a person would say: the conventions.
INSTRUCTIONS = {
    "autodcw_chi": "Upper case for DBA Name, Facility Type, Risk, Address, Inspection Type and Results. "
    "ISO dates in Inspection Date.",
    "movies_1_part": "Whole numbers without .0 in rating_value.",
    "autodcw_ppp": "Upper case for City, BusinessType, RaceEthnicity and Gender. "
    "Null word UNANSWERED in RaceEthnicity and Gender. Whole numbers without .0 in LoanAmount. "
    "Leave DateApproved alone.",
}


@dataclass
class Score:
    """Cells of one column (or one table): changed, rightly changed, wrong at first, right at first and wrong now."""

    changed: int = 0
    right: int = 0
    errors: int = 0
    fixed: int = 0
    broken: int = 0
    examples: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        for name in ("changed", "right", "errors", "fixed", "broken"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.examples += other.examples

    @property
    def precision(self) -> float:
        return self.right / self.changed if self.changed else 1.0

    @property
    def recall(self) -> float:
        return self.fixed / self.errors if self.errors else 1.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def line(self, label: str) -> str:
        return (
            f"{label[:34]:34} {self.errors:7} {self.changed:7} {self.right:7} {self.broken:6}"
            f" {self.precision:7.3f} {self.recall:7.3f} {self.f1:7.3f}"
        )


HEADER = f"{'':34} {'errors':>7} {'changed':>7} {'right':>7} {'broken':>6} {'prec.':>7} {'recall':>7} {'F1':>7}"


def clean(dirty: pd.DataFrame, instruction: str = "", seed: int = 7) -> tuple[pd.DataFrame, list[str]]:
    """The table after every function that the proposer offers, learnt on a part of the rows; and the sources."""
    proposer = BuiltinProposer()
    seen = dirty.sample(frac=_WORKING, random_state=seed).sort_index()
    whole = dirty
    promoted: list[PromotedSummary] = []
    sources: list[str] = []
    while len(sources) < _MOST_FUNCTIONS:
        rows = pa.Table.from_pandas(whole.loc[seen.index], preserve_index=False)
        answer = proposer.analyse(ProposalRequest(rows, instruction, promoted=tuple(promoted)))
        if answer.source is None:
            break
        name, function = _load(answer.source)
        whole = function(whole)
        promoted.append(PromotedSummary(name=name, docstring=""))
        sources.append(answer.source)
    return whole, sources


def _load(source: str) -> tuple[str, Callable[[pd.DataFrame], pd.DataFrame]]:
    names: dict[str, object] = {}
    exec(compile(source, "<candidate>", "exec"), names)  # noqa: S102 - our own rules, see the module's docstring
    public = [n for n, v in names.items() if hasattr(v, "__code__") and not n.startswith("_") and n != "detect"]
    function = names[public[0]]
    assert callable(function)  # noqa: S101 - tells mypy
    return public[0], function


def score(dirty: pd.Series, cleaned: pd.Series, truth: pd.Series) -> Score:
    """Exact text equality, cell by cell."""
    result = Score()
    for before, after, wanted in zip(dirty, cleaned, truth, strict=True):
        result.errors += before != wanted
        result.fixed += before != wanted and after == wanted
        result.changed += before != after
        result.right += before != after and after == wanted
        if before == wanted and after != wanted:
            result.broken += 1
        if before != after != wanted:
            result.examples.append((before, after, wanted))
    return result


def pairs(chosen: list[str]) -> Iterator[tuple[str, pd.DataFrame, pd.DataFrame]]:
    """The sets with a truth: the example orders, made here, and those beside the checkout."""
    if not chosen or "orders" in chosen:
        from examples.make_orders import make

        yield ("orders", *make(6000, 7))
    if not DATA.is_dir():
        print(f"skipped: the real data sets ({DATA} is absent)")
        return
    for folder in sorted(DATA.iterdir()):
        if (folder / "dirty.csv").is_file() and (not chosen or folder.name in chosen):
            dirty, truth = (_read(folder / f"{name}.csv") for name in ("dirty", "clean"))
            yield folder.name, dirty, truth.set_axis(dirty.columns, axis=1)


def _read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--columns", action="store_true", help="one line per column too")
    parser.add_argument("--broken", type=int, default=0, metavar="N", help="list N wrong changes per column")
    options = parser.parse_args()
    print(HEADER)
    for name, dirty, truth in pairs(options.sets):
        started = time.perf_counter()
        cleaned, sources = clean(dirty, INSTRUCTIONS.get(name, ""))
        seconds = time.perf_counter() - started
        total = Score()
        lines = []
        for column in dirty.columns:
            result = score(dirty[column], cleaned[column], truth[column])
            total.add(result)
            lines.append((result, column))
        print(total.line(name), f"  {len(sources)} functions, {seconds:.1f} s")
        for result, column in lines:
            if options.columns and (result.errors or result.changed):
                print(result.line(f"    {column}"))
            for before, after, wanted in result.examples[: options.broken]:
                print(f"        {before[:60]!r} became {after[:60]!r}, truth {wanted[:60]!r}")


if __name__ == "__main__":
    main()
