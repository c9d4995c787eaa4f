"""Loads the corpus: the good functions of `good/`, the hand-written wrong ones of `wrong.yaml`, and samples for them.

    from benchmarks.gate.corpus import good, sample
    for function in good():
        verdict = gate.verify(VerifyRequest(function.source, sample(function)))

A good function is a candidate file as `cleanroom verify` takes it; its first line names the table of tables.py, or the
records of records.py, that it is for. Called by the bench, by the mutation and by tests.
"""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.gate.records import RECORDS, record_table
from benchmarks.gate.tables import table
from benchmarks.gate.yaml_files import read_yaml
from orchestrator.core.parsing import parse_python
from orchestrator.core.ports import Sample
from orchestrator.gate.candidate_file import read

HERE = Path(__file__).parent
WORKING_ROWS, HOLDOUT_ROWS = 150, 50


@dataclass(frozen=True)
class Function:
    """One labelled function. `kind`: its class in the bench's table; `of`: the good one that it is a wrong form of.

    `witness`: what is wrong with it, where it was written by hand for a good one.
    """

    name: str
    data: str
    source: str
    kind: str
    of: str = ""
    witness: str = ""

    @property
    def shape(self) -> str:
        return _shape(self.source)


@cache
def _shape(source: str) -> str:
    """Kept: a bench asks for the shapes of all functions again and again, to sort them and to choose some."""
    return str(read(source).contract.shape)


@cache
def good() -> tuple[Function, ...]:
    """Every good function, in the order of their names."""
    return tuple(_function(path) for path in sorted((HERE / "good").glob("*.py")))


def _function(path: Path) -> Function:
    source = path.read_text()
    first, _, rest = source.partition("\n")
    return Function(path.stem, first.removeprefix("# data:").strip(), rest, path.stem.split("_")[0])


@cache
def wrong_by_hand() -> tuple[Function, ...]:
    """The hand-written wrong functions; one with `of` takes the place of that good function beside its detect."""
    made = []
    known = {function.name: function for function in good()}
    for entry in read_yaml(HERE / "wrong.yaml"):
        of = known[entry["of"]] if "of" in entry else None
        data = of.data if of else entry["data"]
        source = instead(of.source, entry["source"]) if of else entry["source"]
        made.append(
            Function(entry["name"], data, source, entry["kind"], of.name if of else "", entry.get("witness", ""))
        )
    return tuple(made)


def instead(source: str, other: str) -> str:
    """The candidate with the definitions in `other` instead of its own: of its function, or of a helper."""
    definitions = ast.parse(other).body
    names = {node.name for node in definitions if isinstance(node, ast.FunctionDef)}
    replaced = names if all(name.startswith("_") for name in names) else {*names, read(source).name}
    tree = ast.parse(source)
    kept = [node for node in tree.body if not (isinstance(node, ast.FunctionDef) and node.name in replaced)]
    return ast.unparse(ast.Module([*kept, *definitions], []))


def detect_of(source: str) -> list[str]:
    """`detect` and every definition of the source that it reaches, as text."""
    definitions: dict[str, ast.stmt] = {}
    for node in parse_python(source).body:  # threads of the bench ask for it, while others read candidates
        if isinstance(node, ast.FunctionDef):
            definitions[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            definitions[node.targets[0].id] = node
    reached, waiting = {"detect"}, ["detect"]
    while waiting:
        top = definitions.get(waiting.pop(), ast.Pass())
        names = {inner.id for inner in ast.walk(top) if isinstance(inner, ast.Name)} & definitions.keys() - reached
        reached |= names
        waiting += names
    return [ast.unparse(definitions[name]) for name in sorted(reached & definitions.keys())]


@cache
def sample(data: str, seed: int = 1) -> Sample:
    """The rows that a function of this table, or of these records, is judged on."""
    draw = record_table if data in RECORDS else table
    return Sample(draw(data, WORKING_ROWS, seed), draw(data, HOLDOUT_ROWS, seed + 1))
