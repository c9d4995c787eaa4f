"""The words of the gate's own messages, which a model may see whatever is masked. Called by `model_knowledge`.

They are read from the texts in the gate's source files, so that a new message needs no list to be kept up to date. The
files are read as text: nothing of the gate is imported. What it knows of cells (countries, units, states of marriage)
stands in tables there, and is no message.
"""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

from orchestrator.data.helper_modules import helper_names, helper_signatures

GATE = Path(__file__).parents[2] / "gate"
_WORD = re.compile(r"[A-Za-z]{2,}")
_MOST_WORDS = 5  # of a list that belongs to a message
_SINGLE_WORDS = "checks"  # the folder whose texts of one word are put into messages; elsewhere they are data


@functools.cache
def gate_words() -> frozenset[str]:
    """Every word in a text of the gate's modules that is, or may become, part of a message.

    A message may also name helper modules and what is in them.
    """
    helpers = " ".join(
        f"{name} {part.partition('(')[0]}" for name in helper_names() for part in helper_signatures(name)
    )
    own = (word for path in sorted(GATE.rglob("*.py")) for word in _words_in(path))
    return frozenset((*own, *_WORD.findall(helpers)))


def _words_in(path: Path) -> Iterator[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))  # once: walking takes longer than parsing
    no_message = {id(part) for node in nodes for part in _no_messages(node)}
    pieces = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in no_message:
            continue
        if " " in node.value or id(node) in pieces or path.parent.name == _SINGLE_WORDS:
            yield from _WORD.findall(node.value)


def _no_messages(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, lists and tables of words, patterns."""
    if isinstance(node, ast.Expr) or (isinstance(node, ast.Attribute) and node.attr == "split"):
        yield node.value
    elif isinstance(node, ast.Set | ast.Tuple | ast.List) and len(node.elts) > _MOST_WORDS:
        yield from node.elts
    elif isinstance(node, ast.Dict) and len(node.values) > _MOST_WORDS:
        yield from node.values
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile":
        yield from ast.walk(node)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
        yield node
