"""What a whole command costs, as a user starts it: wall time, processor time, and what its imports cost.

    python -m benchmarks.commands [--rows 40] [--turns 5] [--top 8] [--document]

Each command is a process of its own, started `--turns` times in turn with the others; the median and the best are
shown, after one that is not counted, which compiles the modules. Processor time is that of the command and the
processes that it starts; containers are the engine's. The imports are those of the command's own process, each with
what it imports.
"""

import argparse
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from benchmarks.document import keep

TARGET_S = 1.5
CLEANROOM = Path(sys.executable).parent / "cleanroom"
TRIM = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}


def trim_city(df):
    """Strip leading and trailing blanks from city."""
    return df.assign(city=df["city"].str.strip())
'''
ENDLESS = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}


def trim_city(df):
    """Never end."""
    while True:
        pass
'''
NEVER_ENDS = "verify of a function that never ends"
COMMANDS = {
    "--help": ["--help"],
    "analyze": ["analyze", "messy.csv"],
    "apply": ["apply", "messy.csv", "--functions", "result", "--output", "applied.csv"],
    "verify --quick": ["verify", "--quick", "trim.py", "--data", "messy.csv"],
    NEVER_ENDS: ["verify", "endless.py", "--data", "messy.csv"],
}
TARGETS_S = {NEVER_ENDS: 5.0}
_IMPORT = re.compile(r"import time:\s+\d+ \|\s+(?P<total>\d+) \|(?P<depth>\s+)(?P<name>\S+)")
# Bytecode is kept, as it is for whoever installed the command; otherwise every start would compile every module.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Cost(NamedTuple):
    """One start of a command, in seconds."""

    wall: float
    processor: float


def prepare(folder: Path, rows: int) -> None:
    """A messy file, a function, and the functions of a run over the file."""
    draw = random.Random(1)
    lines = [f"{i},{draw.choice(['Bern ', ' Basel', 'Zug'])},{draw.choice(['2024-01-02', 'n/a'])}" for i in range(rows)]
    (folder / "messy.csv").write_text("\n".join(["id,city,date", *lines]) + "\n")
    (folder / "trim.py").write_text(TRIM)
    (folder / "endless.py").write_text(ENDLESS)
    start(folder, ["run", "messy.csv", "--out", "result"])


def start(folder: Path, arguments: Sequence[str]) -> Cost:
    """Run the command to its end. Raises CalledProcessError where it fails; what never ends has to be rejected."""
    before, began = _processor(), perf_counter()
    done = subprocess.run([CLEANROOM, *arguments], cwd=folder, env=_ENVIRONMENT, capture_output=True, check=False)
    if done.returncode != ("endless.py" in arguments):
        raise subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)
    return Cost(perf_counter() - began, _processor() - before)


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def imports(folder: Path, arguments: Sequence[str]) -> list[tuple[str, float]]:
    """The packages that the command imports and the seconds that each takes with all that it imports, slowest first."""
    script = "import sys; from orchestrator.cli.main import main; sys.argv[0] = 'cleanroom'; main()"
    command = [sys.executable, "-X", "importtime", "-c", script, *arguments]
    done = subprocess.run(command, cwd=folder, env=_ENVIRONMENT, capture_output=True, text=True, check=False)
    found: dict[str, float] = {}
    for line in done.stderr.splitlines():
        if match := _IMPORT.match(line):
            package = ".".join(match["name"].split(".")[: 2 if match["name"].startswith("orchestrator.") else 1])
            found[package] = max(found.get(package, 0.0), int(match["total"]) / 1e6)
    return sorted(found.items(), key=lambda one: -one[1])


def _figures(command: str, measured: Sequence[Cost]) -> list[str]:
    walls = [cost.wall for cost in measured]
    target = TARGETS_S.get(command, TARGET_S)
    verdict = "met" if median(walls) <= target else "missed"
    processor = median(cost.processor for cost in measured)
    return [f"{median(walls):.2f} s", f"{min(walls):.2f} s", f"{processor:.2f} s", f"≤ {target} s: {verdict}"]


def main() -> None:
    """Measure and print, also where a target is missed; --document writes the table into docs/performance.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--top", type=int, default=8)
    parser.add_argument("--document", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, options.rows)
        costs: dict[str, list[Cost]] = {command: [] for command in COMMANDS}
        for turn in range(options.turns + 1):
            for command, arguments in COMMANDS.items():
                cost = start(folder, arguments)
                if turn:
                    costs[command].append(cost)
        head = ["command", "median", "best", "processor time of the command's processes", "target"]
        rows = [head, *([command, *_figures(command, measured)] for command, measured in costs.items())]
        circumstances = f"{os.cpu_count()} processors, {options.rows} rows, {options.turns} turns"
        print(f"Whole commands, {circumstances}\n", *(" | ".join(row) for row in rows), sep="\n")
        if options.document:
            keep("commands", circumstances, rows)
        for command, arguments in COMMANDS.items():
            slowest = ", ".join(f"{package} {s:.2f}" for package, s in imports(folder, arguments)[: options.top])
            print(f"\nimports of {command} (s, each with what it imports): {slowest}")


if __name__ == "__main__":
    main()
