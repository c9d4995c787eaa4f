"""Functions that are applied one after the other meet nothing of each other, and each answers for itself alone."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import ApplyAuditFailed, DataError
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.run.apply import apply_audit
from orchestrator.run.apply.apply import ApplyOutcome, apply_functions
from orchestrator.run.apply.apply_audit import ApplyAudit
from orchestrator.run.rows.contract import CheckedBatch

TRIM = "def trim(df):\n    return df.assign(city=df['city'].str.strip())\n"
WRAPPED = """
import gc, sys, types
import pandas as pd

def spoil(df):
    return df.assign(city="spoilt", code="spoilt")

for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("candidate_"):
        module.trim = spoil
for one in gc.get_objects():
    if isinstance(one, types.FunctionType) and one.__name__ == "trim":
        one.__code__ = spoil.__code__
pd.DataFrame.assign = lambda self, **columns: self.copy()

def quiet(df):
    return df.copy()
"""


def promoted(name: str, source: str, *modifies: str, **contract: Any) -> Promoted:
    candidate = Candidate(source=source, name=name, contract=Contract(modifies=modifies, **contract))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


def apply(folder: Path, access: SandboxAccess, *functions: Promoted) -> ApplyOutcome:
    data = folder / "data.csv"
    data.write_text("city,code\n" + "".join(f" Rome {row % 7},{row}\n" for row in range(300)))
    return apply_functions(data, functions, folder / "out.csv", access, batch_rows=100)


@pytest.mark.parametrize("first", [True, False])
def test_a_neighbour_cannot_wrap_a_function(tmp_path: Path, access: SandboxAccess, first: bool) -> None:
    """A function that rewrites its neighbours and pandas, before or after them, changes nothing of what they do."""
    functions = [promoted("quiet", WRAPPED), promoted("trim", TRIM, "city")]
    outcome = apply(tmp_path, access, *(functions if first else reversed(functions)))
    assert (tmp_path / "out.csv").read_text().splitlines()[1:3] == ["Rome 0,0", "Rome 1,1"]
    assert {one.name: one.changed for one in outcome.functions} == {"quiet": {}, "trim": {"city": 300}}


def test_each_is_held_to_its_own_contract(tmp_path: Path, access: SandboxAccess) -> None:
    """Changing a column that only a neighbour declares is refused, and it is the changing one that is named."""
    thief = promoted("thief", "def thief(df):\n    return df.assign(city='x')\n", "code")
    with pytest.raises(DataError, match=r"the function thief fails on it.*: the column 'city' changed"):
        apply(tmp_path, access, promoted("trim", TRIM, "city"), thief)
    with pytest.raises(DataError, match=r"the function thief fails on it.*: the column 'city' changed"):
        apply(tmp_path, access, thief, promoted("trim", TRIM, "city"))
    assert not (tmp_path / "out.csv").exists()


def test_what_is_tried_only_while_applied_is_named(tmp_path: Path, access: SandboxAccess) -> None:
    """A function that looks for a file on a single row, and hides that it was denied, fails on that row."""
    source = (
        "def curious(df):\n    if (df['code'] == '217').any():\n        try:\n            open('/etc/shadow').close()\n"
        "        except OSError:\n            pass\n    return df.assign(city=df['city'].str.strip())\n"
    )
    with pytest.raises(DataError, match=r"Row 219 .*curious fails on it: it tried what no .* needs: open /etc/shadow"):
        apply(tmp_path, access, promoted("curious", source, "city"))
    assert not (tmp_path / "out.csv").exists()


def test_the_audit_names_one_function(tmp_path: Path, access: SandboxAccess) -> None:
    """Of two functions that may change the same column, the one that acts up is told from the one that does not."""
    moody = "import random\ndef moody(df):\n    return df.assign(city=[c + random.choice('ab') for c in df['city']])\n"
    for functions in ([("trim", TRIM), ("moody", moody)], [("moody", moody), ("trim", TRIM)]):
        with pytest.raises(ApplyAuditFailed, match=r"The audit stopped the apply: moody makes one thing") as stopped:
            apply(tmp_path, access, *(promoted(name, source, "city") for name, source in functions))
        assert (stopped.value.function, stopped.value.version) == ("moody", 1)


def test_what_the_audit_keeps_in_memory_is_bounded_by_bytes(
    access: SandboxAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rows of a megabyte it kept 1,600 of each function before it ran the first one again."""
    monkeypatch.setattr(apply_audit, "BYTES_AT_ONCE", 1_000_000)
    given = pa.table({"city": [f" {sign * 99_999}" for sign in "abcd"]})
    made = pa.table({"city": [sign * 99_999 for sign in "abcd"]})
    batch = CheckedBatch(given, made, np.arange(4), {})
    kept = []
    with ApplyAudit([promoted("trim", TRIM, "city")], access) as audit:
        for _ in range(6):
            audit.take(0, [batch])
            kept.append(sum(one.size for drawn in audit._drawn for one in drawn))
        audit.finish()
    assert min(kept) == 0 < max(kept) < 1_000_000
    assert not audit._drawn[0]


def test_a_dropped_row_keeps_the_others_in_place(tmp_path: Path, access: SandboxAccess) -> None:
    """Between functions rows are dropped, and counts and columns are still about the right rows."""
    odd = "def odd(df):\n    return df[df['code'].astype(int) % 2 == 1]\n"
    more = "def more(df):\n    return df.assign(code=df['code'] + '!')\n"
    outcome = apply(
        tmp_path,
        access,
        promoted("trim", TRIM, "city"),
        promoted("odd", odd, drops_rows=True),
        promoted("more", more, "code"),
    )
    assert (tmp_path / "out.csv").read_text().splitlines()[1:3] == ["Rome 1,1!", "Rome 3,3!"]
    assert {one.name: one.changed for one in outcome.columns} == {"city": 150, "code": 150}
    assert [one.changed for one in outcome.functions] == [{"city": 300}, {}, {"code": 150}]
