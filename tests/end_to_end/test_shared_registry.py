"""Runs, verify and apply that share one registry, in a folder or in PostgreSQL: what one promotes the next one uses."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.end_to_end.conftest import Call, Done, messy_rows, read_data, write_data
from tests.support.postgresql import PASSWORD, Server, postgresql

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


STRICT = '''"""Ids are written in capitals."""
CONTRACT = {"shape": "table", "modifies": ["id"]}
def strict_id(df):
    """Write id in capitals."""
    if (df["id"] == "broken").any():
        raise ValueError("broken")
    return df.assign(id=df["id"].str.upper())
'''


ROWS = [row | {"phone": "030 5550000"} for row in messy_rows()]


def test_runs_share_a_registry(tmp_path: Path, cleanroom: Call) -> None:
    """A second run begins with the functions of the first; verify adds one; apply uses all."""
    write_data(tmp_path / "blanks.csv", [row | {"day": "2024-03-01"} for row in ROWS])
    first = cleanroom("run", "blanks.csv", "--out", "one", "--registry", "team", "--json")
    assert first.returncode == 0, first.stderr
    promoted = json.loads(first.stdout)["promoted"]
    assert promoted

    second = _run(cleanroom, tmp_path, "team")
    summary = json.loads(second.stdout)
    assert not set(summary["promoted"]) & set(promoted)
    assert summary["files"]["registry"] == str(tmp_path / "team" / "registry.db")

    _verify_and_apply(cleanroom, tmp_path, "team")
    _resume(cleanroom, tmp_path, "team", summary["promoted"])


def test_commands_share_postgresql(tmp_path: Path, cleanroom: Call, postgresql: Server) -> None:
    """The same with a URL, from the second run on; and no password is left."""
    place = postgresql.new_database()
    ran = _run(cleanroom, tmp_path, place)
    summary = json.loads(ran.stdout)
    assert summary["files"]["registry"] == _without_password(place)
    said = [ran, *_verify_and_apply(cleanroom, tmp_path, place)]
    said += _resume(cleanroom, tmp_path, place, summary["promoted"])
    assert not any(PASSWORD in done.stdout + done.stderr for done in said)
    left = [path for path in tmp_path.rglob("*") if path.is_file() and PASSWORD.encode() in path.read_bytes()]
    assert left == []


def test_a_run_goes_on_without_rows_on_which_a_function_of_the_registry_fails(tmp_path: Path, cleanroom: Call) -> None:
    """The command that is advised brings it to its end, with these rows in a file of their own."""
    rows = [{"id": f"a{n}", "city": f"{'' if n % 5 else ' '}Ulm"} for n in range(60)]
    write_data(tmp_path / "good.csv", rows)
    write_data(tmp_path / "bad.csv", [*rows, {"id": "broken", "city": "Bonn"}])
    (tmp_path / "strict.py").write_text(STRICT)
    verified = cleanroom("verify", "strict.py", "--data", "good.csv", "--promote", "--quick", "--registry", "team")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    stopped = cleanroom("run", "bad.csv", "--out", "out", "--registry", "team")
    assert stopped.returncode == 2, stopped.stderr
    assert "`cleanroom runs resume out --registry … --quarantine`" in " ".join(stopped.stderr.split())
    resumed = cleanroom("runs", "resume", "out", "--registry", "team", "--quarantine", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert [row["id"] for row in read_data(tmp_path / "out" / "quarantine.csv")] == ["broken"]
    assert len(read_data(tmp_path / "out" / "cleaned.csv")) == 60


def _run(cleanroom: Call, folder: Path, place: str) -> Done:
    """Into the folder `two`, with the registry in the place: the data are clean, and there is no other registry."""
    write_data(folder / "all.csv", ROWS)
    done = cleanroom("run", "all.csv", "--out", "two", "--registry", place, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["promoted"]
    assert not (folder / "two" / "registry" / "registry.db").exists()
    cleaned = read_data(folder / "two" / "cleaned.csv")
    assert [row["city"] for row in cleaned] == [row["city"].strip() for row in ROWS]
    assert all(row["day"].startswith("2024-03-") for row in cleaned)
    return done


def _verify_and_apply(cleanroom: Call, folder: Path, place: str) -> list[Done]:
    """One more function, and all of them on a file that needs it, too."""
    (folder / "upper.py").write_text(UPPER)
    write_data(folder / "lower.csv", [row | {"id": row["id"].lower()} for row in ROWS])
    options = ("--data", "lower.csv", "--promote", "--quick", "--registry", place, "--json")
    verified = cleanroom("verify", "upper.py", *options)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    applied = cleanroom("apply", "lower.csv", "--functions", place, "-o", "out.csv", "--json")
    assert applied.returncode == 0, applied.stderr
    assert read_data(folder / "out.csv") == read_data(folder / "two" / "cleaned.csv")
    return [verified, applied]


def _resume(cleanroom: Call, folder: Path, place: str, promoted: list[str]) -> list[Done]:
    """A finished run needs nothing; one that was killed after its last promotion goes on where it promoted."""
    again = cleanroom("runs", "resume", "two")
    assert again.returncode == 0, again.stderr
    (folder / "two" / "run.jsonl").write_text(_until_the_promotion(folder / "two" / "run.jsonl"))
    refused = cleanroom("runs", "resume", "two")
    assert (refused.returncode, "--registry" in refused.stderr) == (2, True), refused.stderr
    other = cleanroom("runs", "resume", "two", "--registry", "other")
    assert (other.returncode, "promotes into the registry" in other.stderr) == (2, True), other.stderr
    resumed = cleanroom("runs", "resume", "two", "--registry", place, "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["promoted"] == promoted
    return [again, refused, other, resumed]


def _without_password(url: str) -> str:
    name, _, folder = url.replace(f":{PASSWORD}", "").partition("?host=")
    return f"{name}?host={quote(folder, safe='')}"


def _until_the_promotion(journal: Path) -> str:
    """The journal of a run that was killed just after its last promotion."""
    lines = journal.read_text().splitlines(keepends=True)
    kinds = [json.loads(line)["kind"] for line in lines]
    return "".join(lines[: len(kinds) - kinds[::-1].index("promotion")])


def test_a_run_stops_where_a_function_of_the_registry_reads_dates_in_another_order(
    tmp_path: Path, cleanroom: Call
) -> None:
    """Next month's file has the month first: nothing is promoted, and no date becomes another day."""
    plain = [f"2024-{month:02}-{day:02}" for month in (1, 2, 3, 4) for day in range(1, 29)]
    pairs = [(month, day) for month in (1, 2, 3) for day in range(1, 25, 2)]
    for name, form in (("march.csv", "{1:02}/{0:02}/2024"), ("april.csv", "{0:02}/{1:02}/2024")):
        days = [*plain, *(form.format(*pair) for pair in pairs)]
        (tmp_path / name).write_text("visit,seen\n" + "".join(f"V{n},{day}\n" for n, day in enumerate(days)))
    first = cleanroom("run", "march.csv", "--registry", "team", "--json")
    assert json.loads(first.stdout)["promoted"] == ["iso_dates_in_seen"]

    second = cleanroom("run", "april.csv", "--registry", "team")
    assert second.returncode == 1
    assert "iso_dates_in_seen of the registry was proved on dates of another order" in second.stderr
    assert "Leave out --registry" in second.stderr
    assert "Traceback" not in second.stderr
    assert not (tmp_path / "april-cleaned" / "cleaned.csv").exists()
    listed = cleanroom("registry", "list", "--registry", "team", "--json").stdout.splitlines()
    assert [json.loads(line)["candidate"]["name"] for line in listed] == ["iso_dates_in_seen"]
