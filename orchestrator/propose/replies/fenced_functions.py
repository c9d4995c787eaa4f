"""Reads candidate files out of Markdown code fences. Called by `parser`.

A model without a form to fill in writes as it would to a person: a detector, a contract and a function in a fence each;
a draft and its correction; several files in several fences or in one; tests and examples of use behind them. Whole
statements are put together or left out, no line is changed.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from orchestrator.core.fitted import FIT, MERGE
from orchestrator.propose.replies.code_extraction import parse, read_code
from orchestrator.propose.replies.fences import Fence
from orchestrator.propose.replies.reply_parts import FunctionParts, as_python, load_json_or_none

_CONTRACT = "CONTRACT"
_BESIDE = frozenset({_CONTRACT, "detect", FIT, MERGE})
_CONTRACT_KEYS = frozenset({"shape", "modifies", "adds", "drops", "drops_rows", "replaces", "by", "examples"})
_NOT_PYTHON = frozenset({"diff", "bash", "sh", "shell", "console", "text", "txt", "csv", "xml", "html", "json", "sql"})
_DEFINES = re.compile(r"^[ \t]*(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_KINDS = {"import": (ast.Import, ast.ImportFrom), "function": (ast.FunctionDef,)}
_MOST_STATEMENTS = 500  # of answers that are taken apart
_FOR_USE = re.compile(r"test_\w+|main|demo|run_tests|example\w*")

AGAIN = "`{name}` comes again later in the answer, and the last one counts."


class FencedFunctions(NamedTuple):
    """What fences hold. `lost`: a sentence for each piece that was meant as one and cannot be read."""

    functions: tuple[FunctionParts, ...] = ()
    lost: tuple[str, ...] = ()


class _Statement(NamedTuple):
    """One statement at the top, with the comments above it. `main`: the name of a function that is to clean."""

    text: str
    defines: frozenset[str]
    uses: frozenset[str]
    main: str = ""
    kind: str = ""  # "import", "function", "docstring" or nothing special


@dataclass
class _File:
    """One candidate file in the making."""

    statements: list[_Statement] = field(default_factory=list)

    @property
    def mains(self) -> list[str]:
        return [one.main for one in self.statements if one.main]

    @property
    def defined(self) -> set[str]:
        return set[str]().union(*(one.defines for one in self.statements))

    @property
    def used(self) -> set[str]:
        return set[str]().union(*(one.uses for one in self.statements))


def functions_in(fences: Sequence[Fence]) -> FencedFunctions:
    """The functions that the fences hold."""
    texts, broken = [], list[tuple[int, str, str]]()
    for fence in fences:
        if fence.language in _NOT_PYTHON and fence.language != "json":
            continue
        text = _contract(fence.body) if fence.body.startswith("{") else read_code(fence.body)
        if isinstance(tree := parse(text), ast.Module):
            if _is_part(tree):
                texts.append(text)
        elif fence.language != "json" and (fence.language.startswith("py") or _DEFINES.search(text)):
            broken.append((len(texts), text, tree))
    unique = list(dict.fromkeys(texts))
    blocks = [list(_statements(text)) for text in unique]
    mains = [one.main for block in blocks for one in block if one.main]
    lost = []
    if len(mains) <= 1 or sum(map(len, blocks)) > _MOST_STATEMENTS:
        found = ["\n\n\n".join(unique)] if mains else []
    else:
        blocks = _of_cleaning(blocks)
        found = [_text(file.statements) for file in _files(blocks)]
        lost += [AGAIN.format(name=name) for name in _named_again(blocks)]
    for place, text, problem in broken:
        if not set(_DEFINES.findall(text)) & set(mains):
            lost.append(f"A block of Python is not valid: {problem}.")
        elif place == len(texts):  # the last version of a function: no draft of it may be taken
            found.append(text)
    return FencedFunctions(tuple(FunctionParts(code=text) for text in found), tuple(lost))


def _contract(body: str) -> str:
    """The contract that the block gives as JSON, as Python; nothing where it is something else."""
    value = load_json_or_none(body)
    if isinstance(value, dict) and value and set(value) <= _CONTRACT_KEYS:
        return f"{_CONTRACT} = {as_python(value)}"
    return ""


def _is_part(tree: ast.Module) -> bool:
    """Whether a block belongs to a file: it defines something or only imports. An example of use does neither."""
    named = [
        target.id
        for one in tree.body
        if isinstance(one, ast.Assign | ast.AnnAssign)
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        if isinstance(target, ast.Name)
    ]
    if any(isinstance(one, ast.FunctionDef) for one in tree.body) or _CONTRACT in named:
        return True
    quiet = all(isinstance(one, ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign) for one in tree.body)
    return bool(tree.body) and quiet and all(name.startswith("_") or name.isupper() for name in named)


def _statements(text: str) -> Iterator[_Statement]:
    """The statements of a block that is valid Python; one statement where two share a line."""
    tree = parse(text)
    body = tree.body if isinstance(tree, ast.Module) else []
    lines = text.split("\n")
    if any(one.lineno <= (before.end_lineno or 0) for before, one in pairwise(body)):
        names = set[str]().union(*(_defined(one) for one in body))
        main = next((name for one in body if (name := _main(one))), "")
        yield _Statement(text, frozenset(names), frozenset(), main)
        return
    start = 0
    for number, one in enumerate(body):
        end = len(lines) if number + 1 == len(body) else one.end_lineno or 0
        kind = next((name for name, types in _KINDS.items() if isinstance(one, types)), "")
        kind = "docstring" if _is_text(one) else kind
        uses = frozenset(node.id for node in ast.walk(one) if isinstance(node, ast.Name))
        yield _Statement("\n".join(lines[start:end]), frozenset(_defined(one)), uses, _main(one), kind)
        start = end


def _is_text(one: ast.stmt) -> bool:
    return isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str)


def _main(one: ast.stmt) -> str:
    named = isinstance(one, ast.FunctionDef) and not one.name.startswith("_") and one.name not in _BESIDE
    return one.name if named and isinstance(one, ast.FunctionDef) else ""


def _defined(one: ast.stmt) -> set[str]:
    if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {one.name}
    if isinstance(one, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in one.names}
    targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _of_cleaning(blocks: list[list[_Statement]]) -> list[list[_Statement]]:
    """The blocks without functions that test or show the others."""
    mains = {one.main for block in blocks for one in block if one.main}
    extra = {name for name in mains if _FOR_USE.fullmatch(name)}
    if extra == mains:
        return blocks
    kept = []
    for block in blocks:
        rest = [one for one in block if one.main not in extra]
        if rest == block or any(one.kind != "import" for one in rest):
            kept.append(rest)
    return kept


def _named_again(blocks: list[list[_Statement]]) -> list[str]:
    counts = Counter(one.main for block in blocks for one in block if one.main)
    return [name for name, count in counts.items() if count > 1]


def _files(blocks: list[list[_Statement]]) -> list[_File]:
    """The statements of the blocks, each file's together. All in one where functions need each other."""
    everything = [one for block in blocks for one in block]
    mains = {one.main for one in everything if one.main}
    whole = [_File(list(_last_of_each(everything)))]
    if len(mains) <= 1 or any((mains - {one.main}) & one.uses for one in everything if one.main):
        return whole
    files: list[_File] = []
    for block in blocks:
        if not (parts := _parted(block)):
            continue
        if (not parts[0].mains and files and not files[-1].defined & parts[0].defined & _BESIDE) or (
            files and not files[-1].mains
        ):
            files[-1].statements += parts[0].statements
        else:
            files.append(parts[0])
        files += parts[1:]
        if len(parts) > 1 and any(not part.defined & _BESIDE for part in parts):
            return whole
    if len(files) > 1 and not files[-1].mains:
        files[-2].statements += files.pop().statements
    by_name: dict[str, _File] = {}
    for file in files:
        name = next(iter(file.mains), "")
        before = by_name.pop(name, _File())
        by_name[name] = _File(list(_last_of_each([*before.statements, *file.statements])))
    imports = [one for one in everything if one.kind == "import"]
    return [_with_imports(file, imports) for file in by_name.values()]


