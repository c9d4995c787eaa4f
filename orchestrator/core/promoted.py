"""What the registry holds. Used by every package above."""

from datetime import datetime

from orchestrator.core.candidate import Candidate
from orchestrator.core.value import Value
from orchestrator.core.verdict import Verdict


class Evidence(Value):
    """Why a function was promoted: enough to repeat the verification."""

    verdict: Verdict
    policy_sha256: str
    proposer: str
    run_id: str = ""
    data_sha256: str = ""
    prompt_sha256: str = ""
    after: tuple[str, ...] = ()  # promoted functions that it must come after: with them the order was seen to matter


class Promoted(Value):
    """One version of one function in the registry. Never changed: superseded or revoked."""

    candidate: Candidate
    evidence: Evidence
    order: int
    version: int = 1
    promoted_at: datetime

    @property
    def name(self) -> str:
        return self.candidate.name
