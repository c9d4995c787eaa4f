"""Reads a parser out of source text without running it. Called by `parser_gate` and by `cleanroom parse`."""

import ast
from typing import Any

from pydantic import ValidationError

from orchestrator.core.candidate import Candidate
from orchestrator.core.errors import CandidateError
from orchestrator.core.parsers import KIND, PARSE, ParserCandidate, ParserContract
from orchestrator.gate.candidate_file import contract_literal, parse

MAX_COLUMNS = 2_000
_ADVICE = f'For example: CONTRACT = {{"shape": "{KIND}", "columns": ["time", "host"], "skips": ["#"]}}.'


def read(source: str) -> ParserCandidate:
    """The parser in a source text. Raises CandidateError with a message fit for whoever wrote it."""
    source = source.removeprefix("\ufeff")
    tree = parse(source)
    public = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    if public != [PARSE]:
        found = ", ".join(public[:5]) or "none"
        raise CandidateError(
            f"a parser has one public function, `{PARSE}`; found: {found}",
            advice="Write parse(data, state, last) -> (rows, state); let the names of helpers start with _.",
        )
    return ParserCandidate(source=source, contract=_contract(contract_literal(tree)), issue=_first_line(tree))


def as_function(parser: ParserCandidate) -> Candidate:
    """The parser as the screen looks at functions."""
    return Candidate(source=parser.source, name=PARSE)


def _first_line(tree: ast.Module) -> str:
    return " ".join((ast.get_docstring(tree) or "").split())[:500]


def _contract(value: Any) -> ParserContract:
    if not isinstance(value, dict) or value.get("shape") != KIND:
        raise CandidateError(f"a parser says so in its CONTRACT: the shape is `{KIND}`", advice=_ADVICE)
    try:
        contract = ParserContract.model_validate({key: item for key, item in value.items() if key != "shape"})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part)[:60] for part in first["loc"])
        raise CandidateError(f"CONTRACT is not right at {where!r}: {first['msg']}", advice=_ADVICE) from None
    names = contract.columns
    if not 0 < len(names) <= MAX_COLUMNS or len({*names}) < len(names) or not all(name.strip() for name in names):
        raise CandidateError("CONTRACT['columns'] must name the columns, each once", advice=_ADVICE)
    if any(not mark or mark[0].isalnum() or mark[0].isspace() for mark in contract.skips):
        raise CandidateError(
            "CONTRACT['skips'] must be marks such as #, // or --: what begins with a letter or digit is data",
            advice="Give such a part as a row.",
        )
    return contract
