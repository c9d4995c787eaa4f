"""The corpus of hostile strings through every command and every output."""

import csv
import json
from pathlib import Path

import pytest

from orchestrator.cli.console import echo_json, plain, say_error
from orchestrator.core.verdict import CandidateInfo, CheckResult, Counterexample, Outcome, Verdict
from orchestrator.run.report.junit import write_junit
from orchestrator.run.report.sarif import write_sarif
from orchestrator.run.verify.candidate_files import CandidateFile
from orchestrator.run.verify.verify import VerifiedCandidate
from tests.support.command import Call
from tests.support.hostile_strings import (
    HOSTILE,
    check_html,
    check_json_lines,
    check_junit,
    check_sarif,
    check_terminal,
)

NO_ENGINE = {"DOCKER_HOST": "unix:///nowhere/docker.sock"}


def test_the_checks_can_fail() -> None:
    """The control: unescaped, the strings break every medium."""
    everything = "\n".join(HOSTILE)
    for check in (check_terminal, check_html):
        with pytest.raises(AssertionError):
            check(everything)
    for check in (check_terminal, check_html):
        check("harmless")
    with pytest.raises(AssertionError):
        check_sarif(json.dumps({"runs": [{"results": [{"message": {"text": "[x](https://example.org)"}}]}]}))


