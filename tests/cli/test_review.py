"""`cleanroom review`: what a person sees of held functions, what their decisions do, and what is refused."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.cli.registry.review_command import decide, show
from orchestrator.core.candidate import Contract
from orchestrator.core.errors import RunInterrupted
from orchestrator.core.steps import AnyStep, EndStep, HeldEntryStep, HoldStep, RunStatus, RunStep
from orchestrator.core.verdict import Outcome
from orchestrator.registry.functions import functions_in
from orchestrator.registry.signing.keys import read_key
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.journal.journal import Journal, read_journal
from orchestrator.run.outputs import export_all
from orchestrator.run.review import RunReview
from tests.registry.conftest import make_candidate, make_evidence
from tests.support.command import Call, in_this_process

AT = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def cleanroom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return in_this_process(tmp_path, capfd)


@pytest.fixture
def run(cleanroom: Call, tmp_path: Path) -> Path:
    """The folder of a run that ended with two functions held."""
    folder = tmp_path / "out"
    folder.mkdir()
    steps: list[AnyStep] = [
        RunStep(at=AT, run_id="r1", data="d.csv", data_sha256="0", data_format="csv", columns=(), rows=1, proposer="m")
    ]
    (folder / "registry").mkdir()
    with SqlRegistry(f"sqlite:///{folder / 'registry' / 'registry.db'}") as registry:
        for name in ("one", "two"):
            made = make_candidate(name)
            kept = registry.hold(made, make_evidence(made, Outcome.HOLD, run_id="r1"))
            common: dict[str, Any] = {
                "at": AT,
                "chunk": 0,
                "name": name,
                "sha256": made.sha256,
                "verdict": kept.evidence.verdict,
            }
            steps += [
                HoldStep(**common, iteration=1, attempt=0, source=made.source, against=""),
                HeldEntryStep(**common, entered=True, version=1),
            ]
        export_all(registry.functions(), folder, registry.log_proof())
    write(folder, [*steps, EndStep(at=AT, status=RunStatus.FINISHED, held=2)])
    return folder


def write(folder: Path, steps: list[AnyStep]) -> None:
    (folder / "run.jsonl").unlink(missing_ok=True)
    with Journal(folder / "run.jsonl") as journal:
        for step in steps:
            journal.append(step)


def answers(*given: str) -> Callable[[str], str]:
    """A person who types these; then they go away."""
    left = list(given)

    def ask(_question: str) -> str:
        if not left:
            raise KeyboardInterrupt
        return left.pop(0)

    return ask


def test_what_is_held_is_shown(cleanroom: Call, run: Path) -> None:
    """Each with its concern, the smallest example, what would settle it, and how to go on; as JSON for scripts."""
    done = cleanroom("review", run)
    for words in (
        "figures-vanish",
        "12 apples",
        "→ apples",
        "to settle it: Confirm that",
        "1 of 2",
        "rows of the sample",
    ):
        assert words in done.stdout
    assert "--accept NAME" in done.stderr
    first, second = map(json.loads, cleanroom("review", run, "--json").stdout.splitlines())
    assert (first["name"], second["name"]) == ("one", "two")
    assert first["concerns"][0]["settles"] == "Confirm that '12 apples' becomes 'apples'."


def test_a_script_decides(cleanroom: Call, run: Path) -> None:
    """What is accepted is applied, exported and signed; what is rejected is gone; decided once is decided."""
    done = cleanroom("review", run, "--accept", "one", "--reject", "two", "--reason", "looked at the rows")
    assert done.returncode == 0, done.stderr
    assert "approves one, version 1" in done.stderr
    assert [f.name for f in functions_in(run)] == ["one"]
    assert "def one" in (run / "cleaning_functions.py").read_text()
    assert "Nothing is held." in cleanroom("review", run).stderr
    events = [
        json.loads(line) for line in cleanroom("registry", "audit", "--registry", run, "--json").stdout.splitlines()
    ]
    assert [(e["what"], e["name"], e["reason"]) for e in events[2:]] == [
        ("approved", "one", "looked at the rows"),
        ("revoked", "two", "looked at the rows"),
    ]
    again = cleanroom("review", run, "--accept", "two")
    assert (again.returncode, "two is not held in this run" in again.stderr) == (2, True)


def test_a_review_that_is_interrupted_loses_nothing(run: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What was decided is kept; the rest waits, and is asked about next time."""
    with RunReview(str(run)) as opened, pytest.raises(RunInterrupted, match=r"1 accepted and 0 rejected, .* 1 wait"):
        decide(opened, answers("c", "x", "a", "fine"))
    assert "def one(df)" in capfd.readouterr().out
    assert [f.name for f in functions_in(run)] == ["one"]
    with RunReview(str(run)) as opened:
        assert [f.name for f in opened.waiting()] == ["two"]
        decide(opened, answers("l"))
        assert [f.name for f in opened.waiting()] == ["two"]
        decide(opened, answers("r", "wrong"))
        assert opened.waiting() == ()
        decide(opened, answers())
    assert [f.name for f in functions_in(run)] == ["one"]


