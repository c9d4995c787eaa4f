"""Verdicts as SARIF 2.1.0, which code-scanning pages show beside the line of the function.

A rule per check id, a result per check that failed or could not be judged, or that raised concerns (as a warning).
Called by `cleanroom verify --sarif`. Source: OASIS, Static Analysis Results Interchange Format (SARIF) 2.1.0.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from orchestrator import __version__
from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.data.files import atomic_file
from orchestrator.data.text import visible_text
from orchestrator.gate.checks.catalog import CHECKS
from orchestrator.gate.feedback import concern_lines, failure_lines
from orchestrator.run.verify.verify import VerifiedCandidate

_LAWS = {check.id: check.law for check in CHECKS}
_APPROVED = {"suppressions": [{"kind": "external", "status": "accepted", "justification": "approved in the registry"}]}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def write_sarif(judged: Sequence[VerifiedCandidate], path: Path) -> None:
    """Write the report. Raises OutputError."""
    ids = list(dict.fromkeys(check.id for one in judged for check in one.verdict.checks))
    infra = any(one.verdict.verdict is Outcome.INFRA for one in judged)
    run = {
        "tool": {"driver": {"name": "cleanroom", "version": __version__, "rules": [_rule(name) for name in ids]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not infra} | _weakened(judged)],
        "results": [result for one in judged for result in _results(one, ids)],
    }
    with atomic_file(path) as file:
        file.write(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1).encode() + b"\n")


def _rule(check: str) -> dict[str, Any]:
    return {
        "id": check,
        "shortDescription": {"text": _LAWS.get(check, check)},
        "defaultConfiguration": {"level": "error"},
    }


def _weakened(judged: Sequence[VerifiedCandidate]) -> dict[str, Any]:
    """What was weaker than in the default policy, as notifications of the tool."""
    layers = dict.fromkeys(layer for one in judged for layer in one.verdict.weakened)
    said = [{"level": "warning", "message": {"text": _literal(f"weakened: {layer}")}} for layer in layers]
    return {"toolExecutionNotifications": said} if said else {}


def _results(judged: VerifiedCandidate, ids: Sequence[str]) -> Iterator[dict[str, Any]]:
    for check in judged.verdict.checks:
        if check.outcome in (Outcome.PASS, Outcome.SKIP):
            continue
        name = judged.verdict.candidate.name
        yield {
            "ruleId": check.id,
            "ruleIndex": ids.index(check.id),
            "level": "error" if check.outcome is Outcome.FAIL else "warning",
            "message": {"text": _message(judged, check)},
            "locations": [_location(judged, name)],
            "partialFingerprints": {"functionAndCheck/v1": _literal(f"{name}:{check.id}")},
        } | (_APPROVED if judged.approved and check.outcome is Outcome.HOLD else {})


def _message(judged: VerifiedCandidate, check: CheckResult) -> str:
    name = judged.verdict.candidate.name
    if check.outcome is Outcome.HOLD:
        return _literal(f"{name}: held: " + "\n".join(concern_lines(judged.verdict.concerns)))
    what = "" if check.outcome is Outcome.FAIL else "not judged, the infrastructure failed: "
    return _literal(f"{name}: {what}" + "\n".join(failure_lines(check)))


def _literal(text: str) -> str:
    """Without the links, images and HTML that a viewer would make of it; backslashes as section 3.11.6 demands."""
    return re.sub(r"([\\\[\]])", r"\\\1", visible_text(text, breaks="\n")).replace("<", "&lt;")


def _location(judged: VerifiedCandidate, name: str) -> dict[str, Any]:
    path = judged.source.path
    uri = path.resolve().as_uri() if path.is_absolute() else quote(os.fsencode(path))  # a name need not be text
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri},
            "region": {"startLine": judged.source.line_of(name)},
        },
        "logicalLocations": [{"name": _literal(name), "kind": "function"}],
    }
