"""`cleanroom serve`: what is wrong with how it is started is said at once."""

from pathlib import Path

import pytest
import uvicorn
from typer.testing import CliRunner

from orchestrator.cli.main import app
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
