"""Which attacks run one after the other or side by side with one look at the host after them. Called by runner.py."""

from collections.abc import Sequence
from itertools import chain

from orchestrator.sandbox.redteam.attack import Attack, Form

_TOGETHER = 8
_IN_A_BATCH = 8

Group = list[Attack]
"""What runs in one container: one attack, or several probes that must only be denied something."""


def batches(attacks: Sequence[Attack]) -> list[list[Group]]:
    """Up to eight neighbouring groups each. Scripts, which work on the host itself, only go with scripts."""
    found: list[list[Group]] = []
    for group in _groups(attacks):
        alike = found and _on_the_host(found[-1]) == _on_the_host([group])
        if alike and len(found[-1]) < _IN_A_BATCH:
            found[-1].append(group)
        else:
            found.append([group])
    return found


def side_by_side(batch: Sequence[Group]) -> bool:
    """Whether its groups may run at the same time."""
    return not _on_the_host(batch)


def members(batch: Sequence[Group]) -> list[Attack]:
    return list(chain.from_iterable(batch))


def _groups(attacks: Sequence[Attack]) -> list[Group]:
    """Neighbouring probes that are only denied something go together; everything else goes alone."""
    groups: list[Group] = []
    for attack in attacks:
        fits = groups and groups[-1][0].shares_a_container and len(groups[-1]) < _TOGETHER
        if attack.shares_a_container and fits:
            groups[-1].append(attack)
        else:
            groups.append([attack])
    return groups


def _on_the_host(batch: Sequence[Group]) -> bool:
    return any(attack.form is Form.SCRIPT for attack in members(batch))
