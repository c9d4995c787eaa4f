"""Runs that kill themselves at a chosen step of their journal. Started by test_run_resume.py as a process of its own.

A line on standard input is a JSON object: `folder`, `data`, `scenario`, `limits`, `moment`, `when` and `resume`. The
run happens in a forked child, which ends itself with SIGKILL just before or just after it writes the `moment`-th line
(0: never). Everything is imported and warmed up once, so that a death costs a fork. The product knows nothing of this.
"""

import contextlib
import json
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orchestrator import bootstrap, model_choice
from orchestrator.core.errors import ModelUnavailable
from orchestrator.core.exchanges import TokenUsage
from orchestrator.core.policy import Policy
from orchestrator.core.proposals import Analysis, ChunkStatus, Consolidation, FurtherFunction, Merger
from orchestrator.core.requests import ConsolidationRequest, ProposalRequest, RepairRequest
from orchestrator.core.steps import AnyStep
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.llm.budget import BudgetLimits
from orchestrator.run.events import Callbacks
from orchestrator.run.journal.journal import Journal
from orchestrator.run.journal.resume import read_past
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.loop.stopping import RunLimits
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from tests.run.journal.lent_sandbox import LentSandbox

if TYPE_CHECKING:
    from orchestrator.core.ports import Proposer

SOURCE = '''"""{column} has stray blanks."""
CONTRACT = {{"modifies": {columns!r}}}
def {name}(df):
    """Strip {column}."""
    out = df.copy()
{lines}
    return out
'''


def function(name: str, *columns: str) -> str:
    """A function that strips the columns."""
    lines = "\n".join(f'    out["{c}"] = out["{c}"].str.strip()' for c in columns)
    return SOURCE.format(column=columns[0], columns=list(columns), name=name, lines=lines)


class ByContent:
    """A proposer whose answers depend on nothing but the question: stray blanks are stripped column by column.

    Column b takes two tries: the gate refuses `bad_b`. Where a and b are both done, one function could do it.
    """

    name = "by-content"
    costs_nothing = True  # so that what it answers is judged ahead, too

    def __init__(self, *, several: bool = False) -> None:
        self.several = several

    def analyse(self, request: ProposalRequest) -> Analysis:
        done = {name for summary in request.promoted for name in summary.columns}
        if self.several:
            todo = [column for column in request.rows.column_names if column not in done]
            sources = [function("bad_b" if c == "b" else f"trim_{c}", c) for c in todo if _stray(request, c)]
            if sources:
                more = tuple(FurtherFunction(source=source) for source in sources[1:])
                return Analysis(source=sources[0], more=more, reply="several", usage=TokenUsage(calls=1))
            return Analysis(chunk_status=ChunkStatus.CLEAN, usage=TokenUsage(calls=1))
        for column in request.rows.column_names:
            if column not in done and _stray(request, column):
                name = "bad_b" if column == "b" else f"trim_{column}"
                return Analysis(source=function(name, column), reply=name, usage=TokenUsage(calls=1))
        return Analysis(chunk_status=ChunkStatus.CLEAN, usage=TokenUsage(calls=1))

    def repair(self, repair: RepairRequest) -> Analysis:
        return Analysis(source=function("trim_b", "b"), reply="better", usage=TokenUsage(calls=1))

    def consolidate(self, request: ConsolidationRequest) -> Consolidation:
        names = [f.name for f in request.functions]
        usage = TokenUsage(calls=1)
        if not {"trim_a", "trim_b"} <= set(names):
            return Consolidation(usage=usage)
        wrong = function("trim_wrong", "a")
        mergers = (
            Merger(replaces=("trim_a", "trim_b"), source=wrong),
            Merger(replaces=("trim_a", "trim_b"), source=function("trim_ab", "a", "b")),
        )
        return Consolidation(mergers=mergers, usage=usage)


def _stray(request: ProposalRequest, column: str) -> bool:
    values = [value for value in request.rows.column(column).to_pylist() if isinstance(value, str)]
    return any(value != value.strip() for value in values)


def killed_at(write: Callable[[Journal, AnyStep], None], moment: int, when: str) -> Callable[[Journal, AnyStep], None]:
    """`Journal.append`, at the moment-th call of which the process ends."""
    count = 0

    def append(journal: Journal, step: AnyStep) -> None:
        nonlocal count
        count += 1
        if count == moment and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        if count == moment and when == "torn":
            text = step.model_dump_json()
            journal._file.write(text[: len(text) // 2])
            journal._file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        write(journal, step)
        if count == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    return append


def clean(asked: dict[str, Any], parts: Services) -> dict[str, Any]:
    """The run, or the rest of it; its summary."""
    folder = Path(asked["folder"])
    past = read_past(folder) if asked["resume"] else None
    if past is not None:
        request, opened = past.request(limits=asked.get("raised")), past.open()
    else:
        limits = RunLimits(max_repairs=1, **asked["limits"])
        request = RunRequest(data=Path(asked["data"]), out=folder, chunk_rows=10, sampling="sequential", limits=limits)
        opened = request.check()
    proposer: Proposer = ByContent(several=asked.get("several", False))
    if "server" in asked:
        choice = model_choice.ModelChoice(
            model="openai/scripted",
            api_base=asked["server"],
            protocol="xml",
            patience_s=0.0,
            budget=BudgetLimits(max_calls=asked.get("max_calls")),
        )
        proposer = bootstrap.proposer(choice, Policy(), past.used if past else None)
    summary = CleaningJob(request, opened, parts, proposer, Callbacks(), past=past).run()
    return summary.model_dump(mode="json")


def in_child(asked: dict[str, Any], parts: Services) -> dict[str, Any]:
    """Run it in a forked child; how that ended."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        code = 0
        try:
            Journal.append = killed_at(Journal.append, asked["moment"], asked["when"])  # type: ignore[method-assign, assignment]  # as a test does
            answer = clean(asked, parts)
        except BaseException:  # noqa: BLE001 - told to the test
            answer, code = {"error": traceback.format_exc()}, 1
        os.write(writer, json.dumps(answer).encode())
        os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        told = answers.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return {"status": status, "answer": json.loads(told) if told else {}}


def warm(parts: Services) -> None:
    """Run once in this process, against a server that is not there, so that children find everything imported."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "warm.csv"
        data.write_text("a\n" + '" xa"\n' * 20)
        asked = {"folder": folder + "/builtin", "data": str(data), "limits": {}, "resume": False}
        clean(asked, parts)
        with contextlib.suppress(ModelUnavailable):
            clean(asked | {"folder": folder + "/model", "server": "http://127.0.0.1:9/v1"}, parts)


def serve() -> None:
    """Answer the test's lines until it closes the pipe."""
    policy = Policy()
    with LentSandbox() as sandbox, DisposableProcess(decode_entry.ENTRY) as decoder:
        gate = ScriptedGate({"bad_b": Outcome.FAIL})
        parts = Services(sandbox, lambda: gate, decoder, policy, "policy", bootstrap.open_registry)
        decoder.start()
        warm(parts)
        for line in sys.stdin:
            sandbox.lend()
            print(json.dumps(in_child(json.loads(line), parts)), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    serve()
