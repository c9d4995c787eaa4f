"""A check is one module and one line: added to a copy of the package, it decides verdicts and is told in reports."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CHECK = '''"""No text becomes longer."""
from orchestrator.gate.checks.check import Check
from orchestrator.gate.checks.outcome import Violation, over

ID, LAW = "keeps-length", "No text becomes longer."

def violation(case):
    if case.result is None:
        return None
    for name in case.comparable:
        pairs = zip(case.input.column(name).to_pylist(), case.result.column(name).to_pylist())
        if any(len(str(after)) > len(str(before)) for before, after in pairs):
            return Violation(f"a text in {name} becomes longer")
    return None

CHECK = Check(ID, LAW, lambda view: over(ID, view.present("working"), violation))
'''
VERIFY = '''
import pyarrow as pa
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.gate.judge.judge_entry import both
from orchestrator.gate.verifier import Verifier
from orchestrator.run.report.sarif import CHECKS
from orchestrator.sandbox.containers.local import LocalSandbox

class Judge:
    call = staticmethod(both)
    close = staticmethod(lambda: None)

SOURCE = """CONTRACT = {"modifies": ["city"], "examples": [{"input": {"city": "Rome"}, "output": {"city": "%s"}}]}
def change(df):
    'Change city.'
    return df.assign(city=df["city"].%s)
"""
rows = pa.table({"city": ["Rome", "BONN", "Kiel", "Ulm", "Trier"] * 12})
with LocalSandbox() as sandbox:
    gate = Verifier(sandbox, Judge())
    for example, method in (("rome", "str.lower()"), ("Rome      ", "str.ljust(10)")):
        sample = Sample(rows.slice(0, 40), rows.slice(40))
        verdict = gate.verify(VerifyRequest(SOURCE % (example, method), sample, quick=True))
        print(verdict.verdict, {c.id: str(c.outcome) for c in verdict.checks}["keeps-length"])
    gate.close()
print([check.law for check in CHECKS if check.id == "keeps-length"])
'''


def test_one_module_and_one_line_make_a_check(tmp_path: Path) -> None:
    """With the toy check a function that shortens passes, one that pads fails by it, and SARIF knows its law."""
    for folder in ("orchestrator", "sandbox_image"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "corpus"))
    checks = tmp_path / "orchestrator" / "gate" / "checks"
    (checks / "keeps_length.py").write_text(CHECK, encoding="utf-8")
    catalog = (checks / "catalog.py").read_text(encoding="utf-8")
    assert catalog.count("    precise.CHECK,\n") == 1
    catalog = catalog.replace("    precise,\n", "    keeps_length,\n    precise,\n")
    catalog = catalog.replace("    precise.CHECK,\n", "    precise.CHECK,\n    keeps_length.CHECK,\n")
    (checks / "catalog.py").write_text(catalog, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", VERIFY], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["pass pass", "fail fail", "['No text becomes longer.']"]
