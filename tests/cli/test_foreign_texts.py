"""Journals and evidence of somebody else on the terminal: no text of them is shown as it is, whatever its field.

Which fields are texts is read from the values themselves, so that a new one is looked at as well.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from pydantic import BaseModel, ValidationError
from typer.testing import CliRunner

from orchestrator.cli import apply_command, console
from orchestrator.cli.main import app
from orchestrator.cli.views import verdict_view
from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.steps import AnyStep, ApplyStep, HeldEntryStep, HoldStep, ResumeStep, VerificationStep
from orchestrator.core.verdict import CandidateInfo, CheckResult, Concern, Counterexample, Outcome, Verdict
from orchestrator.run.report import render_report
from tests.run.report_steps import usual, with_roles
from tests.support.hostile_strings import HOSTILE, check_html, check_terminal

Some = TypeVar("Some", bound=BaseModel)
SHOWN = Counterexample(input=({"city": "a"},), output=({"city": "b"},), wanted="c")
CONCERN = Concern(kind="sign", check="keeps-information", detail="d", settles="s", columns=("city",), rows=3)
HELD = Verdict(
    candidate=CandidateInfo(name="f", sha256="0" * 64, modifies=("city",)),
    verdict=Outcome.HOLD,
    checks=(
        CheckResult(id="screen", outcome=Outcome.PASS, detail="d"),
        CheckResult(id="edges", outcome=Outcome.FAIL, detail="d", counterexample=SHOWN),
        CheckResult(id="keeps-information", outcome=Outcome.HOLD, detail="d"),
    ),
    concerns=(CONCERN.model_copy(update={"counterexample": SHOWN}),),
    sandbox=SandboxInfo(image="sha256:1"),
    samples=(SHOWN,),
    helpers={"cleanroom_dates_v1": "0" * 64},
    weakened=("w",),
)


def everywhere(value: Some, text: str) -> Some:
    """The value with this text in every field that can hold it."""
    plain = value.model_dump(mode="json")
    for holder, key in list(_texts(plain)):
        kept, holder[key] = holder[key], text
        try:
            type(value).model_validate(plain)
        except ValidationError:  # a word, a time, a number
            holder[key] = kept
    return type(value).model_validate(plain)


def _texts(plain: Any) -> Iterator[tuple[Any, Any]]:
    for key, inner in list(plain.items() if isinstance(plain, dict) else enumerate(plain)):
        if isinstance(inner, str):
            yield plain, key
        elif isinstance(inner, dict | list):
            yield from _texts(inner)


def steps() -> list[AnyStep]:
    """A usual run, one with all roles, and what is held."""
    found = [*usual()[:-1], *with_roles()[1:-1]]
    at: dict[str, Any] = {"at": found[0].at, "chunk": 0}
    judged: dict[str, Any] = {"verdict": HELD, "iteration": 1, "attempt": 0}
    named: dict[str, Any] = {"name": "f", "sha256": "0" * 64}
    found.append(VerificationStep(**at, **judged))
    found.append(HoldStep(**at, **judged, **named, source="s", against=""))
    found.append(HeldEntryStep(**at, **named, entered=False, reason="r", verdict=HELD))
    return [*found, ResumeStep(at=found[0].at), usual()[-1]]


@pytest.fixture(params=HOSTILE)
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    lines = (everywhere(step, request.param).model_dump_json() for step in steps() if _storable(request.param))
    (tmp_path / "run.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def _storable(text: str) -> bool:
    try:
        return bool(text.encode())
    except UnicodeEncodeError:
        return False


@pytest.mark.parametrize("words", [("show",), ("replay", "--speed", "0"), ("list",)])
def test_a_foreign_journal_steers_no_terminal(journal: Path, words: tuple[str, ...]) -> None:
    """Also by a run's id, or the id of a check, which are plain words in a journal of ours."""
    console.stdout.cache_clear()
    console.stderr.cache_clear()
    if not (journal / "run.jsonl").read_text():
        pytest.skip("no JSON in UTF-8 can hold it")
    done = CliRunner().invoke(app, ["runs", words[0], str(journal), *words[1:]])
    assert done.exit_code == 0, done.exception
    assert "keeps-information" not in done.output, "the control: the texts were exchanged"
    check_terminal(done.stdout.replace(str(journal), ""))
    check_terminal(done.stderr.replace(str(journal), ""))


@pytest.mark.parametrize("text", HOSTILE)
def test_foreign_evidence_steers_no_terminal(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What `registry show` and `review` print of a verdict that nobody trusted has signed."""
    console.stdout.cache_clear()
    verdict = everywhere(HELD, text)
    verdict_view.show_verdict(verdict)
    verdict_view.show_concerns(verdict)
    verdict_view.show_samples(verdict, "")
    check_terminal(capsys.readouterr().out)


def test_what_is_held_without_a_verdict_has_a_page() -> None:
    """A journal from elsewhere, or one that lost a line, may say that a candidate is held and not how it was judged."""
    found = [step for step in usual() if not isinstance(step, VerificationStep)]
    held = HoldStep(
        at=found[0].at, chunk=0, iteration=1, attempt=0, name="f", sha256="0" * 64, source="s", against="", verdict=HELD
    )
    page = render_report([*found[:-1], held, found[-1]])
    assert "Held functions" in page
    check_html(page)


@pytest.mark.parametrize("text", HOSTILE)
def test_the_name_of_an_output_is_no_markup(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The data are written by then: a name with brackets ended in an internal error."""
    console.stdout.cache_clear()
    step = ApplyStep(at=usual()[0].at, output=f"[/red]{text}")
    apply_command._show(step, as_json=False, piped=False)
    told = capsys.readouterr().out
    assert "[/red]" in told
    check_terminal(told)
