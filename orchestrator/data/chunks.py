"""Slices of a data set for the main loop, each with a part that the proposer never sees. Called by run/.

Rows are chosen first and then read in one streamed pass, so that memory holds the chosen rows and no others. The
same data, seed and numbers give the same chunks.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.data.formats import Dataset
from orchestrator.data.sampling import choose_rows


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of the data set, in order. `working_rows` and `holdout_rows` are their numbers, `int64[n]`, from 0."""

    index: int
    working: pa.Table
    holdout: pa.Table
    working_rows: tuple[int, ...]
    holdout_rows: tuple[int, ...]


def chunks(
    dataset: Dataset,
    *,
    chunk_rows: int,
    max_chunks: int,
    sampling: str = "random",
    holdout_share: float = 0.25,
    seed: int = 0,
) -> Iterator[Chunk]:
    """At most `max_chunks` chunks of about equal size, at most `chunk_rows` rows each."""
    chosen = choose_rows(dataset, chunk_rows * max_chunks, sampling, seed)
    if not len(chosen):
        return
    wanted = np.sort(chosen)
    table = _pick(dataset, wanted)
    for index, (working, holdout) in enumerate(split_rows(chosen, chunk_rows, holdout_share, seed)):
        yield Chunk(
            index,
            table.take(np.searchsorted(wanted, working)).combine_chunks(),
            table.take(np.searchsorted(wanted, holdout)).combine_chunks(),
            tuple(working.tolist()),
            tuple(holdout.tolist()),
        )


def split_rows(chosen: Any, chunk_rows: int, holdout_share: float, seed: int) -> list[tuple[Any, Any]]:
    """The working rows and the holdout of each chunk, both in order; `chosen`: all rows, in the order of their use."""
    parts = [np.sort(part) for part in np.array_split(chosen, math.ceil(len(chosen) / chunk_rows))]
    rng = np.random.default_rng([seed, 1])
    held = [_holdout(len(part), holdout_share, rng) for part in parts]
    return [(part[~mask], part[mask]) for part, mask in zip(parts, held, strict=True)]


def _holdout(rows: int, share: float, rng: Any) -> Any:
    """Which rows are held out: at least one and never all, when there are two rows or more."""
    count = round(rows * share)
    if share > 0 and rows > 1:
        count = min(max(count, 1), rows - 1)
    mask = np.zeros(rows, dtype=bool)
    mask[rng.permutation(rows)[:count]] = True
    return mask


def _pick(dataset: Dataset, wanted: Any) -> pa.Table:
    """The wanted rows (sorted numbers), from one pass that ends after the last of them."""
    picked, start = [], 0
    for table in dataset.batches():
        low, high = np.searchsorted(wanted, [start, start + table.num_rows])
        if high > low:
            picked.append(table.take(wanted[low:high] - start))
        start += table.num_rows
        if high == len(wanted):
            break
    return pa.concat_tables(picked)
