"""Functions that come from elsewhere: all of them go into a registry, or none."""

from pathlib import Path
from typing import Any

import pytest

from orchestrator.bootstrap import open_registry
from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import RegistryError, UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.promoted import Promoted
from orchestrator.core.verdict import Outcome
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.registry.entries import Status
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.services import Services
from orchestrator.run.verify.import_functions import import_functions, import_trusted, taken_out
from orchestrator.run.verify.neighbours import neighbours
from tests.registry.conftest import SOURCE, make_candidate, make_evidence

_UNUSED: Any = None
SERVICES = Services(_UNUSED, ScriptedGate, _UNUSED, Policy(), "0" * 64, open_registry)


def replacing(name: str, replaces: str) -> Candidate:
    """A function whose source, and nothing else that is stored of it, says that it takes another's place."""
    source = SOURCE.format(name=name, column="city", issue="Stray blanks.")
    return make_candidate(name, source=source.replace("CONTRACT = {", f'CONTRACT = {{"replaces": "{replaces}", '))


def enter(registry: SqlRegistry, candidate: Candidate) -> Promoted:
    return registry.promote(candidate, make_evidence(candidate))


def test_a_source_that_comes_twice_is_named_before_anything_is_promoted(tmp_path: Path) -> None:
    """A registry takes a source once: the first functions were in use when the second one was refused."""
    made = make_candidate("f")
    with open_registry(tmp_path / "source") as source:
        once = source.promote(made, make_evidence(made))
        other = make_candidate("g")
        second = source.promote(other, make_evidence(other))
    again = once.model_copy(update={"order": 3})
    with open_registry(tmp_path / "mine") as registry:
        with pytest.raises(RegistryError, match=r"Functions 1 \(f\) and 3 \(f\) have the same source") as refused:
            import_trusted([once, second, again], registry)
        assert "export again" in refused.value.advice
        assert not registry.functions()


@pytest.mark.parametrize(("name", "replaces"), [("f", "mask"), ("mask", "g"), ("mask", "")])
def test_what_comes_from_elsewhere_takes_nothing_out_of_use(tmp_path: Path, name: str, replaces: str) -> None:
    """A stranger's function did, by one word of its contract, judged beside what it ends."""
    with open_registry(tmp_path / "theirs") as theirs, open_registry(tmp_path / "mine") as mine:
        enter(mine, make_candidate("mask"))
        made = replacing(name, replaces) if replaces else make_candidate(name, issue="Another.")
        foreign = [enter(theirs, made)]
        with pytest.raises(UsageError, match=f"{name} would take the place of mask, version 1;") as refused:
            import_functions(foreign, _UNUSED, SERVICES, mine, after=mine.functions(), on_verdict=print)
        assert "registry revoke mask" in refused.value.advice
        assert [one.candidate.sha256 for one in mine.functions()] == [make_candidate("mask").sha256]


def test_what_somebody_trusted_replaces_is_said(tmp_path: Path) -> None:
    """With `--no-rerun` the signer's word counts, for this, too; but not in silence."""
    with open_registry(tmp_path / "theirs") as theirs, open_registry(tmp_path / "mine") as mine:
        enter(mine, make_candidate("mask"))
        enter(mine, make_candidate("other"))
        foreign = [enter(theirs, make_candidate("mask", issue="Another."))]
        done = import_trusted(foreign, mine, after=mine.functions())
        assert [(one.name, one.version) for one in done.used] == [("mask", 2)]
        assert [(one.name, one.version) for one in done.gone] == [("mask", 1)]


@pytest.mark.parametrize("status", [Status.SUSPENDED, Status.HELD])
def test_what_waits_for_a_decision_here_is_ended_by_no_import(tmp_path: Path, status: Status) -> None:
    """A namesake from elsewhere superseded it without a word, and nobody could approve it any more."""
    waits = make_candidate("mask")
    with open_registry(tmp_path / "theirs") as theirs, open_registry(tmp_path / "mine") as mine:
        if status is Status.HELD:
            mine.hold(waits, make_evidence(waits, Outcome.HOLD))
        else:
            enter(mine, waits)
            mine.suspend("mask", "it acts up")
        foreign = [enter(theirs, make_candidate("mask", issue="Another."))]
        with pytest.raises(UsageError, match="mask would take the place of mask, version 1; nothing was changed"):
            import_trusted(foreign, mine)
        with pytest.raises(UsageError, match="mask would take the place of mask, version 1; nothing was changed"):
            import_functions(foreign, _UNUSED, SERVICES, mine, after=(), on_verdict=print)
        assert [entry.status for entry in mine.history()] == [status]


