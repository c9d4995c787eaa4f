"""Renders a remedy as the source text of a candidate: plain pandas that a person can read. Called by the proposer."""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import Cell, WorkingRows

_EXAMPLE_CHARS = 400
_WIDTH = 112

_CELLWISE = '''
def _repair(column):
    """The repair of the texts of a column, which remembers what it has seen."""
    return functools.cache(lambda value: {fix}(value{arguments}))


def detect(df):
    """True where a row still has the issue."""
    flagged = pd.Series(False, index=df.index)
    for name in _COLUMNS:
        fix = _repair(name)
        wrong = [isinstance(cell, str) and fix(cell) != cell for cell in df[name].tolist()]
        flagged = flagged | pd.Series(wrong, index=df.index, dtype=bool)
    return flagged


def {name}(df):
    {doc}
    out = df.copy()
    for name in _COLUMNS:
        fix = _repair(name)
        cells = [fix(cell) if isinstance(cell, str) else cell for cell in df[name].tolist()]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
'''

_ROWWISE = '''
def _fix(row):
    """The right cells of a row; cells that are no text count as blank and stay as they are."""
    texts = tuple(cell if isinstance(cell, str) else None for cell in row)
    fixed = {fix}(texts{arguments})
    return [new if new != text else cell for cell, text, new in zip(row, texts, fixed)]


def _rows(df):
    return list(zip(*(df[name].tolist() for name in _COLUMNS)))


def detect(df):
    """True where a row still has the issue."""
    wrong = [any(new is not cell for new, cell in zip(_fix(row), row)) for row in _rows(df)]
    return pd.Series(wrong, index=df.index, dtype=bool)


def {name}(df):
    {doc}
    out = df.copy()
    fixed = [_fix(row) for row in _rows(df)]
    for place, name in enumerate(_COLUMNS{written}):
        out[name] = pd.Series([row[place] for row in fixed], index=df.index, dtype=df[name].dtype)
    return out
'''


def render(remedy: Remedy, table: WorkingRows, name: str) -> str:
    """The candidate file: issue, contract with examples from the working rows, constants, `detect`, the function."""
    contract = {"shape": "table", "modifies": list(remedy.modified), "examples": _examples(remedy, table)}
    body = _ROWWISE if remedy.whole_rows else _CELLWISE
    return assembled(remedy, name, contract, body, {"_COLUMNS": list(remedy.columns)})


def assembled(remedy: Remedy, name: str, contract: Mapping[str, Any], body: str, of_columns: Mapping[str, Any]) -> str:
    """The candidate file with this contract and this `body`, and the constants that name its columns."""
    modules = sorted({*remedy.imports, *(() if remedy.whole_rows else ("functools",))})
    constants: dict[str, Any] = dict(of_columns)
    if by_column := remedy.by_column():
        constants["_SETTINGS"] = {column: dict(settings) for column, settings in by_column.items()}
        arguments = ", lookup=_LOOKUPS[column]" if remedy.derive else ", **_SETTINGS[column]"
    else:
        constants |= {f"_{key.upper()}": value for key, value in remedy.settings.items()}
        passed = ["lookup"] if remedy.derive else list(remedy.settings)
        arguments = "".join(f", {key}=_{key.upper()}" for key in passed)
    written = "" if remedy.modifies is None else f"[:{remedy.modifies}]"
    filled = body.format(
        fix=remedy.fix.__name__, arguments=arguments, name=name, doc=quoted(remedy.doc), written=written
    )
    blocks = [
        "\n".join(f"import {module}" for module in modules) + "\n\nimport pandas as pd",
        f"CONTRACT = {literal(dict(contract))}",
        "\n".join(f"{key} = {literal(value)}" for key, value in constants.items()),
    ]
    functions = [_source(function) for function in (*remedy.helpers, remedy.fix)]
    if remedy.derive:
        derive = remedy.derive.__name__
        given = ", ".join(f"_{key.upper()}" for key in remedy.settings)
        one = f"_LOOKUP = {derive}({given})"
        each = f"_LOOKUPS = {{column: {derive}(**settings) for column, settings in _SETTINGS.items()}}"
        functions.append(f"{_source(remedy.derive)}\n\n\n{each if by_column else one}")
    text = quoted(remedy.issue) + "\n\n" + "\n\n".join(block.strip() for block in blocks)
    return text + "\n\n\n" + "\n\n\n".join([*functions, filled.strip()]) + "\n"


def _examples(remedy: Remedy, table: WorkingRows) -> list[dict[str, dict[str, Cell]]]:
    """Changed rows as they stand in the working rows: the most frequent changes first, short ones, each a new one."""
    changes = remedy.changes(table)
    often = Counter((position, cell) for old, new in changes for position, cell in _changed(old, new))
    chosen: dict[tuple[Cell, ...], tuple[Cell, ...]] = {}
    covered: set[tuple[int, Cell]] = set()
    for old, new in sorted(changes, key=lambda c: (-max(often[x] for x in _changed(*c)), _length(c[0]), str(c[0]))):
        changes_here = set(_changed(old, new))
        if _length(old) <= _EXAMPLE_CHARS and not changes_here <= covered:
            chosen[old] = new
            covered |= changes_here
        if len(chosen) == remedy.examples:
            break
    return [_example(remedy, old, new) for old, new in chosen.items()]


def _example(remedy: Remedy, old: tuple[Cell, ...], new: tuple[Cell, ...]) -> dict[str, dict[str, Cell]]:
    """A row before and after; where each cell stands for itself, only the cells that change."""
    positions = [position for position in range(len(old)) if remedy.whole_rows or old[position] != new[position]]
    names = remedy.columns
    return {"input": {names[p]: old[p] for p in positions}, "output": {names[p]: new[p] for p in positions}}


def _changed(old: tuple[Cell, ...], new: tuple[Cell, ...]) -> list[tuple[int, Cell]]:
    return [(position, cell) for position, cell in enumerate(old) if cell != new[position]]


def _length(row: tuple[Cell, ...]) -> int:
    return sum(len(cell or "") for cell in row)


def _source(function: Callable[..., Any]) -> str:
    """A function's own source, without the remarks that only this repository's linter reads."""
    return re.sub(r"  # noqa.*", "", inspect.getsource(function)).strip()


def literal(value: Any, indent: int = 0) -> str:
    """The value as Python source, broken over lines where it is long."""
    flat = repr(value)
    if len(flat) + indent <= _WIDTH or not isinstance(value, dict | list | tuple):
        return flat
    inner = " " * (indent + 4)
    if isinstance(value, dict):
        parts = [f"{key!r}: {literal(item, indent + 4)}" for key, item in value.items()]
    else:
        parts = [literal(item, indent + 4) for item in value]
    lines = [""]
    for part in parts:
        if len(inner) + len(lines[-1]) + len(part) + 2 > _WIDTH or "\n" in part or isinstance(value, dict):
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{part},"
    start, end = "{}" if isinstance(value, dict) else "[]" if isinstance(value, list) else "()"
    return start + "\n" + "".join(f"{inner}{line}\n" for line in lines if line) + " " * indent + end


def quoted(text: str) -> str:
    """A docstring that column names and cells cannot break out of."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"""{text}"""'
    return ascii(text)
