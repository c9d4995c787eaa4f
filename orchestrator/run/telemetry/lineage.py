"""OpenLineage events of an apply: which file became which, by which functions. Called by `cleanroom apply --lineage`.

Plain JSON of the specification (https://openlineage.io/spec/2-0-2/OpenLineage.json), to a file that grows by a line
each, or to a URL. Functions are named by their hashes, and no column and no cell is in it; the files' paths are.
"""

import errno
import json
import urllib.request
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from http.client import HTTPException, InvalidURL
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

from orchestrator import __version__
from orchestrator.core.errors import OutputError
from orchestrator.core.promoted import Promoted
from orchestrator.core.steps import ApplyStep
from orchestrator.data.data_address import DataAddress
from orchestrator.data.files import append_text

_SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
_FACET = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"
_VERSION = "https://openlineage.io/spec/facets/1-0-1/DatasetVersionDatasetFacet.json#/$defs/DatasetVersionDatasetFacet"
_STATISTICS = (
    "https://openlineage.io/spec/facets/1-0-2/OutputStatisticsOutputDatasetFacet.json"
    "#/$defs/OutputStatisticsOutputDatasetFacet"
)
_PRODUCER = f"urn:cleanroom:{__version__}"
_TIMEOUT_S = 5.0
_LONGEST_EVENT = 2**20


class ApplyLineage:
    """The events of one apply. `place`: a file, or an http(s) URL."""

    def __init__(
        self,
        place: str,
        data: Path | DataAddress,
        sha256: str,
        output: Path | DataAddress,
        functions: Sequence[Promoted],
    ) -> None:
        self._place, self._output = place, output
        self._run_id = str(uuid.uuid4())
        self._functions = [one.candidate.sha256 for one in functions]
        version = {"datasetVersion": sha256} | _about(_VERSION)
        self._input = _named(data) | {"facets": {"version": version}}

    def start(self) -> None:
        """Raises OutputError."""
        self._send("START", _named(self._output))

    def complete(self, step: ApplyStep) -> None:
        """Raises OutputError."""
        statistics = {"rowCount": step.rows_out} | _about(_STATISTICS)
        self._send("COMPLETE", _named(self._output) | {"outputFacets": {"outputStatistics": statistics}})

    def fail(self) -> None:
        """Raises OutputError."""
        self._send("FAIL", _named(self._output))

    def _send(self, kind: str, output: dict[str, Any]) -> None:
        facet = {"sha256": self._functions} | _about(_FACET)
        event = {
            "eventType": kind,
            "eventTime": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "run": {"runId": self._run_id, "facets": {"cleanroom_functions": facet}},
            "job": {"namespace": "cleanroom", "name": "apply"},
            "inputs": [self._input],
            "outputs": [output],
            "producer": _PRODUCER,
            "schemaURL": _SCHEMA,
        }
        if self._place.startswith(("http://", "https://")):
            _post(self._place, event)
        else:
            _append(Path(self._place), event)


def _named(path: Path | DataAddress) -> dict[str, Any]:
    if isinstance(path, DataAddress):  # what it shows has no secret in it
        server, name = path.server_and_name
        return {"namespace": server, "name": name}
    piped = str(path) == "-"
    return {"namespace": "stdio" if piped else "file", "name": "-" if piped else str(path.absolute())}


def _about(schema: str) -> dict[str, str]:
    return {"_producer": _PRODUCER, "_schemaURL": schema}


def _post(url: str, event: dict[str, Any]) -> None:
    body = json.dumps(event).encode()
    try:
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})  # noqa: S310 - http(s) only
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S):  # noqa: S310
            pass
    except (OSError, ValueError, HTTPException) as error:
        raise OutputError(f"The lineage cannot be sent: {_reason(error)}.", advice="Check --lineage.") from error


def _reason(error: Exception) -> str:
    """Without the address, which may hold a password."""
    if isinstance(error, HTTPError):
        return f"it was answered with {error.code}"
    inner = error.reason if isinstance(error, URLError) and isinstance(error.reason, OSError) else error
    if isinstance(inner, TimeoutError):
        return f"there was no answer for {_TIMEOUT_S:g} s"
    if isinstance(inner, InvalidURL | ValueError) and not isinstance(inner, OSError):
        return "its address is no URL that can be used"
    if isinstance(inner, HTTPException):
        return "what answers there speaks no HTTP"
    return (getattr(inner, "strerror", None) or type(inner).__name__).lower()


def _append(path: Path, event: dict[str, Any]) -> None:
    if not _may_grow(path):
        raise OutputError(
            f"The lineage cannot be written to {path}: it is a file of something else.", advice="Check --lineage."
        )
    try:
        append_text(path, json.dumps(event) + "\n", mode=0o666)
    except OSError as error:
        reason = "it is a link" if error.errno == errno.ELOOP else (error.strerror or str(error)).lower()
        raise OutputError(f"The lineage cannot be written to {path}: {reason}.", advice="Check --lineage.") from error


def _may_grow(path: Path) -> bool:
    """Whether nothing is there that lines would spoil, such as a registry or data: only events, or no file at all."""
    try:
        if not path.is_file() or path.is_symlink():  # a pipe takes them, a link is told as one
            return True
        with path.open("rb") as file:
            first = file.readline(_LONGEST_EVENT)
    except OSError:
        return True  # why it cannot be written, says who writes
    return not first or _is_event(first)


def _is_event(line: bytes) -> bool:
    """Whether the line is an event of OpenLineage, whoever wrote it."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(event, dict) and isinstance(event.get("schemaURL"), str)
