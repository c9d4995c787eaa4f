"""A sandbox without isolation whose process serves the children that are forked from it. Used by resume_fork_server.py.

A child cannot see that a process of its parent is alive, so a LocalSandbox would start one of its own in each, which
takes as much processor time as all that a short run asks of it.
"""

import mmap
import os

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.sandbox.containers.local import LocalSandbox, _Guest

_ALL = tuple(GuestEnvironment)


class LentSandbox(LocalSandbox):
    """`lend` comes before each fork. A process whose child died in the middle of a job is replaced."""

    def __init__(self) -> None:
        super().__init__()
        self._owner = os.getpid()
        self._lent: tuple[_Guest, ...] = ()
        self._at_work = mmap.mmap(-1, len(_ALL))  # shared with the children: who has a reply that nobody read yet

    def lend(self) -> None:
        """Have processes that are alive and at no job."""
        for place, environment in enumerate(_ALL):
            if self._at_work[place]:
                self._idle.pop(environment).stop()
                self._at_work[place] = 0
        self._give_back(GuestEnvironment.FIRST, self._take(GuestEnvironment.FIRST), usable=True)
        self._lent = tuple(self._idle.values())

    def _take(self, environment: GuestEnvironment) -> _Guest:
        if os.getpid() == self._owner:
            return super()._take(environment)
        guest = self._idle.pop(environment, None)
        if guest in self._lent:
            self._at_work[_ALL.index(environment)] = 1
        return guest or _Guest(environment)

    def _give_back(self, environment: GuestEnvironment, guest: _Guest, *, usable: bool) -> None:
        if guest in self._lent and usable:
            self._at_work[_ALL.index(environment)] = 0
        super()._give_back(environment, guest, usable=usable)
