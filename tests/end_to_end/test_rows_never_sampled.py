"""A run holds the rows that it did not look at against those on which its functions were proved."""

import json
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Call

pytestmark = [pytest.mark.docker, pytest.mark.timeout(300), pytest.mark.usefixtures("warm")]


def test_rows_that_no_sample_had_are_compared(tmp_path: Path, cleanroom: Call) -> None:
    """Dates further down have the month first: the summary says which are left, and that others may be read wrongly."""
    days = [f"{day:02}/{month:02}/2024" for month in range(1, 13) for day in range(1, 29)] * 2
    rare = ["03/17/2024", "04/18/2024", "05/06/2024"]
    cells = [*days[:400], *(f"2024-05-{n % 28 + 1:02}" for n in range(400)), *days[400:], *rare]
    (tmp_path / "visits.csv").write_text("visit,seen\n" + "".join(f"V{n},{day}\n" for n, day in enumerate(cells)))
    part = ["--chunk-rows", "800", "--max-chunks", "1", "--sampling", "sequential"]
    ran = cleanroom("run", "visits.csv", *part, "--json")
    assert ran.returncode == 0, ran.stderr
    said = {one["kind"]: one["said"] for one in json.loads(ran.stdout)["data_drift"]}
    assert "2 dates are left that have the month first, such as '03/17/2024'" in said["dates-of-other-order"]


def test_a_file_that_was_looked_at_whole_is_not_compared_with_itself(tmp_path: Path, cleanroom: Call) -> None:
    """The negative control: all of its rows are what the functions were proved on."""
    days = [f"{day:02}/{month:02}/2024" for month in range(1, 13) for day in range(1, 29)]
    (tmp_path / "visits.csv").write_text("visit,seen\n" + "".join(f"V{n},{day}\n" for n, day in enumerate(days)))
    ran = cleanroom("run", "visits.csv", "--json")
    assert "data_drift" not in json.loads(ran.stdout)
