"""`cleanroom serve`: what is wrong with how it is started is said at once."""

from pathlib import Path

import pytest
import uvicorn
from typer.testing import CliRunner

from orchestrator.cli.main import app
from orchestrator.core.errors import UsageError
from orchestrator.registry.queue.token_store import TokenScope, TokenStore
from orchestrator.service.serve import serve
from orchestrator.service.service_settings import ServiceSettings


@pytest.mark.parametrize("name", ["https://clean.example.org", "clean.example.org:8443", "a b", "", "*", "[::1]:80"])
def test_a_host_under_which_nobody_would_be_answered_is_refused(name: str) -> None:
    """The service compares names without scheme and port: every request was refused, and told to have it added."""
    refused = CliRunner().invoke(app, ["serve", "--registry", "/nowhere/to/be/made", "--allow-host", name])
    assert refused.exit_code != 0
    assert "is no name of a machine" in f"{refused.output}{refused.exception}"


def test_a_host_without_a_name_is_refused() -> None:
    """It is every address of the machine, where a variable of a script was meant that is not set."""
    refused = CliRunner().invoke(app, ["serve", "--host", "", "--allow-host", "a", "--registry", f"{__file__}/x"])
    assert "--host names no address" in f"{refused.output}{refused.exception}"


@pytest.mark.parametrize("name", ["clean.example.org", "localhost", "10.0.0.1", "[::1]", "a"])
def test_names_of_machines_are_taken(name: str) -> None:
    """What is wrong then is the port."""
    refused = CliRunner().invoke(app, ["serve", "--allow-host", name, "--port", "70000"])
    assert "port" in f"{refused.output}{refused.exception}"


def test_a_service_for_which_nobody_has_a_token_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asked for a token and nothing told where one is from; nor that a registry was made whose name was mistyped."""
    said: list[str] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_args, **_named: None)
    settings = ServiceSettings(registry=str(tmp_path / "a b"), state=tmp_path / "service", port=0)
    serve(settings, said.append)
    assert f"--registry '{tmp_path}/a b/registry.db'" in said[-1]
    assert "tokens create" in said[-1]
    with TokenStore(f"sqlite:///{tmp_path}/a b/registry.db") as store:
        made, _ = store.create("ann", [TokenScope.READ], 1)
        said.clear()
        serve(settings, said.append)
        assert "tokens create" not in "".join(said)
        store.revoke(made.id)
        serve(settings, said.append)
        assert "tokens create" in said[-1]


def test_a_registry_that_was_found_and_can_be_anybodys_is_not_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder like /tmp another user could leave one with a token: they had the rights of the person who serves."""
    monkeypatch.chdir(tmp_path)
    served: list[str] = []
    monkeypatch.setattr("orchestrator.service.serve.serve", lambda settings, _say: served.append(settings.registry))

    def serving(*options: str) -> str:
        done = CliRunner().invoke(app, ["serve", *options])
        return done.exception.message if isinstance(done.exception, UsageError) else done.output

    assert serving() == ""
    TokenStore(f"sqlite:///{tmp_path}/registry/registry.db", create=True).close()
    assert serving() == ""
    for path in (tmp_path / "registry", tmp_path / "registry/registry.db"):
        before = path.stat().st_mode
        path.chmod(0o777)
        assert "everybody may change it: tokens in it can be anybody's" in serving()
        assert serving("--registry", "registry") == "", "it was named"
        path.chmod(before)
    assert serving() == ""
    (tmp_path / "registry").rename(tmp_path / "own")
    (tmp_path / "registry").symlink_to("own")
    assert serving() == "", "a link of the same user"
    assert served == ["registry"] * 6
