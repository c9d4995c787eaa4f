"""The typed record of a run: one frozen value per thing that happened, in the order in which it happened.

The loop writes each step to the run's journal before the next one starts and hands it to the callbacks; live progress,
report, `runs show`, `runs resume` and `runs replay` are made from steps alone.
"""

from typing import Annotated

from pydantic import Field

from orchestrator.core.steps.chunk_steps import (
    AnalysisStep,
    CandidateStep,
    ChunkEndStep,
    ChunkStep,
    HeldEntryStep,
    HoldStep,
    LeftForm,
    PromotionStep,
    RepairStep,
    VerificationStep,
    WitnessStep,
)
from orchestrator.core.steps.consolidation_steps import MergerStep, PlanningStep
from orchestrator.core.steps.run_steps import ApplyStep, EndStep, ResumeStep, RunStatus, RunStep
from orchestrator.core.steps.step_base import Step, StepMessage

AnyStep = Annotated[
    RunStep
    | ChunkStep
    | AnalysisStep
    | CandidateStep
    | VerificationStep
    | RepairStep
    | WitnessStep
    | HoldStep
    | HeldEntryStep
    | PromotionStep
    | PlanningStep
    | MergerStep
    | ChunkEndStep
    | ApplyStep
    | EndStep
    | ResumeStep,
    Field(discriminator="kind"),
]

__all__ = [
    "AnalysisStep",
    "AnyStep",
    "ApplyStep",
    "CandidateStep",
    "ChunkEndStep",
    "ChunkStep",
    "EndStep",
    "HeldEntryStep",
    "HoldStep",
    "LeftForm",
    "MergerStep",
    "PlanningStep",
    "PromotionStep",
    "RepairStep",
    "ResumeStep",
    "RunStatus",
    "RunStep",
    "Step",
    "StepMessage",
    "VerificationStep",
    "WitnessStep",
]
