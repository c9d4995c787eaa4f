"""`make bench-batch`: how many containers a batch of verdicts uses per second, next to the bare single-use loop.

The bare loop creates, starts, imports and removes containers and does nothing else, as many at once as the batch judges
functions. Both are measured in turns in one run, since machines differ and change; their ratio is what counts.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time

from rich.console import Console
from rich.table import Table

from benchmarks.measures import bare_loop
from orchestrator import bootstrap
from orchestrator.core.policy import Policy
from orchestrator.run.verify.candidate_files import named_sources
from orchestrator.run.verify.verify import OpenedVerification, Verification
from orchestrator.sandbox.provision.image_id import sandbox_image

TARGET = 0.8
PER_VERDICT = 2  # containers: one that tries, one that confirms
SOURCE = '''"""Column c{number} carries stray blanks."""
CONTRACT = {{"shape": "table", "modifies": ["c{number}"]}}
def detect(df):
    """Stray blanks."""
    return df["c{number}"].str.strip() != df["c{number}"]
def trim_c{number}(df):
    """Strip leading and trailing blanks from c{number}."""
    out = df.copy()
    out["c{number}"] = out["c{number}"].str.strip()
    return out
'''
COLUMNS = 10


@contextmanager
def files(functions: int, rows: int) -> Iterator[tuple[Path, Path]]:
    """A folder of candidates, and data on which all of them pass."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "functions").mkdir()
        for number in range(functions):
            source = SOURCE.format(number=number % COLUMNS)
            (folder / "functions" / f"f{number:03}.py").write_text(source)
        lines = [",".join(f"c{i}" for i in range(COLUMNS))]
        lines += [",".join(f"{' ' * (row % 3 == 0)}v{i}-{row % 17}" for i in range(COLUMNS)) for row in range(rows)]
        (folder / "data.csv").write_text("\n".join(lines) + "\n")
        yield folder / "functions", folder / "data.csv"


def batch(opened: OpenedVerification, policy: Policy) -> tuple[float, float, list[str]]:
    """Containers per second of a whole batch, the processor time of this process per verdict, and the verdicts.

    The clock runs from the start of the engine's client to the end of the last container, as a user waits for it.
    """
    start, cpu = perf_counter(), process_time()
    with bootstrap.sandboxed(policy) as parts:
        verdicts = [judged.verdict.verdict.value for judged in opened.run(parts)]
    taken = perf_counter() - start
    return PER_VERDICT * len(verdicts) / taken, (process_time() - cpu) / len(verdicts), verdicts


def main() -> None:
    """Measure and print; --json for machines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--functions", type=int, default=40, help="functions in the batch")
    parser.add_argument("--rows", type=int, default=200, help="rows of the data")
    parser.add_argument("--turns", type=int, default=3, help="how often both are measured")
    parser.add_argument("--at-once", type=int, default=Policy().container.pool_size, help="functions judged at once")
    parser.add_argument("--full", action="store_true", help="with the checks that take seconds")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    default = Policy()
    policy = default.model_copy(
        update={"container": default.container.model_copy(update={"pool_size": options.at_once})}
    )
    image = sandbox_image()
    loops: list[float] = []
    batches: list[float] = []
    own_cpu = 0.0
    with files(options.functions, options.rows) as (functions, data):
        opened = Verification(named_sources([functions]), data=data, quick=not options.full).check()
        for _ in range(options.turns):
            loops.append(bare_loop(image, policy.container, PER_VERDICT * options.functions, options.at_once))
            rate, own_cpu, verdicts = batch(opened, policy)
            batches.append(rate)
            if set(verdicts) != {"pass"}:
                raise SystemExit(f"the batch was meant to pass and did not: {verdicts}")
    bare, used = statistics.median(loops), statistics.median(batches)
    ratio = statistics.median(b / a for a, b in zip(loops, batches, strict=True))
    table = Table("what", "measured", "target", "")
    table.add_row(f"bare loop create+start+import+remove, {options.at_once} at once", f"{bare:.2f} /s", "", "")
    table.add_row(f"batch of {options.functions} verdicts, {options.at_once} at once", f"{used:.2f} /s", "", "")
    table.add_row("verdicts", f"{used / PER_VERDICT:.2f} /s", "", "")
    table.add_row("processor time of this process per verdict", f"{1000 * own_cpu:.0f} ms", "", "")
    said = "[green]met[/]" if ratio >= TARGET else "[red]missed[/]"
    table.add_row("batch / bare loop", f"{ratio:.2f} ×", f"≥ {TARGET}", said)
    Console().print(table)
    if options.json:
        figures = {"bare_per_s": loops, "batch_per_s": batches, "ratio": ratio, "processors": os.cpu_count()}
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    sys.exit(0)


if __name__ == "__main__":
    main()
