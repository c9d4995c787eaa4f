"""Where the output fails in the end, the quarantine is as it was before: its rows are not those of any output."""

from pathlib import Path

import pytest

from orchestrator.core.errors import OutputError, OutputUnknown
from orchestrator.core.ports import SandboxAccess
from orchestrator.data.data_address import DataAddress, location
from orchestrator.data.databases import new_table
from orchestrator.run.apply.apply import apply_functions
from tests.run.apply.test_apply_neighbours import promoted

PICKY = "def picky(df):\n    return df.assign(city=[{'Rome': 'ROME'}[city] for city in df['city']])\n"


def apply(folder: Path, access: SandboxAccess) -> None:
    (folder / "data.csv").write_text("city\n" + "Rome\n" * 50 + "Oslo\n")
    target = location(f"sqlite:///{folder / 'a.db'}?table=t")
    assert isinstance(target, DataAddress)
    function = promoted("picky", PICKY, "city")
    apply_functions(folder / "data.csv", [function], target, access, quarantine=folder / "aside.csv", accept_drift=True)


@pytest.mark.parametrize("earlier", ["rows of an earlier apply\n", None])
def test_it_is_taken_back(
    tmp_path: Path, access: SandboxAccess, monkeypatch: pytest.MonkeyPatch, earlier: str | None
) -> None:
    """A database that is lost while the table is filled, with an earlier file and without one; no leftover stays."""

    def lost(*_: object) -> None:
        assert "Oslo" in (tmp_path / "aside.csv").read_text()  # it is whole before the table is begun
        raise OutputError("The database cannot be reached any more.")

    if earlier is not None:
        (tmp_path / "aside.csv").write_text(earlier)
    monkeypatch.setattr(new_table, "sqlite_table", lost)
    with pytest.raises(OutputError, match="any more"):
        apply(tmp_path, access)
    found = {file.name for file in tmp_path.iterdir()}
    assert found == {"data.csv"} | ({"aside.csv"} if earlier else set())
    if earlier is not None:
        assert (tmp_path / "aside.csv").read_text() == earlier


def test_it_stays_where_the_table_may_be_there(
    tmp_path: Path, access: SandboxAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody knows whether the table is there, its rejected rows are not thrown away."""

    def unknown(*_: object) -> None:
        raise OutputUnknown("It is not known whether the table is there.")

    (tmp_path / "aside.csv").write_text("rows of an earlier apply\n")
    monkeypatch.setattr(new_table, "sqlite_table", unknown)
    with pytest.raises(OutputUnknown):
        apply(tmp_path, access)
    assert "Oslo" in (tmp_path / "aside.csv").read_text()


def test_it_appears_with_the_table(tmp_path: Path, access: SandboxAccess) -> None:
    """Positive control: the earlier file is replaced, and nothing else is left beside it."""
    (tmp_path / "aside.csv").write_text("rows of an earlier apply\n")
    apply(tmp_path, access)
    assert "Oslo" in (tmp_path / "aside.csv").read_text()
    assert {file.name for file in tmp_path.iterdir()} == {"data.csv", "aside.csv", "a.db"}
