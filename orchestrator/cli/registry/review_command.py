"""`cleanroom review`: a person decides on the functions that a run has held. For scripts: `--accept`, `--reject`."""

import sys
from collections.abc import Callable
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli.console import echo_json, say_plain
from orchestrator.cli.signing_key import check_signing_key
from orchestrator.core.errors import RunInterrupted, UsageError

if TYPE_CHECKING:
    from orchestrator.core.candidate import Contract
    from orchestrator.core.promoted import Promoted
    from orchestrator.run.review import RunReview

_LOOKED_AT = "what did you look at? "
_QUESTION = "[a]ccept, [r]eject, [l]ater, [c]ode? "


def review(
    run: Annotated[str, typer.Argument(help="The --out folder of a run, or the beginning of its id.")],
    accept: Annotated[
        list[str] | None, typer.Option("--accept", metavar="NAME", help="Accept this function; may be repeated.")
    ] = None,
    reject: Annotated[
        list[str] | None, typer.Option("--reject", metavar="NAME", help="Reject this function; may be repeated.")
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="What you looked at; kept in the signed log.")] = "",
    registry: Annotated[
        str | None, typer.Option("--registry", help="For a run with --registry: that registry, named again.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what is held, one JSON object per line.")] = False,
) -> None:
    """Decide on functions that a run has held: each with its concerns and what it changes. Approvals are signed."""
    from orchestrator.run.review import RunReview

    if both := set(accept or ()) & set(reject or ()):
        raise UsageError(f"{min(both)} is both accepted and rejected.", advice="Say one of them.")
    if reject and not reason:
        raise UsageError("--reject needs a reason.", advice="Give it with --reason.")
    asks = sys.stdin.isatty() and not as_json
    with RunReview(run, registry, read_only=not (accept or reject or asks)) as opened:
        if as_json and not (accept or reject):
            for function in opened.waiting():
                echo_json(_listed(function))
            return
        if accept or reject:
            chosen = opened.named(accept or ()), opened.named(reject or ())
            check_signing_key("approve" if accept else None)
            for function in chosen[0]:
                _accept(opened, function, reason)
            for function in chosen[1]:
                opened.reject(function, reason)
                say_plain(f"{function.name}, version {function.version}, is rejected.")
            _finish(opened, changed=bool(accept))
        elif asks:
            decide(opened, input, reason)
        else:
            _show_all(opened)


def decide(opened: "RunReview", ask: Callable[[str], str], reason: str = "") -> None:
    """One function after the other. Raises RunInterrupted where the person goes away in between."""
    waiting, accepted, rejected = opened.waiting(), 0, 0
    if not waiting:
        say_plain("Nothing is held.")
        return
    check_signing_key("approve")
    try:
        for number, function in enumerate(waiting, 1):
            show(opened, function, f"{number} of {len(waiting)}")
            answer = _answer(function, ask)
            if answer == "a":
                _accept(opened, function, reason or _told(_LOOKED_AT, ask))
                accepted += 1
            elif answer == "r":
                opened.reject(function, reason or _told("why? ", ask))
                rejected += 1
    except (KeyboardInterrupt, EOFError):
        _finish(opened, changed=accepted > 0)
        raise RunInterrupted(
            f"Interrupted: {accepted} accepted and {rejected} rejected, which is kept; "
            f"{len(waiting) - accepted - rejected} wait.",
            advice=f"Go on with `{opened.command}`.",
        ) from None
    say_plain(f"{accepted} accepted, {rejected} rejected, {len(waiting) - accepted - rejected} left for later.")
    _finish(opened, changed=accepted > 0)


def _answer(function: "Promoted", ask: Callable[[str], str]) -> str:
    while True:
        answer = ask(_QUESTION).strip().lower()[:1]
        if answer in {"a", "r", "l"}:
            return answer
        if answer == "c":
            _show_code(function)


def _told(question: str, ask: Callable[[str], str]) -> str:
    """The reason for a decision, asked for until there is one: it is signed, and others read it."""
    while not (answer := ask(question).strip()):
        say_plain("A decision needs a reason: a few words, which are signed with it.")
    return answer


def _accept(opened: "RunReview", function: "Promoted", reason: str) -> None:
    done = opened.accept(function, reason)
    left = f"; it waits for {done.missing} more" if done.missing else ""
    say_plain(f"{done.person} approves {function.name}, version {function.version}{left}.")


def _finish(opened: "RunReview", *, changed: bool) -> None:
    if not changed:
        return
    if left_out := opened.export():
        say_plain(f"cleaning_functions.py was not written again: {left_out}")
    say_plain(f"To apply it: `cleanroom apply DATA --functions {quote(opened.functions)} -o OUT`.")


def _show_all(opened: "RunReview") -> None:
    waiting = opened.waiting()
    for number, function in enumerate(waiting, 1):
        show(opened, function, f"{number} of {len(waiting)}")
    say_plain(
        f"Decide with `{opened.command} --accept NAME`, or --reject NAME --reason TEXT."
        if waiting
        else "Nothing is held."
    )


def show(opened: "RunReview", function: "Promoted", place: str) -> None:
    """What a person decides on. `place`: which of how many it is."""
    from rich.markup import escape

    from orchestrator.cli.console import plain, show_weakened, stdout
    from orchestrator.cli.views.question_view import show_questions
    from orchestrator.cli.views.verdict_view import show_concerns, show_samples

    candidate = function.candidate
    claims = _claims(candidate.contract)
    said = f"{candidate.issue or candidate.docstring} ({claims}; by {function.evidence.proposer})"
    stdout().print(f"\n[bold magenta]{escape(plain(function.name))}[/] [dim]{place}[/]\n{escape(plain(said))}")
    for gone in opened.ends(function):
        stdout().print(f"accepted, it takes {plain(gone.name)}, version {gone.version}, out of use", markup=False)
    show_weakened(function.evidence.verdict.weakened)
    show_concerns(function.evidence.verdict, asked=True)
    show_questions(function.evidence.verdict)
    show_samples(function.evidence.verdict, candidate.source)


def _claims(contract: "Contract") -> str:
    """What the function may do to a table."""
    changes = "any" if contract.modifies is None else ", ".join(contract.modifies) or "nothing"
    told = [f"changes: {changes}"]
    told += [f"adds: {', '.join(contract.adds)}"] if contract.adds else []
    told += [f"takes away: {', '.join(contract.drops)}"] if contract.drops else []
    told += ["may take rows away"] if contract.drops_rows else []
    return "; ".join([*told, f"replaces {contract.replaces}"] if contract.replaces else told)


def _show_code(function: "Promoted") -> None:
    from orchestrator.cli.views.source_view import show_source

    show_source(function.candidate.source)


def _listed(function: "Promoted") -> dict[str, object]:
    verdict = function.evidence.verdict
    return {
        "name": function.name,
        "version": function.version,
        "sha256": function.candidate.sha256,
        "modifies": function.candidate.contract.modifies,
        "adds": function.candidate.contract.adds,
        "drops": function.candidate.contract.drops,
        "drops_rows": function.candidate.contract.drops_rows,
        "issue": function.candidate.issue,
        "proposer": function.evidence.proposer,
        "run_id": function.evidence.run_id,
        "concerns": [concern.model_dump(mode="json") for concern in verdict.concerns],
        "questions": [question.model_dump(mode="json") for question in verdict.questions],
        "rows_changed": verdict.rows_changed,
        "source": function.candidate.source,
    }
