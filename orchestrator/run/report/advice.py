"""The report's advice: what the runtime protected from, and the commands to repeat the run. Called by `render`."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.policy import Policy
from orchestrator.core.steps import RunStep
from orchestrator.data.formats import FORMATS

_READING: dict[tuple[str, ...], tuple[str, object]] = {
    ("format",): ("--format", None),
    ("encoding",): ("--encoding", None),
    ("sheet",): ("--sheet", None),
    ("array",): ("--path", None),
    ("delimiter",): ("--delimiter", None),
    ("parser",): ("--parser", None),
}
"""How the data are read, as all commands take it."""

OPTIONS: dict[tuple[str, ...], tuple[str, object]] = _READING | {
    ("shape",): ("--shape", "table"),
    ("examples",): ("--examples", None),
    ("chunk_rows",): ("--chunk-rows", 4000),
    ("max_chunks",): ("--max-chunks", 8),
    ("sampling",): ("--sampling", "random"),
    ("seed",): ("--seed", 0),
    ("on_hold",): ("--on-hold", "keep"),
    ("registry",): ("--registry", None),
    ("limits", "max_iterations"): ("--max-iterations", 60),
    ("limits", "max_repairs"): ("--max-repairs", 2),
    ("limits", "max_rejected"): ("--max-rejected", 5),
    ("limits", "lanes"): ("--lanes", 1),
    ("limits", "plan_every"): ("--plan-every", 4),
    ("model", "api_base"): ("--api-base", None),
    ("model", "protocol"): ("--protocol", "auto"),
    ("model", "timeout_s"): ("--timeout", 120.0),
    ("model", "patience_s"): ("--patience", 180.0),
    ("model", "privacy"): ("--privacy", "raw"),
    ("model", "header"): ("--header", "check"),
    ("model", "tester"): ("--tester-model", None),
    ("model", "planner"): ("--planner-model", None),
    ("model", "explorer"): ("--explorer-model", None),
    ("model", "probes"): ("--explore", 0),
    ("model", "budget", "max_calls"): ("--max-calls", None),
    ("model", "budget", "max_tokens"): ("--max-tokens", None),
    ("model", "budget", "max_cost_usd"): ("--max-cost", None),
    ("model", "budget", "max_seconds"): ("--max-seconds", None),
}
"""Options of `cleanroom run`: their keys in the journal, their names, and their defaults, which are left out."""

_ALONE = ("csv", "tsv", "jsonl", "json", "parquet")  # what cleaning_functions.py reads
_SHARED = {  # of what was shown to models, by --privacy
    "raw": "rows of the data as they are",
    "masked": "rows whose values were replaced by fakes of the same form, and column names",
    "profile": "patterns and counts of the columns, and no rows",
}
_LIMITS = (
    "no network, no privileges, a read-only file system, hard limits on time, memory, processes and output, and a "
    "container of its own for every verdict"
)
_RUNTIMES = {
    "runc": (
        f"Candidates ran in ordinary Linux containers (runc): {_LIMITS}. They shared the kernel of this machine, so an "
        "attack on a hole in the kernel itself is what this tier does not stop. Where that matters, use gVisor or "
        "virtual machines as the runtime."
    ),
    "runsc": (
        "Candidates ran under gVisor (runsc): a kernel in user space answered their system calls, so that this "
        f"machine's kernel was out of their direct reach; on top of that {_LIMITS}. A hole in gVisor itself, together "
        "with one in the kernel, is what this tier does not stop."
    ),
    "kata": (
        "Candidates ran in light virtual machines (Kata): a kernel of their own stood between them and this machine; "
        f"on top of that {_LIMITS}. A hole in the hypervisor is what this tier does not stop."
    ),
}
_UNKNOWN = "Candidates ran under a runtime that this version of cleanroom does not know: judge it yourself."


def protection(sandboxes: Sequence[SandboxInfo]) -> list[str]:
    """One sentence for each runtime that was used."""
    return [_RUNTIMES.get(runtime, _UNKNOWN) for runtime in dict.fromkeys(sandbox.runtime for sandbox in sandboxes)]


def commands(opening: RunStep, out: str) -> list[tuple[str, str]]:
    """The purpose and the command line of each: apply, apply without cleanroom, verify, run again.

    Without cleanroom no file is read but those that the exported file knows by their names.
    """
    folder = out or str(opening.configuration.get("out") or "OUT")
    data, aside = opening.data, opening.configuration.get("quarantine") is True
    known = FORMATS.get(opening.data_format)
    written = (known.written or known.suffixes[0]) if known else ".parquet" if "://" in data else ".csv"
    again = ["cleanroom", "run", data, "--model", opening.proposer]
    if opening.instruction:
        again += ["-i", opening.instruction]
    again += _options(opening.configuration)
    how = [*_said(opening.configuration, _READING)]
    rest = ["--quarantine", f"rest{written}"] if aside else []
    judged = shlex.join(["--data", data, *how, *rest])
    told = [
        (
            "Apply the functions to other data, in the sandbox",
            shlex.join(["cleanroom", "apply", data, *how, *rest, "--functions", folder, "-o", f"again{written}"]),
        ),
        ("Judge every one of them again", f"cleanroom verify {shlex.quote(folder)}/registry/sources/*.py {judged}"),
        ("Do the whole run again", shlex.join(again)),
    ]
    named = {*how[::2]} <= {"--encoding", "--delimiter"}
    if named and opening.data_format in _ALONE and "://" not in data and not aside:
        alone = shlex.join(["python", f"{folder}/cleaning_functions.py", data, f"again{written}", *how])
        told.insert(1, ("Apply them without cleanroom, in your own process", alone))
    return told


def _options(configuration: Mapping[str, Any]) -> Iterator[str]:
    """The options of the run that were not the default. Files that the journal has only the content of are named."""
    yield from _said(configuration, OPTIONS)
    if configuration.get("quarantine") is True:
        yield "--quarantine"
    if configuration.get("conventions"):
        yield from ("--conventions", "CONVENTIONS.yaml")
    policy = {**_POLICY, **configuration.get("policy", {})}
    if policy["strict"]:
        yield "--strict"
    if policy | {"strict": False} != _POLICY:
        yield from ("--policy", "POLICY.yaml")


def _said(configuration: Mapping[str, Any], options: Mapping[tuple[str, ...], tuple[str, object]]) -> Iterator[str]:
    for path, (option, default) in options.items():
        value = _at(configuration, path)
        if value is not None and value != default:
            yield from (option, str(value))


_POLICY = Policy().model_dump(mode="json")


def _at(configuration: Mapping[str, Any], path: Sequence[str]) -> Any:
    value: Any = configuration
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def shared(opening: RunStep, models: Sequence[str]) -> str:
    """Which data was sent to which models; empty if no model was asked."""
    if not models:
        return ""
    choice = opening.configuration.get("model")
    choice = choice if isinstance(choice, Mapping) else {}
    what = _SHARED.get(str(choice.get("privacy")), "what its --privacy allowed")
    where = f" at {choice['api_base']}" if choice.get("api_base") else ""
    return f"Models ({', '.join(models)}{where}) were shown {what}."


def settings(configuration: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The run's settings, one per line, without unset ones and without those shown elsewhere in the report."""
    for key, value in sorted(configuration.items()):
        if key in {"data", "instruction"}:
            continue
        if isinstance(value, Mapping):
            yield from ((f"{key}: {name}", inner) for name, inner in settings(value))
        elif value not in (None, [], ""):
            yield key, value
