"""`cleanroom cluster`: the certificates and the scheduler of a cluster."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="The certificates and the scheduler of a cluster; see `cleanroom worker`.", no_args_is_help=True)


@app.command("certs")
def certs(
    folder: Annotated[Path, typer.Argument(help="A new folder.", show_default=False)],
    days: Annotated[int, typer.Option("--days", min=1, max=3650, help="How long they are good for.")] = 365,
) -> None:
    """Make certificates for scheduler, workers and clients, and the authority that signs them.

    Copy DIR/scheduler, DIR/worker and DIR/client to where they are used; keep the rest of DIR to yourself.
    """
    from orchestrator.cli.console import stdout
    from orchestrator.scale.certificates import ROLES, make_certificates

    make_certificates(folder, days)
    for role in ROLES:
        stdout().print(str(folder / role), markup=False, soft_wrap=True)


@app.command("scheduler")
def scheduler(
    tls: Annotated[
        Path, typer.Option("--tls", help="The scheduler's folder of `cleanroom cluster certs`.", show_default=False)
    ],
    listen: Annotated[
        str, typer.Option("--listen", help="The address of this machine that the others reach it under.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Where it listens.")] = 8786,
) -> None:
    """Hand out tasks to workers until it is stopped. It runs no function itself."""
    from orchestrator.cli.console import stderr
    from orchestrator.scale.certificates import check_certificates
    from orchestrator.scale.cluster_member import MemberOptions, on_signals, run_member

    check_certificates(tls, serves=True)
    asked = MemberOptions(tls=tls, listen=listen, port=port)
    run_member(asked, lambda address: stderr().print(f"ready: {address}", markup=False), on_signals)
