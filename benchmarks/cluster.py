"""What a cluster of this machine gives and costs: apply with 1, 2 and 4 workers, a task's overhead, tasks per second.

    python -m benchmarks.cluster [--rows 200000] [--workers 1,2,4] [--tasks 300]

All workers share the processors of one machine with the coordinator, so the ratios say what coordination costs, and not
how far more machines reach. Start-up is not in the times. An empty task goes through the scheduler and back and runs
nothing: so many per second are the most that this scheduler and one coordinator do.
"""

import argparse
import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from benchmarks.apply import messy
from orchestrator import bootstrap
from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.jobs import Case, Child, Job, Program
from orchestrator.core.policy import Policy
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.run.apply.apply import WORKERS, apply_functions
from orchestrator.run.services import Services
from orchestrator.scale.cluster_address import ClusterAddress
from orchestrator.scale.dask_setup import prepare_dask, security

TURNS = 20


def functions(count: int) -> list[Promoted]:
    """Functions that strip one column each. They are not judged here."""
    made = []
    for number in range(count):
        source = f'def strip_{number}(df):\n    return df.assign(c{number}=df["c{number}"].str.strip())\n'
        candidate = Candidate(source=source, name=f"strip_{number}", contract=Contract(modifies=(f"c{number}",)))
        verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
        evidence = Evidence(verdict=verdict, policy_sha256="", proposer="benchmark")
        made.append(Promoted(candidate=candidate, evidence=evidence, order=number, promoted_at=datetime.now(UTC)))
    return made


def applied(data: Path, services: Services, count: int) -> float:
    """Seconds of one apply on warm containers."""
    output = data.with_name("out.csv")
    began = time.perf_counter()
    apply_functions(data, functions(count), output, services.access, workers=services.lanes or WORKERS)
    return time.perf_counter() - began


def round_trip(services: Services, data: Path) -> float:
    """The median of a small job in a warm session, in seconds."""
    from orchestrator.data.formats import open_dataset

    table = next(iter(open_dataset(data).read(100))).table.slice(0, 100)
    job = Job((Program("f", "def f(df):\n    return df\n"),), (Child((Case("", write_table(table)),)),))
    with services.sandbox.session() as session:
        session.run(job)
        times = []
        for _ in range(TURNS):
            began = time.perf_counter()
            session.run(job)
            times.append(time.perf_counter() - began)
    return median(times)


def empty_tasks(tasks: int) -> float:
    """Tasks per second that run nothing, from one coordinator through a scheduler to two workers without sandboxes."""
    prepare_dask()
    from distributed import Client, LocalCluster

    from orchestrator.scale.certificates import make_certificates

    with tempfile.TemporaryDirectory() as name:
        make_certificates(Path(name) / "certs")
        with (
            LocalCluster(
                n_workers=2,
                threads_per_worker=1,
                protocol="tls",
                security=security(Path(name) / "certs" / "scheduler"),
                dashboard_address=None,
                local_directory=name,
            ) as cluster,
            Client(cluster, set_as_default=False) as client,
            ThreadPoolExecutor(8) as threads,
        ):
            client.submit(len, b"").result()
            began = time.perf_counter()
            list(threads.map(lambda number: client.submit(len, b"", key=f"empty-{number}").result(), range(tasks)))
            return tasks / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--functions", type=int, default=4)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--tasks", type=int, default=300)
    asked = parser.parse_args()
    print(
        f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {asked.rows:,} rows, {asked.functions} functions"
    )
    with tempfile.TemporaryDirectory() as name:
        data = messy(Path(name) / "data.csv", asked.rows, 10)
        alone = measured("no cluster", None, data, asked.functions, None)
        for count in map(int, asked.workers.split(",")):
            measured(f"local:{count}", ClusterAddress(local=count), data, asked.functions, alone)
    print(f"empty tasks: {empty_tasks(asked.tasks):.0f} per second")


def measured(
    name: str, cluster: ClusterAddress | None, data: Path, count: int, alone: tuple[float, float] | None
) -> tuple[float, float]:
    with bootstrap.sandboxed(Policy(), verdicts=0, cluster=cluster) as services:
        trip = round_trip(services, data)
        seconds = min(applied(data, services, count) for _ in range(2))
    against = "" if alone is None else f"  {alone[0] / seconds:.2f} x alone, +{(trip - alone[1]) * 1000:.0f} ms a task"
    print(f"{name:<11} apply {seconds:6.1f} s   small task {trip * 1000:5.0f} ms{against}", flush=True)
    return seconds, trip


if __name__ == "__main__":
    main()
