"""A candidate that is known to be good: when it fails, the infrastructure is the cause, not the candidate.

Used by `execution`.
"""

import pyarrow as pa

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample
from orchestrator.gate.inputs.case_planner import CasePlanner, Stage
from orchestrator.gate.inputs.example_case import ExampleCase

SOURCE = '''"""Canary."""
def canary(df):
    """Strip text."""
    out = df.copy()
    out["text"] = out["text"].str.strip()
    return out
'''
CANDIDATE = Candidate(source=SOURCE, name="canary", contract=Contract(modifies=("text",)))
NO_EXAMPLES = ExampleCase()


def stage(policy: Policy) -> Stage:
    """The canary's first stage, on three rows."""
    rows = pa.table({"text": [" a", "b ", "c"]})
    return CasePlanner(CANDIDATE, Sample(rows, rows), policy, 0).first(NO_EXAMPLES)
