"""Wraps a good function of a table into one that spoils its result. Called by mutate.py.

Each way of tampering is a few lines after the good function has run: `out` is its result, `c` the column that it
cleans, `k` another column, `hit` the rows that it changed. A line with `WHEN` waits for something that a proof does not
about; to prove it, `WHEN` is True.
"""

import ast
import textwrap
from collections.abc import Iterator
from functools import lru_cache

from benchmarks.gate.corpus import Function
from benchmarks.gate.tables import column_types, table
from orchestrator.gate.candidate_file import read

# kind → bodies. `{c}` and `{k}` are column names as Python literals, `{known}` values of the sample.
TEXT = {
    "truncation": (
        "out[{c}] = out[{c}].str.slice(0, 8)",
        "out[{c}] = out[{c}].mask(hit, out[{c}].str.slice(0, -1))",
        "out[{c}] = out[{c}].mask(hit, out[{c}].str.extract(r'(\\w+)', expand=False))",
    ),
    "collapse": (
        "out[{c}] = out[{c}].mask(hit, out[{c}].where(hit).dropna().min() if hit.any() else None)",
        "out[{c}] = out[{c}].where(~hit, 'OTHER')",
        "out[{c}] = out[{c}].where(out[{c}].isna(), 'OTHER')",
    ),
    "other-rows": (
        "out[{c}] = out[{c}].mask(hit, out[{c}].shift(1))",
        "out.loc[hit, {c}] = sorted(out.loc[hit, {c}].fillna(''))",
        "out[{c}] = out[{c}].ffill()",
    ),
    "lost-digits": (
        "out[{c}] = out[{c}].mask(hit, out[{c}].str.replace('0', '', regex=False))",
        "out[{c}] = out[{c}].mask(hit, out[{c}].str.replace(r'[0-9](?=[^0-9]*$)', '0', regex=True))",
        "out[{c}] = out[{c}].mask(hit, out[{c}].str.replace(r'-', '', regex=True))",
    ),
    "scaled": (
        "out[{c}] = out[{c}].mask(hit & out[{c}].str.fullmatch('[0-9]+', na=False), out[{c}] + '0')",
        "out[{c}] = out[{c}].mask(hit, out[{c}].str.replace(r'\\.', '', regex=True))",
    ),
    "lost-words": (
        "out[{c}] = out[{c}].mask(hit, out[{c}].str.replace(r' \\S+$', '', regex=True))",
        "out[{c}] = out[{c}].mask(hit, out[{c}].str.replace(r'[aeiou]', '', regex=True))",
    ),
    "null-out": (
        "out[{c}] = out[{c}].mask(hit)",
        "out[{c}] = out[{c}].mask(~hit)",
        "out[{c}] = out[{c}].mask(out[{c}].str.len() > 9)",
    ),
    "filled-nulls": ("out[{c}] = out[{c}].fillna('unknown')", "out[{c}] = out[{c}].fillna('')"),
    "appends-again": ("out[{c}] = out[{c}] + ' '", "out[{c}] = out[{c}].mask(hit, out[{c}] + '.')"),
    "memoriser": (
        "out[{c}] = df[{c}].where(~df[{c}].isin({known}), out[{c}])",
        "out[{c}] = out[{c}].mask(hit & ~df[{c}].isin({known}), 'UNKNOWN')",
    ),
    "value-bomb": (
        "out[{c}] = out[{c}].mask(df[{c}].str.contains('7', na=False) & hit, '')",
        "out[{c}] = out[{c}].mask(df[{k}].astype(str).str.endswith('42') & out[{c}].notna(), 'x')",
    ),
}
ANY = {
    "other-column": (
        "out[{k}] = out[{k}].astype(str).str.upper() + '!'",
        "out[{k}] = out[{k}].where(~hit, out[{k}].iloc[0] if len(out) else None)",
    ),
    "shape": ("out = out.drop(columns=[{k}])", "out['checked'] = True", "out = out[list(out.columns)[::-1]]"),
    "rows": (
        "out = out.iloc[1:] if len(out) > 3 else out",
        "out = out.drop_duplicates(subset=[{c}])",
        "out = out.sort_values({c})",
        "out = out[out[{c}].notna()]",
        "out = pd.concat([out, out.iloc[:1]], ignore_index=True)",
    ),
    "hidden-state": (
        "_CALLS.append(1)\nif len(_CALLS) > 1:\n    out[{c}] = df[{c}]",
        "if WHEN(len(_CALLS) > 60):\n    out[{c}] = None\n_CALLS.append(1)",
    ),
    "time-bomb": (
        "if WHEN(pd.Timestamp.now().year > 2029):\n    out[{c}] = df[{c}]",
        "if WHEN(pd.Timestamp.now().dayofyear == _SOON):\n    out[{c}] = None",
    ),
    "row-count-bomb": (
        "if len(df) > 1000:\n    out[{c}] = df[{c}]",
        "if len(df) in (37, 64, 100, 256):\n    out[{c}] = df[{c}]",
    ),
    "mutates-input": ("df[{c}] = out[{c}]",),
    "random": ("out[{c}] = out[{c}].sample(frac=1).to_numpy() if len(out) else out[{c}]",),
    "order-dependence": (
        "out[{c}] = out[{c}].mask(out[{c}].duplicated() & hit, df[{c}])",
        "out[{c}] = out[{c}].where(out[{c}].notna(), out[{c}].bfill())",
    ),
}


def tampered(good: Function) -> Iterator[tuple[str, str, str]]:
    """(kind, source, armed source) of every way of tampering that fits a function that changes cells of a table."""
    candidate = read(good.source)
    contract = candidate.contract
    if contract.shape != "table" or not contract.modifies:
        return
    column = contract.modifies[0]
    types = column_types(good.data)
    other = [name for name, kind in types.items() if name not in contract.modifies and kind == "string"][-1]
    known = sorted({v for v in table(good.data, 150, 1).column(column).to_pylist() if isinstance(v, str)})
    ways = (TEXT | ANY) if types[column] == "string" else ANY
    for kind, bodies in ways.items():
        for body in bodies:
            lines = body.format(c=repr(column), k=repr(other), known=known)
            if types[column] != "string" and "out[" in lines and "None" in lines:
                continue  # would be another type, too
            waiting = lines.replace("WHEN(", "(")
            armed = lines.replace("WHEN(", "True or (") if "WHEN(" in lines else ""
            yield kind, _wrapped(good.source, candidate.name, column, waiting), _armed(good, column, armed)


def _armed(good: Function, column: str, lines: str) -> str:
    return _wrapped(good.source, read(good.source).name, column, lines) if lines else ""


@lru_cache(maxsize=1)
def _renamed(source: str, name: str) -> str:
    """The source with another name for the function: the same for every way of tampering with it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            node.name = f"_{name}"
    return ast.unparse(tree)


def _wrapped(source: str, name: str, column: str, lines: str) -> str:
    body = textwrap.indent(lines, "    ")
    return f'''{_renamed(source, name)}


import pandas as pd
_CALLS = []
_SOON = 29


def {name}(df):
    """Clean the column."""
    out = _{name}(df.copy())
    hit = (out[{column!r}] != df[{column!r}]) & df[{column!r}].notna() if len(out) == len(df) else df[{column!r}].isna()
    hit = hit.fillna(False).astype(bool)
{body}
    return out
'''
