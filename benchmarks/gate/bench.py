"""How good is the gate? Judges every function of the corpus and says what it caught, missed and wrongly rejected.

    python -m benchmarks.gate.bench [NAME] [--local] [--quick] [--every N] [--json FILE]

A function is judged as it stands, and once more without its examples where it has a `detect`: how much a gate can see
depends on what the proposer hands in. A good one is judged again with a user's examples, which settle concerns.

All of it in containers takes more than an hour. So all wrong functions are judged first without containers and without
the checks that take seconds, which are some of the same checks: only what is not rejected there is judged by all checks
in containers. Good functions have to pass all checks, so every SAMPLED-th of them is judged in containers, of meaning
every SAMPLED_OF_MEANING-th, good or wrong; and all functions of meaning by the check on information alone, in this
process and one beside it. NAME picks the functions whose names contain it, all of which are judged by all checks;
--every N every N-th function.
"""

import argparse
import ast
import json
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.gate.corpus import Function, detect_of, good, sample
from benchmarks.gate.in_process import suspected
from benchmarks.gate.meaning import meanings
from benchmarks.gate.summary import USERS, report
from benchmarks.gate.wrong_functions import wrong_functions
from orchestrator import bootstrap
from orchestrator.core.candidate import Example
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Gate, VerifyRequest
from orchestrator.core.verdict import CheckResult, Concern, Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.candidate_file import read
from orchestrator.gate.judge.judge_entry import ENTRY
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

SEED = 20261120
SAMPLED, SAMPLED_OF_MEANING = 3, 40
JOBS = 2
REJECTED = ("fail", "hold")


@dataclass(frozen=True)
class Trial:
    """A function as it is judged. `tier`: what is handed in for its judgement; `witness`: proof that it is wrong.

    `examples`: the user's. `meaning`: whether it is of the part of the corpus that is about meaning; `held_out`: of
    the files of that part which nobody looks at while the gate is tuned.
    """

    function: Function
    tier: str
    witness: str = ""
    examples: tuple[Example, ...] = ()
    meaning: bool = False
    held_out: bool = False


@dataclass(frozen=True)
class Judged:
    """What the gate said of one trial."""

    name: str
    kind: str
    tier: str
    wrong: bool
    verdict: str
    checks: tuple[str, ...]
    detail: str
    witness: str
    seconds: float
    same_detect: bool = True  # a mutant whose detect asks what the good function's asks
    shape: str = "table"
    meaning: bool = False
    held_out: bool = False
    by_one_check: bool = False  # in this process, and not by all


def trials(name: str = "", every: int = 1) -> list[Trial]:
    """All that is to be judged, good functions first, and those of tables before those of records and texts."""
    chosen = [Trial(function, "") for function in good() if name in function.name]
    chosen += [Trial(wrong.function, "", wrong.witness) for wrong in wrong_functions(name)]
    chosen.sort(key=lambda trial: trial.function.shape != "table")
    return [tiered for trial in chosen[::every] for tiered in _tiers(trial)]


def trials_of_meaning(name: str = "") -> list[Trial]:
    """The functions of meaning, good and wrong, without and with a user's examples."""
    made = []
    for one in meanings():
        function = Function(one.name, one.name, one.source, one.kind)
        trial = Trial(function, "detect only", meaning=True, held_out=one.held_out)
        made += [trial, replace(trial, tier=USERS, examples=one.examples)]
        for wrong in one.wrong:
            edited = replace(function, name=wrong.name, source=wrong.source, kind=wrong.kind, of=one.name)
            mistaken = replace(trial, function=edited, witness="edited by hand")
            made += [mistaken, replace(mistaken, tier=USERS, examples=one.examples)]
    return [trial for trial in made if name in trial.function.name]


def _tiers(trial: Trial) -> Iterator[Trial]:
    source = trial.function.source
    candidate = read(source)
    shown = bool(candidate.contract.examples)
    if shown and not trial.witness:
        yield replace(trial, tier=USERS, examples=candidate.contract.examples)
    if not candidate.has_detect:
        yield replace(trial, tier="examples only" if shown else "neither")
        return
    if shown:
        yield replace(trial, tier="detect + examples")
    yield replace(trial, function=replace(trial.function, source=without_examples(source)), tier="detect only")


def without_examples(source: str) -> str:
    """The candidate without the examples of its contract."""
    tree = ast.parse(source)
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CONTRACT":
            contract = ast.literal_eval(node.value)
            contract.pop("examples", None)
            node.value = ast.parse(repr(contract), mode="eval").body
    return ast.unparse(tree)


def judged(gate: Gate, trial: Trial, *, quick: bool) -> Judged:
    """Have one trial judged."""
    started = time.perf_counter()
    rows = sample(trial.function.data)
    verdict = gate.verify(VerifyRequest(trial.function.source, rows, examples=trial.examples, quick=quick))
    return _judged(trial, str(verdict.verdict), verdict.failures, verdict.concerns, started)


