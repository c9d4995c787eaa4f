"""Functions that are held: in the registry with their evidence, and not in use until somebody approves them."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import NotVerified, RegistryError, UsageError
from orchestrator.core.verdict import Outcome
from orchestrator.registry.bundle import export_bundle, load_functions
from orchestrator.registry.entries import Status
from orchestrator.registry.functions import functions_in
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import make_candidate, make_evidence
from tests.registry.people import identity

Open = Callable[..., SqlRegistry]


@pytest.fixture
def as_person(tmp_path: Path) -> Open:
    """Opens the registry as somebody."""

    def opened(name: str = "ana", *, approvals: int = 0) -> SqlRegistry:
        return SqlRegistry(f"sqlite:///{tmp_path / 'registry.db'}", identity=identity(name, approvals=approvals))

    return opened


def hold(registry: SqlRegistry | MemoryRegistry, candidate: Candidate | None = None) -> Candidate:
    made = candidate or make_candidate()
    registry.hold(made, make_evidence(made, Outcome.HOLD))
    return made


def in_use(registry: SqlRegistry) -> list[tuple[str, int]]:
    return [(function.name, function.version) for function in registry.applicable()]


def test_what_is_held_is_not_in_use(as_person: Open) -> None:
    """It is stored with its concerns and signed; nothing that applies, exports or goes on sees it; so says the fake."""
    fake = MemoryRegistry()
    with as_person() as registry:
        for each in (registry, fake):
            hold(each)
            assert each.functions() == ()
            assert each.applicable() == ()
            assert [f.evidence.verdict.concerns[0].kind for f in each.held()] == ["figures-vanish"]
            assert each.history()[0].status is Status.HELD
        assert [event.what for event in registry.audit().events] == ["held"]


def test_an_approval_brings_it_into_use(as_person: Open, tmp_path: Path) -> None:
    """It is applied with the concern in its evidence and the approval beside it, by other readers and in a bundle."""
    with as_person() as registry:
        made = hold(registry)
        done = registry.approve("trim_city", "as it should be", sha256=made.sha256)
        assert (done.person, done.missing, in_use(registry)) == ("ana", 0, [("trim_city", 1)])
        assert registry.held() == ()
    with as_person("ben") as again:
        [function] = again.applicable()
        assert (len(function.envelopes), function.evidence.verdict.held) == (2, True)
        assert [event.what for event in again.audit().events] == ["held", "approved"]
        export_bundle([function], tmp_path / "bundle", log=again.log_proof(), identity=identity("ben"))
    assert [f.name for f in load_functions(tmp_path / "bundle", identity("ana"))] == ["trim_city"]


def test_four_eyes_are_not_the_authors(as_person: Open) -> None:
    """Where the trust policy wants a second person, the author's approval is refused, and another one's is enough."""
    with as_person("ana", approvals=1) as registry:
        hold(registry)
        with pytest.raises(UsageError, match="was promoted by ana: others must approve it"):
            registry.approve("trim_city")
        made = make_candidate("other")
        with pytest.raises(UsageError, match="wants somebody else"):
            registry.promote(made, make_evidence(made, Outcome.HOLD), accepted="--on-hold accept")
    with as_person("ben", approvals=1) as registry:
        assert registry.approve("trim_city").missing == 0
        assert in_use(registry) == [("trim_city", 1)]


def test_what_its_author_approved_alone_waits_where_others_must_approve(as_person: Open) -> None:
    """Under a policy without approvals ana may let it into use; under one that wants another person, that is nobody."""
    registry = as_person()
    hold(registry)
    registry.approve("trim_city", "as it should be")
    assert in_use(registry) == [("trim_city", 1)]
    with pytest.raises(NotVerified, match="waits for the approval of 1 more person"):
        as_person("ben", approvals=1).applicable()
    as_person("ben", approvals=1).approve("trim_city", "read it")
    assert in_use(as_person("ben", approvals=1)) == [("trim_city", 1)]


def test_an_approval_is_of_the_source_that_was_looked_at(as_person: Open) -> None:
    """A function of the same name that was held since is another one."""
    with as_person() as registry:
        first = hold(registry)
        hold(registry, first.model_copy(update={"source": f"{first.source}# changed\n"}))
        with pytest.raises(UsageError, match="The source of trim_city is not the one that was looked at"):
            registry.approve("trim_city", sha256=first.sha256)
        assert in_use(registry) == []
        registry.approve("trim_city")
        assert in_use(registry) == [("trim_city", 2)]
        assert [entry.status for entry in registry.history()] == [Status.SUPERSEDED, Status.ACTIVE]
    with as_person() as again:
        assert in_use(again) == [("trim_city", 2)]


def test_what_waits_for_approvals_is_not_taken_for_what_is_held_since(as_person: Open) -> None:
    """Who had read the active version let the held one take its place, and could not approve the one that was read."""
    first, second = make_candidate(), make_candidate(issue="Another.")
    with as_person("ana", approvals=1) as registry:
        registry.promote(first, make_evidence(first))
        hold(registry, second)
    with as_person("ben", approvals=1) as registry:
        told = rf"1 \(active, {first.sha256[:12]}\) and 2 \(held, {second.sha256[:12]}\)"
        with pytest.raises(UsageError, match=f"Two versions of trim_city wait for an approval: {told}"):
            registry.approve("trim_city")
        with pytest.raises(UsageError, match="not the one that was looked at"):
            registry.approve("trim_city", sha256="0" * 12)
        assert registry.approve("trim_city", sha256=first.sha256[:12].upper()).promoted.version == 1
        assert in_use(registry) == [("trim_city", 1)]
        assert registry.approve("trim_city").promoted.version == 2, "the only one that waits now"
        assert in_use(registry) == [("trim_city", 2)]


def test_what_was_suspended_since_it_was_looked_at_is_not_approved(as_person: Open) -> None:
    """Whoever still had it before them as held let it into use again, after it had acted up."""
    with as_person() as registry:
        made = hold(registry)
        registry.approve("trim_city", sha256=made.sha256, held=1)
        registry.suspend("trim_city", "it acts up")
        with pytest.raises(UsageError, match="trim_city, version 1, is not held any more"):
            registry.approve("trim_city", sha256=made.sha256, held=1)
        assert in_use(registry) == []
        registry.approve("trim_city", sha256=made.sha256)
        assert in_use(registry) == [("trim_city", 1)]


def test_an_approval_is_of_the_version_that_was_looked_at(as_person: Open) -> None:
    """The same source may be held again on other data, with other concerns."""
    with as_person() as registry:
        made = hold(registry)
        registry.revoke("trim_city", "wrong")
        hold(registry)
        with pytest.raises(UsageError, match="trim_city, version 1, is not held any more"):
            registry.approve("trim_city", sha256=made.sha256, held=1)
        registry.approve("trim_city", sha256=made.sha256, held=2)
        assert in_use(registry) == [("trim_city", 2)]


def test_what_it_replaces_goes_when_it_is_approved(as_person: Open) -> None:
    """Not before: until then the old one is applied."""
    with as_person() as registry:
        old = make_candidate("old")
        registry.promote(old, make_evidence(old))
        hold(registry, make_candidate().model_copy(update={"contract": Contract(replaces="old")}))
        assert in_use(registry) == [("old", 1)]
        registry.approve("trim_city")
        assert in_use(registry) == [("trim_city", 1)]
    with as_person() as again:
        assert in_use(again) == [("trim_city", 1)]


def test_the_user_can_accept_at_once(as_person: Open) -> None:
    """The concern stays in the evidence, and the approval says under which option."""
    with as_person() as registry:
        made = make_candidate()
        with pytest.raises(RegistryError, match="its verdict is 'hold'"):
            registry.promote(made, make_evidence(made, Outcome.HOLD))
        registry.promote(made, make_evidence(made, Outcome.HOLD), accepted="--on-hold accept")
    with as_person() as again:
        assert in_use(again) == [("trim_city", 1)]
        assert again.audit().events[-1].reason == "--on-hold accept"
        again.suspend("trim_city", "wait")
        assert in_use(again) == []
        again.approve("trim_city")
        assert in_use(again) == [("trim_city", 1)]


def test_what_is_rejected_is_gone(as_person: Open) -> None:
    """By version: one of the same name that is in use stays."""
    with as_person() as registry:
        made = make_candidate()
        registry.promote(made, make_evidence(made))
        hold(registry, made.model_copy(update={"source": f"{made.source}# more\n"}))
        registry.reject("trim_city", 2, "no")
        assert (in_use(registry), registry.held()) == ([("trim_city", 1)], ())
    with as_person() as again:
        assert in_use(again) == [("trim_city", 1)]


def test_what_somebody_approved_meanwhile_is_not_rejected(as_person: Open) -> None:
    """Who rejects has looked at a held function, which another person lets into use at the same moment."""
    with as_person() as registry:
        hold(registry)
        registry.approve("trim_city")
        with pytest.raises(UsageError, match="trim_city, version 1, is not held any more"):
            registry.reject("trim_city", 1, "no")
        assert in_use(registry) == [("trim_city", 1)]
        registry.revoke("trim_city", "no")
        assert in_use(registry) == []


def test_a_registry_that_was_changed_by_hand_is_refused(as_person: Open, tmp_path: Path) -> None:
    """An event that calls a held function active is not in the signed log: nothing is applied."""
    with as_person() as registry:
        hold(registry)
    with closing(sqlite3.connect(tmp_path / "registry.db")) as raw, raw:
        raw.execute("INSERT INTO events (function_id, status, reason, at) VALUES (1, 'active', '', '2026-01-01')")
    with (
        as_person() as again,
        pytest.raises(NotVerified, match=r"says of trim_city, version 1: active. Its log says held"),
    ):
        again.applicable()
    with pytest.raises(NotVerified):
        functions_in(tmp_path)


def test_a_bundle_with_a_held_function_is_refused(as_person: Open, tmp_path: Path) -> None:
    """Also where its author signed it, and where approvals are not asked for."""
    with as_person() as registry:
        hold(registry)
        export_bundle(registry.held(), tmp_path / "bundle", log=registry.log_proof(), identity=identity("ana"))
    for approved in (True, False):
        with pytest.raises(NotVerified, match="trim_city, version 1, is held: nobody has approved it"):
            load_functions(tmp_path / "bundle", identity("ana"), approved=approved)
