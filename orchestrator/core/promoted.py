"""What the registry holds. Used by every package above."""

from datetime import datetime
from typing import NamedTuple

from pydantic import Field

from orchestrator.core.candidate import Candidate
from orchestrator.core.fitted import LearntState
from orchestrator.core.jobs import Program
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


class LogProof(NamedTuple):
    """The signed head of a registry's log, and the hashes of its leaves: what proves that an envelope is in it."""

    checkpoint: str
    leaves: tuple[bytes, ...]


class Promoted(Value):
    """One version of one function in the registry. Never changed: superseded or revoked.

    `learnt`: what a fitted function has learnt of the data that it is applied to, in place of what it was proved with.
    `envelopes`: its signed evidence and the approvals that count, byte for byte; empty where nothing was verified.
    """

    candidate: Candidate
    evidence: Evidence
    order: int
    version: int = 1
    promoted_at: datetime
    envelopes: tuple[str, ...] = Field(default=(), exclude=True, repr=False)

    learnt: LearntState | None = Field(default=None, exclude=True, repr=False)

    @property
    def state(self) -> LearntState | None:
        """What a fitted function works with; None of other functions."""
        return self.learnt or self.evidence.verdict.state

    @property
    def program(self) -> Program:
        """The function as a sandbox runs it."""
        state = self.state
        return Program.of(self.candidate.model_copy(update={"state": None if state is None else state.text}))

    @property
    def name(self) -> str:
        return self.candidate.name