def judged_in_process(trial: Trial) -> Judged:
    """Have the check on information alone judge one trial, in this process. What raises there fails."""
    started = time.perf_counter()
    try:
        result = suspected(trial.function.source, trial.function.data, trial.examples)
    except Exception as error:  # noqa: BLE001 - whatever a wrong function raises
        raised = CheckResult(id="executed", outcome=Outcome.FAIL, detail=f"it raised {error!r}"[:200])
        return replace(_judged(trial, "fail", (raised,), (), started), by_one_check=True)
    failures = (result,) if result.outcome is Outcome.FAIL else ()
    said = _judged(trial, str(result.outcome), failures, result.concerns, started)
    return replace(said, by_one_check=True)


def _judged(
    trial: Trial, verdict: str, found: Sequence[CheckResult], concerns: Sequence[Concern], started: float
) -> Judged:
    why = [failure.detail for failure in found] or [concern.detail for concern in concerns]
    return Judged(
        name=trial.function.name,
        kind=trial.function.kind,
        tier=trial.tier,
        wrong=bool(trial.witness),
        verdict=verdict,
        checks=tuple(failure.id for failure in found) or tuple(concern.kind for concern in concerns),
        detail=why[0] if why else "",
        witness=trial.witness,
        seconds=time.perf_counter() - started,
        same_detect=_same_detect(trial.function),
        shape=trial.function.shape,
        meaning=trial.meaning,
        held_out=trial.held_out,
    )


def _same_detect(function: Function) -> bool:
    parent = next((one for one in good() if one.name == function.of), None)
    return parent is None or detect_of(function.source) == detect_of(parent.source)


@contextmanager
def gates(count: int, *, local: bool) -> Iterator[list[Gate]]:
    """As many gates as judge at the same time."""
    policy = Policy()
    with ExitStack() as stack:
        if not local:
            yield [stack.enter_context(bootstrap.sandboxed(policy)).gate] * count
            return
        made: list[Gate] = []
        for _ in range(count):
            sandbox, judge = stack.enter_context(LocalSandbox()), stack.enter_context(DisposableProcess(ENTRY))
            made.append(Verifier(sandbox, judge, policy, seed=lambda: SEED))
        yield made


def run(chosen: Sequence[Trial], *, local: bool, quick: bool) -> list[Judged]:
    """Judge them, JOBS at a time; in their order."""
    with gates(JOBS, local=local) as made, ThreadPoolExecutor(JOBS) as pool:
        parts = list(pool.map(lambda n: [judged(made[n], one, quick=quick) for one in chosen[n::JOBS]], range(JOBS)))
        return [parts[number % JOBS][number // JOBS] for number in range(len(chosen))]


def rejected_early(chosen: Sequence[Trial]) -> tuple[list[Judged], list[Trial]]:
    """The wrong functions that are rejected without containers, and those that have to be judged in them.

    Malicious ones never run outside of containers.
    """
    wrong = [trial for trial in chosen if trial.witness and trial.function.kind != "malicious"]
    first = list(zip(wrong, run(wrong, local=True, quick=True), strict=True))
    left = [trial for trial, said in first if said.verdict not in REJECTED]
    malicious = [trial for trial in chosen if trial.function.kind == "malicious"]
    return [said for _, said in first if said.verdict in REJECTED], left + malicious


def main() -> None:
    parser = argparse.ArgumentParser(description="How good is the gate?")
    parser.add_argument("name", nargs="?", default="", help="only functions whose name contains this")
    parser.add_argument("--local", action="store_true", help="without containers: quicker, the same laws")
    parser.add_argument("--quick", action="store_true", help="without the checks `properties` and `resources`")
    parser.add_argument("--every", type=int, help=f"every N-th function by all checks, of meaning, too ({SAMPLED})")
    parser.add_argument("--json", type=Path, help="write every verdict to this file")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # escapes in the sources of mutants
    every = options.every or (1 if options.name else SAMPLED)
    of_meaning = options.every or (1 if options.name else SAMPLED_OF_MEANING)
    meant = trials_of_meaning(options.name)
    chosen, early = trials(options.name, every), list[Judged]()
    if not (options.name or options.every or options.local):
        print("Judging without containers first, then in them: about 20 minutes on two processors", flush=True)
        early, left = rejected_early(trials())
        chosen = [trial for trial in chosen if not trial.witness] + left
    by_all = [trial for trial in meant if not (trial.witness and trial.tier == USERS)][::of_meaning]
    results = early + run(chosen + by_all, local=options.local, quick=options.quick)
    with ProcessPoolExecutor(JOBS) as pool:
        alone = list(pool.map(judged_in_process, meant, chunksize=16))
    if options.json:
        options.json.write_text(json.dumps([asdict(one) for one in (*results, *alone)], indent=1))
    where = "without containers" if options.local else "in containers"
    some = f"every {every}. function, of meaning every {of_meaning}. one"
    if early:
        some = f"wrong functions, of which {len(early)} were rejected without containers; of the good ones {some}"
    print(f"By all checks, {where}: {some}\n\n{report(results)}")
    if alone:
        print(f"\n\nBy the check keeps-information alone, in this process: all of meaning\n\n{report(alone)}")


if __name__ == "__main__":
    main()
