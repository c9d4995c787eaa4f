"""The screen: refuses, by looking at the syntax tree, what a cleaning function does not need.

Called by the verifier before anything runs. It rejects early and gives better feedback, but it is never the boundary:
whatever it overlooks still runs only inside a locked-down container.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence

from orchestrator.core.candidate import Candidate, Shape
from orchestrator.core.errors import CandidateError
from orchestrator.core.fitted import FIT, MERGE
from orchestrator.core.policy import ScreenPolicy
from orchestrator.core.verdict import CheckResult, Concern, Outcome
from orchestrator.gate.candidate_file import DETECT, parse
from orchestrator.gate.checks.check import Check, VerdictScope
from orchestrator.gate.checks.outcome import held, passed
from orchestrator.gate.syntax.clock import clock_reads
from orchestrator.gate.syntax.contents import contents
from orchestrator.gate.syntax.identifiers import misleading

ID = "screen"
LAW = "It is one public function with a docstring, and it imports and calls only what the policy allows."

READS_CLOCK = "reads-clock"
MAX_PROBLEMS = 5
MAX_DEPTH = 60
_COUNTS = {1: "one argument", 2: "two arguments", 3: "three arguments"}


def unreadable(error: CandidateError) -> CheckResult:
    """The result for a source in which there is no candidate."""
    return refused([". ".join(filter(None, [error.message, error.advice]))])


def refused(why: Sequence[str]) -> CheckResult:
    """The result for a candidate that is not run."""
    return CheckResult(id=ID, outcome=Outcome.FAIL, detail="; ".join(why), cases=1)


def admitted(candidate: Candidate) -> CheckResult:
    """The result for a candidate in which there are no problems: held where it asks for the time."""
    reads = clock_reads(parse(candidate.source))
    if not reads:
        return passed(ID, 1)
    concern = Concern(
        kind=READS_CLOCK,
        check=ID,
        detail=f"it asks for the time ({'; '.join(reads[:3])}), and every container has the same one",
        settles="Give it the day as a column or write it out; or confirm that nothing depends on when the exported "
        "file is run, which has the real clock.",
    )
    return held(ID, [concern], 1)


def problems(candidate: Candidate, policy: ScreenPolicy, arguments: Mapping[str, int] | None = None) -> list[str]:
    """What the screen refuses, most basic first, one sentence each; empty when it lets the candidate through.

    `arguments`: how many each public function takes, where it is another number than those of its shape take.
    """
    size = len(candidate.source.encode("utf-8", "surrogatepass"))
    if size > policy.max_source_bytes:
        return [f"the source is {size:,} bytes long; at most {policy.max_source_bytes:,} are allowed"]
    if candidate.source.count("\n") >= policy.max_lines:
        return [f"the source is longer than {policy.max_lines:,} lines"]
    tree = parse(candidate.source)
    nodes = sum(1 for _ in ast.walk(tree))
    if nodes > policy.max_nodes:
        return [f"the source has {nodes:,} syntax nodes; at most {policy.max_nodes:,} are allowed"]
    if _depth(tree) > MAX_DEPTH:
        return [f"the source is nested deeper than {MAX_DEPTH} levels"]
    found: dict[str, None] = {}
    read = misleading(candidate.source)
    for problem in (
        *_signatures(tree, candidate, arguments or _arguments(candidate)),
        *_top_level(tree),
        *read,
        *contents(tree, policy),
    ):
        found.setdefault(problem)
    return list(found)[:MAX_PROBLEMS]


def _depth(tree: ast.AST) -> int:
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return depth


def _signatures(tree: ast.Module, candidate: Candidate, known: Mapping[str, int]) -> Iterator[str]:
    names: set[str] = set()
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.name in names:
            yield f"`{node.name}` is defined more than once"
        names.add(node.name)
        wanted = known.get(node.name)
        if wanted is None:
            continue
        arguments, count = node.args, _COUNTS[wanted]
        if len(arguments.posonlyargs) + len(arguments.args) != wanted or arguments.vararg or arguments.kwarg:
            yield f"`{node.name}` must take exactly {count.replace(' ', ' positional ')}"
        elif arguments.kwonlyargs or arguments.defaults:
            yield f"`{node.name}` must take {count} without default"
        if node.decorator_list:
            yield f"`{node.name}` must not be decorated"
        if node.name == candidate.function_name and not ast.get_docstring(node):
            yield f"`{node.name}` needs a docstring that says what it does"
        if any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node)):
            yield f"`{node.name}` must return its result, not yield it"


def _arguments(candidate: Candidate) -> dict[str, int]:
    """How many arguments each public function takes."""
    if candidate.contract.shape is not Shape.FITTED:
        return {candidate.function_name: 1, DETECT: 1}
    return {candidate.function_name: 2, DETECT: 2, FIT: 1, MERGE: 2}


def _top_level(tree: ast.Module) -> Iterator[str]:
    """Only definitions may stand at module level: nothing there may act."""
    for node in tree.body:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef():
                continue
            case ast.Expr(value=ast.Constant(value=str())):
                continue
            case ast.Assign() | ast.AnnAssign() | ast.ClassDef() | ast.Pass():
                continue
            case _:
                yield f"line {node.lineno}: only imports, constants and functions may stand at module level"


def not_applicable(scope: VerdictScope) -> str:
    return "" if scope.screened else "switched off by the caller"


CHECK = Check(ID, LAW, None, not_applicable)
