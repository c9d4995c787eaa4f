"""CSV files with lines before their header: a title, comments, `sep=;`. They are kept; no row is taken for one."""

from pathlib import Path

import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset, open_writer

WIDE = "id,city,ok\n1,Paris,yes\n2,Rome,no\n"
FOUR = "day;city;sum;kind\n1;Paris;2;a\n2;Rome;;b\n"
ROWS = "id,city\n1,Paris\n2,Rome\n3,Rome\n"
WORLD = (
    '"Data Source","Indicators",\n\n"Last Updated","2024-05-30",\n\n'
    '"Country Name","Code","1960","1961",\n"Aruba","ABW","1.5","",\n"Chad","TCD","","2",\n'
)


def rows_of(path: Path, kind: str | None = None) -> list[dict[str, str]]:
    return [row for table in open_dataset(path, format=kind).batches() for row in table.to_pylist()]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("sep=;\r\n", ROWS.replace(",", ";").replace("\n", "\r\n")),
        ('"sep=,"\n', "name\n" + "x\n" * 3),  # one column: without the line it would be no table of that delimiter
        ("Sales of 2024\n\n", ROWS),
        ("Report\n\n", ROWS),
        ("\n\n", ROWS),
        ("# made by crm, shop, 2024-01-01\n", ROWS),
        ("## a\n## b,c,d\n", ROWS),
        ("Report,,\n,,\n", WIDE),  # as a spreadsheet program writes a title
        ("Sales of 2024;;\nin thousands;;\n", WIDE.replace(",", ";")),
        ("Account;DE02 1203;;\nfrom;2024-01-01;;\n\n", FOUR),  # as a bank pads its own lines
        ("Account;DE02 1203;;\n;;;\n", FOUR),
        ("Kunden am Stichtag\n", ROWS.replace(",", "\t")),
        (WORLD[: WORLD.index('"Country')], WORLD[WORLD.index('"Country') :]),
    ],
)
def test_lines_before_the_header_are_kept_as_they_are(tmp_path: Path, before: str, text: str) -> None:
    """The rows are those of the file without the lines, and what is written is the file, byte for byte."""
    whole, rest = tmp_path / "whole.csv", tmp_path / "rest.csv"
    whole.write_bytes((before + text).encode("utf-16"))
    rest.write_bytes(text.encode())
    dataset = open_dataset(whole)
    assert [row for table in dataset.batches() for row in table.to_pylist()] == rows_of(rest)
    with open_writer(tmp_path / "out.csv", like=dataset, schema=dataset.schema) as writer:
        for table in dataset.batches():
            writer.write(table)
    assert (tmp_path / "out.csv").read_bytes() == whole.read_bytes()


def test_a_person_is_told_which_lines_they_are(tmp_path: Path) -> None:
    """The first of them, and how many more; `sep=;` says nothing to a person."""
    (tmp_path / "a.csv").write_text("Sales of 2024\nby region and month\n\n" + ROWS)
    assert open_dataset(tmp_path / "a.csv").notes == (
        "before the header stands 'Sales of 2024', and 1 more, which is kept as it is",
    )
    (tmp_path / "a.csv").write_text("sep=,\n" + ROWS)
    assert open_dataset(tmp_path / "a.csv").notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "name,city\nAnn,Paris,FR\nBob,Rome,IT\n",  # a header of too few names
        "name\nAnn,Paris\nBob,Rome\n",
        "Ann Lee\n1,Paris\n2,Rome\n",  # no names below
        "Ann Lee\nBob,Rome\nEve,Rome\n",  # a value of the column
        "the first\nx,x\n1,2\n",  # one name twice
        "a title\nid,city\n1\n2\n3,Rome\n",  # rows of another width
        "a,b,c\n\n" + "x y\n" * 25 + ROWS * 40,  # too many lines
    ],
)
def test_what_may_be_a_header_or_a_row_is_never_taken_for_a_title(tmp_path: Path, text: str) -> None:
    """The file is refused as it is without this rule: nobody's row becomes a header."""
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(DataError, match=r"fields? where the header has"):
        rows_of(tmp_path / "a.csv")


@pytest.mark.parametrize(
    "text",
    [
        "# id,city\n1,Paris\n2,Rome\n",
        "a b,c\n1,2\n",
        "id,note\n1,x y\n2,# z\n",
    ],
)
def test_a_first_line_that_can_be_the_header_is_the_header(tmp_path: Path, text: str) -> None:
    """Whatever it begins with."""
    (tmp_path / "a.csv").write_text(text)
    assert open_dataset(tmp_path / "a.csv").columns == tuple(text.splitlines()[0].split(","))
    assert len(rows_of(tmp_path / "a.csv")) == text.count("\n") - 1


@pytest.mark.parametrize(
    "text",
    [
        "name of city,,\nParis,FR,2\nRome,IT,3\n",  # a number below
        "name of city,,\nParis,FR,big\nRome,,small\nParis,FR,x\n",  # a value of the column
        "city,,\nParis,FR,big\nRome,IT,small\n",  # a name, and no row between
        "name of city,\nParis,FR\nRome,IT\n",  # two columns
        "name of city,,\nParis,,big\nRome,IT,small\n",  # no name for each column
    ],
)
def test_a_header_with_one_name_is_a_header(tmp_path: Path, text: str) -> None:
    """Its other columns have none; where the row below it can be a row, it is one."""
    (tmp_path / "a.csv").write_text(text)
    assert open_dataset(tmp_path / "a.csv").columns[1] == "Unnamed: 1"
    assert len(rows_of(tmp_path / "a.csv")) == text.count("\n") - 1


def test_a_header_whose_last_column_has_no_name_stays_above_a_blank_line(tmp_path: Path) -> None:
    """More than half of it is filled, so that it is no account above the header."""
    (tmp_path / "a.csv").write_text("a,b,\n1,2,\n\nx,y,z\nw,v,u\n")
    assert open_dataset(tmp_path / "a.csv").columns == ("a", "b", "Unnamed: 2")


def test_rows_are_counted_with_these_lines(tmp_path: Path) -> None:
    """A message says where a row and the header stand, also of rows that are set aside."""
    path = tmp_path / "a.csv"
    path.write_text("Sales of 2024\n\nid,city\n" + "1,Paris\n" * 19 + "7\n2,Rome\n")
    with pytest.raises(
        DataError,
        match=r"row 22 \(the header is row 2, blank lines are not counted\): 1 field where the header has 2: 7",
    ):
        rows_of(path)
    dataset = open_dataset(path, set_aside=True)
    assert [(row.number, row.text) for row in dataset.unreadable] == [(22, "7")]
    assert dataset.rows == 20
    assert dataset.columns == ("id", "city")
