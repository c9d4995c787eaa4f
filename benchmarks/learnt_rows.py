"""What the rules on spelling would win if they learnt from all rows in place of a chunk's; the gate left out.

    python -m benchmarks.learnt_rows [SET …] [--rows N] [--chunk-rows N] [--seed N] [--each]

Each table is cleaned by the rules from the working rows of its first chunk, from those of all chunks, as a run does it,
and with the rules on spelling finding columns in these rows, but learning from all. The figures are in decision 0031.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmarks.clean import pairs
from benchmarks.cleaning import Pair, clean_quickly
from benchmarks.inject import inject
from examples.score import score
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.rules import catalogue, replaced_characters, spelling, usual_words, variants
from orchestrator.propose.builtin.working_rows import WorkingRows, profile

RULES: dict[str, Any] = {
    "spelling": spelling.find,
    "variants": variants.find,
    "usual words": usual_words.RULE,
    "replaced characters": replaced_characters.find,
}


def large(rows: int, seed: int) -> Pair:
    """A table of names with known right texts: a closed list, many products, more companies than fit a list, codes.

    Few texts are frequent and many rare, as in real tables, so that a chunk does not show all of them often.
    """
    draw = random.Random(seed)
    syllables = [a + b for a in "bcdfglmnprstvw" for b in ("a", "e", "i", "o", "u", "an", "er", "or", "il")]

    def word(least: int = 2) -> str:
        return "".join(draw.choice(syllables) for _ in range(draw.randint(least, 4))).capitalize()

    def column(texts: list[str], flat: float) -> list[str]:
        weights = [1 / (place + 1) ** flat for place in range(len(texts))]
        return draw.choices(texts, weights, k=rows)

    truth = pd.DataFrame(
        {
            "id": [f"{number:07}" for number in range(rows)],
            "city": column(sorted({word(3) for _ in range(80)}), 0.8),
            "product": column(sorted({f"{word()} {word(3)}" for _ in range(180)}), 0.9),
            "company": column(sorted({f"{word(3)} {word()}" for _ in range(2500)}), 0.9),
            "code": column(sorted({f"{word()[:3].upper()}-{draw.randrange(10**5):05}" for _ in range(400)}), 0.7),
            "note": [f"{draw.randrange(900)} shipments from {draw.choice('ABCDEFG')}" for _ in range(rows)],
        }
    )
    dirty, errors = inject(truth, seed)
    return Pair(f"{rows} rows", dirty, truth, errors=errors)


def seen_by_a_run(rows: int, chunk_rows: int = 4000) -> list[list[int]]:
    """The working rows of up to eight chunks."""
    chosen = np.random.default_rng(0).permutation(rows)[: 8 * chunk_rows]
    parts = np.array_split(chosen, -(-len(chosen) // chunk_rows))
    return [sorted(part[: round(0.75 * len(part))].tolist()) for part in parts]


def from_all(rule: Any, whole: list[WorkingRows]) -> Callable[[WorkingRows, Preferences], Iterator[Remedy]]:
    """The rule where it finds something in the chunk, with what it learns of all rows."""

    def find(table: WorkingRows, preferences: Preferences) -> Iterator[Remedy]:
        wanted = {remedy.columns for remedy in rule(table, preferences)}
        if wanted:
            names = {column.name for column in table.columns}
            everything = WorkingRows(tuple(c for c in whole[0].columns if c.name in names), whole[0].rows)
            yield from (remedy for remedy in rule(everything, preferences) if remedy.columns in wanted)

    return find


def clean(pair: Pair, seen: list[list[int]], learning: tuple[str, ...] = ()) -> pd.DataFrame:
    """The table, cleaned from the rows that are seen; the rules that are named learn from all of them."""
    whole = [profile(pa.Table.from_pandas(pair.dirty, preserve_index=False), ())]
    replaced = {id(RULES[name]): from_all(RULES[name], whole) for name in learning}
    rules = tuple(replaced.get(id(rule), rule) for rule in catalogue.CELL_RULES)

    def told(frame: pd.DataFrame) -> None:
        whole[0] = profile(pa.Table.from_pandas(frame, preserve_index=False), whole[0].columns)

    with patch.object(catalogue, "CELL_RULES", rules):
        return clean_quickly(pair, seen=seen, told=told if learning else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--rows", type=int, default=0, help="of a generated table")
    parser.add_argument("--chunk-rows", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--each", action="store_true", help="each rule by itself, too")
    options = parser.parse_args()
    tables = [pair for pair in pairs() if pair.name in options.sets]
    for pair in list(tables):
        truth = pair.truth.set_axis(pair.dirty.columns, axis=1)
        dirty, errors = inject(truth, options.seed)
        tables.append(Pair(f"{pair.name}, injected", dirty, truth, errors=errors))
    if options.rows:
        tables.append(large(options.rows, options.seed))
    for pair in tables:
        seen = seen_by_a_run(len(pair.dirty), options.chunk_rows)
        ways: list[tuple[str, list[list[int]], tuple[str, ...]]] = [("first chunk", seen[:1], ())]
        if len(seen) > 1:
            ways.append((f"{len(seen)} chunks", seen, ()))
        ways += [(f"first chunk, {name} from all", seen[:1], (name,)) for name in RULES if options.each]
        ways.append(("first chunk, all rules from all", seen[:1], tuple(RULES)))
        if len(seen) > 1:
            ways.append((f"{len(seen)} chunks, all rules from all", seen, tuple(RULES)))
        for way, rows, learning in ways:
            cleaned = clean(pair, rows, learning)
            result = score(pair.dirty, cleaned, pair.truth, pair.errors)
            print(
                f"{pair.name:22} {way:40} errors {result.error_cells:6} changed {result.changed:6}"
                f" right {result.right:6} wrong {result.wrong:4} broken {len(result.broken):4}"
                f" P {result.precision:.4f} R {result.recall:.4f} F1 {result.f1:.4f}",
                flush=True,
            )
            for cell in result.broken[:3]:
                print(f"    broken: {cell.column}: {cell.was!r} became {cell.became!r}")


if __name__ == "__main__":
    main()
