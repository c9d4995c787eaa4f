"""`cleanroom run` on each format: what it leaves, that it is right, and that it can be used without cleanroom."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.end_to_end.conftest import CITIES, Call, messy_rows, read_data, write_data

pytestmark = pytest.mark.docker


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_messy_file_becomes_clean(
    cleanroom: Call, tmp_path: Path, suffix: str, containers: Callable[[], list[str]]
) -> None:
    """Blanks, null words and dates are mended; nothing else changes; all results are there; no container is left."""
    rows = messy_rows()
    write_data(tmp_path / f"messy{suffix}", rows)
    done = cleanroom("run", f"messy{suffix}", "--out", "result", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["status"] == "clean"
    assert len(summary["promoted"]) >= 3
    names = {p.name for p in (tmp_path / "result").iterdir()}
    assert names == {f"cleaned{suffix}", "cleaning_functions.py", "report.html", "run.jsonl", "registry"}
    cleaned = read_data(tmp_path / "result" / f"cleaned{suffix}")
    assert [row["id"] for row in cleaned] == [row["id"] for row in rows]
    assert {row["city"] for row in cleaned} == set(CITIES)
    assert all(len(row["day"]) == 10 and row["day"].startswith("2024-03-") for row in cleaned)
    assert not any(row["phone"] == "N/A" for row in cleaned)
    assert containers() == []


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_the_exported_functions_do_the_same_without_cleanroom(cleanroom: Call, tmp_path: Path, suffix: str) -> None:
    """`cleaning_functions.py` run on its own, and `cleanroom apply`, write the same bytes as the run did."""
    write_data(tmp_path / f"messy{suffix}", messy_rows())
    assert cleanroom("run", f"messy{suffix}", "--out", "result").returncode == 0
    wanted = (tmp_path / "result" / f"cleaned{suffix}").read_bytes()
    alone = tmp_path / f"alone{suffix}"
    command = [sys.executable, "-I", "result/cleaning_functions.py", f"messy{suffix}", str(alone)]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert alone.read_bytes() == wanted
    done = cleanroom("apply", f"messy{suffix}", "--functions", "result", "-o", f"applied{suffix}")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"applied{suffix}").read_bytes() == wanted


def test_output_that_is_the_input_is_refused(cleanroom: Call, tmp_path: Path) -> None:
    """Neither by name nor through a link can apply write over what it reads."""
    data = write_data(tmp_path / "messy.csv", messy_rows())
    assert cleanroom("run", "messy.csv", "--out", "result").returncode == 0
    before = data.read_bytes()
    (tmp_path / "link.csv").symlink_to(data)
    for target in ("messy.csv", "link.csv"):
        done = cleanroom("apply", "messy.csv", "--functions", "result", "-o", target)
        assert done.returncode == 2, done.stderr
        assert "same file" in done.stderr
    assert data.read_bytes() == before


def test_the_run_can_be_looked_at_afterwards(cleanroom: Call, tmp_path: Path) -> None:
    """`runs list`, `runs show`, `registry list`, `show`, `verify`, `revoke` and `export` work on what a run left."""
    write_data(tmp_path / "messy.csv", messy_rows())
    done = cleanroom("run", "messy.csv", "--out", "result", "--json")
    name = json.loads(done.stdout)["promoted"][0]
    assert "messy.csv" in cleanroom("runs", "list").stdout
    assert name in cleanroom("runs", "show", "result").stdout
    assert name in cleanroom("registry", "list", "--registry", "result").stdout
    assert f"def {name}" in cleanroom("registry", "show", name, "--registry", "result").stdout
    assert cleanroom("registry", "verify", "--registry", "result").returncode == 0
    assert cleanroom("registry", "revoke", name, "--reason", "test", "--registry", "result").returncode == 0
    assert name not in cleanroom("registry", "list", "--registry", "result").stdout
    assert cleanroom("registry", "export", "-o", "exported", "--registry", "result").returncode == 0
    assert f"def {name}" not in (tmp_path / "exported" / "cleaning_functions.py").read_text(encoding="utf-8")


def test_a_clean_file_stays_as_it_is(cleanroom: Call, tmp_path: Path) -> None:
    """Nothing to mend: no function, and the output is the input, byte for byte."""
    lines = ["id,city", *(f"A{i:03},{CITIES[i % 5]}" for i in range(100))]
    data = tmp_path / "clean.csv"
    data.write_text("\r\n".join(lines) + "\r\n", encoding="utf-8-sig", newline="")
    done = cleanroom("run", "clean.csv", "--out", "result", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["promoted"] == []
    assert (tmp_path / "result" / "cleaned.csv").read_bytes() == data.read_bytes()


def test_results_of_an_earlier_run_are_kept(cleanroom: Call, tmp_path: Path) -> None:
    """The same --out again is refused, and --overwrite says that it is meant."""
    write_data(tmp_path / "messy.csv", messy_rows(60))
    assert cleanroom("run", "messy.csv", "--out", "result").returncode == 0
    again = cleanroom("run", "messy.csv", "--out", "result")
    assert again.returncode == 2
    assert "--overwrite" in again.stderr
    assert cleanroom("run", "messy.csv", "--out", "result", "--overwrite").returncode == 0


def test_a_registry_that_was_edited_by_hand_is_rejected(cleanroom: Call, tmp_path: Path) -> None:
    """`registry verify` says which function is not what was promoted, with exit code 1."""
    write_data(tmp_path / "messy.csv", messy_rows(60))
    assert cleanroom("run", "messy.csv", "--out", "result").returncode == 0
    with closing(sqlite3.connect(tmp_path / "result" / "registry" / "registry.db")) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute("UPDATE functions SET source = source || '# mine'")
        database.commit()
    done = cleanroom("registry", "verify", "--registry", "result")
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("error: ")
