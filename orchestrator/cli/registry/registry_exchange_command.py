"""The commands of `cleanroom registry` that take functions over from elsewhere, and write them out for others."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from orchestrator.cli import options
from orchestrator.cli.defaults import ConfigFile, typed_options
from orchestrator.cli.registry.registry_command import HERE, Where, open_readable
from orchestrator.cli.signing_key import check_signing_key
from orchestrator.core.errors import UsageError
from orchestrator.core.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.core.candidate import Example
    from orchestrator.core.policy import Policy
    from orchestrator.core.promoted import Promoted
    from orchestrator.data.formats import Dataset
    from orchestrator.registry.store import SqlRegistry
    from orchestrator.run.verify.import_functions import ImportedFunctions
    from orchestrator.run.verify.stored import JudgedAgain


def adopt(
    place: Annotated[str, typer.Argument(help="A registry, a run's folder or a bundle that nobody signed.")],
    data: Annotated[
        str, typer.Option("--data", help="The data to judge them on: a file or an address.", show_default=False)
    ],
    registry: Annotated[
        str | None, typer.Option("--registry", help="Where they go \\[default: where they are].")
    ] = None,
    examples: options.ExamplesOption = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Take over functions from before there were signatures: each is judged again on your data, and signed by you."""
    from orchestrator import bootstrap
    from orchestrator.registry.functions import has_registry
    from orchestrator.run.verify.adoption import functions_to_adopt, write_bundle

    found = functions_to_adopt(place, elsewhere=registry is not None)
    if not found:
        if registry is None and has_registry(place):  # a process that adopted may have been killed before the bundle
            with bootstrap.open_registry(place) as target:
                write_bundle(place, target.functions(), target.log_proof())
        raise UsageError(f"There is nothing to adopt in {place}: every function in use is signed.")
    if registry is None and Path(place).is_file() and not has_registry(place):
        raise UsageError("An archive cannot hold a registry.", advice="Name one with --registry.")
    again = _read(data, policy, examples, strict=strict)
    where = registry or place
    with bootstrap.open_registry(where) as target:
        there = target.signed()
        known = {function.candidate.sha256 for function in there}
        new = [function for function in found if function.candidate.sha256 not in known]
        if not new:
            raise UsageError(f"There is nothing to adopt: every function in use in {place} is in {where} already.")
        new = _without_taken_out(new, target)
        if not new:
            raise UsageError(f"There is nothing to adopt in {place} but what was taken out of use in {where}.")
        done = _take_over(new, target, there, again)
        if registry is None:
            write_bundle(place, target.signed(), target.log_proof())
    _say_done(done, "adopted", where)


def import_bundle(
    ctx: typer.Context,
    bundle: Annotated[Path, typer.Argument(help="A bundle: an archive or folder that `export` wrote.")],
    data: Annotated[
        str | None,
        typer.Option("--data", help="Your data, a file or an address: the functions are judged again on it."),
    ] = None,
    no_rerun: Annotated[
        bool, typer.Option("--no-rerun", help="Believe the verdicts of whoever signed the bundle.")
    ] = False,
    registry: Where = HERE,
    examples: options.ExamplesOption = None,
    policy: options.PolicyOption = None,
    strict: options.StrictOption = False,
    config: ConfigFile = None,  # noqa: ARG001 - read before the other options
) -> None:
    """Take functions over from somebody whose key you trust; by default each is judged again on your data."""
    from orchestrator import bootstrap
    from orchestrator.cli.console import say_present
    from orchestrator.core.weakened import refuse_weakened_evidence
    from orchestrator.data.user_files.policy_file import read_policy
    from orchestrator.registry.bundle import load_functions
    from orchestrator.registry.functions import has_bundle
    from orchestrator.run.verify.import_functions import import_trusted

    if no_rerun is (data is not None):
        raise UsageError("Functions are judged again on your data.", advice="Name it with --data, or say --no-rerun.")
    for option, given in (("--examples", examples is not None), ("--policy", "policy" in typed_options(ctx))):
        if no_rerun and given:
            raise UsageError(f"With --no-rerun nobody looks at {option}.", advice="Leave one of them out.")
    if not bundle.exists():
        raise UsageError(f"{bundle} does not exist.", advice="Check the path.")
    if not has_bundle(bundle):
        raise UsageError(f"{bundle} is not a bundle.", advice="Name what `cleanroom registry export` wrote.")
    functions = load_functions(bundle, importing=True)
    if no_rerun and read_policy(policy, strict=strict).strict:
        refuse_weakened_evidence(functions)
    again = None if data is None else _read(data, policy, examples, strict=strict)
    with bootstrap.open_registry(registry) as target:
        there = target.functions()
        known = {function.candidate.sha256: function for function in there}
        new = _without_taken_out([f for f in functions if f.candidate.sha256 not in known], target)
        for same in (known[f.candidate.sha256] for f in functions if f.candidate.sha256 in known):
            say_present(same.name, same.version)
        if again is not None and new:
            done = _take_over(new, target, there, again)
        else:
            check_signing_key()
            done = import_trusted(new, target, after=there)
    _say_done(done, "imported", registry)


