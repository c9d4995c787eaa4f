"""What was exported beside a registry, after the registry has changed."""

import json
from pathlib import Path

import pytest

from orchestrator.registry.bundle import load_functions
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.outputs import export_all
from orchestrator.run.verify.adoption import write_bundle
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


def test_an_adoption_writes_no_file_with_what_waits_for_other_people(
    cleanroom: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file asks nobody; of the bundle, which is asked for approvals, all is written. Negative control: without."""
    (tmp_path / "out" / "registry").mkdir(parents=True)
    with SqlRegistry(f"sqlite:///{tmp_path}/out/registry/registry.db") as registry:
        export_all((), tmp_path / "out", registry.log_proof())
        registry.promote(made := make_candidate("f"), make_evidence(made))
    for approvals, written in ((1, False), (0, True)):
        key = json.loads(cleanroom("keys", "list", "--json").stdout.splitlines()[0])["key"]
        (tmp_path / "trust.yaml").write_text(f"approvals: {approvals}\npeople:\n  ana:\n    keys: [{{key: '{key}'}}]\n")
        monkeypatch.setenv("CLEANROOM_TRUST_FILE", str(tmp_path / "trust.yaml"))
        with SqlRegistry(f"sqlite:///{tmp_path}/out/registry/registry.db") as registry:
            write_bundle(str(tmp_path / "out"), registry.functions(), registry.log_proof())
        assert ("def f(" in (tmp_path / "out" / "cleaning_functions.py").read_text()) is written
        assert [one.name for one in load_functions(tmp_path / "out", approved=False)] == ["f"]
