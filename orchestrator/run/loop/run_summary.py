"""What a run tells when it has ended. Made by `loop.job`, printed by `cleanroom run`, returned by the library."""

from typing import TypeGuard

from pydantic import Field

from orchestrator.core.exchanges import ModelRole, TokenUsage
from orchestrator.core.steps import AnyStep, HeldEntryStep, RunStatus
from orchestrator.core.value import Value
from orchestrator.core.verdict import Concern, Verdict


class HeldFunction(Value):
    """A function that keeps every law and waits for a person, or was accepted with these concerns."""

    name: str
    version: int
    sha256: str
    modifies: tuple[str, ...] | None = None
    concerns: tuple[Concern, ...]

    @classmethod
    def of(cls, verdict: Verdict, version: int) -> "HeldFunction":
        info = verdict.candidate
        return cls(
            name=info.name, version=version, sha256=info.sha256, modifies=info.modifies, concerns=verdict.concerns
        )


class RunSummary(Value):
    """How the run ended and where its results are."""

    run_id: str
    status: RunStatus
    rows: int
    promoted: tuple[str, ...]
    rejected: int
    changed: dict[str, int]
    notes: tuple[str, ...] = ()  # what the user should know of the instruction and of the data
    reason: str = ""  # why no more questions were asked, if a budget or a limit ended the run
    usage: TokenUsage
    roles: dict[ModelRole, TokenUsage] = Field(default_factory=dict)
    seconds: float
    files: dict[str, str]
    weakened: tuple[str, ...] = Field(default=(), exclude_if=lambda layers: not layers)  # by the policy
    held: tuple[HeldFunction, ...] = ()  # not applied: `cleanroom review`
    accepted: tuple[HeldFunction, ...] = ()  # applied in spite of their concerns: --on-hold accept


def entered(step: AnyStep) -> TypeGuard[HeldEntryStep]:
    """Whether the step put a held function into the registry."""
    return isinstance(step, HeldEntryStep) and step.entered
