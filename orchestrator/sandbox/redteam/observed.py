"""What an attack came to, seen from outside, and whether that is what had to happen.

Called by attack_runs.py and controls.py.
"""

import re
from typing import NamedTuple

from orchestrator.core.errors import DisposableDied
from orchestrator.core.jobs import ChildResult, Ended
from orchestrator.core.ports import Disposable
from orchestrator.core.verdict import Verdict
from orchestrator.data.hostile.decode_entry import read_decoded, request
from orchestrator.sandbox.redteam.attack import BROKE, Attack, Expect, ExpectedEnd, Form

_SHOWN = 160


class Observed(NamedTuple):
    """How the children ended and what the last one reported; or the verdict; or what a script printed."""

    ended: tuple[str, ...] = ()
    says: str = ""
    verdict: str = ""
    failed: tuple[str, ...] = ()
    detail: str = ""

    def words(self) -> str:
        """One line for people."""
        if self.verdict:
            failing = ", ".join(self.failed)
            return f"{self.verdict}: {failing} ({self.detail})"[:_SHOWN] if failing else self.verdict
        ends = ", ".join(dict.fromkeys(self.ended))
        return "; ".join(filter(None, [ends, self.says]))[:_SHOWN]


def of_children(children: tuple[ChildResult, ...], decoder: Disposable) -> Observed:
    """What came of a job; the last child's bytes are read in a disposable process."""
    return Observed(ended=tuple(str(child.ended) for child in children), says=reported(children[-1], decoder))


def reported(child: ChildResult, decoder: Disposable) -> str:
    """What a child said: the first value of its column `said`, its error, or nothing."""
    if child.ended is not Ended.OK and not child.output:
        return ""
    try:
        decoded = read_decoded(decoder.call(request(child.output, records=False, detect=False)))
    except DisposableDied as error:
        return f"unreadable: {error.message}"
    if decoded.table is None:
        return f"error: {decoded.error}"
    if "said" not in decoded.table.column_names:
        return "a table"
    return str(decoded.table.column("said")[0])


def of_verdict(verdict: Verdict) -> Observed:
    first = next((check.detail for check in verdict.failures), "")
    return Observed(verdict=str(verdict.verdict), failed=tuple(c.id for c in verdict.failures), detail=first)


def broke(message: str) -> Observed:
    """The container went away under the attack."""
    return Observed(ended=(BROKE,), says=message)


def held(attack: Attack, expect: Expect, seen: Observed) -> bool:
    """Whether it ended as it must."""
    if attack.form is Form.CANDIDATE:
        return seen.verdict == expect.verdict and (not expect.checks or bool(set(expect.checks) & set(seen.failed)))
    ends = seen.ended[-1:] if attack.end is ExpectedEnd.NO_TRACE else seen.ended
    if expect.ended and not (ends and set(ends) <= set(expect.ended)):
        return False
    returned = attack.form is Form.SCRIPT or bool(seen.says) or seen.ended[-1:] == ("ok",)
    return not (expect.says and returned) or re.fullmatch(expect.says, seen.says, re.DOTALL) is not None
