"""`cleanroom broker`: makes containers for others, who then need no rights on the container engine."""

import signal
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.defaults import ConfigFile


def broker(
    socket: Annotated[
        Path | None,
        typer.Option("--socket", help="Where to listen \\[default: /run/cleanroom/broker.sock]."),
    ] = None,
    group: Annotated[str, typer.Option("--group", help="The group whose members may use it, beside its owner.")] = "",
    per_user: Annotated[int, typer.Option("--per-user", min=1, help="Containers of one user at a time.")] = 32,
    most: Annotated[int, typer.Option("--most", min=1, help="Containers of all users at a time.")] = 64,
    policy: options.PolicyOption = None,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Make sandbox containers for others over a Unix socket, as the only process with rights on the engine.

    Clients get the frozen posture within --policy, and nothing else. Commands use it where it runs.
    """
    from contextlib import closing

    from orchestrator.cli.console import stderr
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.sandbox.broker import address
    from orchestrator.sandbox.broker.connection import Offer
    from orchestrator.sandbox.broker.quota import Quota
    from orchestrator.sandbox.broker.server import Broker
    from orchestrator.sandbox.containers.engine import Engine
    from orchestrator.sandbox.containers.reaper import reap
    from orchestrator.sandbox.posture.capacity import check_fits
    from orchestrator.sandbox.provision.image_id import sandbox_image
    from orchestrator.sandbox.provision.recipe import read_recipe

    limits = read_policy(policy).container
    check_fits(limits)
    image, path = sandbox_image(), socket or address.DEFAULT
    with closing(Engine()) as engine, closing(address.listen(path, group)) as listener:
        reap(engine)
        offer = Offer(engine, image, read_recipe().tag, limits)
        say = stderr().print
        serving = Broker(offer, Quota(per_user, most), lambda line: say(line, markup=False))
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, lambda *_: serving.stop(listener))
        say(f"ready: {path}, image {image[:19]}", markup=False)
        try:
            serving.serve(listener)
        finally:
            serving.close()
            path.unlink(missing_ok=True)
