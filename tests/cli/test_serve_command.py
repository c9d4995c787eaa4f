"""`cleanroom serve`: what is wrong with how it is started is said at once."""

import pytest
from typer.testing import CliRunner

from orchestrator.cli.main import app


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
