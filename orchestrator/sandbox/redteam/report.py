"""What became of one attack, and of all. Written by redteam_runner.py, shown by the command."""

from collections.abc import Sequence
from enum import StrEnum

from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.value import Value


class ControlState(StrEnum):
    """Whether the control shows that the attack is real."""

    SHOWN = "shown"
    ABSENT = "absent"  # this machine has no such thing, so there was nothing to deny
    FAILED = "failed"


class AttackReport(Value):
    """One attack: what had to happen, what happened, and the control."""

    kind: str
    name: str
    title: str
    end: str
    wanted: str
    held: bool
    happened: str
    traces: tuple[str, ...] = ()  # what was not as before, on the host or for the next candidate
    control: ControlState
    control_said: str = ""
    seconds: float = 0.0


class RedTeamReport(Value):
    """All attacks of one run."""

    sandbox: SandboxInfo
    attacks: tuple[AttackReport, ...]
    left_behind: tuple[str, ...] = ()  # after everything was closed
    seconds: float = 0.0

    @property
    def escapes(self) -> tuple[AttackReport, ...]:
        return tuple(attack for attack in self.attacks if not attack.held)

    @property
    def unproven(self) -> tuple[AttackReport, ...]:
        return tuple(attack for attack in self.attacks if attack.control is ControlState.FAILED)

    @property
    def exit_code(self) -> int:
        """1: something escaped; 3: a control failed, so that its attack proves nothing."""
        if self.escapes or self.left_behind:
            return 1
        return 3 if self.unproven or not self.attacks else 0


def by_kind(attacks: Sequence[AttackReport]) -> dict[str, tuple[int, int, int]]:
    """For each class: attacks, escapes, failed controls."""
    found: dict[str, tuple[int, int, int]] = {}
    for attack in attacks:
        count, escapes, failed = found.get(attack.kind, (0, 0, 0))
        failing = attack.control is ControlState.FAILED
        found[attack.kind] = (count + 1, escapes + (not attack.held), failed + failing)
    return found
