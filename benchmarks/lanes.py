"""How well several chunks in flight hide everything but the model: wall time against the ideal schedule.

    python -m benchmarks.lanes [--lanes 4] [--chunks 24] [--call 2.0] [--gate whole|quick|instant]

A scripted server over HTTP answers every question after `--call` seconds; the proposer, the gate, the registry and the
sandbox are the real ones. In each chunk one function is to be found, so every chunk takes two questions, one after the
other. Ideal: nothing but these questions, the given number of them at once. A whole verdict takes some processor time,
and what hides behind the questions is no more than the processors can do in their time; `quick` verdicts leave out the
search with drawn inputs, and `instant` ones judge nothing, to see the loop alone.
"""

import argparse
import re
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from orchestrator import bootstrap, model_choice
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Gate, VerifyRequest
from orchestrator.core.steps import AnalysisStep, Step, VerificationStep
from orchestrator.core.verdict import CheckResult, Verdict
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.llm.litellm_chat import load_litellm
from orchestrator.run.events import Callbacks
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.loop.stopping import RunLimits
from orchestrator.run.request import RunRequest
from tests.support.scripted_server import Answer, ScriptedServer, slow

ROWS = 60
REPLY = """<cleaning_analysis><issues_detected><issue id="1" solved="false">blanks</issue></issues_detected>
<function_to_generate><name>trim_{column}</name><docstring>Strip blanks from {column}.</docstring>
<columns>["{column}"]</columns><detector><![CDATA[def detect(df):
    return df["{column}"].str.strip() != df["{column}"]]]></detector><code><![CDATA[def trim_{column}(df):
    out = df.copy()
    out["{column}"] = out["{column}"].str.strip()
    return out]]></code></function_to_generate><chunk_status>needs_work</chunk_status></cleaning_analysis>"""
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"


def messy(path: Path, chunks: int) -> Path:
    """A table in which chunk n has stray blanks in column n and nowhere else."""
    names = [f"c{n:02}" for n in range(chunks)]
    lines = [",".join(names)]
    for chunk in range(chunks):
        for row in range(ROWS):
            blank = " " if row % 3 == 0 else ""
            lines.append(",".join(f'"{blank if n == chunk else ""}v{n:02}-{row % 7}"' for n in range(chunks)))
    path.write_text("\n".join(lines) + "\n")
    return path


def model(seconds: float) -> Any:
    """Answers by what it is shown: the column in which it sees a stray blank, or clean."""

    def answer(request: dict[str, Any]) -> Answer:
        text = "\n".join(str(message["content"]) for message in request["messages"])
        found = re.search(r'" v(\d\d)-\d"', text)
        return slow(seconds, REPLY.format(column=f"c{found[1]}") if found else CLEAN)

    return answer


class QuickGate:
    """The gate, asked for quick verdicts only."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.read = gate.read
        self.recheck = gate.recheck

    def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        """A quick verdict."""
        return self._gate.verify(replace(request, quick=True), on_check)


def main() -> None:
    """Measure once and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lanes", type=int, default=4)
    parser.add_argument("--chunks", type=int, default=24)
    parser.add_argument("--call", type=float, default=2.0)
    parser.add_argument("--gate", choices=["whole", "quick", "instant"], default="whole")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(ScriptedServer([model(asked.call)], repeat_last=True))
        parts = stack.enter_context(bootstrap.sandboxed(Policy()))
        gates: dict[str, Gate] = {"whole": parts.gate, "quick": QuickGate(parts.gate), "instant": ScriptedGate()}
        parts = replace(parts, make_gate=partial(gates.__getitem__, asked.gate))
        choice = model_choice.ModelChoice(model="openai/scripted", api_base=server.base_url, protocol="xml")
        request = RunRequest(
            data=messy(folder / "messy.csv", asked.chunks),
            out=folder / "out",
            chunk_rows=ROWS,
            max_chunks=asked.chunks,
            sampling="sequential",
            limits=RunLimits(lanes=asked.lanes, plan_every=0),
        )
        steps: list[Step] = []
        callbacks = Callbacks()
        callbacks.register(Step, steps.append)
        cleaning = CleaningJob(request, request.check(), parts, bootstrap.proposer(choice, parts.policy), callbacks)
        load_litellm()  # start-up, not part of the schedule
        start = time.perf_counter()
        summary = cleaning.run()
        wall = time.perf_counter() - start
    calls = len(server.requests)
    ideal = -(-calls // asked.lanes) * asked.call
    judged = [step for step in steps if isinstance(step, VerificationStep)]
    asking = sum(step.seconds for step in steps if isinstance(step, AnalysisStep))
    print(f"{asked.chunks} chunks, {asked.lanes} lanes, {calls} questions of {asked.call:g} s, {asked.gate} verdicts")
    print(f"functions promoted    {len(summary.promoted)}")
    print(f"ideal schedule        {ideal:6.1f} s")
    print(f"wall time             {wall:6.1f} s   {wall / ideal:.3f} x the ideal")
    print(f"asking, all lanes     {asking:6.1f} s")
    times = [step.verdict.timings for step in judged]
    wait, sandbox, judge = (sum(getattr(t, name) for t in times) for name in ("wait_s", "sandbox_s", "judge_s"))
    print(f"verifying, all lanes  {sum(s.seconds for s in judged):6.1f} s in {len(judged)} verdicts: ", end="")
    print(f"{wait:.1f} s waiting for containers, {sandbox:.1f} s in them, {judge:.1f} s judging")


if __name__ == "__main__":
    main()
