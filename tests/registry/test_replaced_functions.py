"""A function that replaces another: which goes out of use, in the rows, in the signed log, and for whoever applies."""

from pathlib import Path

import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import RegistryError, UsageError
from orchestrator.core.verdict import Outcome
from orchestrator.registry.entries import Status
from orchestrator.registry.functions import functions_in
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import make_candidate, make_evidence


def repair(name: str, replaces: str) -> Candidate:
    made = make_candidate(name)
    return made.model_copy(update={"contract": Contract(modifies=("city",), replaces=replaces)})


def promote(registry: SqlRegistry | MemoryRegistry, candidate: Candidate) -> None:
    registry.promote(candidate, make_evidence(candidate))


def test_what_is_replaced_goes_out_of_use(tmp_path: Path) -> None:
    """Rows, log and fake agree; the history says by what; the next reader of the log sees it too."""
    place = f"sqlite:///{tmp_path / 'registry.db'}"
    fake = MemoryRegistry()
    with SqlRegistry(place) as registry:
        for each in (registry, fake):
            for made in (make_candidate("trim"), make_candidate("other"), repair("better", "trim")):
                promote(each, made)
            assert [f.name for f in each.functions()] == ["other", "better"]
            entry = each.history("trim")[0]
            assert (entry.status, entry.events[-1].reason) == (Status.SUPERSEDED, "by better, version 1")
    with SqlRegistry(place) as again:
        assert [f.name for f in again.applicable()] == ["other", "better"]
        assert len(again.audit().events) == 3
    assert [f.name for f in functions_in(tmp_path)] == ["other", "better"]


def test_what_is_suspended_can_be_replaced(tmp_path: Path) -> None:
    """A function that acted up and was suspended is superseded by its repair, and by a new version of itself."""
    for name, replaces in (("better", "trim"), ("trim", "")):
        place = f"sqlite:///{tmp_path / f'{name}.db'}"
        with SqlRegistry(place) as registry:
            promote(registry, make_candidate("trim"))
            registry.suspend("trim", "it acts up")
            new = repair(name, replaces)
            promote(registry, new.model_copy(update={"source": f"{new.source}\n"}))
            assert [f.name for f in registry.functions()] == [name]
        with SqlRegistry(place) as again:
            assert [f.name for f in again.functions()] == [name]


def test_only_what_was_foreseen_goes_out_of_use(tmp_path: Path) -> None:
    """Another process promoted a namesake while this one judged: the second ended the first, unseen."""
    with SqlRegistry(f"sqlite:///{tmp_path / 'registry.db'}") as registry:
        promote(registry, make_candidate("trim"))
        foreseen = registry.functions()
        promote(registry, make_candidate("trim", issue="Meanwhile."))
        late = make_candidate("trim", issue="Late.")
        for made, ends in ((late, foreseen), (late, ()), (repair("better", "trim"), ())):
            with pytest.raises(RegistryError, match="trim, version 2, would go out of use"):
                registry.promote(made, make_evidence(made), ends=ends)
        assert [(one.name, one.version) for one in registry.functions()] == [("trim", 2)]
        registry.promote(late, make_evidence(late), ends=registry.functions())
        assert [(one.name, one.version) for one in registry.functions()] == [("trim", 3)]
        other = make_candidate("other")
        registry.promote(other, make_evidence(other), ends=())


def test_only_an_approval_ends_a_suspension(tmp_path: Path) -> None:
    """A new verdict on the very same source does not, for whoever may promote; it may be kept for an approval."""
    candidate = make_candidate("trim")
    held = make_evidence(candidate, Outcome.HOLD)
    for ends in ("approve", "accept"):
        with SqlRegistry(f"sqlite:///{tmp_path / f'{ends}.db'}") as registry:
            promote(registry, candidate)
            registry.suspend("trim", "it acts up")
            assert [(one.name, one.version) for one in registry.suspended()] == [("trim", 1)]
            with pytest.raises(UsageError, match="is suspended in the registry: trim, version 1") as refused:
                promote(registry, candidate)
            assert "registry approve trim" in refused.value.advice
            assert not registry.functions()
            if ends == "approve":
                registry.approve("trim")
            else:
                registry.promote(candidate, held, accepted="looked at it")
            assert [one.name for one in registry.functions()] == ["trim"]
            assert not registry.suspended()
    with SqlRegistry(f"sqlite:///{tmp_path / 'held.db'}") as registry:
        promote(registry, candidate)
        registry.suspend("trim", "it acts up")
        registry.hold(candidate, held)
        assert not registry.functions()


def test_a_contract_without_replaces_is_stored_as_before() -> None:
    """Functions that were signed earlier keep their digests."""
    assert "replaces" not in Contract().model_dump(mode="json")
