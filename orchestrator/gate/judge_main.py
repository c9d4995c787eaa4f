"""The entry that the disposable process runs: `orchestrator.gate.judge_main:judge`. Wired by bootstrap.

`warm` walks the code once in the zygote, so that a forked child neither imports nor opens anything.
"""

import pyarrow as pa

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.jobs import ChildResult, Ended
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample
from orchestrator.gate.cases import Planner, example_case
from orchestrator.gate.judge import judge
from orchestrator.gate.request import judge_request

ENTRY = "orchestrator.gate.judge_main:judge"

__all__ = ["ENTRY", "judge", "warm"]


def warm() -> None:
    """Judge a child that wrote nothing: every module is imported and Arrow's reader has run."""
    table = pa.table({"text": ["a", None], "number": [1.5, 2.0]})
    candidate = Candidate(source="", name="warm", contract=Contract(modifies=("text",)))
    policy = Policy()
    examples = example_case(candidate, (), table.schema)
    stage = Planner(candidate, Sample(table, table), policy, 0).first(examples)
    results = tuple(ChildResult(Ended.KILLED) for _ in stage.job.children)
    judge(judge_request(candidate, policy.gate, [(stage, results)], examples))
