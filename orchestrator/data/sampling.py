"""Chooses the rows that a run works on. Called by `data.chunks`.

A proposer sees a few thousand rows, not four million, and can only find what is in them. `random` is a uniform
sample; `diverse` takes half of the rows from those whose cells look unlike the rest of their columns.
"""

from collections import Counter
from typing import Any, Final, Literal

import numpy as np

from orchestrator.core.errors import UsageError
from orchestrator.data.formats import Dataset
from orchestrator.data.profile.patterns import pattern_counts, patterns

Sampling = Literal["sequential", "random", "diverse"]
SAMPLINGS: Final = ("sequential", "random", "diverse")
_MAX_PATTERNS = 5_000


def choose_rows(dataset: Dataset, count: int, sampling: str, seed: int) -> Any:
    """The numbers, `int64[n]`, of `count` rows (or of all, if there are fewer), in the order in which to use them."""
    if sampling not in SAMPLINGS:
        raise UsageError(f"'{sampling}' is not a sampling method.", advice=f"Use one of {', '.join(SAMPLINGS)}.")
    total = dataset.rows
    count = min(count, total)
    if sampling == "sequential":
        return np.arange(count)
    rng = np.random.default_rng(seed)
    if sampling == "random":
        return rng.permutation(total) if count == total else rng.choice(total, count, replace=False)
    return _diverse(dataset, count, rng)


def _diverse(dataset: Dataset, count: int, rng: Any) -> Any:
    """Rows with rare patterns, rarest first, alternating with others at random."""
    rarity = _rarity(dataset)
    rarity += rng.random(len(rarity)) * 1e-9  # ties are broken by the seed, not by the position in the file
    rare = np.argsort(-rarity)[: (count + 1) // 2]
    others = np.setdiff1d(np.arange(len(rarity)), rare)
    rest = rng.choice(others, count - len(rare), replace=False)
    chosen = np.empty(count, dtype=np.int64)
    chosen[::2], chosen[1::2] = rare, rest
    return chosen


def _rarity(dataset: Dataset) -> Any:
    """For each row the sum over its cells of 1 / (rows of the same pattern in that column). Eight bytes per row."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in dataset.columns}
    for table in dataset.batches():
        for name, counter in counts.items():
            for pattern, number in pattern_counts(table.column(name)).items():
                if pattern in counter or len(counter) < _MAX_PATTERNS:
                    counter[pattern] += number
    parts = []
    for table in dataset.batches():
        scores = np.zeros(table.num_rows)
        for name, counter in counts.items():
            coded = patterns(table.column(name)).dictionary_encode()
            weights = np.array([1.0 / counter.get(p, 1) for p in coded.dictionary.to_pylist()] + [0.0])
            scores += weights[coded.indices.fill_null(len(coded.dictionary)).to_numpy()]
        parts.append(scores)
    return np.concatenate(parts) if parts else np.zeros(0)
