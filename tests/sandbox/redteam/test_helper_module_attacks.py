"""What one candidate does to a helper module reaches no other candidate and no later batch."""

import pytest

from orchestrator.core.jobs import Ended
from orchestrator.core.ports import SandboxSession
from tests.sandbox.sandbox_jobs import make_job, one_each, read, run_one

READS = """
from cleanroom_dates_v1 import parse_date
def f(df):
    return df.assign(said=[parse_date("3.4.2024", "DMY")] * len(df))
"""
# Each changes what the next import of `parse_date` in the same process finds, and says what it finds itself.
ALTERED = {
    "another module in its place": """
import sys
from types import ModuleType
sys.modules["cleanroom_dates_v1"] = ModuleType("cleanroom_dates_v1")
sys.modules["cleanroom_dates_v1"].parse_date = lambda *_: "altered"
""",
    "another class of the module": """
import cleanroom_dates_v1
from types import ModuleType
object.__setattr__(cleanroom_dates_v1, "__class__", ModuleType)
cleanroom_dates_v1.parse_date = lambda *_: "altered"
""",
    "the module's own dict": """
import cleanroom_dates_v1
vars(cleanroom_dates_v1)["parse_date"] = lambda *_: "altered"
""",
    "the function's own code": """
import cleanroom_dates_v1
cleanroom_dates_v1.parse_date.__code__ = (lambda *_: "altered").__code__
cleanroom_dates_v1.parse_date.__kwdefaults__ = None
""",
}


def test_a_helper_module_refuses_a_change(session: SandboxSession) -> None:
    """Plainly setting or deleting a name raises, in light and in full containers alike."""
    source = "import cleanroom_dates_v1\ndef f(df):\n    {}\n    return df\n"
    for change in ("cleanroom_dates_v1.parse_date = len", "del cleanroom_dates_v1.parse_date"):
        record = run_one(session, source.format(change)).record
        assert (record.status, record.error) == ("raised", "AttributeError: cleanroom_dates_v1 cannot be changed")


@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_helper_reaches_no_other_child_and_no_later_job(session: SandboxSession, how: str) -> None:
    """Whatever a candidate does to the module ends with its process; that it did it at all is the control."""
    altering = ALTERED[how] + READS
    assert run_one(session, altering).said() == ["altered"] * 4
    assert run_one(session, READS).said() == ["2024-04-03"] * 4
    job = one_each([altering, READS])
    first, second = (read(child, job) for child in session.run(job).children)
    assert (first.said(), second.said()) == (["altered"] * 4, ["2024-04-03"] * 4)


def test_a_candidate_in_the_same_process_is_the_only_one_that_is_reached(session: SandboxSession) -> None:
    """Where functions are composed in one child, only to be judged, the change shows: nothing is applied like that."""
    job = make_job([ALTERED["the module's own dict"] + "def f(df):\n    return df\n", READS])
    [child] = session.run(job).children
    assert child.ended is Ended.OK
    assert read(child, job).said() == ["altered"] * 4
    assert run_one(session, READS).said() == ["2024-04-03"] * 4
