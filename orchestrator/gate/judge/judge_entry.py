"""What the disposable process runs, which imports it by `judge_process`. Wired by bootstrap.

`warm` runs the code once in the zygote, so that a forked child neither imports nor opens anything. A waiting child
decodes a little (`warm_decode`), so that the memory pages that all of it needs are copied before a request comes; more
would cost more processor time than it saves.
"""

import json
import struct

import pyarrow as pa

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.jobs import ChildResult, Ended, Op
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample
from orchestrator.data.arrow_without_pandas import PandasNeeded, import_pandas
from orchestrator.data.disposable.two_steps import own_and_decoded, two_steps
from orchestrator.data.hostile.arrow_tables import DETECT, INDEX, write_table
from orchestrator.data.hostile.reply import INPUT
from orchestrator.gate.inputs.case_planner import CasePlanner, Stage
from orchestrator.gate.inputs.example_case import example_case
from orchestrator.gate.judge import judge as judging
from orchestrator.gate.judge.decoding import decode
from orchestrator.gate.judge.protocol import ATTEMPTS, STATES, JudgeRequest, WrittenBy, pack
from orchestrator.gate.judge.state_judging import judge_states
from orchestrator.gate.properties.shrink_judging import judge_attempts

ENTRY = "orchestrator.gate.judge.judge_process:judge"

MORE_NEEDED = PandasNeeded

__all__ = [
    "ENTRY",
    "MORE_NEEDED",
    "both",
    "decode",
    "judge",
    "load_more",
    "sample_request",
    "warm",
    "warm_decode",
    "warm_judge",
]

_ROWS = 20


def judge(request: bytes) -> bytes:
    """Judge one stage, or the attempts of a search for a smaller input. The second step of a request."""
    if own_and_decoded(request)[0].startswith(ATTEMPTS):
        return judge_attempts(request)
    if own_and_decoded(request)[0].startswith(STATES):
        return judge_states(request)
    return judging.judge(request)


def both(request: bytes) -> bytes:
    """Decode and judge in one process, for bytes that nobody else wrote."""
    steps = two_steps(request)
    return judge(request if steps is None else steps.second(decode(bytes(steps.hostile))))


def load_more() -> None:
    """Import pandas, for values that need it. Called in the zygote."""
    import_pandas()


def warm() -> bytes:
    """Judge what a candidate that does nothing would have written; the judge's answer."""
    return both(sample_request())


def sample_request() -> bytes:
    """A request about a candidate that does nothing."""
    table = pa.table({"text": ["a", None] * (_ROWS // 2), "number": [1.5, 2.0] * (_ROWS // 2)})
    candidate = Candidate(source="", name="warm", contract=Contract(modifies=("text",)), has_detect=True)
    policy = Policy()
    examples = example_case(candidate, (), table.schema)
    stage = CasePlanner(candidate, Sample(table, table), policy, 0).first(examples)
    results = tuple(ChildResult(Ended.OK, output) for output in _written(stage))
    request = JudgeRequest(candidate=candidate, policy=policy.gate).with_examples(examples)
    return request.packed([(stage, results)])


def warm_decode() -> None:
    """Decode one table."""
    table = pa.table({INDEX: [0, 1], "text": ["a", None], "number": [1.5, 2.0]})
    output = _record(0, Op.F, write_table(table))
    asked = WrittenBy(ops=((Op.F,),), echo=(False,), complete=True)
    decode(pack({"children": [asked.model_dump(mode="json")]}, [output]))


warm_judge = warm_decode


def _written(stage: Stage) -> list[bytes]:
    """A reply for each child, as docs/wire.md says: every function gives its input back, every mask flags nothing."""
    replies = []
    for child in stage.job.children:
        records = b""
        for number, case in enumerate(child.cases):
            table = pa.ipc.open_stream(case.input).read_all()
            rows = table.num_rows
            whole = write_table(table.add_column(0, INDEX, pa.array(range(rows), pa.int64())))
            mask = write_table(pa.table({DETECT: pa.array([False] * rows, pa.bool_())}))
            for op in case.ops:
                records += _record(number, op, mask if op in (Op.DETECT, Op.DETECT_F) else whole)
                if case.echo_input and op is case.ops[0]:
                    records += _record(number, INPUT, whole)
        replies.append(records)
    return replies


def _record(case: int, op: str, body: bytes) -> bytes:
    header = {"case": case, "op": op, "status": "returned", "type": "DataFrame", "dtypes": [], "error": ""}
    text = json.dumps(header | {"changed": [], "wall_s": 0.0, "body": len(body)}).encode()
    return struct.pack(">I", len(text)) + text + body