@pytest.mark.parametrize("text", HOSTILE)
def test_terminal_and_json(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Messages, errors and JSON; the JSON value is the same."""
    check_terminal(plain(text))
    say_error(text, text)
    echo_json({"text": text, text: 1})
    captured = capsys.readouterr()
    check_terminal(captured.err)
    assert check_json_lines(captured.out) == [{"text": text, text: 1}]


@pytest.mark.parametrize("text", HOSTILE)
def test_reports_for_ci(text: str, tmp_path: Path) -> None:
    """JUnit and SARIF, with the string as name, path, detail, cell, and as what was weakened."""
    shown = Counterexample(input=({text: text},), output=({text: None},), wanted=text)
    checks = (
        CheckResult(id="screen", outcome=Outcome.SKIP, detail=text),
        CheckResult(id="precise", outcome=Outcome.FAIL, detail=text, counterexample=shown),
        CheckResult(id="edges", outcome=Outcome.INFRA, detail=text),
    )
    candidate = CandidateInfo(name=text, sha256="0" * 64, modifies=(text,))
    verdict = Verdict(candidate=candidate, verdict=Outcome.FAIL, checks=checks, weakened=(text,))
    judged = [
        VerifiedCandidate(CandidateFile(Path(text.replace("/", "-").replace("\0", "")), "def f(df): ...\n"), verdict)
    ]
    write_junit(judged, tmp_path / "j.xml")
    check_junit((tmp_path / "j.xml").read_bytes())
    write_sarif(judged, tmp_path / "s.json")
    check_sarif((tmp_path / "s.json").read_text())


STORABLE = [text.replace("\r", "").replace("\n", " ") for text in HOSTILE if "\ufffe" not in text]


@pytest.mark.parametrize("text", STORABLE)
def test_names_on_the_command_line(text: str, cleanroom: Call) -> None:
    """A file, a run, a model or an option of that name: refused in words that are safe to read."""
    for words in (
        ("verify", text, "--data", text),
        ("runs", "show", text),
        ("apply", text, "--functions", "x", "-o", text),
    ):
        done = cleanroom(*words, env=NO_ENGINE)
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
        check_terminal(done.stdout + done.stderr)


def test_commands_that_need_no_engine(cleanroom: Call, tmp_path: Path) -> None:
    """Columns, cells, settings and files of those names, through analyze, config, run and verify."""
    with (tmp_path / "a.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([STORABLE, *([text if i % 2 else f" {i}" for text in STORABLE] for i in range(20))])
    name = "".join(STORABLE).replace("/", "-")[:60]
    (tmp_path / f"{name}.py").write_text("x = 1\n")
    (tmp_path / "policy.yaml").write_text(json.dumps({"columns": {text: {text: text} for text in STORABLE}}))
    (tmp_path / "other.yaml").write_text(json.dumps({"columns": {name: {"not_null": True}}}))
    (tmp_path / "config.toml").write_text(f"[model]\nmodel = {json.dumps(name)}\n")
    calls = (
        ("analyze", "a.csv"), ("analyze", "a.csv", "--json"), ("config", "--config", "config.toml"),
        ("config", "--config", "config.toml", "--json"), ("run", "a.csv", "--policy", "policy.yaml"),
        ("run", "a.csv", "--policy", "other.yaml"), ("run", "a.csv", "--config", "config.toml"),
        ("verify", f"./{name}.py", f"./{name}.py", "--data", "a.csv"), ("registry", "list", "--registry", name),
    )  # fmt: skip
    for words in calls:
        done = cleanroom(*words, env=NO_ENGINE)
        assert "Traceback" not in done.stderr
        check_terminal(done.stdout)
        check_terminal(done.stderr)


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_commands_with_an_engine(cleanroom: Call, tmp_path: Path) -> None:
    """All strings at once, in columns, cells, docstrings and errors: verify, run, runs, registry, apply, the report."""
    with (tmp_path / "a.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [[f" {text}{i}" if i % 3 == 0 else f"{text}{i}" for text in STORABLE] for i in range(60)]
        csv.writer(file).writerows([[*STORABLE, "city"], *([*row, f" Bonn{i}"] for i, row in enumerate(rows))])
    said = " ".join(HOSTILE)
    (tmp_path / "trim.py").write_text(
        f"{said!r}\nCONTRACT = {{'modifies': ['city']}}\n\n\ndef trim(df):\n    {said!r}\n"
        "    return df.assign(city=df['city'].str.strip())\n"
    )
    (tmp_path / "bad.py").write_text(f"{said!r}\n\n\ndef bad(df):\n    {said!r}\n    raise ValueError({said!r})\n")
    (tmp_path / "picky.py").write_text(
        f"CONTRACT = {{'modifies': ['city']}}\n\n\ndef picky(df):\n    {said!r}\n"
        f"    if (df['city'] == 'raise').any():\n        raise ValueError({said!r})\n"
        "    return df.assign(city=df['city'].str.strip())\n"
    )
    both = ("trim.py", "bad.py", "--data", "a.csv", "--quick")
    outputs = [cleanroom("verify", *both, "--junit", "j.xml", "--sarif", "s.json")]
    check_junit((tmp_path / "j.xml").read_bytes())
    check_sarif((tmp_path / "s.json").read_text())

    outputs.append(cleanroom("verify", "picky.py", "bad.py", "--data", "a.csv", "--quick", "--promote", "--json"))
    check_json_lines(outputs[-1].stdout)
    said_of = [json.loads(line)["verdict"] for line in outputs[-1].stdout.splitlines()]
    assert said_of == ["pass", "fail"], outputs[-1].stdout
    outputs += [cleanroom("registry", *words) for words in (("list",), ("show", "picky"), ("list", "--json"))]
    outputs.append(cleanroom("registry", "export", "-o", "exported"))

    outputs.append(cleanroom("run", "a.csv", "--out", "out", "-i", said))
    assert outputs[-1].returncode == 0, outputs[-1].stderr
    check_html((tmp_path / "out" / "report.html").read_text())
    outputs += [cleanroom("runs", *words) for words in (("list",), ("show", "out"), ("show", "out", "--json"))]
    outputs.append(cleanroom("registry", "show", "trim_city", "--registry", "out"))

    (tmp_path / "b.csv").write_text(
        (tmp_path / "a.csv").read_text().replace(" Bonn7\r\n", "raise\r\n").replace(" Bonn7\n", "raise\n")
    )
    outputs.append(cleanroom("apply", "b.csv", "--functions", "exported", "-o", "c.csv", "--quarantine", "q.csv"))
    assert outputs[-1].returncode == 0, outputs[-1].stderr
    with (tmp_path / "q.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    check_terminal(row["cleanroom_reason"])
    assert row["cleanroom_reason"].startswith("row 9 of the file (the header is row 1): picky: ")

    for done in outputs:
        assert "Traceback" not in done.stderr
        check_terminal(done.stdout)
        check_terminal(done.stderr)
