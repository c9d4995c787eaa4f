"""The commands of `cleanroom registry` that sign and prove."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli import options
from orchestrator.cli.console import echo_json
from orchestrator.cli.defaults import ConfigFile, typed_options
from orchestrator.cli.registry.registry_command import HERE, JsonLinesOption, Where, open_existing
from orchestrator.cli.signing_key import check_signing_key
from orchestrator.core.errors import NotVerified, UsageError
from orchestrator.core.wording import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.core.promoted import Promoted
    from orchestrator.registry.store import SqlRegistry

FunctionNameArgument = Annotated[str, typer.Argument(help="The function.", show_default=False)]
ReasonOption = Annotated[str, typer.Option("--reason", help="Why; kept in the log.", show_default=False)]
_LARGEST_CHECKPOINT = 10_000


def approve(
    name: FunctionNameArgument,
    reason: Annotated[str, typer.Option("--reason", help="What you looked at; kept in the log.")] = "",
    digest: Annotated[
        str,
        typer.Option(
            "--digest",
            help="The SHA-256 of the source that you have looked at, or its first 12 digits; no other is approved.",
        ),
    ] = "",
    registry: Where = HERE,
) -> None:
    """Sign that a function may be applied; one that is held or suspended is in use then."""
    from orchestrator.cli.console import plain, say_gone, stderr

    check_signing_key("approve")
    opened = open_existing(registry)
    before = _in_use(opened)
    done = opened.approve(name, reason, sha256=digest)
    function = done.promoted
    left = f"; it waits for {done.missing} more" if done.missing else ""
    stderr().print(
        f"{plain(done.person)} approves {plain(function.name)}, version {function.version}{left}.", markup=False
    )
    after = _in_use(opened)
    if before is None or after is None:
        said = "note: what goes out of use by that is not known: the registry's history cannot be read"
        stderr().print(said, markup=False, soft_wrap=True)
        return
    for gone in sorted(before - after):  # one that is held takes its place only now
        say_gone(*gone)


def _in_use(registry: "SqlRegistry") -> set[tuple[str, int]] | None:
    """Names and versions, as they are stored; None where they cannot be read."""
    from orchestrator.core.errors import RegistryError

    try:
        return {(one.promoted.name, one.promoted.version) for one in registry.history() if one.status == "active"}
    except RegistryError:
        return None


def suspend(name: FunctionNameArgument, reason: ReasonOption, registry: Where = HERE) -> None:
    """Take a function out of use until somebody approves it again."""
    from orchestrator.cli.console import plain, stderr

    check_signing_key(None)
    opened = open_existing(registry)
    function = opened.suspend(name, reason)
    stderr().print(f"{plain(function.name)} version {function.version} is suspended.", markup=False)
    _say_exported(opened, registry)


def revoke(name: FunctionNameArgument, reason: ReasonOption, registry: Where = HERE) -> None:
    """Take a function out of use for good. It stays in the history."""
    from orchestrator.cli.console import plain, stderr

    check_signing_key(None)
    opened = open_existing(registry)
    function = opened.revoke(name, reason)
    stderr().print(f"{plain(function.name)} version {function.version} is revoked.", markup=False)
    _say_exported(opened, registry)


def _say_exported(opened: "SqlRegistry", place: str) -> None:
    """Lines on stderr about functions that are out of use, and still in the files that were exported beside it."""
    from orchestrator.cli.console import say_plain
    from orchestrator.core.errors import RegistryError
    from orchestrator.run.outputs import FUNCTIONS, still_exported

    try:
        left = still_exported(place, opened.functions())
    except RegistryError:
        return  # what is wrong with it is said to whoever uses it
    for name in left:
        told = f"note: {FUNCTIONS} there still has {name}, which is not in use. To write it again, or elsewhere:"
        say_plain(f"{told} `cleanroom registry export --registry {quote(place)} -o FOLDER`.")


def audit(
    registry: Where = HERE,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", help="An earlier checkpoint: the log must have grown from it.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the log's signed checkpoint here, to keep elsewhere.")
    ] = None,
    as_json: JsonLinesOption = False,
) -> None:
    """Prove the log: everything that happened, in order, signed, and nothing cut, changed or put in between."""
    from rich.markup import escape
    from rich.table import Table

    from orchestrator.cli.console import plain, stderr, stdout
    from orchestrator.data.files import write_file
    from orchestrator.registry.functions import open_to_read

    if output is not None:
        from orchestrator.run.apply.same_file import check_results

        check_results(output, place=registry)
    log = open_to_read(registry).audit(None if checkpoint is None else _note(checkpoint))
    if output is not None:
        if not log.checkpoint:
            raise UsageError("The log is empty: there is no checkpoint yet.")
        write_file(output, log.checkpoint.encode())
    if as_json:
        for event in log.events:
            echo_json(event)
        return
    table = Table("", "when", "what", "function", "version", "signed by", "reason", box=None, pad_edge=False)
    for event in log.events:
        people = ", ".join(event.people) or "nobody who is trusted"
        cells = (event.what, event.name, str(event.version), people, event.reason)
        table.add_row(str(event.position), f"{event.at:%Y-%m-%d %H:%M:%S}", *(escape(plain(cell)) for cell in cells))
    stdout().print(table)
    beside = ", and the checkpoint is a part of it" if checkpoint else ""
    count = len(log.events)
    proved = f"{count} {plural(count, 'entry', 'entries')} {plural(count, 'is', 'are')} proved"
    stderr().print(f"{proved}{beside}. Root {log.root}.", markup=False)


def verify(
    ctx: typer.Context,
    registry: Where = HERE,
    rerun: Annotated[bool, typer.Option("--rerun", help="Also judge every function again on --data.")] = False,
    data: Annotated[str | None, typer.Option("--data", help="The data for --rerun: a file or an address.")] = None,
    examples: options.ExamplesOption = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Check that everything is as it was signed: functions, evidence, log. Exit code 1 when something is not."""
    from orchestrator.cli.console import say_error, stderr
    from orchestrator.core.errors import RegistryError
    from orchestrator.registry.functions import has_registry, open_to_read

    if rerun is not (data is not None) or (examples is not None and not rerun):
        raise UsageError("--rerun needs --data, and --data and --examples are for --rerun.")
    if not rerun and (given := sorted(typed_options(ctx) & {"policy", "strict"})):
        raise UsageError(f"--{given[0]} is for --rerun.", advice="Add --rerun and --data, or leave it out.")
    try:
        said, functions = _proved(registry)
    except RegistryError as error:
        say_error(error.message, error.advice)
        raise typer.Exit(1) from error
    stderr().print(f"{said} as they were signed.", markup=False)
    if has_registry(registry):
        _say_exported(open_to_read(registry), registry)
    if data is not None and functions:
        _rerun(functions, registry, data, policy, examples, strict=strict)


