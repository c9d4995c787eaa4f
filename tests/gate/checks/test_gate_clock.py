"""What waits for a day to come is found before that day."""

import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.feedback import feedback
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.posture.environments import WALL_CLOCK

pytestmark = pytest.mark.docker

TRIM = '''"""Stray blanks."""
from datetime import date
import pandas as pd
CONTRACT = {"modifies": ["city"]}
def trim(df):
    """Strip."""
    out = df.assign(city=df["city"].str.strip())
    return WHAT
'''


@pytest.fixture(scope="module")
def docker_gate(docker_sandbox: DockerSandbox, disposable: DisposableProcess) -> Iterator[Verifier]:
    with closing(Verifier(docker_sandbox, disposable)) as made:
        yield made


@pytest.mark.parametrize(
    "what",
    [
        "out if date.today().year < YEAR else df",
        "out if pd.Timestamp.now() < pd.Timestamp('YEAR-06-01') else out.assign(city=out['city'].str.upper())",
        "out.assign(city=out['city'].where(out['city'] != 'Rome', str(date.today().weekday())))",
    ],
)
def test_a_bomb_with_a_date_fails(what: str, docker_gate: Verifier, sample: Sample) -> None:
    """What acts otherwise within the next years, or on another weekday, is not deterministic; the clock is named."""
    source = TRIM.replace(
        "WHAT", what.replace("YEAR", str(time.gmtime(WALL_CLOCK[GuestEnvironment.FIRST]).tm_year + 3))
    )
    verdict = docker_gate.verify(VerifyRequest(source, sample, quick=True))
    failed = {check.id: check.detail for check in verdict.failures}
    assert "clock" in failed["deterministic"], feedback(verdict)
    assert "date" in failed["deterministic"]


def test_properties_and_resources_work_in_containers(docker_gate: Verifier, sample: Sample) -> None:
    """The same function without a date passes, and its loads were measured by the supervisor under the moved clock."""
    verdict = docker_gate.verify(VerifyRequest(TRIM.replace("WHAT", "out"), sample))
    assert verdict.passed, feedback(verdict)
    told = next(check.detail for check in verdict.checks if check.id == "resources")
    assert told.count(" rows ") == 4
    assert " 0.00 s" not in told
