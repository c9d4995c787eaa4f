"""Runs a model's read-only probe in a sandbox and gives back what it printed. The `explorer`'s, wired by `bootstrap`.

A probe is untrusted code like any candidate: it gets a locked-down container of its own, only the rows that the model
may know, and the limits of the policy. What it prints is foreign text of bounded length; nothing else comes back.
"""

import ast

import pyarrow as pa

from orchestrator.core.errors import DisposableDied
from orchestrator.core.jobs import Case, Child, Ended, Job, Op, Program
from orchestrator.core.parsing import parse_python
from orchestrator.core.ports import SandboxAccess
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.data.hostile.decode_entry import read_decoded, request
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.data.record_tables import is_records, lines_of
from orchestrator.data.source_check import too_costly
from orchestrator.data.text import clean_text
from orchestrator.propose.prompting.prompt_context import MAX_FINDING_CHARS

_MAX_LINES = 200
_ENDINGS = {
    Ended.TIMEOUT: "the probe took too long",
    Ended.MEMORY: "the probe needed too much memory",
    Ended.OUTPUT_LIMIT: "the probe printed too much",
    Ended.KILLED: "the probe was killed or ended itself",
    Ended.PROTOCOL: "the probe broke its container",
}
_AROUND = '''
import contextlib
import io
import json

import pandas as pd


def probe(df):
    """Run the lines on df and give back what they print."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile({code!r}, "probe", "exec"), {{{given}, "pd": pd, "__name__": "probe"}})
        except Exception as error:
            print(type(error).__name__ + ":", error)
    return pd.DataFrame({{"printed": printed.getvalue()[:{most}].split("\\n")[:{lines}]}}, dtype="str")
'''
_TABLE = '"df": df'
_RECORDS = '"records": [json.loads(line) for line in df["line"]]'


class SandboxProber:
    """Probes in fresh containers of the run's sandbox."""

    def __init__(self, access: SandboxAccess) -> None:
        self._access = access

    def run(self, code: str, rows: pa.Table) -> str:
        """What the probe printed, or how it failed, as visible lines. Raises SandboxError when the sandbox fails."""
        given = _TABLE
        if is_records(rows):
            given, rows = _RECORDS, pa.table({"line": lines_of(rows).decode().split("\n")})
        code = _with_last_value(code)
        source = _AROUND.format(code=code, given=given, most=2 * MAX_FINDING_CHARS, lines=_MAX_LINES)
        child = Child((Case("probe", write_table(rows.combine_chunks()), (Op.F,)),), self._access.limits)
        result = self._access.sandbox.run(Job((Program("probe", source),), (child,))).children[0]
        if result.ended is not Ended.OK:
            return _ENDINGS[result.ended]
        try:
            decoded = read_decoded(self._access.decoder.call(request(result.output, records=False, detect=False)))
        except (HostileOutput, DisposableDied):
            return _ENDINGS[Ended.PROTOCOL]
        if decoded.table is None or "printed" not in decoded.table.column_names:
            return clean_text(decoded.error or _ENDINGS[Ended.PROTOCOL], 500)
        lines = [_line(str(line)) for line in decoded.table.column("printed").to_pylist()]
        text = "\n".join(lines).strip("\n")
        if not text:
            return "nothing was printed"
        return text if len(text) <= MAX_FINDING_CHARS else text[:MAX_FINDING_CHARS] + "\n… cut here"


def _line(text: str) -> str:
    """One line as it was printed, visible, and still under the one above it."""
    return " " * min(len(text) - len(text.lstrip(" ")), 80) + clean_text(text, 500)


def _with_last_value(code: str) -> str:
    """The code, printing the value of its last line when that is an expression, as a notebook does."""
    if too_costly(code):
        return code
    try:
        tree = parse_python(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code  # it says so itself when it is run
    if not tree.body or not isinstance(last := tree.body[-1], ast.Expr):
        return code
    if isinstance(last.value, ast.Call) and isinstance(last.value.func, ast.Name) and last.value.func.id == "print":
        return code
    printing = ast.Call(func=ast.Name("print", ast.Load()), args=[last.value], keywords=[])
    tree.body[-1] = ast.copy_location(ast.Expr(printing), last)
    return ast.unparse(ast.fix_missing_locations(tree))
