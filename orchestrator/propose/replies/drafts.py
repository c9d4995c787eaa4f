"""Leaves drafts out of an answer: where a function comes again under the same name, the last one counts.

A model that thinks aloud writes a function, finds its mistake and writes it again. Called by `parser`.
"""

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

from orchestrator.core.fitted import FIT, MERGE
from orchestrator.propose.replies.code_extraction import parse
from orchestrator.propose.replies.fenced_functions import AGAIN
from orchestrator.propose.replies.reply_parts import FunctionParts, names_of

_DEF = re.compile(r"^def[ \t]+([A-Za-z]\w*)", re.MULTILINE)
_BESIDE = {"detect", FIT, MERGE}


class _Claims(NamedTuple):
    name: str
    columns: frozenset[str]


def name_of(function: FunctionParts) -> str:
    """The name in its code, also where that is not valid Python; else the name that it was given beside it."""
    return next((name for name in _DEF.findall(function.code) if name not in _BESIDE), function.name.strip())


def without_drafts(functions: Sequence[FunctionParts]) -> tuple[list[FunctionParts], list[str]]:
    """The functions that count, and a sentence for each of the others.

    Functions of one name for different columns are no drafts of each other.
    """
    kept, drafts = list[FunctionParts](), list[str]()
    later: dict[str, set[str]] = {}  # the columns of those that come behind, by name
    everywhere: set[str] = set()  # names of which one says no columns
    for function in reversed(functions):
        own = _claims(function)
        if own.name in later and (own.name in everywhere or not own.columns or later[own.name] & own.columns):
            drafts.append(AGAIN.format(name=own.name[:60]))
        else:
            kept.append(function)
        if own.name:
            later.setdefault(own.name, set()).update(own.columns)
            everywhere |= set() if own.columns else {own.name}
    return kept[::-1], list(dict.fromkeys(reversed(drafts)))


def _claims(function: FunctionParts) -> _Claims:
    columns = {*function.effects.modifies, *function.effects.adds, *function.effects.drops}
    return _Claims(name_of(function), frozenset(columns or _declared(function.code)))


def _declared(code: str) -> set[str]:
    """The columns that the contract in the code names."""
    tree = parse(code) if "CONTRACT" in code else ""
    for one in tree.body if isinstance(tree, ast.Module) else ():
        if isinstance(one, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "CONTRACT" for t in one.targets):
            try:
                value = ast.literal_eval(one.value)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                return set()
            if isinstance(value, dict):
                return {name for key in ("modifies", "adds", "drops") for name in names_of(value.get(key))}
    return set()
