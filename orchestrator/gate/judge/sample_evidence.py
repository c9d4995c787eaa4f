"""What the candidate did to the sample, and what the sample looked like, for the evidence. Called by the judge."""

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa

from orchestrator.core.candidate import Candidate
from orchestrator.core.jobs import Op
from orchestrator.core.needs import own_columns
from orchestrator.core.verdict import DistinctChange
from orchestrator.data.profile.baseline_counts import count_baseline
from orchestrator.data.profile.effect_counts import count_effects
from orchestrator.gate.checks.outcome import row_example
from orchestrator.gate.judge.observations import CaseObservation

MAX_CHANGES = 8


def effects(cases: Sequence[CaseObservation], candidate: Candidate, salt: str) -> dict[str, Any]:
    """The effects on the rows of all cases together, and their baseline, as JSON; nothing where it cannot be said
    which rows survived. The baseline has the candidate's own columns, and none that only earlier functions are about.
    """
    sources: list[pa.Table] = []
    results: list[pa.Table] = []
    origins: list[Any] = []
    flags: list[Any] = []
    start = 0
    for case in cases:
        if case.origin is None or case.result is None:
            return {}
        sources.append(case.input)
        results.append(case.result)
        origins.append(case.origin + start)
        flags.append(case.op(Op.DETECT).flags)
        start += case.input.num_rows
    try:
        source, result = (pa.concat_tables(tables, promote_options="permissive") for tables in (sources, results))
    except pa.ArrowException:  # a column's type differs from case to case: another check says so
        return {}
    flagged = None if any(one is None for one in flags) else np.concatenate(flags)
    rows, masks = np.concatenate(origins), _masks(cases)
    own = own_columns(candidate, source.column_names)
    return {
        "effects": count_effects(source, result, rows, masks, flagged).model_dump(mode="json"),
        "baseline": count_baseline(source, result, rows, masks, flagged, own, salt).model_dump(mode="json"),
    }


def _masks(cases: Sequence[CaseObservation]) -> dict[str, Any]:
    """By column, the changed cells of all cases one after the other."""
    made = {}
    for name in dict.fromkeys(name for case in cases for name in case.masks):
        none = [np.zeros(0 if case.origin is None else len(case.origin), dtype=np.bool_) for case in cases]
        made[name] = np.concatenate([case.masks.get(name, zeros) for case, zeros in zip(cases, none, strict=True)])
    return made


def distinct_changes(cases: Sequence[CaseObservation], matter: Sequence[str]) -> list[dict[str, Any]]:
    """The most frequent changes of cells in all cases together, as JSON: each once, with the first row of it."""
    first: dict[bytes, tuple[CaseObservation, str, int]] = {}
    counts: Counter[bytes] = Counter()
    for case in cases:
        for name, mask in case.masks.items():
            rows = np.flatnonzero(mask)
            tables = (case.kept_input, case.result)
            cells = [case.values(None if t is None else t.select([name]).take(rows), name) for t in tables]
            for row, *pair in zip(rows.tolist(), *cells, strict=True):
                text = repr((name, pair)).encode("utf-8", "surrogatepass")  # which may be as long as the sample
                key = blake2b(text, digest_size=16).digest()
                first.setdefault(key, (case, name, row))
                counts[key] += 1
    made = []
    for key, count in counts.most_common(MAX_CHANGES):
        case, name, row = first[key]
        shown = row_example(case, row, "", [name, *(other for other in matter if other != name)])
        made.append(DistinctChange(column=name, rows=count, first=shown).model_dump(mode="json"))
    return made
