"""Runs, verify and apply that share one registry, in a folder or in PostgreSQL: what one promotes the next one uses."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.end_to_end.conftest import Call, messy_rows, read_data, write_data
from tests.support.postgresql import PASSWORD, postgresql

__all__ = ["postgresql"]
pytestmark = [pytest.mark.docker, pytest.mark.timeout(600), pytest.mark.usefixtures("warm")]

UPPER = '''"""Ids are written in capitals."""
CONTRACT = {"shape": "table", "modifies": ["id"]}
def upper_id(df):
    """Write id in capitals."""
    out = df.copy()
    out["id"] = out["id"].str.upper()
    return out
'''


@pytest.mark.parametrize("kind", ["folder", "postgresql"])
def test_runs_share_a_registry(kind: str, tmp_path: Path, cleanroom: Call, request: pytest.FixtureRequest) -> None:
    """A second run begins with the functions of the first; verify adds one; apply uses all; no password is left."""
    place = "team" if kind == "folder" else request.getfixturevalue("postgresql").new_database()
    rows = [row | {"phone": "030 5550000"} for row in messy_rows()]
    write_data(tmp_path / "blanks.csv", [row | {"day": "2024-03-01"} for row in rows])
    write_data(tmp_path / "all.csv", rows)

    first = cleanroom("run", "blanks.csv", "--out", "one", "--registry", place, "--json")
    assert first.returncode == 0, first.stderr
    promoted = json.loads(first.stdout)["promoted"]
    assert promoted
    assert not (tmp_path / "one" / "registry" / "registry.db").exists()

    second = cleanroom("run", "all.csv", "--out", "two", "--registry", place, "--json")
    assert second.returncode == 0, second.stderr
    summary = json.loads(second.stdout)
    assert summary["promoted"]
    assert not set(summary["promoted"]) & set(promoted)
    assert summary["files"]["registry"] == (
        str(tmp_path / "team" / "registry.db") if kind == "folder" else _without_password(place)
    )
    cleaned = read_data(tmp_path / "two" / "cleaned.csv")
    assert [row["city"] for row in cleaned] == [row["city"].strip() for row in rows]
    assert all(row["day"].startswith("2024-03-") for row in cleaned)

    (tmp_path / "upper.py").write_text(UPPER)
    write_data(tmp_path / "lower.csv", [row | {"id": row["id"].lower()} for row in rows])
    options = ("--data", "lower.csv", "--promote", "--quick", "--registry", place, "--json")
    verified = cleanroom("verify", "upper.py", *options)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    applied = cleanroom("apply", "lower.csv", "--functions", place, "-o", "out.csv", "--json")
    assert applied.returncode == 0, applied.stderr
    assert read_data(tmp_path / "out.csv") == cleaned

    again = cleanroom("runs", "resume", "two")
    assert again.returncode == 0, again.stderr
    (tmp_path / "two" / "run.jsonl").write_text(_until_the_promotion(tmp_path / "two" / "run.jsonl"))
    refused = cleanroom("runs", "resume", "two")
    assert (refused.returncode, "--registry" in refused.stderr) == (2, True), refused.stderr
    other = cleanroom("runs", "resume", "two", "--registry", "other")
    assert (other.returncode, "promotes into the registry" in other.stderr) == (2, True), other.stderr
    resumed = cleanroom("runs", "resume", "two", "--registry", place, "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["promoted"] == summary["promoted"]

    said = [first, second, verified, applied, again, refused, other, resumed]
    assert not any(PASSWORD in done.stdout + done.stderr for done in said)
    left = [path for path in tmp_path.rglob("*") if path.is_file() and PASSWORD.encode() in path.read_bytes()]
    assert left == []


def _without_password(url: str) -> str:
    name, _, folder = url.replace(f":{PASSWORD}", "").partition("?host=")
    return f"{name}?host={quote(folder, safe='')}"


def _until_the_promotion(journal: Path) -> str:
    """The journal of a run that was killed just after its last promotion."""
    lines = journal.read_text().splitlines(keepends=True)
    kinds = [json.loads(line)["kind"] for line in lines]
    return "".join(lines[: len(kinds) - kinds[::-1].index("promotion")])
