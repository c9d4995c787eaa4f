"""Connections of the service: what comes before any route is refused as a problem, like all else. Used by `serve`."""

from collections.abc import Mapping

from orchestrator.http_timeouts import TimedH11Protocol
from orchestrator.service.gatekeeper import HEADERS
from orchestrator.service.problems import MEDIA_TYPE, problem_of


class ProblemProtocol(TimedH11Protocol):
    """One connection."""

    def refusal(self, status: int) -> tuple[Mapping[str, str], bytes]:
        """A problem, with the headers of every answer."""
        return HEADERS | {"Content-Type": MEDIA_TYPE}, problem_of(status).model_dump_json().encode()
