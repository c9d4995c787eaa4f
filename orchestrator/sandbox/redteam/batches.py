"""Which attacks run one after the other or side by side with one look at the host after them. Called by
redteam_runner.py.
"""

from collections.abc import Sequence
from itertools import chain

from orchestrator.sandbox.redteam.attack import Attack, Form

_TOGETHER = 8
_IN_A_BATCH = 16

Group = list[Attack]
"""What runs in one container: one attack, or several probes that must only be denied something."""


def batches(attacks: Sequence[Attack]) -> list[list[Group]]:
    """Up to sixteen groups each. Scripts, which work on the host itself, only go with scripts, after all others."""
    groups = _groups(attacks)
    of_scripts = [group for group in groups if _on_the_host([group])]
    others = [group for group in groups if not _on_the_host([group])]
    return [
        alike[first : first + _IN_A_BATCH]
        for alike in (others, of_scripts)
        for first in range(0, len(alike), _IN_A_BATCH)
    ]


def side_by_side(batch: Sequence[Group]) -> bool:
    """Whether its groups may run at the same time."""
    return not _on_the_host(batch)


def members(batch: Sequence[Group]) -> list[Attack]:
    return list(chain.from_iterable(batch))


def _groups(attacks: Sequence[Attack]) -> list[Group]:
    """Probes that are only denied something go together, up to eight; everything else goes alone."""
    groups: list[Group] = []
    shared: Group = []
    for attack in attacks:
        if attack.shares_a_container and 0 < len(shared) < _TOGETHER:
            shared.append(attack)
            continue
        groups.append([attack])
        if attack.shares_a_container:
            shared = groups[-1]
    return groups


def _on_the_host(batch: Sequence[Group]) -> bool:
    return any(attack.form is Form.SCRIPT for attack in members(batch))
