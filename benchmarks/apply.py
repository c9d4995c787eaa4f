"""How fast promoted functions are applied to a large file, next to pandas alone, which isolates and checks nothing.

    python -m benchmarks.apply [--rows 200000] [--columns 12] [--functions 4] [--turns 3]

Both read a CSV file of text, strip blanks from the first columns and write a CSV file. cleanroom runs the functions in
a container, checks every batch against the contracts and measures the quality of every column before and after. Both
are measured in turns in one run; the containers are ready before the clock starts, and Python has loaded everything.
"""

import argparse
import random
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, sleep
from unittest.mock import patch

import pandas as pd

from benchmarks.batch import SOURCE
from orchestrator import bootstrap
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Gate, Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.data.formats import open_dataset
from orchestrator.run.apply.apply import apply_functions
from orchestrator.run.apply.apply_audit import ApplyAudit

TARGET = 0.9
AUDIT_TARGET = 0.15
SAMPLE_ROWS = 200
REFILL_S = 4.0


def messy(path: Path, rows: int, columns: int) -> Path:
    """Texts that nearly all differ, every tenth with a blank in front."""
    draw = random.Random(1)
    names = [f"c{number}" for number in range(columns)]
    with path.open("w") as file:
        file.write(",".join(names) + "\n")
        for _ in range(rows):
            cells = (f"{' ' * (draw.random() < 0.1)}value {draw.randrange(10**6)} {name}" for name in names)
            file.write(",".join(cells) + "\n")
    return path


def proved(gate: Gate, data: Path, count: int) -> list[Promoted]:
    """The functions, each with the verdict that it really got on the first rows."""
    table = next(iter(open_dataset(data).read(SAMPLE_ROWS))).table
    sample = Sample(table.slice(0, SAMPLE_ROWS // 2), table.slice(SAMPLE_ROWS // 2))
    made: list[Promoted] = []
    for number in range(count):
        source = SOURCE.format(number=number)
        verdict = gate.verify(VerifyRequest(source, sample, promoted=made, quick=True))
        if not verdict.passed:
            raise SystemExit(f"the function was meant to pass and did not: {[c.detail for c in verdict.failures]}")
        evidence = Evidence(verdict=verdict, policy_sha256="", proposer="benchmark")
        made.append(
            Promoted(candidate=gate.read(source), evidence=evidence, order=number, promoted_at=datetime.now(UTC))
        )
    return made


def with_pandas(data: Path, output: Path, functions: int) -> float:
    """Seconds for the same by pandas alone."""
    start = perf_counter()
    frame = pd.read_csv(data, dtype="str", keep_default_na=False)
    for number in range(functions):
        frame[f"c{number}"] = frame[f"c{number}"].str.strip()
    frame.to_csv(output, index=False)
    return perf_counter() - start


def check(one: Path, other: Path, columns: Sequence[str]) -> None:
    """Both must have made the same of the data. Raises SystemExit."""
    left, right = (pd.read_csv(path, dtype="str", keep_default_na=False) for path in (one, other))
    if list(left.columns) != list(columns) or not left.equals(right):
        raise SystemExit("the two results differ")


def without_audit() -> AbstractContextManager[object]:
    """Apply as it would be if no row was run again: only to measure what that costs."""
    return patch.object(ApplyAudit, "take", lambda *_: None)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--columns", type=int, default=12)
    parser.add_argument("--functions", type=int, default=4)
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args()
    plain: list[float] = []
    boxed: list[float] = []
    unaudited: list[float] = []
    with tempfile.TemporaryDirectory() as name, bootstrap.sandboxed(Policy()) as parts:
        folder = Path(name)
        data = messy(folder / "messy.csv", asked.rows, asked.columns)
        functions = proved(parts.gate, data, asked.functions)
        for turn in range(asked.turns + 1):  # the first turn loads what is loaded once
            seconds = with_pandas(data, folder / "pandas.csv", asked.functions)
            sleep(REFILL_S)
            start = perf_counter()
            apply_functions(data, functions, folder / "cleaned.csv", parts.access)
            whole = perf_counter() - start
            sleep(REFILL_S)
            start = perf_counter()
            with without_audit():
                apply_functions(data, functions, folder / "cleaned.csv", parts.access)
            if turn:
                plain.append(seconds)
                boxed.append(whole)
                unaudited.append(perf_counter() - start)
        check(folder / "cleaned.csv", folder / "pandas.csv", [f"c{number}" for number in range(asked.columns)])
    ratio = statistics.median(one / other for one, other in zip(plain, boxed, strict=True))
    print(f"{asked.rows:,} rows, {asked.columns} columns of text, {asked.functions} functions")
    print(f"pandas alone          {statistics.median(plain):6.2f} s")
    seconds = statistics.median(boxed)
    print(f"cleanroom apply       {seconds:6.2f} s, {asked.rows / seconds:,.0f} rows a second")
    audit = statistics.median(whole / less - 1 for whole, less in zip(boxed, unaudited, strict=True))
    held = "met" if audit <= AUDIT_TARGET else "missed"
    print(f"cost of the audit     {audit:6.1%}     target <= {AUDIT_TARGET:.0%}: {held}")
    print(f"speed against pandas  {ratio:6.2f} x   target >= {TARGET}: {'met' if ratio >= TARGET else 'missed'}")


if __name__ == "__main__":
    main()
