"""A candidate that is known to be good: when it fails, the infrastructure is the cause, not the candidate.

Used by `execution`, which has it judged, and by `asked_decoder`, which has what it wrote decoded.
"""

from dataclasses import replace
from functools import cache

import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import DisposableDied, SandboxError
from orchestrator.core.jobs import Case, Child, Job, Program
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Disposable, Sample, Sandbox, SandboxAccess
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.data.hostile.decode_entry import read_decoded, request
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.gate.checks import executed
from orchestrator.gate.inputs.case_planner import CasePlanner, Stage
from orchestrator.gate.inputs.example_case import ExampleCase
from orchestrator.gate.judge.protocol import JudgeRequest, unpack

SOURCE = '''"""Canary."""
def canary(df):
    """Strip text."""
    out = df.copy()
    out["text"] = out["text"].str.strip()
    return out
'''
CANDIDATE = Candidate(source=SOURCE, name="canary", contract=Contract(modifies=("text",)))
NO_EXAMPLES = ExampleCase()
_STRIPPED = ["a", "b", "c"]
_CHECKS = TypeAdapter(tuple[CheckResult, ...])


@cache
def _rows() -> pa.Table:
    """Made when it is needed: PyArrow loads pandas for it."""
    return pa.table({"text": [" a", "b ", "c"]})


def stage(policy: Policy) -> Stage:
    """The canary's first stage, on three rows."""
    return CasePlanner(CANDIDATE, Sample(_rows(), _rows()), policy, 0).first(NO_EXAMPLES)


def passes(sandbox: Sandbox, judge: Disposable, policy: Policy, worker: str = "") -> bool:
    """Whether it passes every check of the first container. `worker`: of a cluster, to ask."""
    planned = stage(policy)
    try:
        children = sandbox.run(replace(planned.job, on=worker)).children
        asked = JudgeRequest(candidate=CANDIDATE, policy=policy.gate).packed([(planned, children)])
        answer, _ = unpack(judge.call(asked))
        checks = _CHECKS.validate_python(answer.get("checks"))
    except (SandboxError, DisposableDied, ValidationError, ValueError):
        return False
    return executed.ID in {check.id for check in checks} and all(c.outcome is Outcome.PASS for c in checks)


def is_decoded(access: SandboxAccess) -> bool:
    """Whether what the canary wrote can be read. Raises SandboxError where it cannot be run."""
    child = Child((Case("", write_table(_rows())),), access.limits)
    (result,) = access.sandbox.run(Job((Program.of(CANDIDATE),), (child,))).children
    try:
        decoded = read_decoded(access.decoder.call(request(result.output, records=False, detect=False)))
    except (DisposableDied, HostileOutput):
        return False
    return decoded.table is not None and decoded.table.column("text").to_pylist() == _STRIPPED
