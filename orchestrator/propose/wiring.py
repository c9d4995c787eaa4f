"""Puts the model side together: one chat per role, one budget, one privacy view for all of them. Called by `bootstrap`.

It is not in `bootstrap` because only this folder knows the parts; `bootstrap` names the models and gives the sandbox.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from orchestrator.core.errors import UsageError
from orchestrator.core.exchanges import ModelRole
from orchestrator.core.policy import Policy, ScreenPolicy
from orchestrator.core.ports import Proposer, SandboxAccess
from orchestrator.core.privacy import Header, Privacy
from orchestrator.propose.llm.budget import Budget, BudgetLimits
from orchestrator.propose.llm.chat import ChatModel
from orchestrator.propose.llm.custom_chat import CustomChat, GeneratesText
from orchestrator.propose.llm.litellm_chat import LiteLLMChat
from orchestrator.propose.llm.recording import Recording, RecordingChat, ReplayChat, recorded_gate_secret
from orchestrator.propose.llm.retrying import RetryingChat
from orchestrator.propose.privacy.masking import Masker
from orchestrator.propose.privacy.privacy_view import view_of
from orchestrator.propose.prompting.prompt_context import ContextLimits
from orchestrator.propose.roles.explorer import ModelExplorer
from orchestrator.propose.roles.model_planner import ModelPlanner, PlanningProposer
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.roles.parser_writer import ParserWriter
from orchestrator.propose.roles.probing import SandboxProber
from orchestrator.propose.roles.role_client import RoleClient
from orchestrator.propose.roles.tester import ModelTester

REPLAY = "replay:"


def new_gate_secret(model: str) -> str:
    """A secret for a run with this model: where answers are played from a recording, that of the recorded run."""
    recorded = recorded_gate_secret(Path(model.removeprefix(REPLAY))) if model.startswith(REPLAY) else ""
    return recorded or secrets.token_hex(16)


@dataclass(frozen=True)
class ModelAccess:
    """How models are reached. The key is never shown."""

    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_s: float = 120.0
    patience_s: float = 180.0
    on_progress: Callable[[int], None] | None = None
    recording: Recording | None = None
    gate_secret: str = field(default="", repr=False)  # the run's, which a recording has too
    egress: Sequence[str] | None = None  # the hosts that may be asked; None for any

    def chat(self, model: str, role: ModelRole) -> ChatModel:
        """The model in the role: with retries, and recorded if a recording is kept. Raises UsageError."""
        if model.startswith(REPLAY):
            return ReplayChat(Path(model.removeprefix(REPLAY)), role)
        chat = RetryingChat(self._real(model), max_seconds=self.patience_s)
        return chat if self.recording is None else RecordingChat(chat, role, self.recording)

    def check_priced(self, model: str) -> None:
        """Raise UsageError where nobody would know when a limit in money is reached."""
        if not model.startswith(REPLAY) and not self._real(model).priced:
            raise UsageError(
                f"A limit in money cannot be kept: the price of {model} is not known.",
                advice="Limit calls or tokens instead.",
            )

    def check_provider(self, model: str) -> None:
        """Raise UsageError where nobody could be asked under this name."""
        if not model.startswith(REPLAY):
            self._real(model).check_provider()

    def _real(self, model: str) -> LiteLLMChat:
        return LiteLLMChat(
            model,
            api_base=self.api_base,
            api_key=self.api_key,
            timeout_s=self.timeout_s,
            on_progress=self.on_progress,
            egress=self.egress,
        )


@dataclass(frozen=True)
class RoleChats:
    """The model of each role. A role without a model is left out; the explorer is the proposer's model unless named.

    `tester` writes examples for each proposal; `witness` plays the tester only where there are concerns.
    """

    proposer: str
    tester: str | None = None
    witness: str | None = None
    planner: str | None = None
    explorer: str | None = None
    probes: int = 0  # at most so many per chunk; 0: nothing is explored

    @property
    def models(self) -> list[str]:
        """All models that are used, each once."""
        models = (self.proposer, self.tester, self.witness, self.planner, self.explorer if self.probes else None)
        return list(dict.fromkeys(model for model in models if model))


def parser_side(
    model: str,
    model_access: ModelAccess,
    limits: BudgetLimits,
    *,
    privacy: Privacy = "raw",
    screen: ScreenPolicy | None = None,
) -> ParserWriter:
    """The model that writes parsers. Raises UsageError where it may not see lines of the file, not even fakes."""
    if privacy == "profile":
        raise UsageError(
            "A model cannot write a parser without seeing lines of the file.", advice="Use --privacy masked, or raw."
        )
    mask = Masker(secrets.token_hex(32).encode()).text if privacy == "masked" else None
    client = RoleClient(model_access.chat(model, "proposer"), "proposer", Budget(limits))
    return ParserWriter(client, imports=(screen or ScreenPolicy()).imports, mask=mask)


def custom_side(
    model: GeneratesText, policy: Policy, *, privacy: Privacy, header: Header, mask_key: str = ""
) -> Proposer:
    """A proposer over a model of the caller's own, which plays the tester as well."""
    view = view_of(privacy, (mask_key or secrets.token_hex(32)).encode(), header)
    chat, budget = CustomChat(model), Budget()
    witness = ModelTester(RoleClient(chat, "tester", budget), structured=None, privacy=privacy, limits=ContextLimits())
    return ModelProposer(
        chat,
        budget=budget,
        imports=policy.screen.imports,
        view=view,
        functions=policy.model.functions_per_answer,
        witness=witness,
    )


