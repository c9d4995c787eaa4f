"""A word for nothing that is somebody's name, as the mailbox beside it shows."""

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.gate.information.row_evidence.named_beside import named_beside
from orchestrator.gate.verifier import Verifier

NAMES = ["Ada", "Alan", "Grace", "Edsger", "Barbara", "Ken", "Radia", "Donald", "Frances", "John"]
NULL_OUT = '''
"""`Null` stands for nothing."""
CONTRACT = {"modifies": ["first"]}


def detect(df):
    return (df["first"] == "Null").astype(bool)


def blank_names(df):
    """Blank it."""
    return df.assign(first=df["first"].where(df["first"] != "Null", ""))
'''


def mailboxes(form: str, names: list[str]) -> list[str]:
    return [form.format(name.lower(), number) for number, name in enumerate(names)]


@pytest.mark.parametrize(
    ("form", "found"),
    [("{}.king{}@example.org", [10]), ("{} King", [10]), ("{0}.{0}@example.org", []), ("box{1}@example.org", [])],
)
def test_a_name_that_stands_beside_others_is_one(form: str, found: list[int]) -> None:
    """In the row's mailbox or full name, as the other names are; alone it may have been made of nothing."""
    names = [*NAMES, "Null"]
    after = [*NAMES, ""]
    assert named_beside(names, after, [10], [mailboxes(form, names)]) == found


def test_few_rows_show_nothing() -> None:
    """Three of ten rows whose mailbox has the name may be chance."""
    names = [*NAMES, "Null"]
    beside = [*mailboxes("{}.king@example.org", NAMES[:3]), *["info@example.org"] * 7, "null.king@example.org"]
    assert named_beside(names, [*NAMES, ""], [10], [beside]) == []


@pytest.mark.parametrize(("form", "passes"), [("{}.king{}@example.org", False), ("box{1}@example.org", True)])
def test_the_verdict_asks_for_a_name(gate: Verifier, form: str, passes: bool) -> None:
    """Held where the mailbox says that it is a name, and an ordinary word for nothing where it does not."""
    names = [*NAMES, "Null"] * 12
    rows = pa.table({"first": names, "mail": mailboxes(form, names)})
    verdict = gate.verify(VerifyRequest(NULL_OUT, Sample(rows, rows.slice(0, 33)), quick=True))
    assert (verdict.passed, verdict.held) == (passes, not passes), verdict.failures
    assert passes or {one.kind for one in verdict.concerns} == {"cells-emptied"}
