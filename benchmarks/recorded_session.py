"""Calls and tokens of a recorded session, one function per answer and several: `python -m benchmarks.recorded_session`.

A model that answers from tests/propose/sessions/orders.json is asked over HTTP, through LiteLLM, by the real proposer
in the real loop. It proposes a function as soon as the prompt shows the cell that the function is for, as many in one
answer as the question allows. The gate is the scripted one: it rejects the first tries that the session had rejected.
Tokens are those of all messages sent, counted with the tokenizer that LiteLLM installs.
"""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.prompt_size import INSTRUCTION, table
from orchestrator.core.verdict import Outcome
from orchestrator.data.chunks import Chunk
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.llm.litellm_chat import LiteLLMChat, load_litellm
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.run.apply.residual import Rest
from orchestrator.run.loop.loop import Loop
from orchestrator.run.loop.run_context import RunContext, RunTask
from orchestrator.run.loop.stopping import RunLimits
from tests.support.scripted_server import ScriptedServer

SESSION = Path(__file__).parents[1] / "tests" / "propose" / "sessions" / "orders.json"
ALLOWED = re.compile(r"may hold up to (\d+) functions")


class Cost(NamedTuple):
    """What a session cost, and which functions it promoted."""

    calls: int
    tokens: int
    promoted: tuple[str, ...]


class RecordedModel:
    """Answers a request as the model of the session did."""

    def __init__(self) -> None:
        self._functions: list[dict[str, Any]] = json.loads(SESSION.read_text(encoding="utf-8"))["functions"]

    def __call__(self, request: dict[str, Any]) -> str:
        said = [str(message["content"]) for message in request["messages"]]
        if "The gate " in said[-1]:
            tried = next(one for one in self._functions if f"def first_{one['name']}" in said[-1])
            return _answer([_function(tried, tried["name"])])
        asked = said[1]
        allowed = ALLOWED.search(asked)
        done = {one["name"] for one in self._functions if f'"{one["name"]}"' in asked}
        todo = [one for one in self._functions if one["name"] not in done and json.dumps(one["needs"]) in asked]
        chosen = todo[: int(allowed.group(1)) if allowed else 1]
        return _answer([_function(one, "first_" * one["repaired"] + one["name"]) for one in chosen])


def _function(one: dict[str, Any], name: str) -> str:
    code = one["code"].replace(f"def {one['name']}(", f"def {name}(")
    return (
        f"<function_to_generate><name>{name}</name><docstring>{one['issue']}</docstring>"
        f"<columns>{json.dumps([one['column']])}</columns><code><![CDATA[\n{code}]]></code></function_to_generate>"
    )


def _answer(functions: list[str]) -> str:
    status = "needs_work" if functions else "clean"
    return f"<cleaning_analysis>{''.join(functions)}<chunk_status>{status}</chunk_status></cleaning_analysis>"


def replay(**options: Any) -> Cost:
    """The session from start to end; `options` go to the proposer."""
    rows, registry = table(), MemoryRegistry()
    gate = ScriptedGate(lambda one, _: Outcome.FAIL if one.name.startswith("first_") else Outcome.PASS)
    with ScriptedServer([RecordedModel()], repeat_last=True) as server:
        chat = LiteLLMChat("scripted", api_base=server.base_url, api_key="any")
        context = RunContext(
            ModelProposer(chat, protocol="xml", **options),
            gate,
            registry,
            lambda sample, functions: Rest(sample, tuple(functions)),
            lambda _: None,
            on_check=lambda _: None,
        )
        chunk = Chunk(0, rows, rows.slice(0, 0), (), ())
        Loop(context, RunTask(instruction=INSTRUCTION), RunLimits(max_rejected=99)).run([chunk])
        sent = [request.text for request in server.requests]
    counter = load_litellm().token_counter
    return Cost(
        len(sent), sum(counter(model="", text=text) for text in sent), tuple(f.name for f in registry.functions())
    )


def main() -> None:
    """Print the figures."""
    for about, options in (("one function per answer", {"functions": 1}), ("up to four", {"functions": 4})):
        cost = replay(**options)
        print(f"{about:<25} {cost.calls:>3} calls, {cost.tokens:>7,} tokens sent, {len(cost.promoted)} promoted")


if __name__ == "__main__":
    main()