def model_side(
    roles: RoleChats,
    model_access: ModelAccess,
    budget: Budget,
    *,
    protocol: Literal["auto", "xml", "structured"] = "auto",
    privacy: Privacy = "raw",
    header: Header = "check",
    mask_key: str = "",
    policy: Policy | None = None,
    probe_access: SandboxAccess | None = None,
) -> Proposer:
    """The proposer with all its roles. The same `mask_key` gives the same fakes; without one they are random.

    Raises UsageError for options that cannot be combined.
    """
    if budget.limits.max_cost_usd is not None:
        for model in roles.models:
            model_access.check_priced(model)
    limits, policy = ContextLimits(), policy or Policy()
    imports = policy.screen.imports
    structured = None if protocol == "auto" else protocol == "structured"
    view = view_of(privacy, (mask_key or secrets.token_hex(32)).encode(), header)
    shown = limits if view.rows_shown else limits._replace(rows=0)

    def client(model: str, role: ModelRole) -> RoleClient:
        return RoleClient(model_access.chat(model, role), role, budget)

    explorer = tester = witness = None
    if roles.probes:
        if not view.rows_shown:
            raise UsageError("A model cannot look up rows under --privacy profile.", advice="Leave --explore out.")
        if probe_access is not None:
            prober = SandboxProber(probe_access)
            explorer_client = client(roles.explorer or roles.proposer, "explorer")
            explorer = ModelExplorer(
                explorer_client, prober, probes=roles.probes, structured=structured, imports=imports, limits=limits
            )
    if roles.tester:
        tester = ModelTester(client(roles.tester, "tester"), structured=structured, privacy=privacy, limits=shown)
    if roles.witness:
        witness = ModelTester(client(roles.witness, "tester"), structured=structured, privacy=privacy, limits=shown)
    for model in roles.models:
        model_access.check_provider(model)
    proposer = ModelProposer(
        model_access.chat(roles.proposer, "proposer"),
        budget=budget,
        protocol=protocol,
        imports=imports,
        view=view,
        explorer=explorer,
        tester=tester,
        functions=policy.model.functions_per_answer,
        witness=witness or tester,
        gate_secret=model_access.gate_secret,
    )
    if not roles.planner:
        return proposer
    planner = ModelPlanner(client(roles.planner, "planner"), structured=structured, view=view, imports=imports)
    return PlanningProposer(proposer, planner)
