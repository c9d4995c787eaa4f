"""A file without a header is not shown to a model that must not see its rows."""

import json
from pathlib import Path

import pytest

from tests.support.command import Call

ROWS = "Maria Kowalska,84021512345,naleczn\n" + "".join(f"Jan Nowak,7901011{n:04},lublin\n" for n in range(60))
MODEL = ("--model", "replay:none.jsonl")  # says that there is no such file when it is to be asked


@pytest.mark.parametrize("command", ["run", "analyze"])
@pytest.mark.parametrize("privacy", ["masked", "profile"])
def test_a_row_in_place_of_the_names_is_refused(command: str, privacy: str, cleanroom: Call, tmp_path: Path) -> None:
    """One sentence before anything is started or sent, and what to do next."""
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    done = cleanroom(command, "rows.csv", *MODEL, "--privacy", privacy)
    assert done.returncode == 2
    assert "The names of columns in rows.csv look like data" in done.stderr
    assert "--header names" in done.stderr
    assert not (tmp_path / "rows-cleaned").exists()


PERSONS = [
    f"{first} {last}" for first in ("Anna", "Bert", "Cleo", "Dora") for last in ("Quell", "Warth", "Indor", "Brim")
]


@pytest.mark.parametrize("command", ["run", "analyze"])
def test_persons_as_keys_of_records_are_refused_as_columns(command: str, cleanroom: Call, tmp_path: Path) -> None:
    """JSON read as a table makes columns of them; as records they are replaced, and rare names of fields are names."""
    votes = [{"id": n, "city": " Ulm", PERSONS[n % 16]: 1} for n in range(64)]
    events = [{"id": n, f"{PERSONS[n % 16].lower().replace(' ', '_')}_count": 1} for n in range(64)]
    for name, records in (("votes", votes), ("events", events)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    done = cleanroom(command, "votes.jsonl", *MODEL, "--privacy", "masked")
    assert done.returncode == 2
    assert "Keys of records in votes.jsonl look like data ('Anna Quell')" in done.stderr
    assert "--shape record" in done.stderr
    for more in (("votes.jsonl", "--shape", "record"), ("votes.jsonl", "--header", "names"), ("events.jsonl",)):
        assert "none.jsonl" in cleanroom(command, *more, *MODEL, "--privacy", "masked").stderr


@pytest.mark.parametrize("more", [("--privacy", "raw"), ("--privacy", "masked", "--header", "names")])
def test_names_that_somebody_vouches_for_are_shown(more: tuple[str, ...], cleanroom: Call, tmp_path: Path) -> None:
    """The control: the next step, asking the model, is reached."""
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    done = cleanroom("analyze", "rows.csv", *MODEL, *more)
    assert done.returncode != 0
    assert "look like data" not in done.stderr
    assert "none.jsonl" in done.stderr


def test_the_built_in_rules_show_nothing_to_anybody(cleanroom: Call, tmp_path: Path) -> None:
    """They may read what they like; a person is told that a row seems to stand in place of the names."""
    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    done = cleanroom("analyze", "rows.csv", "--privacy", "masked")
    assert done.returncode == 0
    assert "note: rows.csv: the header looks like a row of data ('84021512345')" in done.stderr
    assert cleanroom("analyze", "rows.csv", "--header", "names").stderr == ""


def test_one_column_that_seems_to_be_several_is_said(cleanroom: Call, tmp_path: Path) -> None:
    """A table of fixed width reads as one column; the note names the command that reads it."""
    (tmp_path / "rows.txt").write_text("id   city\n1    Paris\n2    Rome\n", encoding="utf-8")
    assert "if its columns are of fixed width, say --parser fixed-width" in cleanroom("analyze", "rows.txt").stderr
    (tmp_path / "rows.txt").write_text("the city\nParis\nRome\n", encoding="utf-8")
    assert cleanroom("analyze", "rows.txt").stderr == ""


@pytest.mark.parametrize("command", ["analyze", "diff"])
def test_names_that_columns_were_given_are_said(command: str, cleanroom: Call, tmp_path: Path) -> None:
    """On stderr, with the file's name, so that what is on stdout stays the result."""
    (tmp_path / "rows.csv").write_text(",a,a\n0,x,y\n1,z,w\n", encoding="utf-8")
    done = cleanroom(command, *["rows.csv"] * (2 if command == "diff" else 1), "--json")
    assert done.returncode == 0
    assert "note: rows.csv: column 1 has no name and is read as 'Unnamed: 0'" in done.stderr
    assert "note: rows.csv" not in done.stdout
