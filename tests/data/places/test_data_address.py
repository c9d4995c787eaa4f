"""What an address of data is, what it says of itself, and that it never says its secrets."""

from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.data.data_address import DataAddress, location


def address(text: str) -> DataAddress:
    found = location(text)
    assert isinstance(found, DataAddress)
    return found


def test_a_path_stays_a_path() -> None:
    """What has no scheme is a file, whatever its name."""
    assert location("data/a:b.csv") == Path("data/a:b.csv")
    assert location(Path("x.csv")) == Path("x.csv")


@pytest.mark.parametrize(
    ("text", "shown", "name", "stem"),
    [
        ("s3://bucket/a/orders 1.csv", "s3://bucket/a/orders 1.csv", "orders 1.csv", "orders_1"),
        ("https://h.example/x/o.csv", "https://h.example/x/o.csv", "o.csv", "o"),
        ("sqlite:///d.db?table=t 1", "sqlite:///d.db?table=t 1", "t 1", "t_1"),
        ("postgres://u@h:5/d?table=public.t", "postgresql://u@h:5/d?table=public.t", "public.t", "public.t"),
        ("postgresql://h/d?query=SELECT+1", "postgresql://h/d?query=SELECT%2B1", "the query", "query"),
    ],
)
def test_an_address_says_what_it_is(text: str, shown: str, name: str, stem: str) -> None:
    """Its name is that of the file or the table; its stem can name a folder."""
    found = address(text)
    assert (str(found), found.name, found.stem) == (shown, name, stem)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://u:Geheim@h/d?table=t",
        "postgresql://u:Ge:hei@m@h/d?table=t&password=Geheim",
        "postgresql://h/d?query=SELECT 1&password=Geheim&sslkey=Geheim",
        "https://u:Geheim@h.example/o.csv",
        "https://h.example/o.csv?X-Amz-Signature=Geheim",
        "s3://key:Geheim@bucket/o.csv",
        "postgresql://u:/Geheim@h/d?table=t",
        "postgresql://u:12/Geheim@h/d?table=t",
        "postgresql://u:12#Geheim@h/d?table=t",
        "postgresql://u%3AGeheim@h/d?table=t",
        "postgresql://h/d?table=t&user=u:Geheim",
        "postgresql://h/d?table=t&host=u:Geheim@h",
        "postgresql://h/d?table=t&dbname=postgresql://u:Geheim@h/d",
        "postgresql://h/d?table=t&dbname=password%3DGeheim",
        "postgresql://h/d?table=t&options=-csearch_path%3Da -capp.token%3DGeheim",
        "https://u:/Geheim@h.example/o.csv",
        "https://u:12/Geheim@h.example/o.csv",
    ],
)
def test_a_secret_is_not_shown(text: str) -> None:
    """Neither as text nor in a debugger; the driver still gets it."""
    found = address(text)
    said = f"{found} {found!r} {found.name} {found.absolute()} {found.absolute()!r}"
    assert "Geheim" not in said
    assert "hei@m" not in said
    assert "Geheim" in found.full or "hei" in found.full


def test_a_password_with_a_slash_is_taken_as_the_driver_takes_it() -> None:
    """Up to the @; the server and the database stay what they are."""
    found = address("postgresql://u:/Ge/heim+x@h:5/d?table=t")
    assert (str(found), found.secret) == ("postgresql://u@h:5/d?table=t", False)
    assert address("postgresql://h/d@b?table=t").shown == "postgresql://h/d@b?table=t"


def test_what_was_left_out_of_an_address_is_known_later() -> None:
    """What says where the data are is not in the environment: a run that has it in its journal cannot be resumed."""
    found = address("postgresql://h/d?table=t&dbname=postgresql://u:Geheim@h/d")
    assert str(found) == "postgresql://h/d?table=t&dbname=…"
    assert found.secret
    assert address(str(found)).secret


