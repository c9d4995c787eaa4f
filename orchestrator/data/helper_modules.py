"""The helper modules that a function may import: by name the text, its hash, and what it offers. Nothing is imported.

A name says its version (`cleanroom_dates_v1`), and stands in the function's source, whose hash is its identity: so the
source says which text it was proved with. A version is never changed once it is released. Called by the gate, the
registry and the prompts; docs/helpers.md.
"""

import ast
import hashlib
import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from orchestrator.data.assets import asset

PREFIX = "cleanroom_"
_NAME = re.compile(rf"{PREFIX}[a-z]+_v[0-9]+")


@cache
def helper_names() -> tuple[str, ...]:
    """All that this cleanroom has, in order."""
    found = (path.stem for path in asset("sandbox_image").glob(f"{PREFIX}*.py"))
    return tuple(sorted(name for name in found if _NAME.fullmatch(name)))


@cache
def helper_text(name: str) -> str:
    """The text of one of them."""
    return (asset("sandbox_image") / f"{name}.py").read_text(encoding="utf-8")


def helper_sha256(name: str) -> str:
    """The hex SHA-256 of its text."""
    return text_sha256(helper_text(name))


def text_sha256(text: str) -> str:
    """The hex SHA-256 of a helper module's text as UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def helpers_of(source: str) -> dict[str, str]:
    """The helper modules that a source names, with the hashes of their texts.

    Also those that it only mentions, in a comment: what it cannot import without naming it is among them.
    """
    written = unicodedata.normalize("NFKC", source)  # as Python reads a name
    return {name: helper_sha256(name) for name in sorted({*_NAME.findall(written)} & {*helper_names()})}


def helper_trouble(source: str, proved: Mapping[str, str]) -> str:
    """Why a source cannot run with the texts that it was proved with, in words; empty where it can."""
    for name in sorted({*helpers_of(source), *proved}):
        if name not in helper_names():
            return f"it needs {name}, which this version of cleanroom does not have"
        if proved.get(name) != helper_sha256(name):
            return f"it was not proved with the text of {name} that this cleanroom has"
    return ""


@cache
def helper_signatures(name: str) -> tuple[str, ...]:
    """Each public function of the module as it is called, with the first line of what it says of itself."""
    functions = [node for node in ast.parse(helper_text(name)).body if isinstance(node, ast.FunctionDef)]
    return tuple(_signature(node) for node in functions if not node.name.startswith("_"))


def _signature(function: ast.FunctionDef) -> str:
    for each in (*function.args.args, *function.args.kwonlyargs, *filter(None, [function.args.vararg])):
        each.annotation = None
    first = (ast.get_docstring(function) or "").partition("\n")[0]
    return f"{function.name}({ast.unparse(function.args)}): {first}"
