"""People with keys, and the trust policy that they share. For the tests of signatures and approvals."""

from collections.abc import Mapping
from datetime import date

from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.keys import SigningKey
from orchestrator.registry.signing.trust import Person, TrustedKey, TrustPolicy

KEYS: Mapping[str, SigningKey] = {name: SigningKey.new() for name in ("ana", "ana-laptop", "ben", "eve", "old")}


def trust(*, approvals: int = 0, revoked: tuple[str, ...] = ()) -> TrustPolicy:
    """Ana (two keys) and Ben may everything, Old's key has expired; Eve is nobody."""
    people = {
        "ana": Person(keys=tuple(TrustedKey(key=KEYS[name].public.text) for name in ("ana", "ana-laptop"))),
        "ben": Person(keys=(TrustedKey(key=KEYS["ben"].public.text),)),
        "old": Person(keys=(TrustedKey(key=KEYS["old"].public.text, expires=date(2020, 1, 1)),)),
    }
    return TrustPolicy(approvals=approvals, people=people, revoked=tuple(KEYS[name].public.text for name in revoked))


def identity(name: str, *, approvals: int = 0, revoked: tuple[str, ...] = ()) -> Identity:
    """Somebody under the shared policy; Eve trusts herself."""
    policy = trust(approvals=approvals, revoked=revoked)
    if name == "eve":
        eve = Person(keys=(TrustedKey(key=KEYS["eve"].public.text),))
        policy = policy.model_copy(update={"people": {**policy.people, "eve": eve}})
    return Identity(KEYS[name], policy)
