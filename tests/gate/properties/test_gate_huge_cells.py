"""A few cells of a megabyte: they are judged where they stand, and do not make a job that no sandbox takes."""

from time import process_time

import pyarrow as pa
import pytest

from orchestrator.core.errors import SandboxError
from orchestrator.core.jobs import Job
from orchestrator.core.policy import LARGEST_BYTES, Policy
from orchestrator.core.ports import Sample
from orchestrator.gate import candidate_file
from orchestrator.gate.canary import NO_EXAMPLES
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.inputs.case_planner import CasePlanner
from orchestrator.gate.inputs.row_selection import not_huge
from orchestrator.gate.properties.plan import Drawn
from orchestrator.sandbox.containers import wire
from orchestrator.sandbox.containers.wire import encode_job

CANDIDATE = candidate_file.read('''
CONTRACT = {"modifies": ["city"]}
def trim(df):
    """Strip."""
    return df.assign(city=df["city"].str.strip())
''')
HUGE = "word " * 200_000
ROWS = pa.table({"city": [" Rome", "Oslo", "Lima ", "Ulm"] * 8, "text": [HUGE, *["a word"] * 31]})


def _size(job: Job) -> int:
    return sum(len(case.input) for child in job.children for case in child.cases)


def test_one_huge_cell_is_judged_and_not_multiplied() -> None:
    """All that is drawn is small; the containers still get the rows as they are."""
    planner = CasePlanner(CANDIDATE, Sample(ROWS, ROWS), Policy(), 1)
    first = planner.first(NO_EXAMPLES).job
    assert len(HUGE) < len(first.children[-1].cases[0].input)
    second = planner.confirm(planner.working_bytes, touched=[0, 2, 4], clean={"city": ["Rome"]})
    assert len(HUGE) < _size(second.job) < 20 * len(HUGE)
    assert _size(Drawn(CANDIDATE, ROWS, Policy(), 1).stage(1e-9).job) < LARGEST_BYTES


def test_where_most_rows_are_huge_they_count() -> None:
    """Else there would be nothing to draw from."""
    assert not_huge(ROWS) == list(range(1, 32))
    assert not_huge(ROWS.slice(0, 1)) == [0]


def test_a_job_that_no_sandbox_takes_is_nobodys_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused before it is sent, for good: no container breaks, and no function is blamed for that."""
    job = CasePlanner(CANDIDATE, Sample(ROWS, ROWS), Policy(), 1).first(NO_EXAMPLES).job
    assert encode_job(job)
    monkeypatch.setattr(wire, "MAX_JOB", len(HUGE))
    with pytest.raises(SandboxError, match="too large to be sent") as caught:
        encode_job(job)
    assert not caught.value.temporary


@pytest.mark.parametrize(
    ("line", "becomes"), [("line {}", "row {}"), ("temp {}.5", "temp {} 5"), ("{0}x{0}", "{0}{0}"), ("a{0}b", "c{0}d")]
)
def test_a_long_text_of_which_each_word_changes_is_judged_in_seconds(line: str, becomes: str) -> None:
    """Words and numbers of one text are not all laid beside each other: 4,000 lines took minutes."""
    text, after = ("\n".join(form.format(number) for number in range(4_000)) for form in (line, becomes))
    started = process_time()
    assert suspicions([(text, after), ("a short one", "a short one")])
    assert process_time() - started < 20
