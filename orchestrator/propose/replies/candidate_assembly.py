"""Makes one candidate file out of the fields of a reply: code, detector, contract, issue. Called by `replies`.

What the code already holds (a module docstring, CONTRACT, detect, a docstring) is kept and not doubled. Text is only
inserted between whole statements, and a demonstration at the end is left out as a whole; the model's own lines are
never rewritten.
"""

import ast
from collections.abc import Collection
from typing import Any

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import ReplyError
from orchestrator.core.fitted import FIT, MERGE
from orchestrator.propose.replies import code_extraction
from orchestrator.propose.replies.reply_parts import FunctionParts, as_python
from orchestrator.propose.replies.slips import missing_imports, without_demo

_ONE_ONLY = "each function stands alone in its code, and the names of its helpers start with _"


def assemble(parts: FunctionParts, issue: str, shape: Shape = Shape.TABLE) -> str:
    """The source text of the candidate, a function of the shape. Raises ReplyError with a message for the model."""
    code = without_demo(parts.code, _tree(parts.code, "code"))
    tree = _tree(code, "code")
    shape = Shape.FITTED if shape is Shape.TABLE and _is_fitted(tree) else shape
    main = _public_function(tree, {"detect", FIT, MERGE} if shape is Shape.FITTED else {"detect"})
    code = _with_docstring(code, main, parts.docstring)
    tree = _tree(code, "code")
    defined = _top_level_names(tree)
    head = missing_imports(tree, _parsed(parts.detector) if "detect" not in defined else None)
    if "CONTRACT" not in defined and (contract := _contract(parts, shape)):
        head.append(contract)
    if "detect" not in defined and parts.detector.strip():
        head.append(_detector(parts.detector, shape))
    docstring = "" if ast.get_docstring(tree) is not None else _literal(issue or parts.docstring or main.name)
    source = _joined(code, tree, docstring, head)
    if len(source) > code_extraction.MAX_CODE_CHARS:
        raise ReplyError(
            f"The function with its detector and examples has {len(source)} characters; "
            f"the limit is {code_extraction.MAX_CODE_CHARS}. Give shorter examples."
        )
    return source


def _parsed(code: str) -> ast.Module | None:
    tree = code_extraction.parse(code)
    return tree if isinstance(tree, ast.Module) else None


def _tree(code: str, what: str) -> ast.Module:
    tree = code_extraction.parse(code)
    if isinstance(tree, str):
        raise ReplyError(f"The {what} is not valid Python: {tree}.")
    return tree


def _is_fitted(tree: ast.Module) -> bool:
    """Whether the code says, by its functions, that it learns from all rows."""
    return {FIT, MERGE} <= {s.name for s in tree.body if isinstance(s, ast.FunctionDef)}


def _public_function(tree: ast.Module, beside: Collection[str]) -> ast.FunctionDef:
    found = [
        s for s in tree.body if isinstance(s, ast.FunctionDef) and not s.name.startswith("_") and s.name not in beside
    ]
    if len(found) > 1:
        names = ", ".join(f.name[:60] for f in found[:5])
        raise ReplyError(f"The code has {len(found)} public functions ({names}): {_ONE_ONLY}.")
    if not found:
        raise ReplyError(f"The code has no public function: {_ONE_ONLY}.")
    return found[0]


def _top_level_names(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(statement.name)
        elif isinstance(statement, ast.Assign):
            names.update(target.id for target in statement.targets if isinstance(target, ast.Name))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names.add(statement.target.id)
    return names


def _with_docstring(code: str, main: ast.FunctionDef, docstring: str) -> str:
    first = main.body[0]
    text = " ".join(docstring.split())
    if ast.get_docstring(main) is not None or not text or first.lineno == main.lineno:
        return code
    lines = code.split("\n")
    before = lines[first.lineno - 1][: first.col_offset]
    if before.strip() or isinstance(first, ast.FunctionDef | ast.ClassDef):  # shares its line, or has decorators
        return code
    lines.insert(first.lineno - 1, before + _literal(text))
    return "\n".join(lines)


def _literal(text: str) -> str:
    text = " ".join(text.split())
    plain = text.isprintable() and "\\" not in text and '"""' not in text and not text.endswith('"')
    return f'"""{text}"""' if plain else repr(text)


def _contract(parts: FunctionParts, shape: Shape) -> str:
    effects = parts.effects
    contract: dict[str, object] = {"shape": str(shape)}
    if effects.modifies or effects.adds or effects.drops:
        contract["modifies"] = list(effects.modifies)
    if effects.adds:
        contract["adds"] = list(effects.adds)
    if effects.drops:
        contract["drops"] = list(effects.drops)
    if effects.drops_rows:
        contract["drops_rows"] = True
    if effects.by and shape is Shape.FITTED:
        contract["by"] = list(effects.by)
    if effects.replaces:
        contract["replaces"] = effects.replaces
    if parts.examples:
        contract["examples"] = [_texts(one) if shape is Shape.TEXT else one for one in parts.examples]
    if len(contract) == 1 and shape is Shape.TABLE:
        return ""
    return "CONTRACT = " + as_python(contract)


def _texts(example: dict[str, Any]) -> dict[str, Any]:
    """An example of texts: models like to write the column beside them."""
    sides = [list(side.values()) if isinstance(side, dict) else [side] for side in example.values()]
    return {k: side[0] for k, side in zip(example, sides, strict=True)} if all(len(s) == 1 for s in sides) else example


def _detector(text: str, shape: Shape) -> str:
    """The detector as a function: it may have come as one, as a lambda or as an expression in its argument."""
    tree = _tree(text, "detector")
    functions = [s for s in tree.body if isinstance(s, ast.FunctionDef) and not s.name.startswith("_")]
    if any(f.name == "detect" for f in functions):
        return text.strip("\n")
    if len(functions) == 1:
        lines = text.split("\n")
        line = functions[0].lineno - 1
        lines[line] = lines[line].replace(functions[0].name, "detect", 1)
        return "\n".join(lines).strip("\n")
    if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
        value = tree.body[0].value
        if isinstance(value, ast.Lambda) and len(value.args.args) == 1:
            return f"def detect({value.args.args[0].arg}):\n    return {ast.unparse(value.body)}"
        return f"def detect({shape.argument}):\n    return {ast.unparse(value)}"
    made = "True or False" if shape.by_row else "a boolean Series"
    raise ReplyError(f"The detector must be one function: def detect({shape.argument}): ... that returns {made}.")


def _joined(code: str, tree: ast.Module, docstring: str, head: list[str]) -> str:
    """The code's own docstring and imports, what is to be inserted, the rest of the code."""
    lines = code.split("\n")
    count = 1 if ast.get_docstring(tree) is not None else 0
    while count < len(tree.body) and isinstance(tree.body[count], ast.Import | ast.ImportFrom):
        count += 1
    line = (tree.body[count - 1].end_lineno or 0) if count else 0
    if tree.body[count:] and tree.body[count].lineno <= line:  # both on one line: nothing can go between them
        parts = [docstring, code.strip("\n"), *head]
    else:
        parts = [docstring, "\n".join(lines[:line]).strip("\n"), *head, "\n".join(lines[line:]).strip("\n")]
    return "\n\n".join(part for part in parts if part) + "\n"
