"""What the attacks run against, handed to the runner by redteam_bootstrap: the gate is a package beside this one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from orchestrator.core.jobs import Limits, SandboxInfo
from orchestrator.core.ports import Disposable, Sample, Sandbox
from orchestrator.core.verdict import Verdict
from orchestrator.sandbox.redteam.attack import LiftedLock
from orchestrator.sandbox.redteam.host import HostObserverPort

Judge = Callable[[str, Sample, Limits], Verdict]
"""The gate's verdict on a source, unscreened, with these limits for each child."""


@dataclass(frozen=True)
class AttackTarget:
    """`sandbox` and `judge` use a fresh container each time; `shared` and `judge_control` only run harmless controls.

    `judge_control` gives quick verdicts. `unlocked` runs probes in one container with locks lifted, a process each, and
    returns what each printed last; `script` runs a program on the host.
    """

    sandbox: Sandbox
    shared: Sandbox
    decoder: Disposable
    judge: Judge
    judge_control: Judge
    unlocked: Callable[[Sequence[str], Sequence[LiftedLock]], Sequence[str]]
    script: Callable[[str], str]
    observer: HostObserverPort
    info: SandboxInfo
    run_id: str = ""  # the label of its containers
