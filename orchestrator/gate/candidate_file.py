"""Reads a candidate out of source text without running it: docstring, CONTRACT literal, `detect` and the function.

Called by the verifier and by everything that shows or stores a candidate. It reads untrusted text with `ast` only;
whatever the text does to the parser ends as a CandidateError.
"""

import ast
import re
from collections.abc import Collection
from typing import Any

from pydantic import ValidationError

from orchestrator.core.candidate import Candidate, Contract, Shape
from orchestrator.core.errors import CandidateError
from orchestrator.core.fitted import FIT, MERGE, TRANSFORM
from orchestrator.core.parsers import KIND
from orchestrator.core.parsing import parse_python
from orchestrator.data.source_check import too_costly

MAX_SOURCE = 1_000_000  # characters; beyond this nothing is even parsed; the policy's own bound is the screen's
MAX_CONTRACT_NODES = 20_000
MAX_FIELDS_BY_LENGTH = 200_000_000  # the parser's time for f-strings grows with this product: about 0.2 s
_FORMATTED = re.compile(r"""(?i)\b(f|fr|rf)['"]""")
_KEYS = "Known keys: shape, modifies, adds, drops, drops_rows, replaces, by, examples."
DETECT = "detect"
CONTRACT = "CONTRACT"


def read(source: str) -> Candidate:
    """The candidate in a source text. Raises CandidateError with a message fit for the proposer."""
    source = source.removeprefix("\ufeff")
    _check_storable("source", source)
    tree = parse(source)
    contract = _checked(contract_literal(tree))
    function = _public_function(tree, contract.shape)
    for what, node in (("docstring of the file", tree), (f"docstring of {function.name}", function)):
        _check_storable(what, ast.get_docstring(node) or "")
    return Candidate(
        source=source,
        name=_name(function.name, contract),
        issue=_line(ast.get_docstring(tree)),
        docstring=_line(ast.get_docstring(function)),
        contract=contract,
        has_detect=any(f.name == DETECT for f in _functions(tree)),
    )


