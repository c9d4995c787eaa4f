"""`make bench-clean`: how well the built-in proposer cleans, on tables whose truth is known and on injected errors.

    python -m benchmarks.clean [SET …] [--quick] [--columns] [--wrong N] [--seed N]

Each table is cleaned by the real run: loop, gate, registry and apply, in containers; without an engine in ordinary
subprocesses. Beside it stands what the same rules make of the same rows without the gate, and below it every function
that the gate held or rejected, with what it would have done. Only the scoring reads the truth. `--quick` leaves out
gate and sandbox, for work on the rules.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from benchmarks.cleaning import Clean, Cleaned, Pair, clean_quickly, running
from benchmarks.inject import inject
from benchmarks.reports import make as make_reports
from examples.score import Score, Tally, read, score
from orchestrator.data.user_files.conventions_file import read_conventions
from tests.support.shared_data import DATA, VARIABLE

CONVENTIONS = Path(__file__).parent / "conventions"

# Precision / recall / F1 of others, for comparison; not all of them had to work without labels, rules and positions.
PUBLISHED = {
    "hospital": "Raha+Baran .971/.585/.730; HoloClean with rules 1.000/.456/.626; BClean with constraints "
    ".998/.956/.976; Mimir, error cells given .961/.959/.960; Cocoon, a language model .870/.930/.900",
    "beers": "Raha+Baran .873/.872/.873; Mimir, error cells given .961/.957/.959; HoloClean with rules 1.000/.024/.047",
    "rayyan": "Raha+Baran .553/.314/.394; Mimir, error cells given .827/.818/.822; HoloClean 0",
}
# Where a truth itself is odd, and a right repair loses marks.
DAMAGED = {
    "rayyan": "keeps blanks around a few texts, lost its letters with accents, and holds page numbers that a "
    "spreadsheet took for dates",
    "autodcw_ppp": "DateApproved holds two date formats (the conventions leave it alone; injected errors know none)",
    "autodcw_chi": "AKA Name holds several writings of the same name",
    "beers": "a few breweries and towns are spelt in two ways",
}


def pairs() -> Iterator[Pair]:
    """The example orders, made here, and the sets with a truth beside the checkout."""
    from examples.make_orders import make

    yield Pair("orders", *make(6000, 7))
    yield Pair("reports", *make_reports())
    for folder in sorted(DATA.iterdir()) if DATA.is_dir() else ():
        if (folder / "dirty.csv").is_file():
            dirty, truth = (read(folder / f"{name}.csv") for name in ("dirty", "clean"))
            file = CONVENTIONS / f"{folder.name}.yaml"
            yield Pair(folder.name, dirty, truth, read_conventions(file) if file.is_file() else None)


def injected(originals: Iterator[Pair], seed: int) -> Iterator[Pair]:
    """The truths, freshly spoilt, and to be cleaned without any convention."""
    for pair in originals:
        if len(pair.truth) >= 100:
            truth = pair.truth.set_axis(pair.dirty.columns, axis=1)
            dirty, errors = inject(truth, seed)
            yield Pair(pair.name, dirty, truth, errors=errors)


_HEADER = (
    f"{'':30} {'errors':>7} {'changed':>7} {'right':>7} {'wrong':>6} {'broken':>6} {'prec.':>6} {'recall':>6} {'F1':>6}"
)


def _line(label: str, tally: Tally, broken: str = "") -> str:
    precision = f"{tally.precision:6.3f}" if tally.changed else "     -"
    return (
        f"{label[:30]:30} {tally.error_cells:7} {tally.changed:7} {tally.right:7} {tally.wrong:6} {broken:>6}"
        f" {precision} {tally.recall:6.3f} {tally.f1:6.3f}"
    )


def _report(pair: Pair, clean: Clean, options: argparse.Namespace) -> Score:
    started = time.perf_counter()
    cleaned = clean(pair)
    result = score(pair.dirty, cleaned.table, pair.truth, pair.errors)
    conventions = ", with conventions" if pair.conventions else ""
    print(_line(pair.name, result, str(len(result.broken))), f"  {time.perf_counter() - started:.0f} s{conventions}")
    if options.columns:
        for name, tally in result.by_column.items():
            if tally.error_cells or tally.changed:
                print(_line(f"    {name}", tally))
    broken = Counter(f"{cell.column}: {cell.was[:60]!r} became {cell.became[:60]!r}" for cell in result.broken)
    for text, times in broken.items():
        print(f"      broken: {text}{f' ({times} times)' if times > 1 else ''}")
    if result.broken and pair.name in DAMAGED:
        print(f"      the truth: {DAMAGED[pair.name]}")
    if cleaned.seen:
        _show_gate(pair, cleaned)
    if options.wrong:
        _show_wrong(pair, cleaned.table, options.wrong)
    return result


def _show_gate(pair: Pair, cleaned: Cleaned) -> None:
    """What the gate stopped, and the figures without it."""
    ungated = score(pair.dirty, clean_quickly(pair, seen=cleaned.seen), pair.truth, pair.errors)
    print(_line("  without the gate", ungated, str(len(ungated.broken))))
    for one in cleaned.stopped:
        would = one.would
        print(
            f"      {one.name}: {one.why}; it would make {would.right} cells right and {would.wrong} wrong."
            f" {one.example[:300]}"
        )


def _show_wrong(pair: Pair, cleaned: pd.DataFrame, most: int) -> None:
    for place, column in enumerate(pair.dirty.columns):
        cells = zip(pair.dirty.iloc[:, place], cleaned.iloc[:, place], pair.truth.iloc[:, place], strict=True)
        wrong = [(was, is_, wanted) for was, is_, wanted in cells if was != is_ != wanted]
        for was, is_, wanted in wrong[:most]:
            print(f"      {column}: {was[:60]!r} became {is_[:60]!r}, truth {wanted[:60]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--quick", action="store_true", help="without gate and sandbox")
    parser.add_argument("--only", choices=("known", "injected"), help="one of the two tables")
    parser.add_argument("--columns", action="store_true", help="one line per column too")
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="list N wrong changes per column")
    parser.add_argument("--seed", type=int, default=1, help="of the injected errors")
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"skipped: the real data sets: neither {VARIABLE} nor shared/data beside the checkout")
    chosen = [pair for pair in pairs() if not options.sets or pair.name in options.sets]
    with running(quick=options.quick) as clean:
        if options.only != "injected":
            print(f"\nKnown errors\n{_HEADER}")
            for pair in chosen:
                _report(pair, clean, options)
                if pair.name in PUBLISHED:
                    print(f"      published: {PUBLISHED[pair.name]}")
        if options.only != "known":
            print(f"\nInjected errors (seed {options.seed}), no conventions\n{_HEADER}")
            kinds: dict[str, Tally] = {}
            for pair in injected(iter(chosen), options.seed):
                for kind, tally in _report(pair, clean, options).by_kind.items():
                    total = kinds.setdefault(kind, Tally())
                    for name in ("error_cells", "changed", "right", "wrong"):
                        setattr(total, name, getattr(total, name) + getattr(tally, name))
            for kind, tally in sorted(kinds.items()):
                print(_line(f"  {kind}", tally))


if __name__ == "__main__":
    main()
