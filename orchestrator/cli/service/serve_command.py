"""`cleanroom serve`: the service for teams, with pages to review on."""

import os
import re
import stat
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.defaults import ConfigFile, typed_options
from orchestrator.core.errors import UsageError

SERVICE = "Service"
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")


def serve(
    ctx: typer.Context,
    registry: Annotated[
        str, typer.Option("--registry", help="Folder, file or URL of the registry; jobs and tokens are in it, too.")
    ] = "registry",
    state: Annotated[
        Path | None, typer.Option("--state", help="Folder for uploads and results \\[default: service beside it].")
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 8440,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="A name under which clients reach it; several times.")
    ] = None,
    lanes: Annotated[int, typer.Option("--lanes", min=1, max=64, help="Jobs at once.", rich_help_panel=SERVICE)] = 2,
    max_upload: Annotated[
        int,
        typer.Option("--max-upload", min=1, max=100_000, help="MiB of data for a job.", rich_help_panel=SERVICE),
    ] = 256,
    max_stored: Annotated[
        int,
        typer.Option(
            "--max-stored",
            min=1,
            max=10_000_000,
            help="MiB of files of all jobs of a token.",
            rich_help_panel=SERVICE,
        ),
    ] = 10_240,
    jobs_per_hour: Annotated[
        int,
        typer.Option(
            "--jobs-per-hour",
            min=1,
            max=1_000_000,
            help="Jobs that a token may ask for in an hour.",
            rich_help_panel=SERVICE,
        ),
    ] = 2000,
    open_run: Annotated[
        Path | None, typer.Option("--open", help="Show the run in this folder, with its registry.")
    ] = None,
    log_json: options.LogJsonOption = False,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Serve verdicts over HTTP, and pages on which people decide. docs/service.md says how to use it."""
    if not host:
        raise UsageError("--host names no address.", advice="Leave it out, or name an address of this machine.")
    if host not in {"127.0.0.1", "::1", "localhost"} and not allow_host:
        raise UsageError(
            "A service that other machines can reach needs the name under which they do.",
            advice="Add --allow-host, and put a server with TLS before it.",
        )
    if wrong := [name for name in allow_host or () if not _NAME.fullmatch(name)]:
        raise UsageError(
            f"--allow-host {wrong[0]!r} is no name of a machine, and no request would be answered under it.",
            advice="Write it as in clean.example.org, without https:// and without a port.",
        )
    if open_run is None and "registry" not in typed_options(ctx):
        _refuse_found(Path(registry))
    if any(find_spec(name) is None for name in ("fastapi", "prometheus_client", "python_multipart", "uvicorn")):
        raise UsageError("The service is not installed.", advice="pip install 'cleanroom[service]'")

    from orchestrator.cli.console import say_plain
    from orchestrator.core.weakened import refuse_weakened
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.registry.queue.service_job import QueueLimits
    from orchestrator.service.serve import serve as run_service
    from orchestrator.service.service_settings import MIB, ServiceSettings

    refuse_weakened(read_policy(policy, strict=strict))  # now, and not in the worker, which nobody looks at
    run = None if open_run is None else _run_in(open_run)
    with ExitStack() as stack:
        if run is not None and state is None:  # nothing of ours is left in the folder of a run
            state = Path(stack.enter_context(TemporaryDirectory(prefix="cleanroom-serve-")))
        settings = ServiceSettings(
            registry=str(run or registry),
            state=(state or _beside(registry)).absolute(),
            host=host,
            port=port,
            hosts=tuple(allow_host or ()),
            policy=policy and policy.absolute(),
            strict=strict,
            lanes=lanes,
            max_upload=max_upload * MIB,
            max_stored=max_stored * MIB,
            queue=QueueLimits(per_hour=jobs_per_hour),
            opened=run and run.absolute(),
            log_json=log_json,
        )
        run_service(settings, say_plain)


def _refuse_found(registry: Path) -> None:
    """Raises UsageError where another user can have put the registry, which nobody has named, into this folder.

    Whoever can write to it has tokens: jobs with the rights of the person who serves, approvals with their signature.
    """
    for path in (registry, registry / "registry.db"):
        with suppress(FileNotFoundError):
            found = path.lstat()
            if found.st_uid not in (0, os.geteuid()) or (found.st_mode & stat.S_IWOTH and not path.is_symlink()):
                raise UsageError(
                    f"{path} belongs to another user, or everybody may change it: tokens in it can be anybody's.",
                    advice=f"Name it if you trust it: --registry {registry}.",
                )


def _run_in(folder: Path) -> Path:
    """The folder of the run in it, or of the only one below it. Raises UsageError."""
    from orchestrator.run.journal.listing import find_run, runs_below

    if (folder / "run.jsonl").is_file():
        return find_run(str(folder))
    found = [Path(run.folder) for run in runs_below(folder)] if folder.is_dir() else []
    if len(found) != 1:
        raise UsageError(
            f"There is {'more than one' if found else 'no'} run in {folder}.", advice="Name the --out folder of a run."
        )
    return found[0]


def _beside(registry: str) -> Path:
    """The folder for files where none was named. Raises UsageError where the registry is in no folder."""
    from orchestrator.registry.registry_names import is_url

    if is_url(registry) and not registry.startswith("sqlite:///"):
        raise UsageError("For a registry in a database, name a folder for files.", advice="Add --state.")
    path = Path(registry.removeprefix("sqlite:///"))
    return (path.parent if path.suffix in {".db", ".sqlite", ".sqlite3"} else path) / "service"
