"""Keeps which rows of a registry were found right, so that one process checks the same text once. Called by `store`.

A run asks for the functions in use many times for each one that it adds. To check a row means to parse and to hash all
its evidence and to compare it with what was signed; what comes of that depends on nothing but the texts in its key.
"""

import hashlib
import json

from orchestrator.core.promoted import Promoted
from orchestrator.registry.entries import check_applicable
from orchestrator.registry.log.function_status import LoggedFunction
from orchestrator.registry.registry_tables import FunctionRow
from orchestrator.registry.rows import plain_of, promoted_of
from orchestrator.registry.signing.trust import TrustPolicy

_COLUMNS = tuple(column.key for column in FunctionRow.__table__.columns)


class CheckedRows:
    """Function versions by a digest of everything that was looked at. What was found wrong is not kept."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], tuple[str, Promoted]] = {}

    def get(self, row: FunctionRow, logged: LoggedFunction, trust: TrustPolicy) -> Promoted:
        """What `verified` returned for the same row, signatures and policy, else what it returns now; it may raise."""
        key = _digest(row, logged, trust)
        known = self._found.get((row.name, row.version))
        if known is not None and known[0] == key:
            return known[1]
        promoted = verified(row, logged, trust)
        self._found[row.name, row.version] = key, promoted
        return promoted


def verified(row: FunctionRow, logged: LoggedFunction, trust: TrustPolicy) -> Promoted:
    """The row as a function that may be used, as somebody who may has signed it. Raises RegistryError, NotVerified."""
    promoted = promoted_of(row)
    check_applicable(promoted)
    return logged.verified(promoted, plain_of(row), trust)


def _digest(row: FunctionRow, logged: LoggedFunction, trust: TrustPolicy) -> str:
    texts = [getattr(row, column) for column in _COLUMNS]
    envelopes = [one.envelope for one in (logged.evidence, *logged.approvals) if one is not None]
    return hashlib.sha256(json.dumps([texts, envelopes, trust.model_dump_json()]).encode()).hexdigest()
