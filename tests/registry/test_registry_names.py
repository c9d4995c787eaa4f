"""A registry is found under every name that users have for it, in every command, and there is only one in a folder."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator import bootstrap
from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import RegistryError, UsageError
from orchestrator.core.promoted import Evidence
from orchestrator.registry.bundle import export_bundle
from orchestrator.registry.functions import functions_in
from orchestrator.registry.location import registry_url, shown
from tests.support.command import Call, in_this_process
from tests.support.postgresql import PASSWORD

Promote = Callable[[str, str], None]


@pytest.fixture
def promote(candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]) -> Promote:
    """Promotes a function of that name into a registry of that name, as `verify --promote` does."""

    def _promote(place: str, name: str) -> None:
        made = candidate(name, name)
        with bootstrap.open_registry(place) as registry:
            registry.promote(made, evidence(made))

    return _promote


@pytest.fixture
def run(tmp_path: Path, promote: Promote) -> Path:
    """A run's folder: its journal, its registry with one function, and the bundle of it."""
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "run.jsonl").touch()
    promote(str(folder), "first")
    with bootstrap.open_registry(folder) as registry:
        export_bundle(registry.functions(), folder / "registry")
    return folder


@pytest.fixture
def cleanroom(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    return in_this_process(tmp_path, capfd)


def names(place: str | Path) -> list[str]:
    return [function.name for function in functions_in(place)]


@pytest.mark.parametrize("place", ["folder", "registry.db", "some.sqlite", "sqlite:///other.db", "postgresql"])
def test_what_is_promoted_under_a_name_is_applied_under_it(
    place: str,
    promote: Promote,
    cleanroom: Call,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A folder, a file, a URL: promoting, listing, showing, revoking, exporting and applying all mean the same one."""
    monkeypatch.chdir(tmp_path)
    if place == "postgresql":
        place = request.getfixturevalue("postgresql").new_database()
    promote(place, "first")
    promote(place, "second")
    assert names(place) == ["first", "second"]
    listed = cleanroom("registry", "list", "--registry", place).stdout.splitlines()
    assert [line.split()[1] for line in listed if line[:1].isdigit()] == ["first", "second"]
    assert "def second" in cleanroom("registry", "show", "second", "--registry", place).stdout
    assert cleanroom("registry", "verify", "--registry", place).returncode == 0
    assert cleanroom("registry", "suspend", "second", "--reason", "test", "--registry", place).returncode == 0
    assert names(place) == ["first"]
    assert cleanroom("registry", "approve", "second", "--registry", place).returncode == 0
    assert cleanroom("registry", "revoke", "first", "--reason", "test", "--registry", place).returncode == 0
    assert names(place) == ["second"]
    audited = cleanroom("registry", "audit", "--registry", place, "-o", "checkpoint")
    assert (audited.returncode, "5 entries are proved" in audited.stderr) == (0, True), audited
    assert cleanroom("registry", "export", "-o", "exported", "--registry", place).returncode == 0
    assert names("exported") == ["second"]
    migrated = cleanroom("registry", "migrate", "--registry", place)
    assert (migrated.returncode, "already there" in migrated.stderr) == (0, True)
    assert PASSWORD not in migrated.stderr


def test_promoting_into_a_runs_folder_takes_its_own_registry(run: Path, promote: Promote) -> None:
    """There is no second one beside it, and what was promoted and revoked since the run is what is applied."""
    promote(str(run), "second")
    assert not (run / "registry.db").exists()
    assert names(run) == names(run / "registry") == names(run / "registry" / "registry.db") == ["first", "second"]
    with bootstrap.open_registry(run) as registry:
        registry.revoke("first", "wrong")
    assert names(run) == ["second"]


def test_a_second_registry_of_an_older_release_hides_nothing(run: Path, promote: Promote, cleanroom: Call) -> None:
    """Where such a release has left two in a folder, the user says which; each can be named."""
    promote(str(run / "registry.db"), "stray")
    for attempt in (lambda: functions_in(run), lambda: registry_url(run, create=True)):
        with pytest.raises(UsageError, match="two registries") as caught:
            attempt()
        assert f"{run}/registry.db" in caught.value.advice
        assert f"{run}/registry/registry.db" in caught.value.advice
    assert cleanroom("registry", "list", "--registry", run).returncode == 2
    assert names(run / "registry.db") == ["stray"]
    assert names(run / "registry") == ["first"]


def test_a_changed_bundle_beside_a_registry_is_noticed(run: Path) -> None:
    """The registry would be applied, but somebody has changed a file of the run's folder."""
    [source] = (run / "registry" / "sources").iterdir()
    source.write_text(source.read_text() + "#")
    with pytest.raises(RegistryError):
        functions_in(run)


def test_nothing_is_promoted_into_a_bundle(run: Path, promote: Promote) -> None:
    """A registry beside exported functions would hide them."""
    bundle = shutil.copytree(run / "registry", run.parent / "bundle", ignore=shutil.ignore_patterns("registry.db*"))
    for place in (bundle, run.parent):
        with pytest.raises(UsageError, match="exported functions"):
            promote(str(shutil.move(bundle, run.parent / "registry") if place == run.parent else bundle), "second")
    assert names(run.parent / "registry") == ["first"]


@pytest.mark.parametrize("place", ["nowhere", "nowhere.db", "sqlite:///nowhere.db"])
def test_a_registry_that_is_not_there_is_not_made_by_reading(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cleanroom: Call
) -> None:
    """One sentence, and no file."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises((RegistryError, UsageError), match="nowhere"):
        functions_in(place)
    said = cleanroom("registry", "list", "--registry", place)
    assert said.returncode in {2, 3}
    assert "There is no registry" in said.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "place",
    [
        "postgresql://u:secret@h:port/db",
        "postgresql://u:sec@ret:x@h/db",
        "postgres:u:secret@h",
        "postgresql:/u:secret@h/db",
        "postgresql+psycopg2://u:secret@h/db",
        "mysql://u:secret@h/db",
        "http://u:secret@h/db",
        "sqlite:///x?password=secret",
    ],
)
def test_a_wrong_url_is_refused_and_not_repeated(place: str, cleanroom: Call, tmp_path: Path) -> None:
    """Exit code 2 and a sentence; whatever the mistake is, the password is not in it."""
    (tmp_path / "data.csv").write_text("a\n1\n")
    for command in (
        ("registry", "list", "--registry", place),
        ("registry", "migrate", "--registry", place),
        ("apply", "data.csv", "-o", "x.csv", "--functions", place),
    ):
        done = cleanroom(*command)
        assert done.returncode == 2, done
        assert "secret" not in done.stderr + done.stdout
        assert "sec@ret" not in done.stderr + done.stdout
        assert "error:" in done.stderr


def test_a_url_in_the_wrong_place_is_not_repeated_with_its_password(cleanroom: Call, tmp_path: Path) -> None:
    """Where a file is wanted, the sentence about it leaves the password out."""
    url = "postgresql://u:se:cr@et@h/db?password=secret"
    for command in (
        ("registry", "import", url, "--no-rerun"),
        ("registry", "adopt", url, "--data", url),
        ("registry", "audit", "--registry", tmp_path, "--checkpoint", url),
        ("apply", url, "--functions", tmp_path, "-o", "x.csv"),
        ("verify", url, "--data", url),
        ("run", url),
    ):
        done = cleanroom(*command)
        assert done.returncode in {1, 2, 3}, done
        assert "cr@et" not in done.stderr + done.stdout, done
        assert "secret" not in done.stderr + done.stdout, done
        assert done.stderr.startswith("error:")


def test_a_shown_name_has_no_password() -> None:
    """Neither before the host nor among the options; what tells databases apart stays."""
    url = "postgresql://me:secret@h:5433/db?password=secret&sslpassword=secret&host=/run/pg&sslmode=require"
    assert shown(registry_url(url, create=False)) == "postgresql://me@h:5433/db?host=%2Frun%2Fpg"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me@h/db?dbname=postgresql://u:secret@h/d",
        "postgresql://me@h/db?dbname=password%3Dsecret",
        "postgresql://me@h/db?user=me:secret",
        "postgresql://me@h/db?host=me:secret@h",
        "postgresql://me%3Asecret@h/db",
        "postgresql://me:/secret@h/db",
    ],
)
def test_a_password_in_another_part_of_a_url_is_not_shown(url: str) -> None:
    """Drivers take one there, too."""
    assert shown(registry_url(url, create=False)) == "postgresql://me@h/db"


def test_strange_names_of_folders_are_names(tmp_path: Path, promote: Promote) -> None:
    """A question mark, a percent sign or a hash in a path is no part of a URL."""
    for name in ("what?mode=memory", "100%25", "#1", "a b"):
        promote(str(tmp_path / name), "first")
        assert (tmp_path / name / "registry.db").is_file()
        assert names(tmp_path / name) == ["first"]


def test_a_bundle_is_listed_shown_and_exported_as_a_registry_is(run: Path, cleanroom: Call) -> None:
    """Its folder, an archive of it, and a run's folder whose registry is elsewhere; what changes a registry refuses."""
    assert cleanroom("registry", "export", "--registry", run, "-o", "a.zip").returncode == 0
    for path in (run / "registry").glob("registry.db*"):
        path.unlink()
    for place in (run, run / "registry", run.parent / "a.zip"):
        listed = cleanroom("registry", "list", "--registry", place).stdout.splitlines()
        assert [line.split()[1] for line in listed if line[:1].isdigit()] == ["first"]
        assert "def first" in cleanroom("registry", "show", "first", "--registry", place).stdout
        assert cleanroom("registry", "show", "other", "--registry", place).returncode == 2
        exported = cleanroom("registry", "export", "--registry", place, "-o", "again")
        assert exported.returncode == 0, exported.stderr
        assert names(run.parent / "again") == names(place) == ["first"]
        revoked = cleanroom("registry", "revoke", "first", "--reason", "test", "--registry", place)
        assert revoked.returncode in {2, 3}, revoked
        assert names(place) == ["first"]
    assert not list(run.rglob("registry.db*"))


def test_a_bundle_needs_no_database(run: Path) -> None:
    """A bundle alone is read as before, wherever its registry is."""
    for path in (run / "registry").glob("registry.db*"):
        path.unlink()
    assert names(run) == ["first"]