def _check_storable(what: str, text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        wrong = f"U+{ord(text[error.start]):04X}"
        raise CandidateError(f"the {what} holds {wrong}, half of a character, which no file can hold") from None


def parse(source: str) -> ast.Module:
    """The syntax tree. Raises CandidateError for anything that the parser cannot take."""
    if len(source) > MAX_SOURCE:
        raise CandidateError(f"the source is {len(source):,} characters long; at most {MAX_SOURCE:,} are read")
    if _FORMATTED.search(source) and source.count("{") * len(source) > MAX_FIELDS_BY_LENGTH:
        raise CandidateError("the source has too many fields in f-strings to be parsed")
    if "\0" in source:
        raise CandidateError("the source contains a NUL character")
    if too_costly(source):
        raise CandidateError("the source is nested too deeply or too large to be parsed")
    try:
        return parse_python(source)
    except SyntaxError as error:
        where = f" in line {error.lineno}" if error.lineno else ""
        raise CandidateError(f"the source is not valid Python{where}: {_line(str(error.msg))}") from None
    except (RecursionError, MemoryError):
        raise CandidateError("the source is nested too deeply to be parsed") from None
    except (ValueError, OverflowError) as error:
        raise CandidateError(f"the source cannot be parsed: {_line(str(error))}") from None


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def _name(function: str, contract: Contract) -> str:
    """What the function is known by; one that is only called `transform` is named after its columns."""
    if contract.shape is not Shape.FITTED or function != TRANSFORM:
        return function
    columns = re.sub(r"\W+", "_", "_".join((*(contract.modifies or ()), *contract.adds)), flags=re.ASCII).strip("_")
    return f"{TRANSFORM}_of_{columns.lower()[:60] or 'rows'}"


def _public_function(tree: ast.Module, shape: Shape) -> ast.FunctionDef:
    given = {DETECT, FIT, MERGE} if shape is Shape.FITTED else {DETECT}
    public = [f for f in _functions(tree) if f.name not in given and not f.name.startswith("_")]
    missing = given - {DETECT} - {f.name for f in _functions(tree)}
    if missing:
        raise CandidateError(
            f"a function of the shape `{shape}` needs `{min(missing)}` beside it",
            advice="Write fit(df) -> state, merge(state, state) -> state and transform(df, state) -> df.",
        )
    if len(public) == 1:
        return public[0]
    if any(isinstance(node, ast.AsyncFunctionDef) for node in tree.body):
        raise CandidateError("the function must be a plain `def`, not `async def`")
    found = ", ".join(f.name for f in public[:5]) or "none"
    raise CandidateError(
        f"exactly one public function besides {_listed(given)} is needed; found {len(public)}: {found}",
        advice="Let the names of helpers start with an underscore.",
    )


def _listed(names: Collection[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def contract_literal(tree: ast.Module) -> Any:
    """The value of CONTRACT, unchecked; an empty dict where there is none. Raises CandidateError."""
    values = [
        node.value
        for node in tree.body
        if (isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == CONTRACT for t in node.targets))
        or (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == CONTRACT)
    ]
    if not values:
        return {}
    if len(values) > 1 or values[0] is None:
        raise CandidateError("CONTRACT must be assigned exactly once")
    return _literal(values[0])


def _literal(node: ast.expr) -> Any:
    if sum(1 for _ in ast.walk(node)) > MAX_CONTRACT_NODES:
        raise CandidateError("CONTRACT is too large")
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise CandidateError("CONTRACT must be a literal: a dict of strings, numbers, lists and dicts") from None


def _checked(value: Any) -> Contract:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise CandidateError("CONTRACT must be a dict with text keys")
    if value.get("shape") == KIND:
        raise CandidateError(
            "this is a parser, which turns bytes into rows and cleans none", advice="Use `cleanroom parse`."
        )
    for key in ("modifies", "adds", "drops", "by"):
        if isinstance(value.get(key), str):
            raise CandidateError(f"CONTRACT['{key}'] must be a list of column names, not one text")
    if not isinstance(value.get("drops_rows", False), bool):
        raise CandidateError("CONTRACT['drops_rows'] must be True or False")
    examples = value.get("examples") or ()
    if not isinstance(examples, list | tuple):
        raise CandidateError("CONTRACT['examples'] must be a list of examples")
    for example in examples:
        if not _plain(example):
            raise CandidateError(
                "CONTRACT['examples'] must be made of text, numbers, True, False, None, lists and dicts"
            )
    try:
        contract = Contract.model_validate(value)
    except ValidationError as error:
        first, *_ = problems = error.errors(include_url=False, include_input=False)
        if extra := [_line(str(one["loc"][0]))[:60] for one in problems if _is_unknown_key(one["type"], one["loc"])]:
            raise CandidateError(
                f"CONTRACT has keys that are not known: {', '.join(extra[:10])}", advice=_KEYS
            ) from None
        where = ".".join(str(part)[:60] for part in first["loc"]) or CONTRACT
        raise CandidateError(
            f"CONTRACT is not right at {where!r}: {_line(first['msg'])}",
            advice=_KEYS,
        ) from None
    _fits_shape(contract)
    for example in contract.examples:
        if type(example.input) is not type(example.output) and example.output is not None:
            raise CandidateError("each example needs `input` and `output` of the same kind: two rows, or two texts")
    return contract


def _is_unknown_key(kind: str, place: tuple[int | str, ...]) -> bool:
    return kind == "extra_forbidden" and len(place) == 1


def _fits_shape(contract: Contract) -> None:
    shape = contract.shape
    if contract.by and shape is not Shape.FITTED:
        raise CandidateError(f"`by` belongs to a function of the shape `fitted`, and this one is `{shape}`")
    if shape.by_row and contract.drops_rows:
        raise CandidateError(f"a function of the shape `{shape}` is called once per row and can drop none")
    if shape is Shape.TEXT:
        if not contract.modifies:
            raise CandidateError(
                "a function of texts needs the columns whose texts it cleans",
                advice='For example: CONTRACT = {"shape": "text", "modifies": ["city"]}.',
            )
        if contract.adds or contract.drops:
            raise CandidateError("a function of texts can neither add nor drop columns; use the shape `record`")
    if shape is Shape.FITTED:
        _fits_fitted(contract)
    wanted, word = (str, "texts") if shape is Shape.TEXT else (dict, "rows")
    if shape.by_row and any(not isinstance(example.input, wanted) for example in contract.examples):
        raise CandidateError(f"the examples of a function of the shape `{shape}` are {word}")


def _fits_fitted(contract: Contract) -> None:
    if contract.drops or contract.drops_rows:
        raise CandidateError(
            "a function of the shape `fitted` can drop neither columns nor rows; use the shape `table`"
        )
    if not contract.modifies and not contract.adds:
        raise CandidateError(
            "a function of the shape `fitted` needs the columns that it changes",
            advice='For example: CONTRACT = {"shape": "fitted", "modifies": ["city"]}.',
        )


def _plain(value: Any, depth: int = 0) -> bool:
    """Whether the value is plain JSON, so that it can be stored, shown and compared."""
    if isinstance(value, dict):
        return depth < 20 and all(isinstance(k, str) and _plain(v, depth + 1) for k, v in value.items())
    if isinstance(value, list | tuple):
        return depth < 20 and all(_plain(v, depth + 1) for v in value)
    return value is None or isinstance(value, str | int | float | bool)


def _line(text: str | None) -> str:
    return " ".join((text or "").split())[:500]
