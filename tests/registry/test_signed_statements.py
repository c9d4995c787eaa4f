"""What a signed statement is about: exactly one evidence, of exactly one source."""

from datetime import UTC, datetime

import pytest

from orchestrator.core.errors import NotVerified
from orchestrator.core.promoted import Promoted
from orchestrator.registry.entries import Status, stored
from orchestrator.registry.log.function_status import LoggedFunctions
from orchestrator.registry.signing.dsse import seal
from orchestrator.registry.signing.statement import approval_of, check_describes, evidence_of
from tests.registry.conftest import make_candidate, make_evidence
from tests.registry.people import KEYS, trust

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def promoted(run_id: str = "one") -> Promoted:
    made = make_candidate("f")
    return Promoted(candidate=made, evidence=make_evidence(made, run_id=run_id), order=1, promoted_at=NOW)


@pytest.mark.parametrize("same", [True, False])
def test_an_approval_is_of_the_evidence_that_it_names(same: bool) -> None:
    """Ben has approved version 1 of f elsewhere, with other evidence: in this log that is no approval."""
    here, elsewhere = promoted(), promoted("another")
    envelope, other = (seal(evidence_of(one).payload(), KEYS["ana"]) for one in (here, elsewhere))
    about = (here, envelope) if same else (elsewhere, other)
    log = LoggedFunctions()
    log.add([envelope, seal(approval_of(*about, "read it", NOW).payload(), KEYS["ben"])])
    logged = log.of("f", 1)
    assert logged.status is Status.ACTIVE
    assert logged.approvers(here, trust(approvals=1)) == ({"ben"} if same else set())


def test_what_is_stored_is_held_against_the_source_that_was_signed() -> None:
    """The statement holds all but the source, which it names by its hash: another source is another function."""
    function = promoted()
    statement = evidence_of(function)
    check_describes(statement, stored(function), function.candidate.sha256)
    with pytest.raises(NotVerified, match="f, version 1, is not what was signed"):
        check_describes(statement, stored(function), make_candidate("g").sha256)
