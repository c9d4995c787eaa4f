"""Probes: run for real in a guest, bounded in what they print, and harmless in what they do to the rows."""

from collections.abc import Iterator

import pyarrow as pa
import pytest

from orchestrator.core.jobs import Limits
from orchestrator.core.ports import SandboxAccess
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile import decode_entry
from orchestrator.propose.prompting.prompt_context import MAX_FINDING_CHARS
from orchestrator.propose.roles.probing import SandboxProber
from orchestrator.sandbox.containers.local import LocalSandbox

ROWS = pa.table({"city": [" Ulm", "Bonn"], "n": [1, None]})


@pytest.fixture(scope="module")
def prober() -> Iterator[SandboxProber]:
    with LocalSandbox() as sandbox, DisposableProcess(decode_entry.ENTRY) as decoder:
        yield SandboxProber(SandboxAccess(sandbox, decoder, Limits(wall_s=60, cpu_s=2)))


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("print(len(df))", "2"),
        ("df['city'].str.len().max()", "4"),
        ("x = 1\nprint(x)\ndf['n'].sum()", "1\n1"),
        ("import re\nprint(bool(re.match('U', 'Ulm')))", "True"),
        ("print('  indented')", "  indented"),
        ("1/0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit('bye')", "SystemExit: bye"),
        ("import os\nos._exit(0)", "the probe was killed or ended itself"),
        ("while True:\n    pass", "the probe took too long"),
        ("x = 1", "nothing was printed"),
        ("print('\\x1b[31mred\\x1b[0m \\u202e')", "red"),
        ("def f(:", "SyntaxError: invalid syntax (probe, line 1)"),
    ],
)
def test_what_a_probe_prints_comes_back(prober: SandboxProber, code: str, printed: str) -> None:
    """Output, the last value, errors and ends of all kinds, as visible text."""
    assert prober.run(code, ROWS) == printed


def test_much_output_is_cut(prober: SandboxProber) -> None:
    """Neither one long line nor many lines cost more than a finding may."""
    for code in ("print('x' * 10**6)", "for n in range(10**5): print(n)"):
        assert len(prober.run(code, ROWS)) <= MAX_FINDING_CHARS + 20


def test_a_probe_changes_nothing_for_the_next_one(prober: SandboxProber) -> None:
    """Each probe has rows of its own."""
    prober.run("df['city'] = 'gone'", ROWS)
    assert prober.run("print(df['city'].tolist())", ROWS) == "[' Ulm', 'Bonn']"