def export(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="A folder, or a .zip for the bundle alone.", show_default=False)
    ],
    registry: Where = HERE,
) -> None:
    """Write the active functions as cleaning_functions.py and as a signed bundle with their evidence."""
    from orchestrator.cli.console import plain, stderr
    from orchestrator.data.data_address import check_local
    from orchestrator.registry.bundle import export_archive
    from orchestrator.run.apply.same_file import check_results
    from orchestrator.run.outputs import export_all

    check_local(output)
    if output.suffix == ".zip":
        check_results(output, place=registry)
    opened = open_readable(registry)
    functions, log = opened.applicable(), opened.log_proof()
    check_signing_key()
    if output.suffix == ".zip":
        export_archive(functions, output, log=log)
    else:
        export_all(functions, output, log)
    stderr().print(f"{counted(len(functions), 'function')} written to {plain(str(output))}.", markup=False)


class _JudgedOn(NamedTuple):
    """By what functions are judged again."""

    dataset: "Dataset"
    rules: "Policy"
    examples: "Sequence[Example]"


def _read(data: str, policy: Path | None, examples: Path | None, *, strict: bool) -> _JudgedOn:
    """Read before a registry is made: where a file is wrong, none is left behind. Raises UsageError, DataError."""
    from orchestrator.data.sources import open_source
    from orchestrator.data.user_files.example_files import read_examples
    from orchestrator.data.user_files.policy_file import check_rules, read_policy

    check_signing_key()
    dataset, rules = open_source(data), read_policy(policy, strict=strict)
    check_rules(rules, dataset.columns)
    return _JudgedOn(dataset, rules, read_examples(examples) if examples is not None else ())


def _take_over(
    functions: "Sequence[Promoted]", target: "SqlRegistry", after: "Sequence[Promoted]", by: _JudgedOn
) -> "ImportedFunctions":
    from orchestrator import bootstrap
    from orchestrator.run.verify.import_functions import import_functions

    unsigned = target.unsigned()
    with bootstrap.sandboxed(by.rules, verdicts=len(functions)) as services:
        return import_functions(
            functions,
            by.dataset,
            services,
            target,
            after=after,
            on_verdict=_show,
            examples=by.examples,
            unsigned=unsigned,
        )


def _without_taken_out(functions: "Sequence[Promoted]", target: "SqlRegistry") -> "list[Promoted]":
    """Without those that somebody has taken out of use here, each with a line on stderr: they stay out."""
    from orchestrator.cli.console import say_plain
    from orchestrator.registry.entries import Status
    from orchestrator.run.verify.import_functions import taken_out

    out = taken_out(functions, target)
    for entry in out.values():
        last = [event for event in entry.events if event.status is not Status.SUPERSEDED][-1]
        reason = f" ({last.reason})" if last.reason else ""
        name, version = entry.promoted.name, entry.promoted.version
        told = f"{name} is left out: here it is {last.status}, as version {version}{reason}."
        say_plain(told)
    return [function for function in functions if function.candidate.sha256 not in out]


def _show(one: "JudgedAgain") -> None:
    from orchestrator.cli.views.verdict_view import show_verdict

    show_verdict(one.verdict, brief=one.verdict.passed)


def _say_done(done: "ImportedFunctions", what: str, place: str) -> None:
    from orchestrator.cli.console import plain, say_gone, say_held, say_plain, stderr

    named = f": {', '.join(plain(function.name) for function in done.used)}" if done.used else ""
    stderr().print(f"{counted(len(done.used), 'function')} {what}{named}.", markup=False)
    for function in done.used:
        if function.evidence.verdict.held:
            told = f"{function.name} is held by the gate, and in use all the same: an approval that came with it"
            say_plain(f"{told} accepts its concerns, and you have signed that, too.")
    for function in done.gone:
        say_gone(function.name, function.version)
    for function in done.held:
        say_held(function.name, place)
