"""Mends two slips of models that cost a repair each and leave no doubt about what was meant. For `candidate_assembly`.

What is judged, signed and applied is the mended text: the screen knows of neither, and is as strict as before.
"""

import ast

_USUAL = {
    "pd": "import pandas as pd", "np": "import numpy as np", "re": "import re", "math": "import math",
    "json": "import json", "unicodedata": "import unicodedata",
}  # fmt: skip


def without_demo(code: str, tree: ast.Module) -> str:
    """The code without a last `if __name__ == "__main__":`, which runs in no sandbox."""
    if len(tree.body) < 2 or not _is_demo(tree.body[-1]):
        return code
    last, before = tree.body[-1], tree.body[-2]
    if last.lineno <= (before.end_lineno or 0):
        return code
    lines = code.split("\n")
    return "\n".join([*lines[: last.lineno - 1], *lines[last.end_lineno :]]).rstrip("\n") + "\n"


def missing_imports(*trees: ast.Module | None) -> list[str]:
    """The imports of modules that are used under the name that everybody gives them, and that nothing else has."""
    nodes = [node for tree in trees if tree is not None for node in ast.walk(tree)]
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    for node in nodes:
        match node:
            case ast.Import() | ast.ImportFrom():
                bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            case ast.FunctionDef() | ast.ClassDef() | ast.AsyncFunctionDef():
                bound.add(node.name)
            case ast.arg():
                bound.add(node.arg)
    return [line for name, line in _USUAL.items() if name in used - bound]


def _is_demo(one: ast.stmt) -> bool:
    return isinstance(one, ast.If) and not one.orelse and ast.unparse(one.test) == "__name__ == '__main__'"
