"""The service's figures for Prometheus. Made by the app; the worker tells of each job that has ended.

Labels are words of this program: no name of a job, a token, a file, a column or a function is in them.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from orchestrator.registry.queue.service_job import JobKind, JobState
from orchestrator.service.job_worker import JobEnd

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800)


class ServiceMetrics:
    """`counts`: jobs by kind and state. `gauges`: name, sentence and value of what is as it is at the moment."""

    def __init__(
        self,
        counts: Callable[[], Mapping[tuple[JobKind, JobState], int]],
        gauges: Callable[[int], list[tuple[str, str, int]]],
    ) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Now(counts, gauges))
        self._ends = Counter(
            "cleanroom_job_ends", "Jobs that ended, by verdict or other end.", ["kind", "end"], registry=self._registry
        )
        self._seconds = Histogram(
            "cleanroom_job_seconds", "How long jobs took.", ["kind"], buckets=_SECONDS, registry=self._registry
        )
        self._tokens = Counter(
            "cleanroom_model_tokens", "Tokens that models were asked and answered.", registry=self._registry
        )
        self._containers = Gauge(
            "cleanroom_containers", "Containers of the worker, waiting or at work.", registry=self._registry
        )

    def ended(self, end: JobEnd) -> None:
        self._ends.labels(end.kind, end.end).inc()
        self._seconds.labels(end.kind).observe(end.seconds)
        self._tokens.inc(end.tokens)

    def containers(self, count: int) -> None:
        self._containers.set(count)

    def text(self) -> str:
        """In Prometheus' text format. Raises RegistryError."""
        return generate_latest(self._registry).decode()


class _Now(Collector):
    """What is asked for at each look."""

    def __init__(self, counts: Callable[[], Mapping[Any, int]], gauges: Callable[[int], Any]) -> None:
        self._counts, self._gauges = counts, gauges

    def describe(self) -> list[Any]:
        return []  # so that nothing is asked for when this is registered

    def collect(self) -> Iterator[GaugeMetricFamily]:
        counts = self._counts()
        jobs = GaugeMetricFamily("cleanroom_jobs", "Jobs by kind and state.", labels=["kind", "state"])
        for (kind, now), count in sorted(counts.items()):
            jobs.add_metric([kind, now], count)
        yield jobs
        waiting = sum(count for (_, now), count in counts.items() if now is JobState.QUEUED)
        for name, told, value in self._gauges(waiting):
            yield GaugeMetricFamily(name, told, value=value)
