"""The held functions of a run, and a person's decisions on them. Called by `cleanroom review`.

Each decision is signed and in the registry before the next one is made: a review that is interrupted loses nothing.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from shlex import quote
from typing import Self

from orchestrator.core.errors import UsageError
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps import HeldEntryStep, HoldStep
from orchestrator.registry.entries import Approval, ended_by
from orchestrator.registry.functions import has_registry
from orchestrator.registry.location import absolute_name, registry_url
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.journal.listing import find_run
from orchestrator.run.journal.resume import PastRun, read_past
from orchestrator.run.outputs import REGISTRY
from orchestrator.run.verify.adoption import write_bundle


class RunReview(AbstractContextManager["RunReview"]):
    """What waits for a decision in one run. Use it as a context manager.

    `read_only`: nothing will be decided. `command`: how to call the review again; `functions`: where `apply` finds what
    is accepted. Raises UsageError for a run that is gone or has not ended, or whose registry
    is another one or gone.
    """

    def __init__(self, run: str, registry: str | None = None, *, read_only: bool = False) -> None:
        self.folder = find_run(run)
        past = read_past(self.folder)
        _check_ended(past)
        if past.shared_registry is not None and registry is None:
            raise UsageError(
                f"The run promotes into the registry {past.shared_registry}.", advice="Name it with --registry."
            )
        self._own = registry is None
        self.command = f"cleanroom review {quote(str(self.folder))}"
        self.functions = str(self.folder) if registry is None else absolute_name(registry)
        if registry is not None:
            self.command += f" --registry {quote(self.functions)}"
        place = str(self.folder / REGISTRY) if registry is None else registry
        if registry is not None and not has_registry(place):
            raise UsageError(f"There is no registry in {registry}.", advice="Name the one that the run has.")
        if not has_registry(place):
            raise UsageError(f"The registry of the run in {self.folder} is gone.", advice="Name it with --registry.")
        self._run_id = past.opening.run_id
        self._known = {(s.name, s.version): s.sha256 for s in past.steps if isinstance(s, HeldEntryStep) and s.entered}
        self._registry = SqlRegistry(registry_url(place, create=False), create=False, read_only=read_only)
        entered = {(entry.promoted.name, entry.promoted.version) for entry in self._registry.history()}
        if self._known and not entered & self._known.keys():
            self._registry.close()
            raise UsageError(
                f"{self.functions} has none of the functions that the run has held.", advice="Name its own registry."
            )

    def waiting(self) -> tuple[Promoted, ...]:
        """The functions of this run on which nobody has decided. Raises NotVerified; UsageError for a changed one."""
        held = [function for function in self._registry.held() if function.evidence.run_id == self._run_id]
        for function in held:
            if self._known.get((function.name, function.version)) != function.candidate.sha256:
                raise UsageError(
                    f"{function.name} in the registry is not the function that the run has held.",
                    advice="Somebody changed the registry or the journal: do the run again.",
                )
        return tuple(held)

    def named(self, names: Sequence[str]) -> list[Promoted]:
        """Those of these names. Raises UsageError for one that does not wait for a decision."""
        waiting = {function.name: function for function in self.waiting()}
        if missing := [name for name in names if name not in waiting]:
            raise UsageError(
                f"{missing[0]} is not held in this run.", advice=f"Held: {', '.join(waiting) or 'nothing (any more)'}."
            )
        return [waiting[name] for name in dict.fromkeys(names)]

    def ends(self, function: Promoted) -> tuple[Promoted, ...]:
        """The functions that go out of use when it is accepted. Raises NotVerified."""
        return ended_by(function.candidate, self._registry.functions())

    def accept(self, function: Promoted, reason: str) -> Approval:
        """Sign the user's approval. Raises UsageError where they may not, or where it has changed since."""
        return self._registry.approve(function.name, reason, sha256=function.candidate.sha256, held=function.version)

    def reject(self, function: Promoted, reason: str) -> None:
        """Take the function out for good, signed. Raises UsageError where somebody else has decided meanwhile."""
        self._registry.reject(function.name, function.version, reason)

    def export(self) -> str:
        """Write the run's bundle and `cleaning_functions.py` anew; why that was left out, or ""."""
        if not self._own:
            return ""
        if waiting := self._registry.missing_approvals():  # the file would run without asking for them
            command = (
                f"cleanroom registry export --registry {quote(str(self.folder))} --output {quote(str(self.folder))}"
            )
            return f"others have to approve {', '.join(waiting)} first. Then: `{command}`"
        try:
            write_bundle(str(self.folder), self._registry.functions(), self._registry.log_proof())
        except UsageError as error:  # who may approve need not be allowed to sign a bundle
            return error.message
        return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._registry.close()


def _check_ended(past: PastRun) -> None:
    settled = {step.sha256 for step in past.steps if isinstance(step, HeldEntryStep)}
    newest = {step.name: step.sha256 for step in past.steps if isinstance(step, HoldStep)}
    if past.end is None or not set(newest.values()) <= settled:
        raise UsageError(
            "The run has not come to its end, where it is found out what stays held.",
            advice=f"Go on with `cleanroom runs resume {quote(str(past.folder))}`.",
        )
