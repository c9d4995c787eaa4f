"""The only place where concrete parts are chosen and wired together. Called by the command line and the library API."""

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from pydantic import ValidationError

from orchestrator.core.errors import UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.settings import Settings
from orchestrator.data import decode_main
from orchestrator.data.disposable import DisposableProcess
from orchestrator.gate import judge_main
from orchestrator.gate.verifier import Verifier
from orchestrator.propose.budget import Budget, BudgetLimits
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.parts import Parts
from orchestrator.sandbox.docker_sandbox import DockerSandbox
from orchestrator.sandbox.provision.image_id import sandbox_image

if TYPE_CHECKING:
    from orchestrator.core.ports import Proposer
    from orchestrator.propose.model_proposer import ReplyProtocol

BUILTIN = "builtin"


@contextmanager
def sandboxed(policy_file: Path | None) -> Iterator[Parts]:
    """Everything that judges and applies, on a running engine; destroyed at the end of the block.

    Raises UsageError for a policy that cannot be read, EngineUnavailable and ImageMissing with what to do.
    """
    policy = read_policy(policy_file)
    image = sandbox_image()
    with ExitStack() as stack:
        sandbox = stack.enter_context(DockerSandbox(policy, image))
        judge = stack.enter_context(DisposableProcess(judge_main.ENTRY))
        decoder = stack.enter_context(DisposableProcess(decode_main.ENTRY))
        gate = stack.enter_context(closing(Verifier(sandbox, judge, policy)))
        yield Parts(
            sandbox=sandbox,
            gate=gate,
            decoder=decoder,
            policy=policy,
            policy_sha256=hashlib.sha256(policy.model_dump_json().encode()).hexdigest(),
            open_registry=open_registry,
        )


def open_registry(folder: Path) -> SqlRegistry:
    """The registry in the folder, made when it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    return SqlRegistry(f"sqlite:///{folder / 'registry.db'}")


@dataclass(frozen=True)
class ModelChoice:
    """Which proposer, and how to reach it. None: what the environment says."""

    model: str | None = None
    api_base: str | None = None
    protocol: "ReplyProtocol" = "auto"
    timeout_s: float = 120.0  # for one answer
    patience_s: float = 180.0  # for all tries together while the model is not to be had
    budget: BudgetLimits = field(default_factory=BudgetLimits)


def proposer(choice: ModelChoice, policy: Policy) -> "Proposer":
    """The built-in rules, or a language model by its LiteLLM name. Options win over the environment."""
    settings = Settings()
    name = choice.model or settings.model
    if name == BUILTIN:
        from orchestrator.propose.builtin.proposer import BuiltinProposer

        return BuiltinProposer()
    from orchestrator.propose.litellm_chat import LiteLLMChat
    from orchestrator.propose.model_proposer import ModelProposer
    from orchestrator.propose.retrying import RetryingChat

    key = settings.api_key.get_secret_value() if settings.api_key else None
    chat = LiteLLMChat(name, api_base=choice.api_base or settings.api_base, api_key=key, timeout_s=choice.timeout_s)
    return ModelProposer(
        RetryingChat(chat, max_seconds=choice.patience_s),
        budget=Budget(choice.budget),
        protocol=choice.protocol,
        imports=policy.screen.imports,
    )


def read_policy(path: Path | None) -> Policy:
    """The default policy with what the YAML file says in its place. Raises UsageError with the setting at fault."""
    runtime = Settings().runtime
    overrides = {} if path is None else _read_yaml(path)
    if runtime is not None:
        overrides.setdefault("container", {}).setdefault("runtime", runtime)
    try:
        return Policy.model_validate(overrides)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"The policy is wrong at {where}: {first['msg']}.", advice=f"Mend {path}.") from error


def _read_yaml(path: Path) -> dict[str, dict[str, object]]:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise UsageError(f"The policy {path} cannot be read.", advice="Name a YAML file.") from error
    if not isinstance(content, dict) or not all(isinstance(part, dict) for part in content.values()):
        raise UsageError(f"The policy {path} is no mapping of sections.", advice="Start with `limits:` or `gate:`.")
    return content
