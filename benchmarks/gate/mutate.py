"""Makes wrong functions out of good ones: one small change each, of the kinds that people and models get wrong.

The changes of edits.py are made in the syntax tree, those of tampering.py wrap the function. `detect` and the contract
stay as they are, but a helper that `detect` shares is changed for both: that is how such functions are written. Only
mutants that are proved to behave differently (witness.py) are used. Called by the bench.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from benchmarks.gate.corpus import Function
from benchmarks.gate.edits import EDITS, Site
from benchmarks.gate.tables import column_types
from benchmarks.gate.tampering import tampered


@dataclass(frozen=True)
class Mutant:
    """A wrong function. `armed` is what to run as its proof where it waits for a day or a call that a proof cannot."""

    function: Function
    armed: str = ""
    tampering: bool = False


def mutants(good: Function) -> Iterator[Mutant]:
    """All mutants of a good function, always the same in the same order."""
    numbers: dict[str, int] = {}
    seen = {ast.unparse(ast.parse(good.source))}
    edits = [(*edit, False) for edit in _edited(good)]
    for kind, source, armed, tampering in (*edits, *((*way, True) for way in tampered(good))):
        if source in seen:
            continue
        seen.add(source)
        numbers[kind] = numbers.get(kind, 0) + 1
        name = f"{good.name}~{kind}-{numbers[kind]}"
        yield Mutant(Function(name, good.data, source, kind, good.name), armed, tampering)


def _edited(good: Function) -> Iterator[tuple[str, str, str]]:
    tree = ast.parse(good.source)
    numbers = {node: number for number, node in enumerate(ast.walk(tree))}
    types = column_types(good.data)
    for node, parent in _places(tree):
        for edit in EDITS:
            for kind, replacement in edit(Site(node, parent, types)):
                whole = copy.deepcopy(tree)  # walked in the same order
                site = next(islice(ast.walk(whole), numbers[node], None))
                changed = _Replace(site, replacement).visit(whole)
                yield kind, ast.unparse(ast.fix_missing_locations(changed)), ""


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Every node that may be changed, with its parent."""
    for top in tree.body:
        match top:
            case ast.Import() | ast.ImportFrom() | ast.Expr() | ast.FunctionDef(name="detect"):
                continue
            case ast.Assign(targets=[ast.Name(id="CONTRACT")]):
                continue
        yield from _below(top)


def _below(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # a docstring
        yield child, node
        yield from _below(child)


class _Replace(ast.NodeTransformer):
    def __init__(self, place: ast.AST, replacement: ast.AST) -> None:
        self._place, self._replacement = place, replacement

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self._place:
            return self._replacement
        visited: ast.AST = self.generic_visit(node)
        return visited
