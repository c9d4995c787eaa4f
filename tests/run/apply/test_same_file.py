"""What is read is not written over, under whatever name."""

from pathlib import Path

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.data.data_address import location
from orchestrator.run.apply.same_file import check_apart, check_places, check_results, same_place


def test_a_file_is_not_written_over_the_database_that_holds_the_data(tmp_path: Path) -> None:
    """The database, with all its tables, was written over by a report."""
    database, link = tmp_path / "shop.db", tmp_path / "link.csv"
    database.touch()
    link.symlink_to(database)
    table = location(f"sqlite:///{database}?table=t")
    for output in (database, link):
        with pytest.raises(UsageError, match="The data and the output are the same file"):
            check_apart(data=table, output=output)
        with pytest.raises(UsageError, match="The output and the data are the same file"):
            check_apart(output=output, data=table)


def test_other_files_and_tables_are_apart(tmp_path: Path) -> None:
    table = location(f"sqlite:///{tmp_path / 'shop.db'}?table=t")
    for other in (tmp_path / "other.csv", f"sqlite:///{tmp_path / 'shop.db'}?table=u", "s3://shop.db/t", "-"):
        assert not same_place(table, location(other))


RUN = Path(__file__).parents[2] / "golden/signed/run"


@pytest.mark.parametrize(
    ("kept", "what"),
    [
        ("run.jsonl", "the journal of a run"),
        ("registry/registry.db", "an SQLite database"),
        ("registry/manifest.json", "a bundle's manifest"),
        ("registry/manifest.dsse.json", "a signature"),
    ],
)
def test_no_result_takes_the_place_of_what_proves_functions(tmp_path: Path, kept: str, what: str) -> None:
    """A list of cells replaced a registry, and data replaced the journal and the manifest of the run in use."""
    named = tmp_path / "elsewhere.csv"
    named.write_bytes((RUN / kept).read_bytes())
    data = tmp_path / "d.csv"
    data.touch()
    said = f"elsewhere.csv is {what}, which no result is written over"
    with pytest.raises(UsageError, match=said):
        check_places(data, named, None)
    with pytest.raises(UsageError, match=said):
        check_results(None, named)
    check_results(tmp_path / "new" / kept, tmp_path / "d.csv")
    for missing in (tmp_path / kept, location(f"sqlite:///{tmp_path / 'registry/registry.db'}?table=t")):
        with pytest.raises(UsageError, match="is named for a result, and belongs to "):
            check_results(None, missing, place=str(tmp_path))


def test_an_old_result_is_written_over(tmp_path: Path) -> None:
    """A result of the same command from yesterday is no proof of anything, whatever its form."""
    for name, text in (("a.csv", "at,seconds\n1,2\n"), ("a.json", '{"at":"today"}\n'), ("checkpoint", "cleanroom\n")):
        (tmp_path / name).write_text(text)
        check_results(tmp_path / name, place=str(tmp_path / "run"))
        check_places(Path("-"), tmp_path / name, None)