def test_what_was_suspended_and_superseded_is_still_left_out(tmp_path: Path) -> None:
    """Whatever has taken its place since: only a person's approval could have ended the suspension."""
    with open_registry(tmp_path / "theirs") as theirs, open_registry(tmp_path / "mine") as mine:
        foreign = [enter(theirs, make_candidate("f"))]
        enter(mine, make_candidate("f"))
        mine.suspend("f", "it acts up")
        enter(mine, make_candidate("f", issue="Repaired."))
        assert [entry.promoted.version for entry in taken_out(foreign, mine).values()] == [1]


def test_what_comes_into_use_meanwhile_stays_in_use(tmp_path: Path) -> None:
    """Another process may promote a function of the same name while those from elsewhere are judged."""
    with open_registry(tmp_path / "theirs") as theirs, open_registry(tmp_path / "mine") as mine:
        foreign = [enter(theirs, make_candidate("mask", issue="Another."))]
        there = mine.functions()
        enter(mine, make_candidate("mask"))
        with pytest.raises(RegistryError, match="mask, version 1, would go out of use"):
            import_trusted(foreign, mine, after=there)
        assert [one.candidate.sha256 for one in mine.functions()] == [make_candidate("mask").sha256]


@pytest.mark.parametrize("how", ["revoke", "suspend"])
def test_what_was_taken_out_here_is_known_by_its_source(tmp_path: Path, how: str) -> None:
    """A bundle that is imported again brought it back."""
    with open_registry(tmp_path / "theirs") as theirs, open_registry(tmp_path / "mine") as mine:
        foreign = [enter(theirs, make_candidate(name)) for name in ("f", "g", "h")]
        import_trusted(foreign, mine)
        assert not taken_out(foreign, mine)
        getattr(mine, how)("g", "it acts up")
        assert [entry.promoted.name for entry in taken_out(foreign, mine).values()] == ["g"]
        if how == "revoke":
            enter(mine, make_candidate("g"))  # a person may promote it again, which is no import
        else:
            mine.approve("g")
        assert not taken_out(foreign, mine)


@pytest.mark.parametrize("how", ["revoke", "suspend"])
def test_what_was_taken_out_and_is_held_since_stays_out(tmp_path: Path, how: str) -> None:
    """A run found it again, and held it: an approval from elsewhere brought it back without a word."""
    made = make_candidate("f")
    with open_registry(tmp_path / "theirs") as theirs, open_registry(tmp_path / "mine") as mine:
        enter(mine, made)
        getattr(mine, how)("f", "it acts up")
        mine.hold(made, make_evidence(made, Outcome.HOLD))
        theirs.promote(made, make_evidence(made, Outcome.HOLD), accepted="approved there")
        assert [entry.status for entry in taken_out(theirs.functions(), mine).values()] == [mine.history()[0].status]
        mine.approve("f")
        assert not taken_out(theirs.functions(), mine), "an approval here is what lets it in"


def test_without_the_right_to_replace_all_stay_beside_it(tmp_path: Path) -> None:
    """But for the function itself, which may be judged again: where it stands."""
    with open_registry(tmp_path / "mine") as mine:
        promoted = [enter(mine, make_candidate(name)) for name in ("f", "g")]
    f, g = promoted
    other = make_candidate("f", issue="Another.").source
    assert neighbours(other, promoted, SERVICES, replace=True) == ((g,), None)
    assert neighbours(other, promoted, SERVICES, replace=False) == ((f, g), None)
    for replace in (True, False):
        assert neighbours(f.candidate.source, promoted, SERVICES, replace=replace) == ((), None)
        assert neighbours(g.candidate.source, promoted, SERVICES, replace=replace) == ((f,), None)
    assert neighbours(replacing("h", "f").source, promoted, SERVICES, replace=True) == ((g,), f)
