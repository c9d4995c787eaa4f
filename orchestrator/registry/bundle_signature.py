"""Why the files of a bundle can be believed: a signed manifest, and for each function its evidence from the log.

Called by `bundle`, which reads and writes the files themselves.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from orchestrator.core.errors import NotVerified
from orchestrator.core.promoted import LogProof, Promoted
from orchestrator.registry.bundle_files import ADVICE
from orchestrator.registry.log.checkpoint import read_checkpoint
from orchestrator.registry.log.function_status import LoggedFunction
from orchestrator.registry.log.merkle import inclusion_proof, is_included, leaf_hash
from orchestrator.registry.signing.dsse import read_envelope, seal
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.statement import PredicateType, Statement, read_statement

NAME = "manifest.json"


def places_in_log(log: LogProof, envelopes: Iterable[str]) -> list[dict[str, Any]]:
    """The place of each envelope in the log, and the hashes from there to the root, as JSON."""
    places = [log.leaves.index(leaf_hash(envelope.encode())) for envelope in envelopes]
    return [{"position": at, "path": [each.hex() for each in inclusion_proof(log.leaves, at)]} for at in places]


def sign_manifest(manifest: bytes, identity: Identity) -> str:
    """The envelope that stands beside the manifest. Raises UsageError where the user's key may not promote."""
    key, _ = identity.signer("promote")
    predicate = {"at": datetime.now(UTC).isoformat()}
    statement = Statement(name=NAME, sha256=_sha256(manifest), kind=PredicateType.MANIFEST, predicate=predicate)
    return seal(statement.payload(), key)


def check_manifest(manifest: bytes, envelope: bytes, identity: Identity, *, today: bool = False) -> None:
    """Raises NotVerified unless somebody who may promote, or may `today`, has signed this manifest; RegistryError."""
    read = read_envelope(envelope)
    statement = read_statement(read.payload)
    if statement.kind is not PredicateType.MANIFEST or statement.sha256 != _sha256(manifest):
        raise NotVerified("The manifest of the bundle was changed after it was signed.", advice=ADVICE)
    trust = identity.trust
    at = datetime.now(UTC) if today else statement.at
    if not trust.people_of(read.signed_by(trust.keys()), "promote", at):
        keys = ", ".join(sorted(signature.keyid[:60] for signature in read.signatures))
        raise NotVerified(
            f"The bundle was not signed by anybody whom you trust to promote; it says {keys}.",
            advice="If you know whose key that is: `cleanroom keys trust KEY --person NAME`.",
        )


def check_evidence(
    promoted: Promoted, plain: dict[str, Any], envelopes: Sequence[str], identity: Identity, *, approved: bool
) -> Promoted:
    """The function with its envelopes. Raises NotVerified unless it is signed, and `approved` if that is demanded."""
    logged = LoggedFunction.of(envelopes)
    found = logged.verified(promoted, plain, identity.trust)
    logged.check_accepted(found, identity.trust)
    if approved:
        logged.check_approved(found, identity.trust)
    return found


def check_in_log(envelopes: Sequence[str], proofs: Any, checkpoint: str, identity: Identity) -> None:
    """Raises NotVerified unless every envelope is in the log whose signed head this is."""
    signed = read_checkpoint(checkpoint)
    if not signed.signed_by(identity.trust.keys()):
        raise NotVerified("The checkpoint of the bundle was not signed by anybody whom you trust.", advice=ADVICE)
    head = signed.checkpoint
    try:
        included = len(proofs) == len(envelopes) and all(
            is_included(
                leaf_hash(envelope.encode()),
                proof["position"],
                head.size,
                [bytes.fromhex(each) for each in proof["path"]],
                head.root,
            )
            for envelope, proof in zip(envelopes, proofs, strict=True)
        )
    except (KeyError, TypeError, ValueError):
        included = False
    if not included:
        raise NotVerified("The bundle has evidence that is not in the log that it names.", advice=ADVICE)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
