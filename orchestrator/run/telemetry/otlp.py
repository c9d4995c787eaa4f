"""Sends spans to a collector, over OTLP by HTTP, in the background. Called by the commands and the service's worker.

Where to, and with which headers, is for OpenTelemetry's own variables to say (OTEL_EXPORTER_OTLP_ENDPOINT, …).
"""

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from orchestrator import __version__
from orchestrator.core.errors import UsageError
from orchestrator.core.steps.step_base import Step
from orchestrator.core.verdict import Verdict
from orchestrator.run.telemetry.spans import StepSpans

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import Tracer

Telemetry = Literal["off", "otlp"]
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_LAST_MS = 5_000


def wanted(said: Telemetry | None) -> bool:
    """Whether spans are sent: as was said; else where the environment names a collector, and it can be done.

    Raises UsageError where it was said and the packages are not there.
    """
    disabled = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    there = find_spec("opentelemetry") is not None and find_spec("opentelemetry.sdk") is not None
    if said == "otlp" and not there:
        raise UsageError("Telemetry is not installed.", advice="pip install 'cleanroom[telemetry]'")
    found = any(os.environ.get(name) for name in _ENDPOINTS)
    return there and not disabled and (said == "otlp" or (said is None and found))


class Watcher:
    """Takes the steps of one run, and verdicts; does nothing where no spans are wanted."""

    def __init__(self, tracer: "Tracer | None" = None) -> None:
        self._tracer = tracer
        self._spans = None if tracer is None else StepSpans(tracer)

    def another(self) -> "Watcher":
        """One for another run, beside this one."""
        return Watcher(self._tracer)

    def close(self) -> None:
        """End what a run that was broken off has left open."""
        if self._spans is not None:
            self._spans.close()

    def see(self, step: Step) -> None:
        if self._spans is not None:
            self._spans.see(step)

    def see_verdict(self, verdict: Verdict) -> None:
        if self._spans is not None:
            self._spans.see_verdict(verdict)


@contextmanager
def watched(said: Telemetry | None) -> Iterator[Watcher]:
    """What steps are to be shown to. At the end, what is left is sent, for five seconds at most. Raises UsageError."""
    if not wanted(said):
        yield Watcher()
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL + 1)  # its words name addresses; ours are below
    resource = Resource.create({"service.name": "cleanroom", "service.version": __version__})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)

    class Exporter(OTLPSpanExporter):
        lost = False

        def export(self, spans: "Sequence[ReadableSpan]") -> "SpanExportResult":
            result = super().export(spans)
            self.lost = self.lost or result is not SpanExportResult.SUCCESS
            return result

    exporter = Exporter(timeout=3)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    watcher = Watcher(provider.get_tracer("cleanroom", __version__))
    try:
        yield watcher
    finally:
        watcher.close()
        provider.force_flush(_LAST_MS)
        provider.shutdown()
        if exporter.lost:
            sys.stderr.write("note: no collector took the telemetry; nothing else is wrong.\n")
