"""Verdicts as JUnit XML, which every CI system shows: a test suite per candidate file, a test case per check.

The form is the one that pytest writes, which Jenkins, GitLab, Azure and GitHub's reporters read. A check that raised
concerns is a failure of the type `hold`, because the function is not applied. Called by `cleanroom verify --junit`.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET  # only written here: nothing is parsed

from orchestrator.core.verdict import CheckResult, Outcome
from orchestrator.data.files import atomic_file
from orchestrator.data.text import visible_text
from orchestrator.gate.feedback import concern_lines, failure_lines
from orchestrator.run.verify.verify import VerifiedCandidate

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # no XML document may hold these
_ELEMENTS = {Outcome.FAIL: "failure", Outcome.HOLD: "failure", Outcome.SKIP: "skipped", Outcome.INFRA: "error"}


def write_junit(judged: Sequence[VerifiedCandidate], path: Path) -> None:
    """Write the report. Raises OutputError."""
    root = ET.Element("testsuites", {"name": "cleanroom verify"})
    now = datetime.now(UTC).replace(microsecond=0, tzinfo=None).isoformat()
    for one in judged:
        root.append(_suite(one, now))
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", f"{sum(one.verdict.timings.total_s for one in judged):.3f}")
    ET.indent(root)
    with atomic_file(path) as file:
        ET.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def _suite(judged: VerifiedCandidate, timestamp: str) -> ET.Element:
    checks, source = judged.verdict.checks, judged.source
    counts = {
        name: sum(_element(check, judged) == element for check in checks)
        for name, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    suite = ET.Element(
        "testsuite",
        {"name": _text(str(source.path)), "tests": str(len(checks))}
        | {name: str(count) for name, count in counts.items()}
        | {"time": f"{judged.verdict.timings.total_s:.3f}", "timestamp": timestamp, "hostname": "cleanroom"},
    )
    if judged.verdict.weakened:
        properties = ET.SubElement(suite, "properties")
        for layer in judged.verdict.weakened:
            ET.SubElement(properties, "property", {"name": "weakened", "value": _text(layer)})
    for check in checks:
        suite.append(_case(check, judged))
    return suite


def _element(check: CheckResult, judged: VerifiedCandidate) -> str | None:
    """What a case says that is no success. What was approved in the registry keeps nobody from going on."""
    return None if check.outcome is Outcome.HOLD and judged.approved else _ELEMENTS.get(check.outcome)


def _case(check: CheckResult, judged: VerifiedCandidate) -> ET.Element:
    name = judged.verdict.candidate.name
    place = {"file": _text(str(judged.source.path)), "line": str(judged.source.line_of(name))}
    case = ET.Element(
        "testcase", {"classname": _class(judged), "name": check.id, "time": f"{check.seconds:.3f}"} | place
    )
    element = _element(check, judged)
    if element is not None:
        said = ET.SubElement(case, element, {"message": _text(check.detail)})
        if check.outcome is not Outcome.SKIP:
            held = check.outcome is Outcome.HOLD
            said.set("type", "hold" if held else check.id)
            lines = concern_lines(judged.verdict.concerns) if held else failure_lines(check)
            said.text = _text("\n".join(lines))
    return case


def _class(judged: VerifiedCandidate) -> str:
    """File and function, as pytest names them: GitLab takes cases of one class and name for the same case."""
    path = judged.source.path
    folders = [part for part in path.parts if part not in (path.anchor, "..")]
    return _text(".".join([*folders[:-1], path.stem, judged.verdict.candidate.name]))


def _text(text: str) -> str:
    """The text as XML can hold it, nothing hidden; what a CI system would take for an order is none."""
    return visible_text(_FORBIDDEN.sub("\ufffd", text), breaks="\n\t")
