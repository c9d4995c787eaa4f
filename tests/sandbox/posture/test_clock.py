"""The wall clock stands still in every container, years later in the confirming one; nothing else differs."""

from datetime import UTC, datetime

import pytest

from orchestrator.core.jobs import GuestEnvironment
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.posture.environments import WALL_CLOCK
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
    said = [
        datetime.now().astimezone().isoformat(), str(pd.Timestamp.now("UTC")), str(np.datetime64("now")) + "Z",
        time.strftime("%Y-%m-%dT%H:%M:%S%z"), datetime.fromtimestamp(time.time(), UTC).isoformat(),
    ]
    return df.assign(said=" | ".join([*said, str(slept)]))
"""


def test_wall_clocks_stand_still_and_no_other(docker_sandbox: DockerSandbox) -> None:
    """Whoever asks when, Python, pandas, numpy and C tell one moment; sleeping and processor time are as ever."""
    for environment in (GuestEnvironment.FIRST, GuestEnvironment.CONFIRM) * 2:
        job = make_job(CLOCKS, environment=environment)
        answer = read(docker_sandbox.run(job).children[0], job)
        *clocks, slept = answer.said()[0].split(" | ")
        assert {datetime.fromisoformat(told).timestamp() for told in clocks} == {WALL_CLOCK[environment]}
        assert 0.05 <= float(slept) < 5
        assert 0 < answer.result.cpu_s < 5


def test_both_moments_differ_in_all_that_a_function_may_ask() -> None:
    """Another year, month, day, weekday, hour and minute."""
    now, later = (datetime.fromtimestamp(moment, UTC) for moment in WALL_CLOCK.values())
    assert later.year - now.year == 7
    for part in ("month", "day", "hour", "minute", "second"):
        assert getattr(now, part) != getattr(later, part)
    assert now.weekday() != later.weekday()


TRACES = """
import os, sys, time
def f(df):
    with open("/proc/self/maps") as file:
        mapped = sorted({line.split(maxsplit=5)[5].strip() for line in file if line.count(" ") > 5 and "/" in line})
    kinds = [type(time.sleep).__name__, type(time.time).__name__, sorted(sys.modules), sorted(os.environ)]
    found = [mapped, kinds, sorted(os.listdir("/usr/lib")), sorted(os.listdir("/usr/lib/clock")), os.listdir("/tmp")]
    return df.assign(said=str(found))
"""


def test_the_other_clock_leaves_no_trace(docker_sandbox: DockerSandbox) -> None:
    """What is mapped, loaded and there is the same in both containers, and no name says what it is for."""
    found = []
    for environment in (GuestEnvironment.FIRST, GuestEnvironment.CONFIRM):
        job = make_job(TRACES, environment=environment)
        found.append(read(docker_sandbox.run(job).children[0], job).said())
    assert found[0] == found[1]
    assert "/libclock.so" in str(found[0]), "the control: the library is there, and was seen"
    assert "fake" not in str(found[0]).lower()
