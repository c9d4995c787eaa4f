"""What was exported beside a registry, after the registry has changed."""

from pathlib import Path

import pytest

from orchestrator.registry.store import SqlRegistry
from orchestrator.run.outputs import export_all
from tests.registry.conftest import make_candidate, make_evidence
from tests.support.command import Call, in_this_process


@pytest.fixture
def cleanroom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return in_this_process(tmp_path, capfd)


@pytest.mark.parametrize("how", ["revoke", "suspend"])
def test_exported_functions_that_went_out_of_use_are_named(cleanroom: Call, tmp_path: Path, how: str) -> None:
    """`cleaning_functions.py` ran on with a revoked function, and `registry verify` found all as it was signed."""
    (tmp_path / "out" / "registry").mkdir(parents=True)
    with SqlRegistry(f"sqlite:///{tmp_path}/out/registry/registry.db") as registry:
        for name in ("f", "g"):
            registry.promote(made := make_candidate(name), make_evidence(made))
        export_all(registry.functions(), tmp_path / "out", registry.log_proof())
    assert "still has" not in cleanroom("registry", "verify", "--registry", "out").stderr
    for done in (
        cleanroom("registry", how, "f", "--reason", "it acts up", "--registry", "out"),
        cleanroom("registry", "verify", "--registry", "out"),
    ):
        assert done.returncode == 0
        assert "cleaning_functions.py there still has f, which is not in use" in done.stderr
        assert "still has g" not in done.stderr
    assert cleanroom("registry", "export", "--registry", "out", "-o", "out").returncode == 0
    assert "still has" not in cleanroom("registry", "verify", "--registry", "out").stderr
    assert "def f(" not in (tmp_path / "out" / "cleaning_functions.py").read_text()


@pytest.mark.parametrize(
    "command", [("verify", "--rerun"), ("adopt", "out"), ("import", "out"), ("diff", "f")], ids=lambda words: words[0]
)
def test_commands_of_the_registry_take_an_address_as_data(
    cleanroom: Call, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """It was read as the path of a file, with one slash for three."""
    (tmp_path / "out" / "registry").mkdir(parents=True)
    with SqlRegistry(f"sqlite:///{tmp_path}/out/registry/registry.db") as registry:
        for name in ("f", "f"):
            registry.promote(made := make_candidate(name, column=f"c{len(registry.history())}"), make_evidence(made))
        export_all(registry.functions(), tmp_path / "out", registry.log_proof())
    done = cleanroom("registry", *command, "--registry", "out", "--data", "sqlite:///nowhere.db?table=t")
    assert (done.returncode, "There is no file nowhere.db" in done.stderr) == (2, True), done.stderr


def test_an_export_goes_into_a_folder_and_not_to_an_address(cleanroom: Call, tmp_path: Path) -> None:
    """A folder `s3:` was made in the current one, and the functions were said to be in `s3:/bucket/x`."""
    SqlRegistry(f"sqlite:///{tmp_path}/registry.db").close()
    done = cleanroom("registry", "export", "--registry", "registry.db", "--output", "s3://bucket/x")
    assert (done.returncode, "s3://bucket/x is an address" in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "s3:").exists()