def test_a_decision_needs_a_reason(run: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is asked for again until there is one, for both answers; without it nothing is decided."""
    with RunReview(str(run)) as opened:
        with pytest.raises(RunInterrupted, match="0 accepted and 0 rejected"):
            decide(opened, answers("a", "", "  "))
        assert capfd.readouterr().err.count("A decision needs a reason") == 2
        decide(opened, answers("a", "", "the rows", "r", " ", "wrong"))
    with SqlRegistry(f"sqlite:///{run / 'registry' / 'registry.db'}") as registry:
        reasons = {(event.what, event.reason) for event in registry.audit().events}
    assert {("approved", "the rows"), ("revoked", "wrong")} <= reasons


def test_the_author_is_no_second_person(cleanroom: Call, run: Path, tmp_path: Path) -> None:
    """Where the trust policy wants four eyes, one's own approval is refused in a sentence, and nothing is changed."""
    trust = tmp_path / "config" / "cleanroom" / "trust.yaml"
    key = json.loads(cleanroom("keys", "list", "--json").stdout.splitlines()[0])
    trust.write_text(f"approvals: 1\npeople:\n  ana:\n    keys: [{{key: '{key['key']}'}}]\n")
    for command in (("review", run, "--accept", "one"), ("registry", "approve", "one", "--registry", run)):
        done = cleanroom(*command)
        assert (done.returncode, "was promoted by ana: others must approve it" in done.stderr) == (2, True)
    assert functions_in(run) == ()


def test_what_waits_for_other_people_is_in_no_file_that_runs(cleanroom: Call, run: Path, tmp_path: Path) -> None:
    """`review` wrote all that was promoted into cleaning_functions.py, which asks nobody; `apply` refused the same."""
    made = make_candidate("not_read_by_anybody")
    with SqlRegistry(f"sqlite:///{run / 'registry' / 'registry.db'}") as registry:
        registry.promote(made, make_evidence(made))
    keys = [json.loads(cleanroom("keys", "list", "--json").stdout.splitlines()[0])["key"]]
    assert cleanroom("keys", "new", "--output", "ben.key").returncode == 0
    as_ben = {"CLEANROOM_SIGNING_KEY_FILE": str(tmp_path / "ben.key")}
    ben = read_key(tmp_path / "ben.key")
    assert ben is not None
    keys.append(ben.public.text)
    people = "".join(
        f"  {name}:\n    keys: [{{key: '{key}'}}]\n" for name, key in zip(("ana", "ben"), keys, strict=True)
    )
    (tmp_path / "config" / "cleanroom" / "trust.yaml").write_text(f"approvals: 1\npeople:\n{people}")
    before = (run / "cleaning_functions.py").read_bytes()
    done = cleanroom("review", run, "--accept", "one", env=as_ben)
    assert done.returncode == 0, done.stderr
    assert "others have to approve not_read_by_anybody first" in done.stderr
    assert (run / "cleaning_functions.py").read_bytes() == before
    assert cleanroom("registry", "verify", "--registry", run, env=as_ben).returncode == 0
    assert cleanroom("registry", "approve", "not_read_by_anybody", "--registry", run, env=as_ben).returncode == 0
    assert cleanroom("registry", "export", "--registry", run, "--output", run, env=as_ben).returncode == 0
    assert "def not_read_by_anybody" in (run / "cleaning_functions.py").read_text()


def test_registry_approve_accepts_what_is_held(cleanroom: Call, run: Path) -> None:
    """Without the review, by name."""
    assert cleanroom("registry", "approve", "one", "--registry", run).returncode == 0
    assert [f.name for f in functions_in(run)] == ["one"]


def _changed_row(run: Path) -> None:
    with closing(sqlite3.connect(run / "registry" / "registry.db")) as raw, raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("UPDATE functions SET source = source || '# changed'")


def _changed_since(run: Path) -> None:
    with SqlRegistry(f"sqlite:///{run / 'registry' / 'registry.db'}") as registry:
        made = make_candidate("one", "other")
        registry.hold(made, make_evidence(made, Outcome.HOLD, run_id="r1"))


def _interrupted(run: Path) -> None:
    lines = (run / "run.jsonl").read_text().splitlines(keepends=True)
    (run / "run.jsonl").write_text("".join(lines[:-2]))


@pytest.mark.parametrize(
    ("harm", "code", "said"),
    [
        (shutil.rmtree, 2, "There is no run"),
        (lambda run: shutil.rmtree(run / "registry"), 2, "The registry of the run in"),
        (_changed_row, 3, "was changed after it was promoted"),
        (_changed_since, 2, "is not the function that the run has held"),
        (_interrupted, 2, "has not come to its end"),
    ],
)
def test_what_cannot_be_decided_is_said_in_a_sentence(
    cleanroom: Call, run: Path, harm: Callable[[Path], None], code: int, said: str
) -> None:
    """A run or registry that is gone, a function that changed since, a run that has not ended: nothing is approved."""
    harm(run)
    done = cleanroom("review", run, "--accept", "one")
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr


def test_a_registry_that_is_named_and_not_there_is_said_to_be_missing(cleanroom: Call, run: Path) -> None:
    """It was told to be gone, with the advice to name it."""
    done = cleanroom("review", run, "--registry", "nowhere")
    assert (done.returncode, "There is no registry in nowhere." in done.stderr) == (2, True), done


def test_contradictions_are_refused(cleanroom: Call, run: Path) -> None:
    """Both at once, a rejection without a reason."""
    assert "both accepted and rejected" in cleanroom("review", run, "--accept", "one", "--reject", "one").stderr
    assert "needs a reason" in cleanroom("review", run, "--reject", "one").stderr


def test_a_file_that_nobody_named_accepts_nothing(cleanroom: Call, tmp_path: Path) -> None:
    """A configuration that lies beside the data cannot let functions with concerns into use."""
    (tmp_path / "d.csv").write_text("a\n1\n")
    (tmp_path / "cleanroom.toml").write_text('[limits]\non-hold = "accept"\n')
    done = cleanroom("run", "d.csv")
    assert (done.returncode, "'on-hold' in cleanroom.toml would let functions" in done.stderr) == (2, True), done.stderr


def test_a_command_that_is_advised_can_be_copied(cleanroom: Call, run: Path) -> None:
    """Whoever sends a folder names it: what a shell would run in its name is quoted. A plain name stays as it is."""
    for name, mark in (("out;$(touch pwned)`id`", "'"), ("plain", "")):
        run = run.rename(run.with_name(name))
        done = cleanroom("review", run)
        assert f"Decide with `cleanroom review {mark}{run}{mark} --accept NAME`" in done.stderr, done.stderr


def test_a_review_of_a_shared_registry_advises_commands_that_name_it(
    cleanroom: Call, run: Path, tmp_path: Path
) -> None:
    """The advice was to apply the run's own folder, in which what was accepted is not in use."""
    shared = tmp_path / "team"
    (run / "registry").rename(shared)
    steps = list(read_journal(run / "run.jsonl"))
    recorded = {"registry": str(shared / "registry.db")}
    write(run, [steps[0].model_copy(update={"configuration": recorded}), *steps[1:]])
    done = cleanroom("review", run, "--registry", shared)
    assert f"cleanroom review {run} --registry {shared}/registry.db --accept NAME" in done.stderr
    done = cleanroom("review", run, "--registry", shared, "--accept", "one")
    assert f"--functions {shared}/registry.db -o OUT" in done.stderr


def test_another_registry_than_that_of_the_run_is_refused(cleanroom: Call, run: Path, tmp_path: Path) -> None:
    """It was said that nothing is held."""
    with SqlRegistry(f"sqlite:///{tmp_path / 'other.db'}") as registry:
        registry.promote(made := make_candidate("three"), make_evidence(made))
    done = cleanroom("review", run, "--registry", tmp_path / "other.db")
    assert (done.returncode, "none of the functions that the run has held" in done.stderr) == (2, True), done


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (Contract(), "(changes: any; by builtin)"),
        (Contract(modifies=()), "(changes: nothing; by builtin)"),
        (
            Contract(modifies=("city",), adds=("land",), drops=("price",), drops_rows=True),
            "(changes: city; adds: land; takes away: price; may take rows away; by builtin)",
        ),
    ],
)
def test_a_person_is_told_all_that_a_function_may_do(
    run: Path, capfd: pytest.CaptureFixture[str], claims: Contract, said: str
) -> None:
    """That it takes columns or rows away stood in its source alone, and one that changes nothing changed any."""
    with RunReview(str(run), read_only=True) as opened:
        function = opened.waiting()[0]
        shown = function.model_copy(update={"candidate": function.candidate.model_copy(update={"contract": claims})})
        show(opened, shown, "1 of 2")
    assert said in " ".join(capfd.readouterr().out.split())