def _proved(place: str) -> "tuple[str, Sequence[Promoted]]":
    """What is as it was signed, in words, and the functions in use. Raises RegistryError for what is not."""
    from orchestrator.registry.bundle import load_functions
    from orchestrator.registry.functions import has_bundle, has_registry, open_to_read
    from orchestrator.run.outputs import check_exported

    if not has_registry(place) and has_bundle(place):
        check_exported(place)
        functions = load_functions(Path(place), approved=False)
        count = len(functions)
        return f"{count} {plural(count, 'function')} of the bundle {plural(count, 'is', 'are')}", functions
    opened = open_to_read(place)
    entries, used, log = opened.history(), opened.functions(), opened.audit()
    opened.check_stored()
    check_exported(place)
    stored = f"{len(entries)} stored {plural(len(entries), 'version')}"
    return f"{stored} and {len(log.events)} log {plural(len(log.events), 'entry', 'entries')} are", used


def _rerun(
    functions: "Sequence[Promoted]", place: str, data: str, policy: Path | None, examples: Path | None, *, strict: bool
) -> None:
    """Judge all functions again. Raises NotVerified where one is rejected now, or has a concern that nobody settled."""
    from orchestrator import bootstrap
    from orchestrator.cli.views.verdict_view import show_verdict
    from orchestrator.data.sources import open_source
    from orchestrator.data.user_files.example_files import read_examples
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.run.verify.stored import judge_again

    dataset, rules = open_source(data), read_policy(policy, strict=strict)
    shown = read_examples(examples) if examples is not None else ()
    rejected = []
    with bootstrap.sandboxed(rules, verdicts=len(functions)) as services:
        for one in judge_again(functions, dataset, services, examples=shown):
            show_verdict(one.verdict, brief=one.verdict.passed)
            rejected += [one.function.name] if not one.usable else []
    if rejected:
        suspend = f"cleanroom registry suspend {quote(rejected[0])} --registry {quote(place)} --reason …"
        raise NotVerified(
            f"{rejected[0]}{f' and {len(rejected) - 1} more' if rejected[1:] else ''} did not pass again.",
            advice=f"`{suspend}` takes it out of use.",
        )


def _note(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_CHECKPOINT + 1).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The checkpoint {path} cannot be read.", advice="Name a file of `registry audit`.") from error
