"""Proves a sandbox's posture on this engine: starts two containers, asks the engine and asks a probe inside.

The probe comes in as an ordinary candidate and answers through the job protocol. It is our own program, so its answer
is read here and not in a disposable process. Called by proof_findings.py and, before the
first job, by a strict DockerSandbox.
"""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import NamedTuple

import pyarrow as pa

from orchestrator.core.errors import GuestProtocolError, PostureError
from orchestrator.core.jobs import Case, Child, Ended, GuestEnvironment, Job, Limits, Op, Program
from orchestrator.core.policy import Policy
from orchestrator.data.hostile.reply import read_records
from orchestrator.sandbox.containers.container import Container, budget
from orchestrator.sandbox.containers.engine import Engine
from orchestrator.sandbox.containers.launcher import DirectLauncher
from orchestrator.sandbox.posture.inspection import differences
from orchestrator.sandbox.posture.posture import Posture, render
from orchestrator.sandbox.posture.proof.deviations import (
    ProbeReport,
    locked_deviations,
    open_deviations,
    unseen_limits,
)

_PROBE_S = 30.0
Compare = Callable[[ProbeReport, Posture, Limits], list[str]]


class PostureProof(NamedTuple):
    """What differs from the posture, layer by layer; all empty when everything is as it should be."""

    engine: tuple[str, ...]  # what `inspect` says
    container: tuple[str, ...]  # what a child without locks sees
    child: tuple[str, ...]  # what an ordinary child sees
    missing: tuple[str, ...]  # layers that this machine, the runtime or the policy does without

    @property
    def deviations(self) -> tuple[str, ...]:
        return (*self.engine, *self.container, *self.child)


def prove(engine: Engine, policy: Policy, image: str) -> PostureProof:
    """Two containers under the policy, compared with it in whole. Raises SandboxError when they do not run.

    One is of either environment, so that what the confirming container preloads is seen to leave all as it must be.
    """
    posture = Posture.of(policy.container, image, GuestEnvironment.FIRST)
    unlocked = replace(posture, environment=GuestEnvironment.CONFIRM, child_filter="off", landlock="off")
    by_engine, by_child, seen = _observe(engine, posture, policy.limits, locked_deviations)
    more, by_container, inside = _observe(engine, unlocked, policy.limits, open_deviations)
    missing = (*_missing(seen, posture), *unseen_limits(inside, posture))
    return PostureProof((*by_engine, *more), tuple(by_container), tuple(by_child), missing)


def require(proof: PostureProof) -> None:
    """For strict sandboxes. Raises PostureError when anything differs or is missing."""
    if found := (*proof.deviations, *proof.missing):
        raise PostureError(
            f"strict: the sandbox is not as it must be: {'; '.join(found)[:800]}",
            advice="See `cleanroom doctor`; without --strict, missing layers are only reported.",
        )


def _observe(
    engine: Engine, posture: Posture, limits: Limits, compare: Compare
) -> tuple[list[str], list[str], ProbeReport]:
    container = Container.start(DirectLauncher(engine), posture, "proof", inspect=False)
    try:
        by_engine = differences(render(posture, {}, container.hash_seed), engine.inspect(container.id))
        job = _job(limits)
        reply = container.run(job, budget(job, _PROBE_S))
    finally:
        container.destroy()
    seen = _read(reply.children[0].output, reply.children[0].ended)
    return by_engine, compare(seen, posture, limits), seen


def _job(limits: Limits) -> Job:
    source = files(__package__).joinpath("probe.py").read_text("utf-8")
    sink = io.BytesIO()
    table = pa.table({"one": [1]})
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return Job((Program("probe", source),), (Child((Case("probe", sink.getvalue(), (Op.F,)),), limits),))


def _read(output: bytes, ended: Ended) -> ProbeReport:
    if ended is not Ended.OK:
        raise GuestProtocolError(f"the probe of the sandbox did not end well: {ended}")
    record = read_records(output, [(Op.F,)])[0]
    if record.status != "returned":
        raise GuestProtocolError(f"the probe of the sandbox failed: {record.error[:300]}")
    table = pa.ipc.open_stream(record.body).read_all()
    table.validate(full=True)
    seen: ProbeReport = json.loads(table.column("seen")[0].as_py())
    return seen


def _missing(seen: ProbeReport, posture: Posture) -> list[str]:
    """Layers that are not there, though nothing went wrong."""
    found = []
    if posture.child_filter == "off":
        found.append("the child's filter is switched off")
    if seen.get("root") != "refused: EACCES":
        found.append("Landlock is switched off" if posture.landlock == "off" else "there is no Landlock here")
    return found
