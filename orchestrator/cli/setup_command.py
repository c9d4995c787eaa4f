"""`cleanroom setup`: prepares engine and sandbox image, and says on stderr what it is doing."""

import time
from typing import Annotated, Literal

import typer


def setup(
    base: Annotated[
        Literal["auto", "registry", "packages"],
        typer.Option(help="Where the base image comes from; auto asks the registry first, then Debian's packages."),
    ] = "auto",
    fresh: Annotated[bool, typer.Option("--fresh", help="Rebuild the images, with today's Debian packages.")] = False,
    runtime: Annotated[
        Literal["runc", "runsc"], typer.Option(help="runsc: also install gVisor and make it known to the engine.")
    ] = "runc",
) -> None:
    """Prepare this machine: the container engine and the sandbox image. Safe to repeat."""
    from orchestrator.cli.console import stderr
    from orchestrator.sandbox.provision.runtime_install import ensure_runsc
    from orchestrator.sandbox.provision.setup import ensure_ready

    console = stderr()
    begin = time.monotonic()
    if console.is_terminal:
        with console.status("looking at this machine") as status:

            def show(step: str) -> None:
                console.print(f"  {step}", markup=False)
                status.update(f"[dim]working[/] ({time.monotonic() - begin:.0f} s)")

            image = ensure_ready(show, base, fresh)
    else:
        image = ensure_ready(lambda step: console.print(f"  {step}", markup=False), base, fresh)
    if runtime == "runsc":
        ensure_runsc(lambda step: console.print(f"  {step}", markup=False))
    console.print(f"ready: sandbox image {image[:19]} ({time.monotonic() - begin:.1f} s)", markup=False)
