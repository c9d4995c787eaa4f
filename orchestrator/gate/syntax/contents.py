"""What may stand inside a candidate: which modules, names, attributes and calls. Called by the screen.

The rule that the others rest on: a module is never a value. Its name may only stand before a dot, and what follows the
dot is on the module's surface list. So no module can be passed on, stored or renamed, and none can be reached through
another one.
"""

import ast
from collections.abc import Iterator
from fnmatch import fnmatchcase

from orchestrator.core.policy import ScreenPolicy
from orchestrator.gate.syntax.bindings import Bindings
from orchestrator.gate.syntax.classes import Classes
from orchestrator.gate.syntax.facts import (
    bound_names,
    constant_texts,
    dunder,
    dunder_text,
    fields,
    own_attributes,
    parts,
    plain_name,
    reserved,
    starred,
)
from orchestrator.gate.syntax.scopes import Means, Names, why_refused
from orchestrator.gate.syntax.surface import Surface, instead_of, others_private, unlisted, what_is_there
from orchestrator.gate.syntax.words import (
    ALLOWED_TO,
    ARGUMENTS,
    ATTRIBUTES,
    BUILTINS,
    BY_NAME,
    CALLS_BY_NAME,
    CALLS_BY_NAME_OPTIONS,
    MAKES_FUNCTIONS,
    METHODS,
    PIVOT_OPTIONS,
    PIVOTS,
    PRIVATE,
    SPECIAL,
)

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SHARED = "it is not this source's, and others in the process use it"


def contents(tree: ast.Module, policy: ScreenPolicy) -> Iterator[str]:
    """What is refused, one sentence each with its line, in the order of the syntax tree."""
    yield from _Contents(tree, policy).problems()