def _parted(block: list[_Statement]) -> list[_File]:
    """The files in one block: a new one begins with a second function, or with what the file has already."""
    files: list[_File] = []
    current = _File()
    for one in block:
        again = current.mains and (one.main or one.defines & _BESIDE & current.defined)
        if again:
            rest = _File()
            while not (last := current.statements[-1]).main and not last.defines & (_BESIDE | current.used):
                rest.statements.insert(0, current.statements.pop())
            files.append(current)
            current = rest
        current.statements.append(one)
    return [*files, current] if current.statements else files


def _last_of_each(statements: Sequence[_Statement]) -> Iterator[_Statement]:
    """The statements without the functions and contracts that a later one of the same name takes the place of."""
    last = {name: number for number, one in enumerate(statements) for name in one.defines}
    for number, one in enumerate(statements):
        replaceable = one.kind == "function" or _CONTRACT in one.defines
        if not (replaceable and all(last[name] > number for name in one.defines)):
            yield one


def _with_imports(file: _File, imports: Iterable[_Statement]) -> _File:
    """The file with those imports of the other fences whose names it uses."""
    missing = file.used - file.defined
    needed = [one for one in imports if one.defines & missing]
    at = 1 if file.statements and file.statements[0].kind == "docstring" else 0
    return _File([*file.statements[:at], *dict.fromkeys(needed), *file.statements[at:]])


def _text(statements: Iterable[_Statement]) -> str:
    return "\n\n".join(one.text.strip("\n") for one in statements)
