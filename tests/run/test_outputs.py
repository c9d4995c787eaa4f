"""A run's folder and all that is in it are for their owner only, and nothing in it is written through a link."""

import stat
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from orchestrator.bootstrap import open_registry
from orchestrator.core.errors import OutputError, UsageError
from orchestrator.core.steps import EndStep, RunStatus
from orchestrator.data.data_address import location
from orchestrator.data.files import check_writable, write_file
from orchestrator.data.formats.input_file import changed_meanwhile
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.run.journal.journal import Journal
from orchestrator.run.journal.resume import how_to_go_on
from orchestrator.run.outputs import Outputs, export_all
from orchestrator.scale.certificates import make_certificates
from tests.run.report_steps import usual


def modes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder.parent)): f"{stat.S_IMODE(path.lstat().st_mode):o}"
        for path in (folder, *folder.rglob("*"))
    }


def outputs_at(folder: Path, *, overwrite: bool = False) -> Outputs:
    return Outputs.at(Path("data.csv"), folder, ".csv", overwrite=overwrite)


@pytest.mark.parametrize("there", [False, True])
def test_a_run_is_for_its_owner_only(tmp_path: Path, *, there: bool) -> None:
    """Journal, report, functions, bundle and registry, in a new folder or in one that was open to all."""
    folder = tmp_path / "out"
    if there:
        folder.mkdir(mode=0o755)
    outputs = outputs_at(folder)
    outputs.make()
    with Journal(outputs.journal):
        outputs.write_report(usual())
    with open_registry(outputs.registry) as registry:
        assert registry.functions() == ()
        assert stat.S_IMODE((outputs.registry / "registry.db").stat().st_mode) == 0o600
    export_all(MemoryRegistry().functions(), folder)
    found = modes(folder)
    assert {"out/run.jsonl", "out/report.html", "out/cleaning_functions.py", "out/registry/registry.db"} <= found.keys()
    assert "out/registry/manifest.json" in found
    for name, permissions in found.items():
        assert permissions == ("700" if (tmp_path / name).is_dir() else "600"), name


