"""`cleanroom run` on each format: what it leaves, that it is right, and that it can be used without cleanroom."""

import functools
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.end_to_end.conftest import CITIES, Call, Done, messy_rows, read_data, start, write_data
from tests.support.command import finish

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("warm")]


class Ran(NamedTuple):
    """What a run said, and the folder with its data and its results."""

    done: Done
    folder: Path


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Ran]:
    """Runs on a messy file, in a process of its own; one for each format: on CSV for three functions, else for one."""

    @functools.cache
    def run(suffix: str) -> Ran:
        folder = tmp_path_factory.mktemp("ran")
        write_data(folder / f"messy{suffix}", messy_rows(only_cities=suffix != ".csv"))
        return Ran(finish(start(folder, "run", f"messy{suffix}", "--out", "result", "--json")), folder)

    return run


@pytest.fixture
def csv_run(ran: Callable[[str], Ran], tmp_path: Path) -> Ran:
    """The run on CSV, in a copy that the test may change."""
    done, folder = ran(".csv")
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return Ran(done, tmp_path)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_messy_file_becomes_clean(
    ran: Callable[[str], Ran], suffix: str, containers: Callable[[], list[str]]
) -> None:
    """Blanks, null words and dates are mended; nothing else changes; all results are there; no container is left."""
    done, folder = ran(suffix)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    summary = json.loads(done.stdout)
    assert summary["status"] == "clean"
    assert len(summary["promoted"]) >= (3 if suffix == ".csv" else 1)
    names = {p.name for p in (folder / "result").iterdir()}
    assert names == {f"cleaned{suffix}", "cleaning_functions.py", "report.html", "run.jsonl", "registry"}
    cleaned = read_data(folder / "result" / f"cleaned{suffix}")
    assert [row["id"] for row in cleaned] == [row["id"] for row in messy_rows()]
    assert {row["city"] for row in cleaned} == set(CITIES)
    assert all(len(row["day"]) == 10 and row["day"].startswith("2024-03-") for row in cleaned)
    assert not any(row["phone"] == "N/A" for row in cleaned)
    assert containers() == []


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_the_exported_functions_do_the_same_without_cleanroom(
    ran: Callable[[str], Ran], cleanroom: Call, tmp_path: Path, suffix: str
) -> None:
    """`cleaning_functions.py` run on its own, and `cleanroom apply`, write the same bytes as the run did."""
    folder = ran(suffix).folder
    wanted = (folder / "result" / f"cleaned{suffix}").read_bytes()
    alone = tmp_path / f"alone{suffix}"
    command = [sys.executable, "-I", "result/cleaning_functions.py", f"messy{suffix}", str(alone)]
    subprocess.run(command, cwd=folder, check=True)
    assert alone.read_bytes() == wanted
    done = cleanroom("apply", folder / f"messy{suffix}", "--functions", folder / "result", "-o", f"applied{suffix}")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"applied{suffix}").read_bytes() == wanted


def test_output_that_is_the_input_is_refused(csv_run: Ran, cleanroom: Call) -> None:
    """Neither by name nor through a link can apply write over what it reads."""
    data = csv_run.folder / "messy.csv"
    before = data.read_bytes()
    (csv_run.folder / "link.csv").symlink_to(data)
    for target in ("messy.csv", "link.csv"):
        done = cleanroom("apply", "messy.csv", "--functions", "result", "-o", target)
        assert done.returncode == 2, done.stderr
        assert "same file" in done.stderr
    assert data.read_bytes() == before


def test_the_run_can_be_looked_at_afterwards(csv_run: Ran, cleanroom: Call) -> None:
    """`runs list`, `runs show`, `registry list`, `show`, `verify`, `revoke` and `export` work on what a run left."""
    name = json.loads(csv_run.done.stdout)["promoted"][0]
    assert "messy.csv" in cleanroom("runs", "list").stdout
    assert name in cleanroom("runs", "show", "result").stdout
    assert name in cleanroom("registry", "list", "--registry", "result").stdout
    assert f"def {name}" in cleanroom("registry", "show", name, "--registry", "result").stdout
    assert cleanroom("registry", "verify", "--registry", "result").returncode == 0
    assert cleanroom("registry", "revoke", name, "--reason", "test", "--registry", "result").returncode == 0
    listed = cleanroom("registry", "list", "--registry", "result").stdout.splitlines()
    assert [line for line in listed if name in line] == [f"revoked: {name}"]
    assert cleanroom("registry", "export", "-o", "exported", "--registry", "result").returncode == 0
    exported = csv_run.folder / "exported" / "cleaning_functions.py"
    assert f"def {name}" not in exported.read_text(encoding="utf-8")


def test_a_clean_file_stays_as_it_is(cleanroom: Call, tmp_path: Path) -> None:
    """Nothing to mend: no function, and the output is the input, byte for byte."""
    lines = ["id,city", *(f"A{i:03},{CITIES[i % 5]}" for i in range(100))]
    data = tmp_path / "clean.csv"
    data.write_text("\r\n".join(lines) + "\r\n", encoding="utf-8-sig", newline="")
    done = cleanroom("run", "clean.csv", "--out", "result", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["promoted"] == []
    assert (tmp_path / "result" / "cleaned.csv").read_bytes() == data.read_bytes()


def test_results_of_an_earlier_run_are_kept(csv_run: Ran, cleanroom: Call) -> None:
    """The same --out again is refused, and --overwrite says that it is meant."""
    (csv_run.folder / "other.csv").write_text("city\n" + "Berlin\n" * 20)
    for data in ("messy.csv", "other.csv"):
        again = cleanroom("run", data, "--out", "result")
        assert again.returncode == 2
        assert "--overwrite" in again.stderr
    assert cleanroom("run", "other.csv", "--out", "result", "--overwrite").returncode == 0
    assert (csv_run.folder / "result" / "cleaned.csv").read_text() == (csv_run.folder / "other.csv").read_text()


def test_a_registry_that_was_edited_by_hand_is_rejected(csv_run: Ran, cleanroom: Call) -> None:
    """`registry verify` says which function is not what was promoted, with exit code 1."""
    with closing(sqlite3.connect(csv_run.folder / "result" / "registry" / "registry.db")) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute("UPDATE functions SET source = source || '# mine'")
        database.commit()
    done = cleanroom("registry", "verify", "--registry", "result")
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("error: ")
