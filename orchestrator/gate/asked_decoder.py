"""Asks the decoder for what a function wrote, with the question whose fault it is when it dies. Called where functions
are applied and where parsers are called.
"""

from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.ports import SandboxAccess


def ask_decoder(access: SandboxAccess, asked: bytes) -> bytes:
    """The decoder's answer. It is asked twice where it dies: the kernel may have ended it for want of memory.

    Raises DisposableDied where the function is at fault, since what the canary writes is decoded; else SandboxError.
    """
    try:
        return access.decoder.call(asked)
    except DisposableDied as died:
        from orchestrator.gate import canary  # with all that plans cases, which nobody needs who only applies

        if not canary.is_decoded(access):
            raise SandboxError(
                f"What sandboxes send cannot be read here. {died.message}",
                advice="Free some memory, or stop what ends processes, then run the command again.",
            ) from None
    return access.decoder.call(asked)
