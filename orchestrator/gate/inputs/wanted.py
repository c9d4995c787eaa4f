"""Which columns somebody asked for, and which a counterexample has to show. Called by the verifier.

A column that nobody asked for is a concern (`touches-only-declared`), for there is nothing to compare its cells with.
Asked for is what a user's or tester's example shows, what policy or conventions name, and what the
instruction names: by its name, or by all words of its name beside a word that asks for something new.
"""

import re
from typing import NamedTuple

from orchestrator.core.candidate import Candidate
from orchestrator.core.needs import own_columns
from orchestrator.core.policy import Policy
from orchestrator.core.ports import VerifyRequest

_ASKS = re.compile(
    r"\b(?:add|append|column|compute|create|derive|extract|field|into|key|make|move|new|own|put|separate|split|store)",
    re.IGNORECASE,
)
_MOST = 100
_WORD = re.compile(r"[^\W_]+")


class Wanted(NamedTuple):
    """`asked`: the names in `adds` that the user or an independent tester wants. `matter`: what a counterexample in a
    wide table shows first: what the candidate modifies, adds, drops or reads, then what earlier functions are about.
    `reads`: those of the first that the table has.
    """

    asked: tuple[str, ...] = ()
    matter: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()

    @classmethod
    def of(cls, candidate: Candidate, request: VerifyRequest, policy: Policy) -> "Wanted":
        """What the request and the policy say of the candidate's columns."""
        named = {*policy.columns, *(() if request.conventions is None else request.conventions.columns)}
        for example in request.witnesses:
            named |= set(example.output) if isinstance(example.output, dict) else set()
        contract = candidate.contract
        asked = tuple(n for n in contract.adds if n in named or _mentioned(n, request.instruction))
        earlier = [
            n for p in request.promoted for n in (*(p.candidate.contract.modifies or ()), *p.candidate.contract.adds)
        ]
        there = request.sample.working.column_names
        own = own_columns(candidate, there)
        reads = tuple(name for name in own if name in there)
        return cls(asked, tuple(dict.fromkeys([*own, *earlier]))[:_MOST], reads[:_MOST])


def _mentioned(name: str, instruction: str) -> bool:
    if re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", instruction):
        return True
    words = {_stem(word) for word in _WORD.findall(instruction.casefold())}
    parts = [_stem(word) for word in _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold())]
    return bool(parts) and words.issuperset(parts) and _ASKS.search(instruction) is not None


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
