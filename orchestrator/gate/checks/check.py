"""What a check is, and when it need not be judged. Every check module declares one `CHECK`; `catalog` lists them.

Whether a check applies is decided on the host, from what is known before anything runs. The judge's process decodes
hostile bytes, so the host never relies on it to leave out a check.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.core.candidate import Contract

if TYPE_CHECKING:
    from orchestrator.core.verdict import CheckResult, Question
    from orchestrator.gate.judge.observations import Observations


@dataclass(frozen=True)
class VerdictScope:
    """What a verdict is about, as far as it decides which checks apply. Made by the verifier.

    `examples`: how many concern this candidate, valid or not; `demands`: whether the team has column rules or checks
    of its own; `not_drawn`: why no inputs are drawn, empty when they are.
    """

    contract: Contract
    has_detect: bool = False
    screened: bool = True
    examples: int = 0
    holdout_rows: int = 0
    promoted: int = 0
    demands: bool = False
    not_drawn: str = ""


def _always(_scope: VerdictScope) -> str:
    return ""


@dataclass(frozen=True)
class Check:
    """One check: its stable id, its law in a sentence, what judges it, and when it may be left out.

    `judge` gives a result, or None while it needs the confirming container; `judge` is None where the host decides
    before anything runs. `not_applicable` says why the check need not be judged; empty: it is mandatory, and a verdict
    without its `pass` is none. `questions`: what a person is asked where it holds the candidate. While a `structural`
    check fails, rows and columns cannot be matched any more, and
    the results of later checks mean nothing.
    """

    id: str
    law: str
    judge: "Callable[[Observations], CheckResult | None] | None"
    not_applicable: Callable[[VerdictScope], str] = _always
    structural: bool = False
    questions: "Callable[[Observations], list[Question]] | None" = None
