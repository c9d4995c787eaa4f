"""Which proposer a run uses, as callers and journals say it. Called by `bootstrap`, which makes the proposer of it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import Field

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import UsageError
from orchestrator.core.option_value import OptionValue
from orchestrator.core.privacy import Header, Privacy
from orchestrator.core.settings import Settings
from orchestrator.data.profile.header_check import refuse_names
from orchestrator.propose.llm.budget import BudgetLimits
from orchestrator.propose.llm.key_hosts import is_well_known
from orchestrator.propose.llm.model_address import without_secrets
from orchestrator.propose.named import PROPOSERS

if TYPE_CHECKING:
    from orchestrator.data.formats.format_interface import Dataset
    from orchestrator.run.journal.resume import PastRun


NOBODY = "none"
"""In place of a tester's name: nobody is asked."""
_NO_KEY = "none"  # given so that LiteLLM does not look for one in the environment


class ModelChoice(OptionValue):
    """Which proposer, and how to reach it. None: what the environment says. Holds no key, so a journal may hold it.

    `privacy`: what models may see: "raw" rows, "masked" ones that keep the shape of each value, or a "profile" without
    rows. `header`: "names" where the columns' names may be shown although they look like data.
    """

    model: str | None = None
    api_base: str | None = None
    keyless: bool = False  # the address is to get no key: it stood in a file that nobody named
    found_model: bool = Field(default=False, exclude_if=lambda found: not found)  # a model did
    api_key_env: str | None = Field(  # the variable with the key for them, in place of CLEANROOM_API_KEY
        default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$", exclude_if=lambda name: name is None
    )
    protocol: Literal["auto", "xml", "structured"] = "auto"
    timeout_s: float = Field(default=120.0, gt=0.0, le=86_400.0)  # for one answer
    patience_s: float = Field(default=180.0, ge=0.0, le=86_400.0)  # for all tries while the model is unavailable
    budget: BudgetLimits = BudgetLimits()
    privacy: Privacy = "raw"
    header: Header = Field(default="check", exclude_if=lambda header: header == "check")
    tester: str | None = None  # None: the proposer's model, asked about rows in doubt only; "none": nobody
    planner: str | None = None  # the models of further roles; a role without one is not played
    explorer: str | None = None  # None: the proposer explores, where `probes` lets it
    probes: int = Field(default=0, ge=0, le=20)
    record: Path | None = None

    @property
    def named_tester(self) -> str | None:
        """The model that tests every proposal, where one was named."""
        return None if self.tester == NOBODY else self.tester

    def witness(self, proposer: str) -> str | None:
        """The model that is asked about rows in doubt, if any is."""
        return None if self.tester == NOBODY else self.tester or proposer

    def with_key(self, variable: str | None) -> "ModelChoice":
        """The same with the key in another variable; None leaves it as it is. Raises UsageError."""
        return self if variable is None else ModelChoice(**self.model_dump() | {"api_key_env": variable})

    def waiting(self, timeout: float | None = None, patience: float | None = None) -> "ModelChoice":
        """The same with other times to wait, in seconds; None leaves one as it is."""
        times = {"timeout_s": timeout, "patience_s": patience}
        return self.model_copy(update={name: time for name, time in times.items() if time is not None})

    def key(self) -> str | None:
        """The key that the caller names for the models, if any. Raises UsageError where its variable is not set."""
        if self.keyless:
            return _NO_KEY
        if self.api_key_env is not None:
            if not os.environ.get(self.api_key_env):
                raise UsageError(
                    f"The variable {self.api_key_env} holds no key.", advice="Set it, or leave --api-key-env out."
                )
            return os.environ[self.api_key_env]
        own = Settings.read().api_key
        models = filter(None, (self.model, self.named_tester, self.planner, self.explorer))
        if own is None or (self.found_model and not all(is_well_known(model) for model in models)):
            return None
        return own.get_secret_value()

    @property
    def is_named(self) -> bool:
        """Whether it is a proposer with a name of its own, which shows nothing to any model."""
        return (self.model or Settings.read().model) in PROPOSERS

    def settled(self) -> "ModelChoice":
        """The same with what the environment says at present, fit to be recorded: without secrets in the address."""
        settings = Settings.read()
        base = self.api_base or settings.api_base
        return self.model_copy(
            update={
                "model": self.model or settings.model,
                "api_base": without_secrets(base) if base else None,
                "record": self.record and self.record.absolute(),
            }
        )


def check_shape(choice: ModelChoice, shape: Shape) -> None:
    """Raise UsageError where the chosen proposer makes no functions of the shape."""
    named = PROPOSERS.get(choice.model or Settings.read().model)
    if shape.by_row and named is not None and not named.by_row:
        raise UsageError(
            f"The {named.title} makes functions of tables only, not of the shape {shape}.",
            advice="Name a language model with --model (docs/models.md), or leave --shape out.",
        )


def check_header(choice: ModelChoice, dataset: "Dataset", shape: Shape = Shape.TABLE) -> None:
    """Raise UsageError where the columns' names, which the model is shown, look like data that it must not see."""
    if choice.privacy != "raw" and choice.header == "check" and not choice.is_named:
        refuse_names(dataset, by_row=shape.by_row)


def recorded_choice(past: "PastRun", *, api_base: str | None = None, budget: BudgetLimits | None = None) -> ModelChoice:
    """How the proposer of an earlier run is reached; each limit that is given takes the place of the earlier one."""
    choice = ModelChoice(**past.configuration.get("model", {}))
    raised = {name: limit for name, limit in budget or BudgetLimits() if limit is not None}
    limits = choice.budget.model_copy(update=raised)
    address = {"api_base": api_base or choice.api_base, "keyless": choice.keyless and not api_base}
    return choice.model_copy(update={"budget": limits, **address})


def unrecorded_choice(
    past: "PastRun",
    *,
    api_base: str | None,
    budget: BudgetLimits | None,
    keyless: bool = False,
    own: ModelChoice | None = None,
) -> ModelChoice:
    """What of a journal that somebody else may have written is taken over: only that the model may see less.

    Which model it is, and where, is for the caller (`own`) and the environment to say, but for the proposers that have
    a name. `api_base` and `budget` take the place of the caller's.
    """
    own, name = own or ModelChoice(keyless=keyless), past.opening.proposer
    recorded = past.configuration.get("model") or {}
    said: Any = recorded.get("privacy", "raw") if isinstance(recorded, dict) else "raw"
    given = {
        "model": own.model or (name if name in PROPOSERS else None),
        "api_base": api_base or own.api_base,
        "budget": budget or own.budget,
        "privacy": max(own.privacy, ModelChoice(privacy=said).privacy, key=get_args(Privacy).index),
    }
    return own.model_copy(update=given)
