"""What a client asks the broker and what it answers: one message each, as JSON in one packet. Called by both sides."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from orchestrator.core import errors
from orchestrator.core.errors import CleanroomError, SandboxError
from orchestrator.core.jobs import GuestEnvironment, Limits
from orchestrator.core.policy import ContainerPolicy
from orchestrator.core.value import Value

LARGEST = 16_384
"""Bytes of a message."""
END = b"end"
"""Sent by a client that has done with its container and waits until it is gone."""


class AboutRequest(Value):
    """Which image are containers made of? `recipe`: the tag of the client's version."""

    op: Literal["about"] = "about"
    recipe: str


class LaunchRequest(Value):
    """One container, of the broker's image, within the broker's limits. `pool_size` and `job_s` do not matter."""

    op: Literal["launch"] = "launch"
    container: ContainerPolicy
    environment: GuestEnvironment
    run_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{0,64}$")]
    hash_seed: Annotated[int, Field(ge=1, lt=2**32)]
    inspect: bool


class ProveRequest(Value):
    """Is the whole posture under these limits as it must be? `strict`: a missing layer counts, too."""

    op: Literal["prove"] = "prove"
    container: ContainerPolicy
    limits: Limits
    strict: bool = True


BrokerRequest = AboutRequest | LaunchRequest | ProveRequest
REQUEST: TypeAdapter[BrokerRequest] = TypeAdapter(Annotated[BrokerRequest, Field(discriminator="op")])


class BrokerAnswer(Value):
    """What came of it: the image, or the container's id; or the name of an error with its words."""

    image: str = ""
    identity: str = ""
    error: str = ""
    message: str = ""
    advice: str = ""

    @classmethod
    def of_error(cls, error: CleanroomError) -> "BrokerAnswer":
        return cls(error=type(error).__name__, message=error.message[:2000], advice=error.advice[:1000])

    def checked(self) -> "BrokerAnswer":
        """The answer itself. Raises the error that it carries."""
        if not self.error:
            return self
        kind = getattr(errors, self.error, SandboxError)
        known = isinstance(kind, type) and issubclass(kind, SandboxError)
        raise (kind if known else SandboxError)(self.message, advice=self.advice)
