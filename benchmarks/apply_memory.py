"""The most memory that `cleanroom apply` and the exported file need, by the size of the data.

    python -m benchmarks.apply_memory [--megabytes 100 1000] [--functions 4] [--place POSTGRESQL_URL]

The data comes from the seeded generator of `benchmarks.apply`, 100,000 rows again and again. Measured is the largest
resident set of the command's own process, as the kernel counts it (`ru_maxrss`); containers have limits of their own,
which do not depend on the data. With `--place`, `--rows` rows are also written to a new table there, and from that
table to another one.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.apply import messy
from benchmarks.batch import SOURCE
from orchestrator.data.files import file_sha256

COLUMNS = 12
BYTES_PER_ROW = 194
BLOCK = 100_000
PROVED_ON = 400


def promoted(folder: Path, functions: int) -> Path:
    """A registry with functions that were proved on the first rows, and beside it the exported file."""
    sample = messy(folder / "sample.csv", PROVED_ON, COLUMNS)
    files = [folder / f"trim_{number}.py" for number in range(functions)]
    for number, file in enumerate(files):
        file.write_text(SOURCE.format(number=number))
    registry = folder / "registry"
    told = ["verify", *map(str, files), "--data", str(sample), "--quick", "--promote", "--registry", str(registry)]
    cleanroom(*told)
    cleanroom("registry", "export", "--registry", str(registry), "-o", str(folder / "exported"))
    return registry


def large(path: Path, rows: int) -> Path:
    """So many rows, the generated ones repeated: to draw each would take longer than to clean it."""
    messy(path, min(rows, BLOCK), COLUMNS)
    header, _, body = path.read_bytes().partition(b"\n")
    lines = body.splitlines(keepends=True)
    whole, rest = divmod(rows, len(lines))
    with path.open("wb") as file:
        file.write(header + b"\n")
        for _ in range(whole):
            file.write(body)
        file.write(b"".join(lines[:rest]))
    return path


def cleanroom(*arguments: str) -> tuple[float, int]:
    """Run the command; seconds and the most bytes. Raises SystemExit where it fails."""
    return measured([str(Path(sys.executable).with_name("cleanroom")), *arguments])


def measured(command: list[str]) -> tuple[float, int]:
    """Seconds, and the largest resident set of the process itself in bytes."""
    started = perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(command)} failed:\n{said.read().decode(errors='replace')[-2000:]}")
    return perf_counter() - started, usage.ru_maxrss * 1024


def say(what: str, rows: int, found: tuple[float, int]) -> None:
    """One line of the result."""
    seconds, most = found
    rate = rows / seconds
    print(f"{what:40} {rows:>10,} rows {seconds:8.1f} s {rate:>10,.0f} rows/s {most / 2**20:6.0f} MiB", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--functions", type=int, default=4)
    parser.add_argument("--place", default="", help="a PostgreSQL database: postgresql://…")
    parser.add_argument("--rows", type=int, default=1_000_000, help="written to that database")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        registry = promoted(folder, asked.functions)
        for megabytes in asked.megabytes:
            rows = megabytes * 10**6 // BYTES_PER_ROW
            data, output = large(folder / "data.csv", rows), folder / "out.csv"
            found = cleanroom("apply", str(data), "--functions", str(registry), "-o", str(output))
            say(f"apply, {data.stat().st_size / 10**6:,.0f} MB of CSV", rows, found)
            exported = folder / "exported" / "cleaning_functions.py"
            again = folder / "again.csv"
            say("the exported file, the same", rows, measured([sys.executable, str(exported), str(data), str(again)]))
            if file_sha256(output) != file_sha256(again):
                raise SystemExit("the two results differ")
        if asked.place:
            data = large(folder / "data.csv", asked.rows)
            mark = "&" if "?" in asked.place else "?"
            first, second = (f"{asked.place}{mark}table={table}" for table in ("cleanroom_first", "cleanroom_second"))
            found = cleanroom("apply", str(data), "--functions", str(registry), "-o", first)
            say("apply, from CSV to PostgreSQL", asked.rows, found)
            found = cleanroom("apply", first, "--functions", str(registry), "-o", second)
            say("apply, from PostgreSQL to PostgreSQL", asked.rows, found)


if __name__ == "__main__":
    main()
