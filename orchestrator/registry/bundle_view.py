"""A bundle, read as a registry is. Called by `cleanroom registry list`, `show`, `diff` and `export`."""

from functools import cached_property
from pathlib import Path

from orchestrator.core.promoted import LogProof, Promoted
from orchestrator.registry.bundle import load_functions, load_stored
from orchestrator.registry.entries import RegistryEntry, Status, StatusEvent, unknown
from orchestrator.registry.log.function_status import LoggedFunction
from orchestrator.registry.signing.identity import Identity


class BundleView:
    """The functions of a bundle: one version of each, all of them active."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def history(self, name: str | None = None) -> tuple[RegistryEntry, ...]:
        """As stored, whoever has signed them, as for a registry. Raises RegistryError where a file was changed."""
        return tuple(
            RegistryEntry(promoted=one, events=(StatusEvent(status=Status.ACTIVE, at=one.promoted_at),))
            for one in self._stored
            if name in (None, one.name)
        )

    def get(self, name: str, version: int | None = None) -> Promoted:
        """The function. Raises UsageError where the bundle does not have it."""
        for one in self._stored:
            if one.name == name and version in (None, one.version):
                return one
        raise unknown(name, version)

    def functions(self) -> tuple[Promoted, ...]:
        """The functions as somebody whom the user trusts has signed them, approved or not. Raises as `applicable`."""
        return tuple(load_functions(self._place, approved=False))

    def applicable(self) -> tuple[Promoted, ...]:
        """The functions, each signed and approved as the user's trust policy demands. Raises NotVerified."""
        return tuple(load_functions(self._place))

    def missing_approvals(self) -> dict[str, int]:
        """The functions of which the bundle does not have as many approvals as the user's trust policy demands."""
        trust = Identity().trust
        found = {one.name: LoggedFunction.of(one.envelopes).missing(one, trust) for one in self.functions()}
        return {name: missing for name, missing in found.items() if missing}

    def log_proof(self) -> LogProof | None:
        """None: the log is where the bundle came from."""
        return None

    @cached_property
    def _stored(self) -> list[Promoted]:
        return load_stored(self._place)
