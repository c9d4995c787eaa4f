"""Changes the user's keys and whom they trust: makes keys, adds people's keys to the trust policy, revokes keys.

Called by `cleanroom keys`.
"""

from contextlib import nullcontext
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from orchestrator.core.errors import UsageError
from orchestrator.registry.signing.identity import Identity, own_key, trust_of_one, user_name
from orchestrator.registry.signing.keys import PublicKey, SigningKey, make_key, own_key_file
from orchestrator.registry.signing.trust import (
    Person,
    Right,
    TrustedKey,
    TrustPolicy,
    changing_trust,
    read_trust,
    trust_file,
    write_trust,
)


class KnownKey(NamedTuple):
    """A key of the trust policy. `status`: trusted, expired or revoked."""

    key: str
    person: str
    may: tuple[str, ...]
    expires: date | None
    status: str
    own: bool


def new_key(path: Path | None, *, person: str | None, expires: date | None) -> tuple[Path, SigningKey]:
    """A new key in the file, or in that of the user's own, which then is trusted. Raises UsageError.

    A key of the user's own that was revoked is put aside; another one is never replaced.
    """
    if path is not None and (person or expires):
        raise UsageError(
            "Whose a key in a file of its own is, and until when, is said by whoever trusts it.",
            advice="Leave out --person and --expires, and give them to `cleanroom keys trust`.",
        )
    if expires is not None and expires < datetime.now(UTC).date():
        raise UsageError(f"{expires} is over: the key could sign nothing.", advice="Name a day to come.")
    with changing_trust() if path is None else nullcontext():
        return _new_key(path, person=person, expires=expires)


def _new_key(path: Path | None, *, person: str | None, expires: date | None) -> tuple[Path, SigningKey]:
    place, policy = path or own_key_file(), read_trust(trust_file())
    if place.exists() or place.is_symlink():
        old = own_key() if path is None else None
        if old is None or policy is None or old.public.text not in policy.revoked:
            raise UsageError(f"There is {place} already.", advice="Revoke the key in it first, or name another file.")
        place.rename(place.with_name(f"revoked-{datetime.now(UTC):%Y%m%d-%H%M%S}.key"))
    key = make_key(place)
    if path is None and (policy is not None or person or expires):
        trusted = TrustedKey(key=key.public.text, expires=expires)
        write_trust(trust_file(), _with_key(policy or TrustPolicy(), person or user_name(), trusted, None))
    return place, key


@changing_trust()
def trust_key(text: str, person: str, *, may: tuple[Right, ...] | None, expires: date | None) -> TrustPolicy:
    """Trust a key as that of the person. Raises UsageError."""
    identity = Identity()
    policy = read_trust(trust_file()) or trust_of_one(identity.key.public)
    key = _public(text)
    if key.text in policy.revoked:
        raise UsageError(f"The key {key.text} is revoked.", advice="Whoever had it makes a new one.")
    policy = _with_key(policy, person, TrustedKey(key=key.text, expires=expires), may)
    write_trust(trust_file(), policy)
    return policy


@changing_trust()
def revoke_key(text: str) -> TrustPolicy:
    """Let the key count for nothing from now on, whenever it has signed. Raises UsageError."""
    key = _public(text)
    policy = read_trust(trust_file())
    if policy is None:
        own = own_key()
        policy = trust_of_one(own.public) if own else TrustPolicy()
    if key.text in policy.revoked:
        raise UsageError(f"The key {key.text} is revoked already.")
    policy = policy.model_copy(update={"revoked": (*policy.revoked, key.text)})
    write_trust(trust_file(), policy)
    return policy


def known_keys() -> list[KnownKey]:
    """Every key of the trust policy, revoked ones last, and the user's own, even where it is not trusted."""
    identity = Identity()
    own, policy, today = own_key(), identity.trust, datetime.now(UTC)
    found = []
    for name, person in policy.people.items():
        for one in person.keys:
            holder = policy.holder(PublicKey(one.key), today)
            status = "trusted" if holder else "revoked" if one.key in policy.revoked else "expired"
            is_own = own is not None and own.public.text == one.key
            found.append(KnownKey(one.key, name, person.may, one.expires, status, is_own))
    named = {one.key for one in found}
    found += [KnownKey(key, "", (), None, "revoked", False) for key in policy.revoked if key not in named]
    if own is not None and own.public.text not in {one.key for one in found}:
        found.append(KnownKey(own.public.text, "", (), None, "not trusted", own=True))
    return sorted(found, key=lambda one: one.status != "trusted")


def _with_key(policy: TrustPolicy, name: str, key: TrustedKey, may: tuple[Right, ...] | None) -> TrustPolicy:
    person = policy.people.get(name, Person())
    keys = (*(one for one in person.keys if one.key != key.key), key)
    changed = {"may": list(may or person.may), "keys": [one.model_dump() for one in keys]}
    people = {other: each.model_dump() for other, each in policy.people.items()} | {name: changed}
    try:
        return TrustPolicy.model_validate(policy.model_dump() | {"people": people})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        what = first["msg"].removeprefix("Value error, ")
        if first["type"].startswith("string_"):
            what = f"{name!r} is no name of a person here: letters, digits and . _ @ - only, at most 100"
        raise UsageError(f"That cannot be trusted: {what}.", advice="`cleanroom keys list` shows the keys.") from error


def _public(text: str) -> PublicKey:
    try:
        return PublicKey(text.strip())
    except ValueError as error:
        raise UsageError(
            f"'{text[:60]}' is not a public key: {error}.", advice="`cleanroom keys list` shows how they look."
        ) from error
