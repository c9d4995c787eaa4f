"""Whether what picks rows in `df.loc[rows, "city"]` may be a function: pandas calls that with the whole table, so that
it sees every column. Called by `stages`.
"""

import ast
from collections import Counter
from dataclasses import dataclass, field

_MAKE_FUNCTIONS = {"functools", "operator"}
_TAKE_OUT = {"get", "pop", "popitem", "setdefault"}  # of a dict, in which there may be functions


@dataclass
class RowPickers:
    """What a source says of them. `bound`: its names, as often as each is bound."""

    tree: ast.Module
    bound: Counter[str]
    _values: dict[str, list[ast.expr]] = field(default_factory=dict)
    _loops: dict[str, list[ast.expr]] = field(default_factory=dict)
    _makers: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for node in ast.walk(self.tree):
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        if isinstance(target, ast.Name):
                            self._values.setdefault(target.id, []).append(value)
                case (
                    ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                    | ast.NamedExpr(target=ast.Name(id=name), value=value)
                ):
                    self._values.setdefault(name, []).append(value)
                case ast.AugAssign(target=ast.Name(id=name)):
                    self._values.setdefault(name, []).append(ast.Constant(0))  # no function has such an operation
                case (
                    ast.For(target=ast.Name(id=name), iter=rows)
                    | ast.comprehension(target=ast.Name(id=name), iter=rows)
                ):
                    self._loops.setdefault(name, []).append(rows)
                case ast.FunctionDef(name=name) if any(map(_gives_function, ast.walk(node))):
                    self._makers.add(name)
                case ast.Import(names=names):
                    self._makers |= {one.asname or one.name for one in names if one.name in _MAKE_FUNCTIONS}
                case ast.ImportFrom(module=module, names=names) if module in _MAKE_FUNCTIONS:
                    self._makers |= {one.asname or one.name for one in names}

    def shows_no_more(self, rows: ast.expr, tables: set[str], known: frozenset[str] = frozenset()) -> bool:
        """Whether it plainly is labels or a mask. `tables`: names of the table; `known`: names that were looked at."""
        match rows:
            case ast.Slice() | ast.Constant() | ast.Compare() | ast.BinOp() | ast.UnaryOp() | ast.List():
                return True
            case ast.Subscript(value=ast.Name(id=name)):
                return name in tables
            case ast.Attribute(value=ast.Name(id=name)):
                return name in tables or self._is_plain(name, tables, known)
            case ast.Call(func=ast.Name(id=name)):
                return name not in self._makers
            case ast.Call(func=ast.Attribute(value=base, attr=name)):
                return name not in _TAKE_OUT and not (isinstance(base, ast.Name) and base.id in self._makers)
            case ast.Name(id=name):
                return self._is_plain(name, tables, known)
        return False

    def _is_plain(self, name: str, tables: set[str], known: frozenset[str]) -> bool:
        """Whether all that the name is bound to is."""
        values, loops = self._values.get(name, []), self._loops.get(name, [])
        if name in known or not self.bound[name] or len(values) + len(loops) != self.bound[name]:
            return False
        return all(self.shows_no_more(value, tables, known | {name}) for value in values) and all(
            isinstance(rows, ast.Call | ast.Attribute) for rows in loops
        )


def _gives_function(node: ast.AST) -> bool:
    """Whether it returns a function that stands there, or has another one inside, which it may return."""
    inside = isinstance(node, ast.FunctionDef) and any(isinstance(one, ast.FunctionDef) for one in node.body)
    return inside or (isinstance(node, ast.Return) and isinstance(node.value, ast.Lambda))
