"""`cleanroom worker`: one worker of a cluster, with containers of its own."""

from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.defaults import ConfigFile


def worker(
    scheduler: Annotated[str, typer.Argument(help="The scheduler: tls://HOST:PORT.", show_default=False)],
    tls: Annotated[
        Path, typer.Option("--tls", help="The worker's folder of `cleanroom cluster certs`.", show_default=False)
    ],
    listen: Annotated[
        str, typer.Option("--listen", help="The address of this machine that the others reach it under.")
    ] = "",
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Run functions for `apply`, `check` and `verify --cluster`, one task at a time, in containers of this machine.

    The sandbox is proved first. Tasks get no more than --policy gives.
    """
    from orchestrator.cli.console import stderr
    from orchestrator.core.weakened import refuse_weakened
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.scale.certificates import check_certificates
    from orchestrator.scale.cluster_address import scheduler_address
    from orchestrator.scale.cluster_member import MemberOptions, on_signals, run_member

    rules = read_policy(policy, strict=strict)
    refuse_weakened(rules)
    check_certificates(tls, serves=True)
    asked = MemberOptions(tls=tls, scheduler=scheduler_address(scheduler), listen=listen, policy=rules)
    run_member(asked, lambda address: stderr().print(f"ready: {address}", markup=False), on_signals)
