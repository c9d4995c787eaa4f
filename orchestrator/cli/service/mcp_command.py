"""`cleanroom mcp`: tools for agents, over the Model Context Protocol."""

import os
import re
import secrets
import signal
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.defaults import ConfigFile
from orchestrator.core.errors import UsageError

if TYPE_CHECKING:
    from orchestrator.agents.mcp_server import AgentServer

TOKEN = "CLEANROOM_MCP_TOKEN"  # noqa: S105 - the name of the variable
_TOKEN_LENGTH = 32
_ADDRESS = re.compile(r"(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})")


def mcp(
    root: Annotated[
        list[Path] | None, typer.Option("--root", help="Folder that tools may read; several times.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for runs \\[default: cleanroom-runs in the first root].")
    ] = None,
    registry: Annotated[
        str | None, typer.Option("--registry", help="Registry that tools list and preview; they never change it.")
    ] = None,
    http: Annotated[
        str | None,
        typer.Option("--http", help=f"Listen on 127.0.0.1:PORT, not on stdin; the token is in {TOKEN}, or printed."),
    ] = None,
    privacy: options.PrivacyOption = "raw",
    header: options.HeaderOption = "check",
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Serve tools to agents: analyze, judge, run, preview, explain. docs/agents.md says how to connect one."""
    if not root:
        raise UsageError("Tools need a folder that they may read.", advice="Add --root FOLDER.")
    for folder in root:
        if not folder.is_dir():
            raise UsageError(f"--root {folder} is no folder.", advice="Name a folder that is there.")
    if any(find_spec(name) is None for name in ("mcp", "uvicorn")):
        raise UsageError("The tools for agents are not installed.", advice="pip install 'cleanroom[mcp]'")
    address, given = _address(http), os.environ.get(TOKEN, "")
    if address is not None and given and len(given) < _TOKEN_LENGTH:
        raise UsageError(
            f"The token in {TOKEN} is shorter than {_TOKEN_LENGTH} characters.", advice="Leave it out to get one."
        )

    from orchestrator.agents.agent_settings import AgentSettings
    from orchestrator.agents.mcp_server import AgentServer, serve_stdio
    from orchestrator.agents.sandbox_on_demand import SandboxOnDemand
    from orchestrator.core.weakened import refuse_weakened
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.registry.functions import has_bundle, has_registry

    rules = read_policy(policy, strict=strict)
    refuse_weakened(rules)
    if registry is not None and not has_registry(registry) and not has_bundle(registry):
        raise UsageError(f"There is no registry in {registry}.", advice="Name one that is there, or leave it out.")
    settings = AgentSettings(
        roots=tuple(root),
        out=_made(out or root[0] / "cleanroom-runs"),
        registry=registry,
        privacy=privacy,
        header=header,
    )
    agents = AgentServer(settings, SandboxOnDemand(rules))
    try:
        if address is None:
            for number in (signal.SIGINT, signal.SIGTERM):  # an interrupt waits for the thread that reads stdin
                signal.signal(number, signal.SIG_DFL)
            serve_stdio(agents)
        else:
            _serve_http(agents, *address, given)
    finally:
        agents.close()


def _serve_http(agents: "AgentServer", host: str, port: int, given: str) -> None:
    from orchestrator.agents.mcp_http import serve_http
    from orchestrator.cli.console import say_plain, stderr

    token = given or secrets.token_urlsafe(32)

    def say(line: str) -> None:
        say_plain(line)
        if not given:
            stderr().print(f"Authorization: Bearer {token}", markup=False, soft_wrap=True)

    serve_http(agents, host, port, token, say)


def _address(http: str | None) -> tuple[str, int] | None:
    if http is None:
        return None
    found = _ADDRESS.fullmatch(http)
    if found is None or int(found[2]) > 65535:
        raise UsageError(f"--http {http} is no address of this machine.", advice="Use 127.0.0.1:PORT.")
    return found[1].strip("[]"), int(found[2])


def _made(out: Path) -> Path:
    from orchestrator.core.errors import OutputError
    from orchestrator.data.files import private_folder

    try:
        private_folder(out)
    except OSError as error:
        raise OutputError(f"{out} cannot be made: {error.strerror}.", advice="Name a folder with --out.") from error
    return out.resolve()
