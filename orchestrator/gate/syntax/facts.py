"""Questions about a syntax tree that the rules of the screen need, one function each. Called by `contents`."""

import ast
import string
from collections.abc import Iterator

from orchestrator.gate.syntax.words import METHODS


def own_attributes(tree: ast.Module) -> frozenset[str]:
    """The attributes that the source itself gives to its classes and their objects."""
    found = {
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            found |= {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            found |= {n.id for each in node.body for n in ast.walk(each) if isinstance(n, ast.Name)}
    return frozenset(found)


def constant_texts(tree: ast.Module) -> dict[str, list[object]]:
    """The names that are only ever bound to constants, with these."""
    constants: dict[str, list[object]] = {}
    bound: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    constants.setdefault(target.id, []).append(node.value.value)
        names = [node.id] if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) else bound_names(node)
        for name in names:
            bound[name] = bound.get(name, 0) + 1
    return {name: values for name, values in constants.items() if bound.get(name) == len(values)}


def bound_names(node: ast.AST) -> list[str]:
    """The names that a node binds or passes, other than through Name: all of them plain texts in the tree."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name.split(".")[0] for alias in names]
        case ast.arg(arg=name) | ast.keyword(arg=str() as name) | ast.ClassDef(name=name):
            return [name]
        case ast.FunctionDef(name=name) if name not in METHODS:
            return [name]
        case (
            ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name)
        ):
            return [name]
        case ast.MatchMapping(rest=str() as name):
            return [name]
        case ast.Global(names=listed) | ast.Nonlocal(names=listed):
            return listed
        case _:
            return []


def parts(node: ast.expr) -> Iterator[ast.expr]:
    """The functions or names in what pandas is given: one, or several in a list, tuple, set or dict."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        for each in node.elts:
            yield from parts(each)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from parts(value)
    else:
        yield node


def starred(node: ast.Call) -> bool:
    return any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords)


def fields(template: str) -> Iterator[str]:
    """The attributes that the fields of a template read. One that cannot be read has none: it raises when it runs."""
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError:
        return
    for _, field, spec, _ in parsed:
        yield from (name.split("[")[0] for name in (field or "").split(".")[1:])
        if spec:
            yield from fields(spec)


def dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def reserved(name: str) -> bool:
    """A special name, or one of those with which a sandbox runs parts of a source and an exported file does not."""
    return dunder(name) or name.lower().startswith("_cleanroom")


def dunder_text(text: str) -> bool:
    """A text that is a special name as a whole, or that a format string would use to walk to one (`{0.__class__}`)."""
    stripped = text.strip()
    return (dunder(stripped) and stripped.isidentifier()) or ".__" in text or "[__" in text


def plain_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier()
