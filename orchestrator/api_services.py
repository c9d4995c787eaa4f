"""What a `Cleanroom` of the library holds: its model, its policy, and sandboxes until it is closed. Called by `api`."""

from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from orchestrator import bootstrap
from orchestrator.api_arguments import (
    DataFile,
    check_model,
    check_reach,
    cluster_of,
    data_of,
    file_of,
    header_of,
    path_of,
    policy_of,
    privacy_of,
)
from orchestrator.api_wording import naming_arguments
from orchestrator.core.errors import UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Proposer
from orchestrator.core.privacy import Header, Privacy
from orchestrator.data.formats import Dataset
from orchestrator.data.sources import OpensData, open_source
from orchestrator.model_choice import ModelChoice
from orchestrator.run.apply.quarantine import keep_unreadable
from orchestrator.run.apply.same_file import check_places
from orchestrator.run.parse.parsed_source import ParsedSource
from orchestrator.run.services import Services

if TYPE_CHECKING:
    from orchestrator.propose.llm.custom_chat import GeneratesText
    from orchestrator.scale.cluster_address import ClusterAddress


class HeldServices:
    """The arguments are those of `Cleanroom`."""

    @naming_arguments()
    def __init__(
        self,
        model: "str | ModelChoice | GeneratesText | None" = None,
        *,
        api_base: str | None = None,
        privacy: Privacy = "raw",
        header: Header = "check",
        policy: Path | str | Policy | None = None,
        strict: bool = False,
        cluster: str | None = None,
        tls: Path | str | None = None,
    ) -> None:
        if isinstance(model, ModelChoice) and (api_base is not None or privacy != "raw" or header != "check"):
            raise UsageError("A ModelChoice says itself where the model is and what it may see.")
        check_reach(model, api_base)
        self._model: ModelChoice | GeneratesText = (
            ModelChoice(model=model, api_base=api_base, privacy=privacy, header=header)
            if model is None or isinstance(model, str)
            else model
        )
        check_model(self._model)
        self._privacy = privacy_of(privacy)
        self._header = header_of(header)
        self._policy = policy_of(policy, strict=strict)
        self._cluster = cluster_of(cluster, None if tls is None else path_of(tls, "tls"))
        self._stack = ExitStack()
        self._opened: list[tuple[ClusterAddress | None, Services]] = []

    def close(self) -> None:
        """Destroy every container. Idempotent; the next job would make new ones."""
        self._opened.clear()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _services(self, policy: Policy, *, here: bool = False) -> Services:
        """Those under the policy; an earlier run may have been begun under another one than the rest here.

        `here`: on this machine, also where there is a cluster.
        """
        place = None if here else self._cluster
        found = (services for where, services in self._opened if where == place and services.policy == policy)
        services = next(found, None)
        if services is None:
            services = self._stack.enter_context(bootstrap.sandboxed(policy, cluster=place))
            self._opened.append((place, services))
        return services

    def _opener(self, parser: str | None, policy: Policy) -> OpensData:
        """What opens data: by the parser, where one is named, in the containers that are held."""
        if parser is None:
            return open_source
        return ParsedSource(parser, lambda: nullcontext(self._services(policy, here=True)))

    def _dataset(
        self, data: Path | str | DataFile, *, set_aside: bool = False, keep: Path | str | None = None
    ) -> Dataset:
        """The data; `keep`: where rows that cannot be read are written now."""
        file, rest = file_of(data), None if keep is None else data_of(keep, "quarantine")
        place = data_of(file.path)
        check_places(place, None, rest)
        dataset = self._opener(file.parser, self._policy)(
            place, **file.reading, set_aside=set_aside or rest is not None
        )
        if rest is not None:
            keep_unreadable(rest, dataset)
        return dataset

    def _proposer(self, services: Services, data_sha256: str) -> Proposer:
        if isinstance(self._model, ModelChoice):
            return bootstrap.proposer(self._model, self._policy, data_sha256=data_sha256, services=services)
        return self._custom(self._model, self._policy, self._privacy, data_sha256)

    def _custom(self, model: "GeneratesText", policy: Policy, privacy: Privacy, data_sha256: str) -> Proposer:
        return bootstrap.custom_proposer(model, policy, privacy=privacy, header=self._header, data_sha256=data_sha256)

    @property
    def _shown(self) -> ModelChoice:
        """What the model may see; of an object of the caller's, nothing else is known."""
        return self._model if isinstance(self._model, ModelChoice) else ModelChoice(privacy=self._privacy)

    def _recorded(self) -> dict[str, Any]:
        """The model for the journal, so that a resumed run asks the same one, and shows it no more."""
        if isinstance(self._model, ModelChoice):
            return self._model.settled().model_dump(mode="json")
        return {"privacy": self._privacy}
