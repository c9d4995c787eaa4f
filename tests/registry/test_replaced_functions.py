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


def test_what_was_suspended_does_not_come_back_behind_a_namesake(tmp_path: Path) -> None:
    """Another function of its name ended the suspension, and then a verdict alone let the suspended source in again."""
    candidate = make_candidate("trim")
    place = f"sqlite:///{tmp_path / 'registry.db'}"
    with SqlRegistry(place) as registry:
        promote(registry, candidate)
        registry.suspend("trim", "it acts up")
        promote(registry, make_candidate("trim", issue="Repaired."))
        assert registry.history("trim")[0].barred
    with SqlRegistry(place) as again:
        with pytest.raises(UsageError, match="is suspended in the registry: trim, version 1"):
            promote(again, candidate)
        assert [one.version for one in again.functions()] == [2]
        promote(again, make_candidate("trim", issue="Changed."))
        assert [one.version for one in again.functions()] == [3]


@pytest.mark.parametrize("status", [Status.SUSPENDED, Status.HELD])
@pytest.mark.parametrize(("name", "replaces"), [("trim", ""), ("better", "trim")])
def test_what_waits_for_a_decision_is_ended_only_where_that_is_foreseen(
    tmp_path: Path, status: Status, name: str, replaces: str
) -> None:
    """Whoever names what may go ended a function that others had to decide on, for good and without a word."""
    waits = make_candidate("trim", issue="First.")
    with SqlRegistry(f"sqlite:///{tmp_path / 'registry.db'}") as registry:
        if status is Status.HELD:
            registry.hold(waits, make_evidence(waits, Outcome.HOLD))
        else:
            promote(registry, waits)
            registry.suspend("trim", "it acts up")
        new = repair(name, replaces) if replaces else make_candidate(name)
        with pytest.raises(RegistryError, match=f"the place of trim, version 1, which is {status}") as refused:
            registry.promote(new, make_evidence(new), ends=())
        assert "registry revoke trim" in refused.value.advice
        assert [entry.status for entry in registry.history()] == [status]
        registry.promote(new, make_evidence(new), ends=(*registry.held(), *registry.suspended()))
        assert [one.name for one in registry.functions()] == [name]


def test_the_fake_lets_nothing_end_what_is_held() -> None:
    """As the real registry."""
    fake, waits, new = MemoryRegistry(), make_candidate("trim", issue="First."), make_candidate("trim")
    fake.hold(waits, make_evidence(waits, Outcome.HOLD))
    with pytest.raises(RegistryError, match="trim, version 1, which is held"):
        fake.promote(new, make_evidence(new), ends=())
    fake.promote(waits, make_evidence(waits), ends=())
    assert not fake.held()


def test_an_approval_says_which_of_two_sources_is_meant(tmp_path: Path) -> None:
    """A held version hid the suspended one of its name from whoever wanted to let that in again."""
    old, new = make_candidate("trim", issue="First."), make_candidate("trim")
    with SqlRegistry(f"sqlite:///{tmp_path / 'registry.db'}") as registry:
        promote(registry, old)
        registry.suspend("trim", "it acts up")
        registry.hold(new, make_evidence(new, Outcome.HOLD))
        with pytest.raises(UsageError, match="Two versions of trim wait"):
            registry.approve("trim")
        registry.approve("trim", sha256=old.sha256[:12])
        assert [one.version for one in registry.functions()] == [1]


def test_a_contract_without_replaces_is_stored_as_before() -> None:
    """Functions that were signed earlier keep their digests."""
    assert "replaces" not in Contract().model_dump(mode="json")
