"""`cleanroom keys`: the user's signing key, and whose signatures count."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli.console import echo_json

app = typer.Typer(help="Your signing key, and whose signatures count.", no_args_is_help=True)


class _Right(StrEnum):
    PROMOTE = "promote"
    APPROVE = "approve"


Key = Annotated[str, typer.Argument(help="A public key: ed25519:…", show_default=False)]
Expires = Annotated[
    datetime | None, typer.Option("--expires", formats=["%Y-%m-%d"], help="The last day on which it may sign.")
]


@app.command("new")
def new(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file for a key that is not your own, for example of a CI.")
    ] = None,
    person: Annotated[str | None, typer.Option("--person", help="Your name in the trust policy.")] = None,
    expires: Expires = None,
) -> None:
    """Make a signing key. A first run does so by itself."""
    from orchestrator.cli.console import plain, stderr
    from orchestrator.registry.signing.keyring import new_key

    path, key = new_key(output, person=person, expires=expires and expires.date())
    typer.echo(key.public.text)
    hint = " Others trust it with: cleanroom keys trust KEY --person NAME" if output else ""
    stderr().print(f"The private key is in {plain(str(path))}. Show it to nobody.{hint}", markup=False)


@app.command("list")
def list_keys(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one object per line.")] = False,
) -> None:
    """Whose keys are trusted, for what, and until when."""
    from orchestrator.cli.console import plain, stderr, stdout
    from orchestrator.registry.signing.identity import Identity
    from orchestrator.registry.signing.keyring import known_keys

    for one in known_keys():
        if as_json:
            echo_json(one._asdict() | {"may": list(one.may), "expires": one.expires and one.expires.isoformat()})
            continue
        may = f" may {' and '.join(one.may)}" if one.may else ""
        until = f", until {one.expires}" if one.expires else ""
        line = f"{one.key}  {one.status}  {plain(one.person)}{' (you)' if one.own else ''}{may}{until}"
        stdout().print(line, style=_style(one.status), markup=False, soft_wrap=True)  # a key is there to be copied
    if not as_json:
        approvals = Identity().trust.approvals
        people = f"{approvals} {'person' if approvals == 1 else 'people'} other than their author"
        stderr().print(
            f"Functions are applied once approved by {people}."
            if approvals
            else "Functions are applied without further approval."
        )


@app.command("trust")
def trust(
    key: Key,
    person: Annotated[str, typer.Option("--person", help="Whose key it is: all keys of a person are one.")],
    may: Annotated[list[_Right] | None, typer.Option("--may", help="What they may do \\[default: both].")] = None,
    expires: Expires = None,
) -> None:
    """Let a person's signature count."""
    from orchestrator.cli.console import plain, stderr
    from orchestrator.registry.signing.keyring import trust_key
    from orchestrator.registry.signing.trust import trust_file

    policy = trust_key(
        key, person, may=tuple(one.value for one in may) if may else None, expires=expires and expires.date()
    )
    rights = " and ".join(policy.people[person].may)
    stderr().print(f"{plain(person)} may {rights} ({plain(str(trust_file()))}).", markup=False)


@app.command("revoke")
def revoke(key: Key) -> None:
    """Let a key count for nothing any more, whenever it has signed."""
    from orchestrator.cli.console import stderr
    from orchestrator.registry.signing.keyring import revoke_key

    revoke_key(key)
    stderr().print("Revoked. What only this key has signed is not applied any more.", markup=False)
    again = "A registry whose log it has signed last is refused: `cleanroom registry adopt` takes its functions over."
    stderr().print(again, markup=False)


def _style(status: str) -> str:
    return "" if status == "trusted" else "dim"
