"""What each name in a source stands for: an imported module, something else of the source, or a builtin.

Called by the screen. It follows Python's rules of scope, and where a name could be two things at run time (a class
body reads the outer name until its own is bound), it says so instead of guessing.
"""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

BUILTINS = frozenset(dir(builtins)) | {"copyright", "credits", "exit", "help", "license", "quit"}
_IMPORTED = {"pd": "import pandas as pd", "np": "import numpy as np"}  # by the names that everybody gives them


class Means(Enum):
    """What a name that is read stands for."""

    MODULE = auto()
    DEFINED = auto()  # a function or class of the source, or what `from module import name` gave, and nothing else
    VALUE = auto()
    OUTSIDE = auto()  # a builtin or nothing; also where a module or class binds the name of a builtin, perhaps later
    UNCLEAR = auto()  # a module and something else


@dataclass
class Scope:
    """The names that one module, class, function or comprehension binds."""

    parent: "Scope | None"
    kind: str = "function"  # or `module`, `class`, `comprehension`
    modules: dict[str, set[str]] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)

    def binds(self, name: str) -> bool:
        return name in self.modules or name in self.imported or name in self.defined or name in self.values


class Names:
    """The scopes of a syntax tree. Which names are modules follows from `known`, the modules that may be imported."""

    def __init__(self, tree: ast.Module, known: frozenset[str]) -> None:
        self._known = known
        self._top = Scope(None, "module")
        self._of: dict[int, Scope] = {}
        self._sources: dict[str, set[str]] = {}
        self._all(tree.body, self._top)

    def sources_of(self, name: str) -> frozenset[str]:
        """`module.name` for all that the name was imported as, anywhere in the source."""
        return frozenset(self._sources.get(name, ()))

    def knows(self, node: ast.AST) -> bool:
        """Whether the node was reached: what this module does not know of a newer Python is refused by the screen."""
        return id(node) in self._of

    def in_class(self, node: ast.AST) -> bool:
        """Whether the node stands in the body of a class, outside its methods."""
        return self._of[id(node)].kind == "class"

    def meaning(self, node: ast.Name) -> tuple[Means, str]:
        """What the name stands for where it is read, and its path if that is a module."""
        name = node.id
        found = [scope for scope in self._readable(name, self._of[id(node)]) if scope.binds(name)]
        modules = {path for scope in found for path in scope.modules.get(name, ())}
        if modules:
            other = any(name in s.values or name in s.defined or name in s.imported for s in found)
            return (Means.UNCLEAR, name) if other or len(modules) > 1 else (Means.MODULE, modules.pop())
        inside = any(scope.kind in {"function", "comprehension"} for scope in found)
        if not found or (not inside and name in BUILTINS):
            return Means.OUTSIDE, name
        if not any(name in scope.values for scope in found):
            return Means.DEFINED, name
        return Means.VALUE, name

    def _readable(self, name: str, scope: Scope) -> Iterator[Scope]:
        """The scopes that may give the name its value at run time, from the inside out."""
        at: Scope | None = scope
        while at is not None:
            if name in at.globals:
                yield self._top
                return
            if name in at.nonlocals or not at.binds(name) or (at.kind == "class" and at is not scope):
                at = at.parent
                continue
            yield at
            if at.kind != "class":  # a class body reads the outer name until its own is bound
                return
            at = at.parent

    # --- binding ---
    def _all(self, nodes: list[ast.stmt], scope: Scope) -> None:
        for node in nodes:
            self._visit(node, scope)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        self._of[id(node)] = scope
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                (scope.values if node.decorator_list else scope.defined).add(node.name)
                self._function(node, scope)
                return
            case ast.Lambda():
                self._function(node, scope)
                return
            case ast.ClassDef():
                (scope.values if node.decorator_list else scope.defined).add(node.name)
                for outside in (*node.decorator_list, *node.bases, *node.keywords):
                    self._visit(outside, scope)
                self._all(node.body, Scope(scope, "class"))
                return
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._comprehension(node, scope)
                return
            case ast.Import() | ast.ImportFrom():
                self._imports(node, scope)
            case ast.NamedExpr(target=ast.Name(id=name)):
                outer = scope
                while outer.kind == "comprehension" and outer.parent is not None:
                    outer = outer.parent
                outer.values.add(name)
                self._of[id(node.target)] = outer
                self._visit(node.value, scope)
                return
            case ast.Name(ctx=ast.Store() | ast.Del()):
                scope.values.add(node.id)
            case ast.Global():
                scope.globals.update(node.names)
                self._top.values.update(node.names)
            case ast.Nonlocal():
                scope.nonlocals.update(node.names)
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                scope.values.add(name)
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                scope.values.add(name)
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        inner = Scope(scope)
        arguments = node.args
        self._of[id(arguments)] = scope
        for outside in (*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)):
            self._visit(outside, scope)
        for argument in _arguments(arguments):
            inner.values.add(argument.arg)
            self._visit(argument, scope)  # its annotation
        if isinstance(node, ast.Lambda):
            self._visit(node.body, inner)
            return
        for outside in (*node.decorator_list, *([node.returns] if node.returns else [])):
            self._visit(outside, scope)
        self._all(node.body, inner)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope) -> None:
        inner = Scope(scope, "comprehension")
        self._visit(node.generators[0].iter, scope)
        for number, generator in enumerate(node.generators):
            self._of[id(generator)] = inner
            self._visit(generator.target, inner)
            for part in (*([generator.iter] if number else []), *generator.ifs):
                self._visit(part, inner)
        for result in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self._visit(result, inner)

    def _imports(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            path = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
            if isinstance(node, ast.Import) and not alias.asname:
                path = name
            if isinstance(node, ast.ImportFrom) and path not in self._known:
                scope.imported.add(name)
                self._sources.setdefault(name, set()).add(path)
                continue
            at: Scope | None = scope
            while at is not None:  # one that is declared `global` or `nonlocal` is bound further out as well
                at.modules.setdefault(name, set()).add(path)
                at = at.parent if name in scope.globals | scope.nonlocals else None


def _arguments(node: ast.arguments) -> Iterator[ast.arg]:
    yield from (*node.posonlyargs, *node.args, *node.kwonlyargs)
    yield from (each for each in (node.vararg, node.kwarg) if each is not None)


def why_refused(name: str) -> str:
    """Why a name from outside of the source that is on no list is refused, as the end of a sentence."""
    if name not in BUILTINS:
        return "is not defined" + (f": `{_IMPORTED[name]}` is missing" if name in _IMPORTED else "")
    return "may not be used" + ("; a function returns the data, and prints nothing" if name == "print" else "")
