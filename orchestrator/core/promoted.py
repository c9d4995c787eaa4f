"""What the registry holds. Used by every package above."""

from datetime import datetime
from typing import NamedTuple

from pydantic import Field

from orchestrator.core.candidate import Candidate
from orchestrator.core.fitted import LearntState
from orchestrator.core.jobs import Program
from orchestrator.core.value import Value
from orchestrator.core.verdict import Concern, Verdict
from orchestrator.core.witnesses import Witnesses


class Evidence(Value):
    """Why a function was promoted: enough to repeat the verification.

    `after`: promoted functions that it must come after, because with them the order was seen to matter.
    """

    verdict: Verdict
    policy_sha256: str
    proposer: str
    run_id: str = ""
    data_sha256: str = ""
    prompt_sha256: str = ""
    after: tuple[str, ...] = ()
    witnesses: Witnesses = Field(default=Witnesses(), exclude_if=lambda witnesses: witnesses == Witnesses())


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
    def witnesses(self) -> Witnesses:
        """What settled its concerns, as somebody has signed it; nothing where nobody has."""
        return self.evidence.witnesses if self.envelopes else Witnesses()

    @property
    def accepted(self) -> tuple[Concern, ...]:
        """The concerns in spite of which somebody has approved it."""
        return self.evidence.verdict.concerns if len(self.envelopes) > 1 else ()

    @property
    def name(self) -> str:
        return self.candidate.name
