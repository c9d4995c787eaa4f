"""What is signed: in-toto statements (v1) about the source of one function. Called by the registry's log and bundle.

https://github.com/in-toto/attestation. The subject is the function, by the SHA-256 of its source. There are three
kinds: evidence (why it was promoted, with all that the registry stores of it but the source), a change of status, and
a person's approval. A fourth is about the manifest of a bundle.
"""

import hashlib
import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from pydantic import Field, ValidationError

from orchestrator.core.errors import NotVerified, RegistryError
from orchestrator.core.promoted import Promoted
from orchestrator.core.value import Value
from orchestrator.core.verdict import Outcome
from orchestrator.registry.entries import Status, dumps, stored
from orchestrator.registry.signing.json_text import read_json

_TYPE = "https://in-toto.io/Statement/v1"
_ADVICE = "Do not use it: take it again from where it was made."


class PredicateType(StrEnum):
    """The predicate types."""

    EVIDENCE = "urn:cleanroom:evidence:v1"
    STATUS = "urn:cleanroom:status:v1"
    APPROVAL = "urn:cleanroom:approval:v1"
    MANIFEST = "urn:cleanroom:manifest:v1"


class Statement(Value):
    """A statement about one source text."""

    name: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    kind: PredicateType
    predicate: dict[str, Any]

    @property
    def version(self) -> int:
        """Of the function that it is about; 0 where it is about none."""
        found = self.predicate.get("version")
        return found if isinstance(found, int) else 0

    @property
    def held(self) -> bool:
        """Whether it is evidence of a function that only somebody's approval lets into use."""
        evidence = self.predicate.get("evidence")
        verdict = evidence.get("verdict") if isinstance(evidence, dict) else None
        return isinstance(verdict, dict) and verdict.get("verdict") == Outcome.HOLD

    @property
    def replaces(self) -> str:
        """Of evidence: the name of the function whose place the function takes; empty for none."""
        candidate = self.predicate.get("candidate")
        contract = candidate.get("contract") if isinstance(candidate, dict) else None
        found = contract.get("replaces", "") if isinstance(contract, dict) else ""
        return found if isinstance(found, str) else ""

    @property
    def at(self) -> datetime:
        """When it was signed, as it says itself; the end of all time where it does not."""
        found = self.predicate.get("promoted_at" if self.kind is PredicateType.EVIDENCE else "at")
        try:
            at = datetime.fromisoformat(found if isinstance(found, str) else "")
        except ValueError:
            return datetime.max.replace(tzinfo=UTC)
        return at if at.tzinfo else at.replace(tzinfo=UTC)

    def payload(self) -> bytes:
        """The bytes that are signed."""
        return dumps(
            {
                "_type": _TYPE,
                "subject": [{"name": self.name, "digest": {"sha256": self.sha256}}],
                "predicateType": self.kind,
                "predicate": self.predicate,
            }
        ).encode("ascii")


def read_statement(payload: bytes) -> Statement:
    """The statement in the payload of an envelope. Raises RegistryError for everything else."""
    try:
        found = read_json(payload)
        [subject] = found["subject"]
        if found["_type"] != _TYPE:
            raise RegistryError("An envelope holds no in-toto statement of version 1.", advice=_ADVICE)
        return Statement.model_validate(
            {
                "name": subject["name"],
                "sha256": subject["digest"]["sha256"],
                "kind": found["predicateType"],
                "predicate": found["predicate"],
            }
        )
    except (ValueError, TypeError, KeyError, ValidationError, RecursionError) as error:
        raise RegistryError("An envelope holds a statement that cannot be read.", advice=_ADVICE) from error


def evidence_of(promoted: Promoted) -> Statement:
    """All that is stored of a function version, its source by its hash."""
    return Statement(
        name=promoted.name,
        sha256=promoted.candidate.sha256,
        kind=PredicateType.EVIDENCE,
        predicate=_predicate(stored(promoted)),
    )


def check_describes(statement: Statement, plain: dict[str, Any], sha256: str) -> None:
    """Raises NotVerified unless the statement is the evidence of exactly the stored function version."""
    name, version = plain["candidate"]["name"], plain["version"]
    same = dumps(statement.predicate) == _text(plain)  # to Python, 1, 1.0 and True are equal
    if statement.kind is not PredicateType.EVIDENCE or statement.sha256 != sha256 or not same:
        raise NotVerified(
            f"What is stored of {name}, version {version}, is not what was signed.",
            advice="Do not use it: restore the registry from a copy, or promote the function again into a new one.",
        )


def status_of(promoted: Promoted, status: Status, reason: str, at: datetime) -> Statement:
    """A function version taken out of use."""
    predicate = {"version": promoted.version, "status": status, "reason": reason, "at": at.isoformat()}
    return Statement(
        name=promoted.name, sha256=promoted.candidate.sha256, kind=PredicateType.STATUS, predicate=predicate
    )


def approval_of(promoted: Promoted, envelope: str, reason: str, at: datetime) -> Statement:
    """A person's approval of a function version with exactly this evidence."""
    evidence = hashlib.sha256(envelope.encode()).hexdigest()
    predicate = {"version": promoted.version, "evidence_sha256": evidence, "reason": reason, "at": at.isoformat()}
    return Statement(
        name=promoted.name, sha256=promoted.candidate.sha256, kind=PredicateType.APPROVAL, predicate=predicate
    )


def _predicate(plain: dict[str, Any]) -> dict[str, Any]:
    """The stored JSON without the source text."""
    return json.loads(_text(plain))  # type: ignore[no-any-return]


def _text(plain: dict[str, Any]) -> str:
    candidate = {key: value for key, value in plain["candidate"].items() if key != "source"}
    return dumps(plain | {"candidate": candidate})