class _Contents:
    def __init__(self, tree: ast.Module, policy: ScreenPolicy) -> None:
        self._tree = tree
        self._imports = policy.imports
        self._surface = Surface(policy.surface)
        self._names = Names(tree, self._surface.modules)
        self._parents = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self._own = own_attributes(tree)
        self._texts = constant_texts(tree)
        self._bindings = Bindings(tree, self._plainly_callable)
        self._classes = Classes(
            tree, self._names, self._parents, self._path, self._in_annotation, self._plainly_callable
        )

    def problems(self) -> Iterator[str]:
        for node in ast.walk(self._tree):
            for problem in self._node(node):
                line = getattr(node, "lineno", None) or getattr(self._parents.get(id(node)), "lineno", 0)
                yield f"line {line}: {problem}"

    def _node(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.expr | ast.stmt) and not self._names.knows(node):
            yield "this is syntax that the screen does not know"
            return
        yield from self._classes.problems(node)
        yield from (f"the name `{name[:80]}` may not be used" for name in bound_names(node) if reserved(name))
        match node:
            case ast.Import() | ast.ImportFrom():
                if self._names.in_class(node):
                    yield "import modules outside of classes"
                yield from self._import(node) if isinstance(node, ast.Import) else self._import_from(node)
            case ast.Name(id=name):
                yield from self._name(node) if not reserved(name) else (f"`{name[:80]}` may not be used",)
            case ast.Attribute():
                yield from self._attribute(node)
            case ast.Constant(value=str() as text) if dunder_text(text):
                yield f"the text {text[:60]!r} names a special attribute"
            case ast.Subscript(value=base, ctx=ast.Store() | ast.Del()) if self._of_others(base):
                yield f"`{ast.unparse(node)[:80]}` may not be changed: {_SHARED}"
            case ast.Call():
                yield from self._call(node)
            case ast.MatchClass(kwd_attrs=names):
                for name in names:
                    yield from self._attribute_name(name)
            case ast.ClassDef(keywords=keywords) if any(each.arg in {None, "metaclass"} for each in keywords):
                yield "a class may not have a metaclass"
            case ast.FunctionDef(name=name) if dunder(name) and name not in METHODS:
                yield f"the special method `{name[:80]}` may not be defined"
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                yield "asynchronous code is not allowed"

    # --- modules ---
    def _import(self, node: ast.Import) -> Iterator[str]:
        for alias in node.names:
            yield from self._module(alias.name)

    def _import_from(self, node: ast.ImportFrom) -> Iterator[str]:
        module = "." * node.level + (node.module or "")
        refused = list(self._module(module))
        yield from refused
        for alias in node.names if not refused else ():
            name, path = alias.name, f"{module}.{alias.name}"
            if name == "*":
                yield "import the names that are used, not `*`"
            elif path in self._surface.modules:
                yield from self._module(path)
            elif not self._surface.allows(module, name):
                yield f"`{path[:80]}` may not be imported{what_is_there(module)}"

    def _module(self, path: str) -> Iterator[str]:
        private = any(part.startswith("_") for part in path.split(".")) and path != "__future__"
        if private or not any(fnmatchcase(path, pattern) for pattern in self._imports):
            yield f"module `{path[:80]}` may not be imported{instead_of(path)}"
        elif not self._surface.has(path):
            yield f"module `{path[:80]}` may not be imported{unlisted(path)}"

    def _path(self, node: ast.expr) -> str | None:
        """The module that the expression is, if it is one."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            means, path = self._names.meaning(node)
            return path if means is Means.MODULE else None
        if isinstance(node, ast.Attribute) and (base := self._path(node.value)) is not None:
            path = f"{base}.{node.attr}"
            return path if path in self._surface.modules else None
        return None

    def _before_dot(self, node: ast.expr) -> bool:
        parent = self._parents.get(id(node))
        return isinstance(parent, ast.Attribute) and isinstance(parent.ctx, ast.Load)

    # --- names ---
    def _name(self, node: ast.Name) -> Iterator[str]:
        if not isinstance(node.ctx, ast.Load):
            return
        means, _ = self._names.meaning(node)
        name = node.id
        if means is Means.MODULE and not self._before_dot(node):
            yield f"the module `{name[:80]}` may only stand before a dot"
        elif means is Means.UNCLEAR:
            yield f"`{name[:80]}` is a module and something else; give one of them another name"
        elif means is Means.OUTSIDE and name not in BUILTINS:
            yield f"`{name[:80]}` {why_refused(name)}"
        elif means is Means.OUTSIDE and name in BY_NAME and not self._called(node):
            yield f"`{name}` may only be called, with the attribute's name written out"
        elif means is Means.OUTSIDE and name == "type" and not self._harmless_type(node):
            yield "`type` may only be asked for the type of one value"

    def _called(self, node: ast.expr) -> bool:
        parent = self._parents.get(id(node))
        return isinstance(parent, ast.Call) and parent.func is node

    def _harmless_type(self, node: ast.Name) -> bool:
        """Whether no class can be made by it: `type` of three arguments would."""
        parent = self._parents.get(id(node))
        match parent:
            case ast.Compare():
                return True
            case ast.Call(func=func, args=[argument], keywords=[]) if func is node:
                if isinstance(argument, ast.Starred) or self._plainly_callable(argument):
                    return False
                outer = self._parents.get(id(parent))
                if not isinstance(outer, ast.Call) or outer.func is not parent:
                    return True
                return len(outer.args) <= 1 and not outer.keywords and not starred(outer)
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass")):
                return True
            case ast.Call(func=ast.Attribute(attr="map" | "apply"), args=[_], keywords=[]):
                return True
            case _:
                return self._in_annotation(node)

    def _in_annotation(self, node: ast.AST) -> bool:
        inner = node
        while not isinstance(node, ast.stmt | ast.arg | ast.Call):
            inner, node = node, self._parents[id(node)]
        if isinstance(node, ast.AnnAssign | ast.arg):
            return node.annotation is inner
        return isinstance(node, _DEFINITIONS) and node.returns is inner

    # --- attributes ---
    def _attribute(self, node: ast.Attribute) -> Iterator[str]:
        base, name = self._path(node.value), node.attr
        if base is None:
            yield from self._attribute_name(name, written_out=True)
            if name in CALLS_BY_NAME | PIVOTS and not self._called(node):
                yield f"`.{name}` may only be called"
            if name == "format":
                yield from self._format(node.value)
            if (name == "register" or not isinstance(node.ctx, ast.Load)) and self._of_others(node.value):
                yield f"`.{name[:80]}` may not be {'used' if name == 'register' else 'changed'}: {_SHARED}"
        elif not isinstance(node.ctx, ast.Load):
            yield f"`{base}.{name[:80]}` may not be changed"
        elif self._path(node) is not None:
            if not self._before_dot(node):
                yield f"the module `{base}.{name[:80]}` may only stand before a dot"
        elif not self._surface.allows(base, name):
            yield f"`{base}.{name[:80]}` may not be used{what_is_there(base)}"

    def _of_others(self, node: ast.expr) -> bool:
        """Whether this is plainly a class or an object of a module, or the type of a value: not of the source's own."""
        while isinstance(node, ast.Attribute):
            if self._path(node.value) is not None:
                return True
            node = node.value
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "type"
        if not isinstance(node, ast.Name):
            return False
        means, name = self._names.meaning(node)
        return (means is Means.OUTSIDE and name in BUILTINS) or bool(self._names.sources_of(name))

    def _attribute_name(self, name: str, *, written_out: bool = False) -> Iterator[str]:
        """What is wrong with reading this attribute of a value; not written out: by a text or a pattern."""
        if dunder(name):
            if name not in SPECIAL:
                yield f"the special attribute `{name[:80]}` may not be used"
        elif name in ATTRIBUTES or (not written_out and (name == "format" or name in CALLS_BY_NAME | PIVOTS)):
            yield f"`.{name}` may not be used"
        elif name.startswith("read_"):
            yield f"`.{name[:80]}` reads from outside; the data is the argument"
        elif name.startswith("to_") and name not in ALLOWED_TO:
            yield f"`.{name[:80]}` writes to the outside; return the data instead"
        elif name.startswith("_") and name not in PRIVATE and (name not in self._own or name in others_private()):
            yield f"the private attribute `{name[:80]}` may not be used"

    def _format(self, template: ast.expr) -> Iterator[str]:
        """A template's fields can read attributes: only a template that stands in the source shows which."""
        texts: list[object] | None = [template.value] if isinstance(template, ast.Constant) else None
        if isinstance(template, ast.Name):
            texts = self._texts.get(template.id)
        if texts is None or not all(isinstance(text, str) for text in texts):
            yield "`.format` needs its text written out; use an f-string instead"
            return
        for text in texts:
            for name in fields(str(text)):
                yield from self._attribute_name(name)

    # --- calls ---
    def _call(self, node: ast.Call) -> Iterator[str]:
        yield from (f"the argument `{each.arg}` may not be used" for each in node.keywords if each.arg in ARGUMENTS)
        match node.func:
            case ast.Name(id=name) if name in BY_NAME:
                if len(node.args) < 2 or not plain_name(node.args[1]):
                    yield "getattr needs a plain attribute name written out"
                else:
                    yield from self._attribute_name(node.args[1].value)  # type: ignore[attr-defined] # _plain_name
            case ast.Attribute(attr=name) if name in CALLS_BY_NAME and self._path(node.func.value) is None:
                yield from self._calls_by_name(node, name)
            case ast.Attribute(attr=name) if name in PIVOTS:
                if starred(node) or any(each.arg not in PIVOT_OPTIONS for each in node.keywords):
                    yield f"`.{name}` may not be given arguments for what it calls"

    def _calls_by_name(self, node: ast.Call, name: str) -> Iterator[str]:
        """pandas takes a method's name as text: it must be one that may be called, or plainly be a function."""
        given = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "func")]
        for text in (inner.value for each in given for inner in parts(each) if isinstance(inner, ast.Constant)):
            if isinstance(text, str):
                yield from self._attribute_name(text)
        if all(self._plainly_callable(inner) for each in given for inner in parts(each)):
            if given or all(isinstance(each.value, ast.Tuple) for each in node.keywords):
                return
        elif len(node.args) <= 1 and not starred(node) and all(e.arg in CALLS_BY_NAME_OPTIONS for e in node.keywords):
            for part in (inner for each in given for inner in parts(each)):
                if not self._bindings.are_functions(part):
                    yield f"`.{name}` needs a function that stands in the source, such as `lambda x: f(x)` for any f"
                for text in self._bindings.texts(part):
                    yield from self._attribute_name(text)
            return
        yield f"`.{name}` with further arguments needs a function that stands in the source"

    def _plainly_callable(self, node: ast.expr) -> bool:
        """Whether this is a function, or the text of a name: nothing that a variable could hold."""
        match node:
            case ast.Lambda() | ast.Constant():
                return True
            case ast.Name(ctx=ast.Load()):
                means, name = self._names.meaning(node)
                return means is Means.DEFINED or (means is Means.OUTSIDE and name in BUILTINS)
            case ast.Attribute(value=ast.Constant()):
                return True
            case ast.Attribute(value=ast.Name() as base):
                return self._path(base) is not None or self._plainly_callable(base)
            case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in MAKES_FUNCTIONS:
                return self._path(base) is not None
            case ast.Call(func=ast.Name(id=name)) if name in MAKES_FUNCTIONS:
                return bool(self._names.sources_of(name))
        return False
