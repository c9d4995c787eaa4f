"""The proposers with a name of their own, which need no language model. Looked up by `bootstrap`.

Every other name is a model's. A proposer is one entry of `PROPOSERS`; whatever it needs is imported when it is made.
"""

from collections.abc import Callable
from typing import NamedTuple

from orchestrator.core.ports import Proposer


class NamedProposer(NamedTuple):
    """How messages call it, how it is made, and whether it makes functions of records and texts as well."""

    title: str
    make: Callable[[], Proposer]
    by_row: bool


def _builtin() -> Proposer:
    from orchestrator.propose.builtin.builtin_proposer import BuiltinProposer

    return BuiltinProposer()


PROPOSERS = {"builtin": NamedProposer("built-in proposer", _builtin, by_row=False)}
