"""All children of a job together have a budget: staying just below every single limit gains nothing."""

import pytest

from orchestrator.core.jobs import Ended, Limits
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.sandbox.containers.container import budget
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from tests.sandbox.sandbox_jobs import make_job

SLEEPS = "import time\ndef f(df):\n    time.sleep(1.5)\n    return df\n"


def test_the_budget_is_the_smaller_of_sum_and_policy() -> None:
    """Few children have what their limits add up to; many have what the policy gives."""
    limits = Limits(wall_s=10)
    assert budget(make_job(SLEEPS, limits=limits), 120) == pytest.approx(15.5)
    assert budget(make_job(SLEEPS, limits=limits, children=50), 120) == 120


@pytest.mark.docker
def test_sleeping_below_every_limit_ends_with_the_budget(image: str) -> None:
    """Ten children of 1.5 s under a limit of 2 s each, with 4 s for all: most never begin, and it is no success."""
    policy = Policy(container=ContainerPolicy(job_s=4, pool_size=1))
    with DockerSandbox(policy, image, run_id="test") as sandbox:
        job = make_job(SLEEPS, limits=Limits(wall_s=2.0), children=10)
        ended = [child.ended for child in sandbox.run(job).children]
        assert ended.count(Ended.OK) <= 2  # a third would end after 4.5 s, on a slow machine as on a quick one
        assert ended[-1] is Ended.TIMEOUT