@pytest.mark.parametrize(
    "options",
    [
        "-csearch_path=foo",
        "-c search_path=foo,public -c statement_timeout=5000",
        "--search_path=foo,\\ public",
        "-c role=reader",
    ],
)
def test_options_that_say_which_table_is_meant_are_kept(options: str) -> None:
    """A run that was resumed, and the report's command, read another table of the name."""
    found = address(f"postgresql://h/d?options={quote(options)}&table=t")
    again = address(str(found))
    assert not found.secret
    assert (again.full, again.shown) == (found.full, found.shown)
    assert parse_qs(urlsplit(again.full).query)["options"] == [options]


def test_options_that_may_hold_a_secret_make_an_address_one_with_a_secret_part() -> None:
    """So that a resumed run does not read another table."""
    found = address("postgresql://h/d?table=t&options=-capp.token%3DGeheim")
    assert (str(found), found.secret) == ("postgresql://h/d?table=t&options=…", True)


def test_what_is_shown_means_the_same_data() -> None:
    """An address that went through a journal is the same table, but for its secrets."""
    first = address("postgresql://u:p@h/d?query=SELECT a%26b, 'x%25' FROM t WHERE x > 1 AND y = '#?'&sslmode=require")
    again = address(str(first))
    assert again.query == first.query == "SELECT a&b, 'x%' FROM t WHERE x > 1 AND y = '#?'"
    assert str(again) == str(first)


def test_the_schema_of_an_sqlite_file_is_main() -> None:
    """It may stand in front of a table, also of one whose name begins with it."""
    assert [address(f"sqlite:///d.db?table={table}").table for table in ("t", "main.t", "main.main.t", "a.t")] == [
        "t",
        "t",
        "main.t",
        "a.t",
    ]
    for table in ("main.t", "main.main.t"):
        found = address(f"sqlite:///d.db?table={table}")
        assert address(str(found.absolute())).table == address(str(found)).table == found.table


def test_an_sqlite_file_is_recorded_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a run can be resumed from any folder."""
    monkeypatch.chdir(tmp_path)
    found = address("sqlite:///my data.db?table=t").absolute()
    assert found.database == str(tmp_path / "my data.db")
    assert address(str(found)).database == found.database


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("ftp://h/x.csv", "ftp://"),
        ("s3://bucket", "names no file"),
        ("s3://bucket/folder/", "names no file"),
        ("postgresql://u:Geheim@h/d", "which data"),
        ("postgresql://h/d?table=a&query=b", "which data"),
        ("sqlite://d.db?table=t", "names no file"),
        ("postgresql://u:Geheim@h:port/d?table=t", "valid URL"),
        ("s3://b/a\nb.csv", "control character"),
        ("s3://key:/Geheim@bucket/o.csv", "colon in its bucket"),
    ],
)
def test_a_wrong_address_is_refused_with_a_sentence(text: str, part: str) -> None:
    """It says what is missing, and not the password."""
    with pytest.raises(UsageError, match=part) as caught:
        location(text)
    assert "Geheim" not in caught.value.message + caught.value.advice
    assert caught.value.advice


def test_an_address_that_was_made_a_path_is_refused() -> None:
    """A Path has lost a slash: there is no such file, and the sentence says so."""
    with pytest.raises(UsageError, match="as text"):
        location(Path("s3://bucket/x.csv"))


@pytest.mark.parametrize("key", ["/in.csv", "a//in.csv", "./in.csv", "a/../in.csv", "a/./in.csv"])
def test_a_key_that_the_library_would_read_otherwise_is_refused(key: str) -> None:
    """With a slash at its beginning it meant another object: `-o` wrote over the input. Others were a traceback."""
    with pytest.raises(UsageError, match="that is empty, or is"):
        location(f"s3://bucket/{key}")
    assert str(location("s3://bucket/a/..in.csv")) == "s3://bucket/a/..in.csv"
