"""The user's signing key, looked at before any work that ends in a signature. Called by the commands that sign."""

import os
from typing import Literal


def check_signing_key(right: Literal["promote", "approve"] | None = "promote") -> None:
    """Make the key where there is none yet, and say so. Raises UsageError for a key that cannot sign this."""
    from orchestrator.cli.console import plain, stderr
    from orchestrator.registry.signing.identity import Identity
    from orchestrator.registry.signing.keys import VARIABLE, own_key_file

    path = own_key_file()
    new = not os.environ.get(VARIABLE) and not os.path.lexists(path)
    key, person = Identity().signer(right)
    if new:
        stderr().print(f"A signing key was made for {person}: {plain(str(path))} ({key.public.text}).", markup=False)
