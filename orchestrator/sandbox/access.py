"""Opens the sandbox of this machine: through the broker where one runs, else by own rights on the engine.

Called by bootstrap. What only one of the two ways needs is imported when it is taken.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.policy import Policy
from orchestrator.sandbox.broker import address
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox

if TYPE_CHECKING:
    from orchestrator.sandbox.broker.broker_client import BrokerLauncher


def open_sandbox(
    policy: Policy, *, light: bool = False, expected: Mapping[GuestEnvironment, int] | None = None
) -> DockerSandbox:
    """See DockerSandbox for the arguments.

    Raises EngineUnavailable, ImageMissing, PostureError where a strict policy is not met, UsageError where the machine
    is too small for it.
    """
    from orchestrator.sandbox.provision.recipe import read_recipe

    broker, recipe = _broker(), read_recipe()
    if broker is None:
        from orchestrator.sandbox.posture.capacity import check_fits
        from orchestrator.sandbox.provision.image_id import sandbox_image

        check_fits(policy.container)
        return DockerSandbox(policy, sandbox_image(), light=light, expected=expected, libraries=recipe.libraries)
    image = broker.image(recipe.tag)
    if policy.strict:
        broker.prove(policy)
    return DockerSandbox(policy, image, light=light, expected=expected, launcher=broker, libraries=recipe.libraries)


def prove_sandbox(policy: Policy) -> None:
    """Before a worker of a cluster, or of the service, takes a task: start containers and ask inside what holds there.

    Raises PostureError where a limit or lock is not as it must be; where a layer is missing, under a strict policy.
    """
    if (broker := _broker()) is not None:
        broker.prove(policy)
        return
    from contextlib import closing

    from orchestrator.sandbox.containers.engine import Engine
    from orchestrator.sandbox.posture.proof.prove import prove, require
    from orchestrator.sandbox.provision.image_id import sandbox_image

    with closing(Engine()) as engine:
        proof = prove(engine, policy, sandbox_image())
    require(proof if policy.strict else proof._replace(missing=()))


def _broker() -> "BrokerLauncher | None":
    if not address.is_likely():
        return None
    from orchestrator.sandbox.broker.broker_client import running_broker

    return running_broker()
