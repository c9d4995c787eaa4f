"""The confirming container lives some years later, and nothing else of it is otherwise."""

from datetime import UTC, datetime

import pytest

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from tests.sandbox.sandbox_jobs import make_job, read

pytestmark = pytest.mark.docker

CLOCKS = """
import time
from datetime import UTC, datetime
import numpy as np
import pandas as pd
def f(df):
    begin = time.monotonic()
    time.sleep(0.05)
    sum(range(3_000_000))
    slept = time.monotonic() - begin
    said = [datetime.now().isoformat(), str(pd.Timestamp.now()), str(np.datetime64("now")), time.strftime("%Y")]
    return df.assign(said=" | ".join([*said, str(slept)]))
"""


def test_every_wall_clock_is_moved_and_no_other(docker_sandbox: DockerSandbox) -> None:
    """Python, pandas, numpy and C agree on a year that is to come; sleeping and processor time are as ever."""
    told = {}
    for environment in (GuestEnvironment.FIRST, GuestEnvironment.CONFIRM):
        job = make_job(CLOCKS, environment=environment)
        answer = read(docker_sandbox.run(job).children[0], job)
        *clocks, slept = answer.said()[0].split(" | ")
        years = {clock[:4] for clock in clocks}
        assert len(years) == 1
        assert 0.05 <= float(slept) < 5
        assert 0 < answer.result.cpu_s < 5
        told[environment] = datetime.fromisoformat(clocks[0]).replace(tzinfo=UTC)
    now, later = told.values()
    assert abs((now - datetime.now(UTC)).total_seconds()) < 86_400
    assert later.year - now.year in (7, 8)
    assert later.weekday() != now.weekday()
    assert later.month != now.month


TRACES = """
import os, sys, time
def f(df):
    with open("/proc/self/maps") as file:
        mapped = sorted({line.split(maxsplit=5)[5].strip() for line in file if line.count(" ") > 5 and "/" in line})
    kinds = [type(time.sleep).__name__, type(time.time).__name__, sorted(sys.modules), sorted(os.environ)]
    found = [mapped, kinds, sorted(os.listdir("/usr/lib")), sorted(os.listdir("/usr/lib/clock")), os.listdir("/tmp")]
    return df.assign(said=str(found))
"""


def test_a_moved_clock_leaves_no_trace(docker_sandbox: DockerSandbox) -> None:
    """What is mapped, loaded and there is the same where the clock is right, and no name says what it is for."""
    found = []
    for environment in (GuestEnvironment.FIRST, GuestEnvironment.CONFIRM):
        job = make_job(TRACES, environment=environment)
        found.append(read(docker_sandbox.run(job).children[0], job).said())
    assert found[0] == found[1]
    assert "/libclock.so" in str(found[0]), "the control: the library is there, and was seen"
    assert "fake" not in str(found[0]).lower()
