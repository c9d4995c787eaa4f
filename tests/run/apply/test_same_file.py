"""What is read is not written over, under whatever name."""

from pathlib import Path

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.data.data_address import location
from orchestrator.run.apply.same_file import check_apart, same_place


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
