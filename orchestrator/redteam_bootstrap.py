"""Wires what the red team's attacks run against: the sandbox, and the gate on top of it. Called by `cleanroom redteam`.

It stands beside `bootstrap`, which every command loads, because only this command needs controls with lifted locks.
"""

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from orchestrator.bootstrap import DECODER, JUDGE
from orchestrator.core.jobs import GuestEnvironment, Limits, SandboxInfo
from orchestrator.core.ports import Sample, Sandbox, VerifyRequest
from orchestrator.core.verdict import Verdict
from orchestrator.core.weakened import refuse_weakened
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.user_files.policy_file import read_policy
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.provision.image_id import sandbox_image
from orchestrator.sandbox.redteam.host import HostObserver
from orchestrator.sandbox.redteam.script import USUAL_MODULES, ScriptRunner
from orchestrator.sandbox.redteam.shared_sandbox import SharedSandbox
from orchestrator.sandbox.redteam.target import AttackTarget
from orchestrator.sandbox.redteam.unlocked import UnlockedContainers


@contextmanager
def red_team_target(policy_file: Path | None, runtime: str | None, *, strict: bool = False) -> Iterator[AttackTarget]:
    """What the red team's attacks run against: this machine's sandbox under the policy, and the gate on top of it.

    Raises as `sandboxed` does.
    """
    policy = read_policy(policy_file, runtime=runtime, strict=strict)
    refuse_weakened(policy)
    box = policy.container
    image, run_id = sandbox_image(), f"redteam-{secrets.token_hex(6)}"
    with ExitStack() as stack:
        sandbox = stack.enter_context(DockerSandbox(policy, image, run_id))
        shared = stack.enter_context(closing(SharedSandbox(sandbox)))
        judge = stack.enter_context(DisposableProcess(JUDGE, strict=policy.strict))
        decoder = stack.enter_context(DisposableProcess(DECODER, strict=policy.strict))
        unlocked = stack.enter_context(closing(UnlockedContainers(box, image, run_id)))
        scripts = stack.enter_context(closing(ScriptRunner(image, box.runtime, USUAL_MODULES)))
        # Containers that may be there between attacks: full and light ones in the pool, and the shared ones.
        waiting = 2 * (box.pool_size + 1) + len(GuestEnvironment)
        observer = stack.enter_context(closing(HostObserver(run_id, waiting, Path("/var/lib/docker"))))

        def verdict(where: Sandbox, source: str, sample: Sample, limits: Limits, *, quick: bool) -> Verdict:
            with closing(Verifier(where, judge, policy.model_copy(update={"limits": limits}))) as gate:
                return gate.verify(VerifyRequest(source, sample, screen=False, quick=quick))

        yield AttackTarget(
            sandbox=sandbox,
            shared=shared,
            decoder=decoder,
            judge=partial(verdict, sandbox, quick=False),
            judge_control=partial(verdict, shared, quick=True),
            unlocked=unlocked.run,
            script=scripts.run,
            observer=observer,
            info=SandboxInfo(runtime=box.runtime, image=image),
            run_id=run_id,
        )
