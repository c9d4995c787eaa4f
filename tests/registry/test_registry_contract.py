"""What every registry promises; run against the fake, SQLite and PostgreSQL."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import RegistryError, UsageError
from orchestrator.core.promoted import Evidence
from orchestrator.core.verdict import Outcome
from orchestrator.registry.entries import Status
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.registry.store import SqlRegistry

if TYPE_CHECKING:
    from orchestrator.core.ports import Registry

Store = SqlRegistry | MemoryRegistry


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def registry(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    if request.param == "memory":
        made = MemoryRegistry()
    elif request.param == "sqlite":
        made = SqlRegistry(f"sqlite:///{tmp_path}/registry.db")
    else:
        made = SqlRegistry(request.getfixturevalue("postgresql").new_database())
    port: Registry = made  # mypy: both fit the port
    assert port.functions() == ()
    yield made
    made.close()


@pytest.fixture
def promote(
    registry: Store, candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]
) -> Callable[..., Candidate]:
    def _promote(*args: str, **kwargs: str) -> Candidate:
        made = candidate(*args, **kwargs)
        registry.promote(made, evidence(made))
        return made

    return _promote


def test_what_was_promoted_comes_back_whole_and_in_order(
    registry: Store, candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]
) -> None:
    """Source, contract and evidence survive the way in and out, surrogates in samples included."""
    made = [candidate(f"f{i}", f"c{i}") for i in range(3)]
    promoted = [registry.promote(c, evidence(c, run_id="run-1", data_sha256="d")) for c in made]
    assert registry.functions() == tuple(promoted)
    assert [p.order for p in promoted] == [1, 2, 3]
    assert [p.candidate for p in registry.functions()] == made
    assert registry.functions()[0].evidence.run_id == "run-1"


def test_a_function_of_the_same_name_supersedes(registry: Store, promote: Callable[..., Candidate]) -> None:
    """The next version takes over, at the end of the order; the first stays in the history."""
    promote("f", "a")
    promote("g", "b")
    second = promote("f", "c")
    assert [(p.name, p.version) for p in registry.functions()] == [("g", 1), ("f", 2)]
    assert registry.get("f").candidate == second
    assert registry.get("f", 1).candidate.contract.modifies == ("a",)
    assert [entry.status for entry in registry.history("f")] == [Status.SUPERSEDED, Status.ACTIVE]


def test_the_same_source_twice_is_a_conflict(registry: Store, promote: Callable[..., Candidate]) -> None:
    """An active function cannot be promoted again, and nothing changes."""
    promote("f", "a")
    before = registry.history()
    with pytest.raises(RegistryError, match="already: f, version 1"):
        promote("f", "a")
    assert registry.history() == before


def test_revoked_functions_are_not_applied_any_more(registry: Store, promote: Callable[..., Candidate]) -> None:
    """Revoking keeps the row and the reason; the same source may come back as a new version."""
    promote("f", "a")
    registry.revoke("f", "it was wrong")
    assert registry.functions() == ()
    [entry] = registry.history("f")
    assert (entry.status, entry.events[-1].reason) == (Status.REVOKED, "it was wrong")
    promote("f", "a")
    assert [p.version for p in registry.functions()] == [2]


def test_revoking_the_newest_version_does_not_bring_the_old_one_back(
    registry: Store, promote: Callable[..., Candidate]
) -> None:
    """What was superseded stays so."""
    promote("f", "a")
    promote("f", "b")
    registry.revoke("f", "wrong")
    assert registry.functions() == ()


@pytest.mark.parametrize("outcome", [Outcome.FAIL, Outcome.INFRA])
def test_only_a_passing_verdict_promotes(
    registry: Store, candidate: Callable[..., Candidate], evidence: Callable[..., Evidence], outcome: Outcome
) -> None:
    """A verdict of `fail` or `infra` is refused."""
    made = candidate()
    with pytest.raises(RegistryError, match=f"verdict is '{outcome}'"):
        registry.promote(made, evidence(made, outcome))
    assert registry.history() == ()


def test_evidence_must_be_about_the_same_source(
    registry: Store, candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]
) -> None:
    """Evidence of one function cannot carry another into the registry."""
    with pytest.raises(RegistryError, match="another source"):
        registry.promote(candidate("f"), evidence(candidate("g")))
    assert registry.history() == ()


def test_unknown_names_are_said_to_be_unknown(registry: Store, promote: Callable[..., Candidate]) -> None:
    """Asking for, or revoking, what is not there is an error that names it."""
    promote("f", "a")
    with pytest.raises(UsageError, match="no function g"):
        registry.get("g")
    with pytest.raises(UsageError, match="no function f, version 7"):
        registry.get("f", 7)
    with pytest.raises(UsageError, match="no function g"):
        registry.revoke("g", "why not")