@pytest.mark.parametrize("name", ["cleaning_functions.py", "registry/manifest.json"])
def test_an_export_writes_over_no_file_of_something_else(tmp_path: Path, name: str) -> None:
    """A program's own manifest and sources, in folders of these names, were replaced and removed without a word."""
    folder = tmp_path / "project"
    for path in (folder / name, folder / "registry" / "sources" / "001_precious.py"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("precious")
    with pytest.raises(UsageError, match=f"{name} is a file of something else"):
        export_all((), folder)
    assert {path.read_text() for path in folder.rglob("*") if path.is_file()} == {"precious"}
    (folder / name).unlink()
    for _ in range(2):  # again over its own files
        export_all((), folder)
    assert (folder / "registry" / "manifest.json").is_file()


def test_an_export_removes_only_files_of_an_earlier_one(tmp_path: Path) -> None:
    """In a folder that has no bundle yet, whatever lies there is not ours."""
    precious = tmp_path / "registry" / "sources" / "001_precious.py"
    precious.parent.mkdir(parents=True)
    precious.write_text("precious")
    export_all((), tmp_path)
    assert precious.read_text() == "precious"


def test_links_in_an_earlier_run_are_removed_and_not_followed(tmp_path: Path) -> None:
    """--overwrite takes away a link and what a killed run left; what the link points to stays."""
    folder, victim = tmp_path / "out", tmp_path / "victim"
    outputs_at(folder).make()
    victim.mkdir()
    (victim / "precious").touch()
    for name in ("run.jsonl", "report.html", "cleaned.csv"):
        (folder / name).symlink_to(victim / "precious")
    (folder / "registry").symlink_to(victim)
    (folder / ".cleaned.csv.0123456789abcdef.part").touch()
    outputs_at(folder, overwrite=True).make()
    assert list(folder.iterdir()) == []
    assert (victim / "precious").exists()


def test_a_run_does_not_go_on_with_a_registry_behind_a_link(tmp_path: Path) -> None:
    """Functions were promoted where the link leads, and refused only when the bundle was written. A folder is fine."""
    outputs, elsewhere = outputs_at(tmp_path / "out"), tmp_path / "elsewhere"
    outputs.make()
    elsewhere.mkdir()
    outputs.registry.symlink_to(elsewhere)
    with pytest.raises(OutputError, match="is a link"), outputs.claimed(again=True):
        pass
    outputs.registry.unlink()
    outputs.registry.mkdir()
    with outputs.claimed(again=True):
        pass


def test_a_journal_is_not_written_through_a_link(tmp_path: Path) -> None:
    """Neither a new journal nor one that goes on; the file that the link points to keeps its bytes."""
    victim, link = tmp_path / "victim", tmp_path / "run.jsonl"
    victim.write_text("precious\n")
    link.symlink_to(victim)
    for again in (False, True):
        with pytest.raises(OutputError), Journal(link, again=again) as journal:
            journal.append(EndStep(at=datetime.now(UTC), status=RunStatus.CLEAN))
    assert victim.read_text() == "precious\n"


def test_two_runs_never_share_a_folder(tmp_path: Path) -> None:
    """Both had looked before either was there; the second one deleted journal and registry of the first."""
    folder = tmp_path / "out"
    first, second, third = outputs_at(folder), outputs_at(folder), outputs_at(folder, overwrite=True)
    with first.claimed():
        first.make()
        with Journal(first.journal):
            for other in (second, third):
                with pytest.raises(UsageError, match="A run is at work on"), other.claimed():
                    pass
    (folder / "registry").mkdir()
    with second.claimed(), pytest.raises(UsageError, match="holds the results of an earlier run"):
        second.make()
    assert sorted(path.name for path in folder.iterdir()) == ["registry", "run.jsonl"]
    with third.claimed():
        third.make()
    assert not list(folder.iterdir())


def test_a_folder_in_which_an_older_run_writes_is_not_emptied(tmp_path: Path) -> None:
    """Where nobody has locked the folder, its journal says so."""
    earlier = outputs_at(tmp_path / "out")
    earlier.make()
    with Journal(earlier.journal), pytest.raises(UsageError, match="A run is at work on"):
        outputs_at(tmp_path / "out", overwrite=True).make()
    assert earlier.journal.is_file()


@pytest.mark.parametrize("name", ["cleaned.csv", "cleaned.db", "quarantine.csv", "report.html", "registry/a.csv"])
@pytest.mark.parametrize("by", ["name", "link", "table"])
def test_a_run_does_not_take_the_place_of_its_own_data(tmp_path: Path, name: str, by: str) -> None:
    """A second pass over the cleaned file removed it first, and then said that it had changed."""
    folder, link = tmp_path / "out", tmp_path / "link.csv"
    outputs_at(folder).make()
    (folder / name).parent.mkdir(exist_ok=True)
    for one in (name, "run.jsonl"):
        (folder / one).write_text("kept")
    link.symlink_to(folder / name)
    given = {"name": str(folder / name), "link": str(link), "table": f"sqlite:///{folder / name}?table=t"}[by]
    with pytest.raises(UsageError, match="a result of the run that --overwrite would remove"):
        Outputs.at(location(given), folder, ".csv", overwrite=True)
    assert Outputs.at(folder / "another.csv", folder, ".csv", overwrite=True).folder == folder


@pytest.mark.parametrize("out", ["s3://bucket/result", "https://host/result"])
def test_a_run_leaves_its_results_in_a_folder_and_not_at_an_address(out: str) -> None:
    """A folder `s3:` was made beside the data, and all was said to be well."""
    with pytest.raises(UsageError, match=f"{out} is an address") as caught:
        outputs_at(Path(out))
    assert "apply" in caught.value.advice


def test_no_file_is_written_at_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`parse -o s3://…` said that `s3:/…` had no folder; with one, it wrote there, as certificates did."""
    monkeypatch.chdir(tmp_path)
    Path("s3:/bucket").mkdir(parents=True)
    for write in (check_writable, partial(write_file, data=b""), make_certificates):
        with pytest.raises(UsageError, match="s3://bucket/result is an address"):
            write(Path("s3://bucket/result"))
    assert not list(Path("s3:/bucket").iterdir())


@pytest.mark.parametrize(("again", "advice"), [(False, "Choose another --out"), (True, "It still runs: wait")])
def test_a_folder_in_which_a_run_is_at_work(tmp_path: Path, advice: str, *, again: bool) -> None:
    """A new run may go elsewhere; one that goes on can only wait."""
    outputs = outputs_at(tmp_path / "out")
    with outputs.claimed(), pytest.raises(UsageError, match="at work") as refused, outputs.claimed(again=again):
        pass
    assert refused.value.advice.startswith(advice)


def test_how_a_run_goes_on_whose_data_changed() -> None:
    """Not before they are put back."""
    told = how_to_go_on(Path("a b"), changed_meanwhile("in.csv"), shared=False)
    refused = "That is refused until the data are again what they were."
    assert told == f"Start again when nobody writes to it. Go on with `cleanroom runs resume 'a b'`. {refused}"
    told = how_to_go_on(Path("out"), OutputError("No room."), shared=True)
    assert told == "Go on with `cleanroom runs resume out --registry …`."
    told = how_to_go_on(Path("out"), OutputError("No room.", advice="Make some."), shared=False)
    assert told == "Make some. Go on with `cleanroom runs resume out`."
