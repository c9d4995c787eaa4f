"""Who the user is and whom they trust: their own signing key and the trust policy. Made by stores and bundles.

Where there is no trust policy, the user's own key is the one that is trusted, so that a first run needs no preparation:
the key is made when something is first signed.
"""

import getpass
import os
import re
from datetime import UTC, datetime
from functools import cached_property

from orchestrator.core.errors import UsageError
from orchestrator.registry.signing.keys import VARIABLE, PublicKey, SigningKey, make_key, own_key_file, read_key
from orchestrator.registry.signing.trust import VARIABLE as TRUST_VARIABLE
from orchestrator.registry.signing.trust import Person, Right, TrustedKey, TrustPolicy, read_trust, trust_file


class Identity:
    """The user's key and policy, each read when it is first asked for. `key`, `trust`: instead of those of the user."""

    def __init__(self, key: SigningKey | None = None, trust: TrustPolicy | None = None) -> None:
        self._key = key
        self._trust = trust

    @cached_property
    def key(self) -> SigningKey:
        """The user's signing key, made where there is none. Raises UsageError for an unfit file."""
        if self._key is not None:
            return self._key
        found = own_key()
        return found if found is not None else make_key(own_key_file())

    @property
    def trust(self) -> TrustPolicy:
        """The user's trust policy; without one, their own key is trusted with everything. Raises UsageError."""
        if self._trust is None:
            self._trust = read_trust(trust_file())
            if self._trust is None and os.environ.get(TRUST_VARIABLE):
                raise UsageError(
                    f"There is no trust policy at {trust_file()}.",
                    advice=f"Correct {TRUST_VARIABLE}, or make the file: `cleanroom keys trust KEY --person NAME`.",
                )
        if self._trust is None:
            key = self._key or self.__dict__.get("key") or own_key()
            if key is None:
                return TrustPolicy()
            self._trust = trust_of_one(key.public)
        return self._trust

    def signer(self, right: Right | None = None) -> tuple[SigningKey, str]:
        """The key for signing now, and its person. Raises UsageError unless it may sign, and has the right."""
        key = self.key
        now = datetime.now(UTC)
        name = self.trust.holder(key.public, now)
        if name is None:
            why = "revoked" if key.public.text in self.trust.revoked else "unknown or expired"
            raise UsageError(
                f"Your signing key is {why} in the trust policy: {key.public.text}.",
                advice="`cleanroom keys list` shows the keys, `cleanroom keys trust` and `cleanroom keys new` mend it.",
            )
        if right is not None and right not in self.trust.people[name].may:
            raise UsageError(
                f"The trust policy does not let {name} {right} functions.", advice=f"Change {trust_file()} or ask."
            )
        return key, name

    def check_may_accept(self) -> None:
        """Raises UsageError unless the user may let a function with concerns into use that they promote themselves."""
        _, name = self.signer("approve")
        if self.trust.approvals:
            raise UsageError(
                f"{name} promotes the functions of this run, and the trust policy wants somebody else to approve them.",
                advice="Leave out --on-hold accept: `cleanroom review` lets others accept what is held.",
            )


def own_key() -> SigningKey | None:
    """The user's own key; None where there is none yet. Raises UsageError for an unfit file, or one that was named."""
    path = own_key_file()
    found = read_key(path)
    if found is None and os.environ.get(VARIABLE):
        raise UsageError(f"There is no key at {path}.", advice="Make it with `cleanroom keys new`.")
    return found


def trust_of_one(key: PublicKey) -> TrustPolicy:
    """The policy under which one key is trusted with everything."""
    return TrustPolicy(people={user_name(): Person(keys=(TrustedKey(key=key.text),))})


def user_name() -> str:
    """What the user is called on this machine."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):
        name = ""
    return re.sub(r"[^\w.@-]", "_", name)[:100] or "me"
