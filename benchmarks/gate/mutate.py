"""Makes wrong functions out of good ones: one small change each, of the kinds that people and models get wrong.

The changes of edits.py are made in the syntax tree, those of tampering.py wrap the function. `detect` and the contract
stay as they are, but a helper that `detect` shares is changed for both: that is how such functions are written. Only
mutants that are proved to behave differently (witness.py) are used. Called by the bench.
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

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
    texts = [_text(tree, number) for number in range(len(tree.body))]
    types = column_types(good.data)
    for number, node, parent in _places(tree):
        for edit in EDITS:
            for kind, replacement in edit(Site(node, parent, types)):
                with _replaced(parent, node, replacement):
                    changed = _text(tree, number)
                yield kind, "\n".join((*texts[:number], changed, *texts[number + 1 :])), ""


def _text(tree: ast.Module, number: int) -> str:
    """One statement as ast.unparse writes it in its module: only the one that is changed has to be written again."""
    if number == 0:
        return ast.unparse(ast.Module([tree.body[0]], []))
    return ast.unparse(ast.Module([ast.Pass(), tree.body[number]], [])).removeprefix("pass\n")


@contextmanager
def _replaced(parent: ast.AST, node: ast.AST, replacement: ast.AST) -> Iterator[None]:
    """The tree with another node in a place, for as long as the context lasts: to copy all of it takes long."""
    for name, value in ast.iter_fields(parent):
        if value is node:
            setattr(parent, name, replacement)
            yield
            setattr(parent, name, node)
            return
        if isinstance(value, list) and any(each is node for each in value):
            at = next(n for n, each in enumerate(value) if each is node)
            value[at] = replacement
            yield
            value[at] = node
            return


def _places(tree: ast.Module) -> Iterator[tuple[int, ast.AST, ast.AST]]:
    """Every node that may be changed, with the number of its statement and its parent."""
    for number, top in enumerate(tree.body):
        match top:
            case ast.Import() | ast.ImportFrom() | ast.Expr() | ast.FunctionDef(name="detect"):
                continue
            case ast.Assign(targets=[ast.Name(id="CONTRACT")]):
                continue
        yield from ((number, node, parent) for node, parent in _below(top))


def _below(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # a docstring
        yield child, node
        yield from _below(child)
