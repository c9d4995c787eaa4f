"""The whole system as a user meets it: the `cleanroom` command, the real engine, small messy files."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import docker
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.sandbox.containers.owner import RUN
from tests.support import command
from tests.support.warm_sandboxes import NO_COMMANDS

if TYPE_CHECKING:
    import subprocess

Done = command.Done
Call = command.Call
OWNER = "io.cleanroom.owner-pid"
STARTED: set[str] = set()
CITIES = ("Berlin", "Hamburg", "München", "Köln", "Leipzig")


def messy_rows(count: int = 240, *, only_cities: bool = False) -> list[dict[str, str]]:
    """Rows with stray blanks, and null words and mixed dates unless `only_cities`; the rest is as it should be."""
    rows = []
    for i in range(count):
        city = CITIES[i % len(CITIES)]
        day = f"2024-03-{i % 28 + 1:02}"
        rows.append(
            {
                "id": f"A{i:04}",
                "city": f" {city}" if i % 9 == 0 else city,
                "phone": "N/A" if i % 11 == 0 and not only_cities else f"030 555{i:04}",
                "day": day if i % 8 or only_cities else f"{i % 28 + 1:02}.03.2024",
            }
        )
    return rows


def write_data(path: Path, rows: list[dict[str, str]]) -> Path:
    """The rows as CSV, JSONL or Parquet, as the name says."""
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    else:
        lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read_data(path: Path) -> list[dict[str, str]]:
    """The rows of such a file."""
    if path.suffix == ".parquet":
        return list(pq.read_table(path).to_pylist())
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    return [dict(zip(head.split(","), line.split(","), strict=True)) for line in lines]


def start(cwd: Path, *arguments: object, env: dict[str, str] | None = None) -> "subprocess.Popen[str]":
    """`cleanroom ARGS…` in a folder, without the caller's own cleanroom settings."""
    process = command.start(cwd, *arguments, env=env)
    STARTED.add(str(process.pid))
    return process


@pytest.fixture
def cleanroom(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    """Run `cleanroom ARGS…` through its entry point, in a folder of its own."""
    run = command.in_this_process(tmp_path, capfd)

    def call(*arguments: object, env: dict[str, str] | None = None) -> Done:
        STARTED.add(str(os.getpid()))
        done = run(*arguments, env=env)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return call


@pytest.fixture
def cleanroom_process(tmp_path: Path) -> Call:
    """The same in a process of its own, as a user does."""

    def call(*arguments: object, env: dict[str, str] | None = None) -> Done:
        done = command.finish(start(tmp_path, *arguments, env=env))
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return call


@pytest.fixture
def containers() -> Callable[[], list[str]]:
    """The names of containers that belong to a `cleanroom` that this test started: none may be left.

    Those that this process keeps for all commands (`warm`, `docker_sandbox`) are no single command's.
    """
    client = docker.from_env()

    def there() -> set[str]:
        found = client.containers.list(all=True, ignore_removed=True, filters={"label": OWNER})
        return {str(c.name) for c in found if c.labels[OWNER] in STARTED and c.labels[RUN] != NO_COMMANDS}

    before = there()
    return lambda: sorted(there() - before)
