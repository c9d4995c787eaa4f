"""Verdicts as JUnit XML and SARIF: whole, counted right, and valid whatever a candidate's words hold."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from defusedxml import ElementTree
from jsonschema import Draft7Validator

from orchestrator.core.verdict import (
    CandidateInfo,
    CheckResult,
    Concern,
    Counterexample,
    Outcome,
    Timings,
    Verdict,
)
from orchestrator.run.report.junit import write_junit
from orchestrator.run.report.sarif import write_sarif
from orchestrator.run.verify.candidate_files import CandidateFile
from orchestrator.run.verify.verify import VerifiedCandidate

HOSTILE = "]]></failure>\x00\x1b[31m <b> & \ud800 \uffff \u202e\n" + "x" * 3000
# What the standard demands of the parts that are written (OASIS SARIF 2.1.0, sections 3.13 to 3.49).
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["physicalLocation"],
    "properties": {
        "physicalLocation": {
            "type": "object",
            "additionalProperties": False,
            "required": ["artifactLocation", "region"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["uri"],
                    "properties": {"uri": {"type": "string", "pattern": "^[A-Za-z0-9._~/%:-]+$"}},
                },
                "region": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["startLine"],
                    "properties": {"startLine": {"type": "integer", "minimum": 1}},
                },
            },
        },
        "logicalLocations": {"type": "array", "items": {"type": "object", "required": ["name"]}},
    },
}
SARIF = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "runs", "$schema"],
    "properties": {
        "$schema": {"type": "string"},
        "version": {"enum": ["2.1.0"]},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["tool", "results"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "version", "rules"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription"],
                                            "properties": {"id": {"type": "string"}, "shortDescription": TEXT},
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "invocations": {
                        "type": "array",
                        "items": {"required": ["executionSuccessful"], "type": "object"},
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT,
                                "locations": {"type": "array", "items": LOCATION},
                                "partialFingerprints": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def _judged(path: str, outcome: Outcome, detail: str = "", shown: Counterexample | None = None) -> VerifiedCandidate:
    checks = (
        CheckResult(id="screen", outcome=Outcome.PASS),
        CheckResult(id="examples", outcome=Outcome.SKIP, detail="there are no examples"),
        CheckResult(id="precise", outcome=outcome, detail=detail, counterexample=shown, seconds=0.25),
    )
    verdict = Verdict(
        candidate=CandidateInfo(name="trim", sha256="0" * 64),
        verdict=outcome,
        checks=checks,
        timings=Timings(total_s=0.5),
    )
    return VerifiedCandidate(CandidateFile(Path(path), "import re\ndef trim(df): ...\n"), verdict)


@pytest.fixture
def judged() -> list[VerifiedCandidate]:
    shown = Counterexample(input=({"a": HOSTILE},), output=({"a": None},), wanted="the cell unchanged")
    return [
        _judged("good.py", Outcome.PASS),
        _judged("folder/with blank.py", Outcome.FAIL, HOSTILE, shown),
        _judged("b.py", Outcome.INFRA, "no engine"),
    ]


def _read(path: Path) -> Element:
    root = ElementTree.parse(path).getroot()
    assert root is not None
    return root


def test_junit_has_a_suite_per_file_and_a_case_per_check(judged: list[VerifiedCandidate], tmp_path: Path) -> None:
    """With counts that are those of the elements, as CI systems expect them."""
    write_junit(judged, tmp_path / "j.xml")
    root = _read(tmp_path / "j.xml")
    assert root.tag == "testsuites"
    assert [suite.get("name") for suite in root] == ["good.py", "folder/with blank.py", "b.py"]
    for element in (root, *root):
        assert element.get("tests") == str(len(element.findall(".//testcase")))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert element.get(attribute) == str(len(element.findall(f".//{tag}")))
        assert float(element.get("time", "")) >= 0
    cases = list(root.iter("testcase"))
    classes = ["good.trim", "folder.with blank.trim", "b.trim"]  # two with cases of one name were one for GitLab
    assert list(dict.fromkeys(case.get("classname") for case in cases)) == classes
    assert {case.get("line") for case in cases} == {"2"}
    assert all(len(case) <= 1 and {"name", "time", "file"} <= set(case.keys()) for case in cases)


def test_junit_says_why(judged: list[VerifiedCandidate], tmp_path: Path) -> None:
    """A failure has the counterexample as text, a skip and an error their reason; hostile words stay words."""
    write_junit(judged, tmp_path / "j.xml")
    root = _read(tmp_path / "j.xml")
    (failure,) = root.iter("failure")
    assert failure.get("type") == "precise"
    text = str(failure.text)
    assert "wanted: the cell unchanged" in text
    assert 'output: {"a": null}' in text
    assert "\x1b" not in text
    assert next(root.iter("skipped")).get("message") == "there are no examples"
    assert next(root.iter("error")).get("message") == "no engine"


def _sarif(judged: list[VerifiedCandidate], path: Path) -> dict[str, Any]:
    write_sarif(judged, path)
    log: dict[str, Any] = json.loads(path.read_text())
    Draft7Validator(SARIF).validate(log)
    return log


def test_sarif_is_what_the_standard_demands(judged: list[VerifiedCandidate], tmp_path: Path) -> None:
    """A rule per check, a result per failed check at the line of the function, URIs escaped."""
    (run,) = _sarif(judged, tmp_path / "s.json")["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["screen", "examples", "precise"]
    assert [(result["ruleId"], result["level"]) for result in run["results"]] == [
        ("precise", "error"),
        ("precise", "warning"),
    ]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "folder/with%20blank.py"}, "region": {"startLine": 2}}
    assert run["tool"]["driver"]["rules"][run["results"][0]["ruleIndex"]]["id"] == "precise"
    assert run["invocations"] == [{"executionSuccessful": False}]


def test_a_name_of_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    """A file of functions from a system of another encoding took every verdict away with an internal error."""
    named = [_judged("folder/\udcff.py", Outcome.FAIL, "no"), _judged(f"{tmp_path}/\udcff.py", Outcome.FAIL, "no")]
    relative, absolute = (
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in _sarif(named, tmp_path / "s.json")["runs"][0]["results"]
    )
    assert (relative, absolute[-7:]) == ("folder/%FF.py", "/%FF.py")
    write_junit(named, tmp_path / "j.xml")
    assert next(suite.get("name") for suite in _read(tmp_path / "j.xml")) == "folder/\ufffd.py"


def test_sarif_of_nothing_wrong_has_no_results(judged: list[VerifiedCandidate], tmp_path: Path) -> None:
    """The log is still whole: a page that shows it then closes what was open."""
    (run,) = _sarif(judged[:1], tmp_path / "s.json")["runs"]
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_a_sarif_message_holds_no_links_and_no_html(tmp_path: Path) -> None:
    """A candidate's words cannot become a link, an image or markup on a code-scanning page."""
    words = "[all good](https://example.org) ![x](https://example.org/p.png) <img src=x> \\[y](z)"
    write_sarif([_judged("b.py", Outcome.FAIL, words)], tmp_path / "out.sarif")
    text = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"][0]["message"]["text"]
    assert "all good" in text
    assert not re.search(r"(?<!\\)(\\\\)*\]\(|<[a-z]", text)
    assert re.search(r"(?<!\\)(\\\\)*\]\(", words)


def test_a_held_function_is_a_failure_of_the_type_hold_and_a_warning(tmp_path: Path) -> None:
    """Both reports say what would settle it."""
    concern = Concern(kind="sign", check="keeps-information", detail="a sign is gone", settles="Confirm -1 as 1.")
    checks = (CheckResult(id="keeps-information", outcome=Outcome.HOLD, detail="a sign is gone"),)
    info = CandidateInfo(name="f", sha256="0" * 64)
    verdict = Verdict(candidate=info, verdict=Outcome.HOLD, checks=checks, concerns=(concern,))
    judged = [VerifiedCandidate(CandidateFile(Path("f.py"), "def f(df): ..."), verdict)]
    write_junit(judged, tmp_path / "j.xml")
    (suite,) = _read(tmp_path / "j.xml")
    said = suite.find("testcase/failure")
    assert said is not None
    assert (suite.get("failures"), said.get("type")) == ("1", "hold")
    assert "Confirm -1 as 1." in str(said.text)
    write_sarif(judged, tmp_path / "s.json")
    (result,) = json.loads((tmp_path / "s.json").read_text())["runs"][0]["results"]
    assert result["level"] == "warning"
    assert "Confirm -1 as 1." in result["message"]["text"]
