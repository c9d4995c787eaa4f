"""`registry list` and `show` of what nobody trusted has signed: it is shown, with a note that it is not proved."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestrator.cli import console
from orchestrator.cli.main import app
from orchestrator.core.candidate import Contract
from orchestrator.registry.bundle import export_archive
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import MakeCandidate, MakeEvidence


@pytest.fixture(params=["registry", "bundle.zip"])
def place(request: pytest.FixtureRequest, tmp_path: Path, candidate: MakeCandidate, evidence: MakeEvidence) -> Path:
    """A registry of the user's own, or a bundle of it."""
    made = candidate()
    with SqlRegistry(f"sqlite:///{tmp_path}/registry/registry.db") as registry:
        registry.promote(made, evidence(made))
        export_archive(registry.functions(), tmp_path / "bundle.zip", log=registry.log_proof())
    return Path(tmp_path / request.param)


@pytest.mark.parametrize(
    "words", [("list",), ("list", "--json"), ("show", "trim_city"), ("show", "trim_city", "--json")]
)
def test_a_strangers_functions_are_shown_with_a_note(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Whoever sent them wrote every verdict in them; of one's own functions nothing is said."""

    def told() -> str:
        console.stderr.cache_clear()
        done = CliRunner().invoke(app, ["registry", *words, "--registry", str(place)])
        assert done.exit_code == 0
        assert "trim_city" in done.stdout
        return " ".join(done.stderr.split())

    assert told() == ""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another person"))
    assert "note: shown as it is stored, and not proved:" in told()


@pytest.mark.parametrize(
    ("contract", "said"),
    [
        (Contract(modifies=(), adds=("year",)), "year: Stray blanks."),
        (Contract(modifies=("a",), drops=("b",)), "a, b: Stray blanks."),
        (Contract(modifies=(), drops_rows=True), "rows: Stray blanks."),
        (Contract(), "any: Stray blanks."),
    ],
)
def test_the_list_names_what_a_function_is_about(
    tmp_path: Path, candidate: MakeCandidate, evidence: MakeEvidence, contract: Contract, said: str
) -> None:
    """A function that only adds a column was said to change any."""
    made = candidate().model_copy(update={"contract": contract})
    with SqlRegistry(f"sqlite:///{tmp_path}/registry/registry.db") as registry:
        registry.promote(made, evidence(made))
    listed = CliRunner().invoke(app, ["registry", "list", "--registry", str(tmp_path / "registry")]).stdout
    assert said in [line.strip() for line in listed.splitlines()]
