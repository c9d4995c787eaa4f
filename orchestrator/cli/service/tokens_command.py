"""`cleanroom tokens`: make, list and revoke the tokens of the service. Nothing else makes one."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer

from orchestrator.cli.console import echo_json

app = typer.Typer(help="Tokens for `cleanroom serve`.", no_args_is_help=True)


class _Scope(StrEnum):
    READ = "read"
    VERIFY = "verify"
    RUN = "run"
    REVIEW = "review"
    ADMIN = "admin"


ServiceRegistryOption = Annotated[
    str, typer.Option("--registry", help="Folder, file or URL of the registry that the service uses.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(help="Who or what will use it.", show_default=False)],
    scope: Annotated[
        list[_Scope],
        typer.Option(
            "--scope",
            metavar="SCOPE",
            help="What it may do: read, verify, run, review or admin; several times for several.",
            show_default=False,
        ),
    ],
    days: Annotated[int, typer.Option("--days", min=1, max=366, help="How long it lives.")] = 30,
    registry: ServiceRegistryOption = "registry",
    as_json: JsonOption = False,
) -> None:
    """Make a token and print it. It is shown once: only its hash is kept."""
    from orchestrator.cli.console import stderr
    from orchestrator.registry.location import registry_url
    from orchestrator.registry.queue.token_store import TokenScope, TokenStore

    with TokenStore(registry_url(registry, create=True), create=True) as store:
        token, secret = store.create(name, {TokenScope(one.value) for one in scope}, days)
    if as_json:
        echo_json({"id": token.id, "name": token.name, "token": secret, "expires": _day(token.expires)})
        return
    typer.echo(secret)
    stderr().print(f"It expires on {_day(token.expires)}, and is shown only now.", markup=False)


@app.command("list")
def list_tokens(registry: ServiceRegistryOption = "registry", as_json: JsonOption = False) -> None:
    """All tokens: what each may do, until when, and whether it still can."""
    from rich.markup import escape
    from rich.table import Table

    from orchestrator.cli.console import plain, stdout
    from orchestrator.registry.location import registry_url
    from orchestrator.registry.queue.token_store import TokenStore

    with TokenStore(registry_url(registry, create=False), read_only=True) as store:
        tokens = store.tokens()
    table = Table("id", "name", "may", "state", "expires", box=None, pad_edge=False)
    for token in tokens:
        told = (token.id, token.name, sorted(token.scopes), token.state, _day(token.expires))
        if as_json:
            echo_json(dict(zip(("id", "name", "scopes", "state", "expires"), told, strict=True)))
        else:
            style = "" if token.usable else "dim"
            table.add_row(token.id, escape(plain(token.name)), ", ".join(told[2]), token.state, told[4], style=style)
    if not as_json:
        stdout().print(table)


@app.command("revoke")
def revoke(
    token: Annotated[str, typer.Argument(help="Its id or its name.", show_default=False)],
    registry: ServiceRegistryOption = "registry",
) -> None:
    """Make a token useless, also for those who are logged in with it."""
    from orchestrator.cli.console import plain, stderr
    from orchestrator.registry.location import registry_url
    from orchestrator.registry.queue.token_store import TokenStore

    with TokenStore(registry_url(registry, create=False)) as store:
        revoked = store.revoke(token)
    stderr().print(f"Revoked: {plain(revoked.name)} ({revoked.id}).", markup=False)


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
