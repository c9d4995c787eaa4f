"""A run that is killed at any step and resumed ends as if nothing had happened."""

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from orchestrator.cli.views.run_tree import run_tree
from orchestrator.core.errors import UsageError
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    MergerStep,
    PlanningStep,
    ResumeStep,
    Step,
    VerificationStep,
)
from orchestrator.core.verdict import CheckResult
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.journal.journal import Journal, read_journal
from orchestrator.run.journal.listing import find_run, has_not_ended, runs_below
from orchestrator.run.journal.replay import replay
from orchestrator.run.journal.resume import read_past
from tests.run.journal.resume_fork_server import function
from tests.run.journal.resume_help import ForkServer, model, write_messy
from tests.support.scripted_server import ScriptedServer

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer([model], repeat_last=True) as made:
        yield made


def _steps(folder: Path) -> list[AnyStep]:
    return list(read_journal(folder / "run.jsonl"))


def _told(folder: Path) -> list[dict[str, Any]]:
    """What the journal tells, without times, and without that there was a pause or that apply was done again."""
    steps = [step for step in _steps(folder) if not isinstance(step, ResumeStep)]
    twice = [isinstance(s, ApplyStep) and isinstance(f, ApplyStep) for s, f in pairwise([*steps, steps[-1]])]
    told = [step.model_dump(mode="json") for step, again in zip(steps, twice, strict=True) if not again]
    for step in told:
        step["calls"] = step["usage"]["calls"]
        for loose in (
            "at",
            "seconds",
            "run_id",
            "configuration",
            "gate_secret",
            "output",
            "verdict",
            "usage",
            "exchanges",
        ):
            step.pop(loose, None)
    return told


def _registry(folder: Path) -> SqlRegistry:
    return SqlRegistry(f"sqlite:///{folder / 'registry' / 'registry.db'}")


def _functions(folder: Path) -> list[tuple[str, str, int]]:
    with _registry(folder) as registry:
        return [(f.name, f.candidate.sha256, f.version) for f in registry.functions()]


def _check(folder: Path, whole: Path, moment: object) -> None:
    assert _told(folder) == _told(whole), moment
    assert _functions(folder) == _functions(whole), moment
    assert (folder / "cleaned.csv").read_bytes() == (whole / "cleaned.csv").read_bytes(), moment
    assert (folder / "report.html").exists(), moment


@pytest.fixture(scope="module")
def whole(fork_server: ForkServer, server: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a model over HTTP that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    done = fork_server.run(folder, server=server.base_url)
    assert done["status"] == 0, done["answer"]["error"]
    assert [name for name, _, _ in _functions(folder)] == ["trim_a", "trim_b", "trim_c"]
    assert len(_steps(folder)) == 27
    return folder


def test_killed_after_every_step(fork_server: ForkServer, server: ScriptedServer, whole: Path, tmp_path: Path) -> None:
    """One run of 26 deaths, one after each step: same steps, functions and data; no question is asked twice."""
    folder = tmp_path / "out"
    before = len(server.requests)
    assert fork_server.run(folder, 1, server=server.base_url)["status"] == -9
    for known in range(1, len(_steps(whole)) - 1):
        assert len([s for s in _steps(folder) if not isinstance(s, ResumeStep)]) == known
        died = fork_server.run(folder, 2, resume=True, server=server.base_url)
        assert died["status"] == -9, (known, died["answer"])
    resumed = fork_server.run(folder, resume=True, server=server.base_url)
    assert resumed["status"] == 0, resumed["answer"]["error"]
    _check(folder, whole, "every step")
    assert len(server.requests) - before == sum(step.usage.calls for step in _steps(whole))


@pytest.mark.parametrize("moment", [3, 8, 14, 20, 26])
def test_killed_once(fork_server: ForkServer, server: ScriptedServer, whole: Path, tmp_path: Path, moment: int) -> None:
    """Killed at a step and resumed to the end."""
    folder = tmp_path / "out"
    assert fork_server.run(folder, moment, server=server.base_url)["status"] == -9
    assert fork_server.run(folder, resume=True, server=server.base_url)["status"] == 0
    _check(folder, whole, moment)


def test_killed_while_functions_are_merged(fork_server: ForkServer, tmp_path: Path) -> None:
    """Before and within a step: a merger that was begun is brought to its end, a refused one is not tried again."""
    limits = {"saturation": 9, "plan_every": 2}
    whole = tmp_path / "whole"
    fork_server.run(whole, limits=limits)
    steps = _steps(whole)
    assert [s.adopted for s in steps if isinstance(s, MergerStep)] == [False, True]
    assert [name for name, _, _ in _functions(whole)] == ["trim_ab", "trim_c"]
    first = next(number for number, step in enumerate(steps, 1) if isinstance(step, PlanningStep))
    for moment in range(first, first + 9):
        folder = tmp_path / f"at-{moment}"
        when = "torn" if moment % 2 else "before"
        assert fork_server.run(folder, moment, when, limits=limits)["status"] == -9
        resumed = fork_server.run(folder, resume=True)
        assert resumed["status"] == 0, (moment, resumed["answer"]["error"])
        _check(folder, whole, moment)


def test_killed_between_the_functions_of_one_answer(fork_server: ForkServer, tmp_path: Path) -> None:
    """Functions of an answer that had no turn yet are not asked for again, whenever the run is killed."""
    whole = tmp_path / "whole"
    fork_server.run(whole, several=True)
    steps = [step for step in _steps(whole) if isinstance(step, AnalysisStep)]
    assert max(len(step.more) for step in steps) == 1
    for moment in range(4, 12, 2):
        folder = tmp_path / f"at-{moment}"
        assert fork_server.run(folder, moment, several=True)["status"] == -9
        resumed = fork_server.run(folder, resume=True, several=True)
        assert resumed["status"] == 0, (moment, resumed["answer"])
        _check(folder, whole, moment)


def test_lanes(fork_server: ForkServer, tmp_path: Path) -> None:
    """Several chunks in flight: whatever the moment, the same functions and the same data; killed twice, still."""
    limits = {"saturation": 9, "lanes": 3}
    whole = tmp_path / "whole"
    fork_server.run(whole)
    for moment in (4, 10):
        folder = tmp_path / f"at-{moment}"
        assert fork_server.run(folder, moment, limits=limits)["status"] == -9
        fork_server.run(folder, 5, resume=True)
        resumed = fork_server.run(folder, resume=True)
        assert resumed["status"] == 0, (moment, resumed["answer"]["error"])
        assert sorted(_functions(folder)) == sorted(_functions(whole)), moment
        assert (folder / "cleaned.csv").read_bytes() == (whole / "cleaned.csv").read_bytes(), moment


def test_a_limit_that_is_reached_and_raised(fork_server: ForkServer, tmp_path: Path) -> None:
    """It goes on where it stood once the limit is higher, killed in between or not; with the same one it is refused."""
    limits = {"saturation": 9, "max_iterations": 1}
    folder = tmp_path / "short"
    assert fork_server.run(folder, limits=limits)["answer"]["status"] == "limit"
    assert "The run ended at its limits" in fork_server.run(folder, resume=True)["answer"]["error"]
    assert fork_server.run(folder, 6, resume=True, raised={"max_iterations": 9})["status"] == -9
    resumed = fork_server.run(folder, resume=True)
    assert resumed["answer"]["status"] == "clean", resumed["answer"]
    assert sorted(name for name, _, _ in _functions(folder)) == ["trim_ab", "trim_c"]
    analysed = [(s.chunk, s.iteration) for s in _steps(folder) if isinstance(s, AnalysisStep)]
    assert len(analysed) == len(set(analysed)), "nothing is asked twice"


def test_a_budget_that_ends_and_is_raised(
    fork_server: ForkServer, server: ScriptedServer, whole: Path, tmp_path: Path
) -> None:
    """The calls before the pause count; with more of them the run ends as one that was never short."""
    folder = tmp_path / "short"
    short = fork_server.run(folder, server=server.base_url, max_calls=3)
    assert short["answer"]["status"] == "budget"
    assert (folder / "cleaned.csv").exists()
    asked = len(server.requests)
    again = fork_server.run(folder, resume=True, server=server.base_url, max_calls=3)
    assert (again["answer"]["status"], len(server.requests)) == ("budget", asked)
    resumed = fork_server.run(folder, resume=True, server=server.base_url, max_calls=20)
    assert resumed["answer"]["status"] == "clean"
    assert resumed["answer"]["usage"]["calls"] == sum(step.usage.calls for step in _steps(whole))
    assert _functions(folder) == _functions(whole)
    assert (folder / "cleaned.csv").read_bytes() == (whole / "cleaned.csv").read_bytes()


@pytest.fixture
def killed(fork_server: ForkServer, tmp_path: Path) -> Path:
    """A run of its own copy of the data, killed after its second promotion."""
    data = write_messy(tmp_path / "mine.csv")
    folder = tmp_path / "out"
    assert fork_server.run(folder, 12, data=str(data))["status"] == -9
    return folder


def test_changed_data_are_refused(killed: Path, tmp_path: Path) -> None:
    """Resume says that the file is another one now, or gone, and leaves the run as it is."""
    journal = (killed / "run.jsonl").read_bytes()
    with (tmp_path / "mine.csv").open("a") as data:
        data.write('"x","y","z"\n')
    with pytest.raises(UsageError, match=r"mine\.csv has changed since the run began"):
        read_past(killed).open()
    (tmp_path / "mine.csv").unlink()
    with pytest.raises(UsageError, match="is gone"):
        read_past(killed).open()
    assert (killed / "run.jsonl").read_bytes() == journal


def test_changed_functions_are_refused(killed: Path) -> None:
    """A function that was revoked since, or that is not from the run, ends it."""
    past = read_past(killed)
    with _registry(killed) as registry:
        functions = registry.functions()
        past.check(functions)
        foreign = functions[0].candidate.model_copy(update={"source": function("trim_c", "c"), "name": "trim_c"})
        with pytest.raises(UsageError, match="trim_c is in the registry of the run, but not from it"):
            past.check([*functions, functions[0].model_copy(update={"candidate": foreign})])
        registry.revoke("trim_a", "by hand")
        with pytest.raises(UsageError, match="trim_a was promoted in the run and is no longer in its registry"):
            past.check(registry.functions())


def test_another_proposer_is_refused(killed: Path) -> None:
    """A run is not continued by whoever happens to be there."""
    read_past(killed).check_proposer("by-content")
    with pytest.raises(UsageError, match="The run used by-content, and only builtin is available"):
        read_past(killed).check_proposer("builtin")


def test_a_run_that_never_began(tmp_path: Path) -> None:
    """Killed before its first line was whole: there is nothing to go on from, and it is said how to begin again."""
    (tmp_path / "run.jsonl").write_text('{"kind":"run","at"')
    with pytest.raises(UsageError, match="killed before it began") as caught:
        read_past(tmp_path)
    assert f"--out {tmp_path} --overwrite" in caught.value.advice


def test_a_journal_that_does_not_fit(killed: Path, fork_server: ForkServer) -> None:
    """A journal in which a step was taken out by hand is refused rather than misread."""
    path = killed / "run.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if '"kind":"candidate"' not in line))
    resumed = fork_server.run(killed, resume=True)
    assert "The journal does not fit" in resumed["answer"]["error"]


def test_a_report_that_cannot_be_written_hides_no_error(killed: Path, fork_server: ForkServer) -> None:
    """What ended the run is said, and how it goes on; on a full disk only the report was spoken of."""
    (killed / "report.html").mkdir()
    resumed = fork_server.run(killed, resume=True, server="http://127.0.0.1:9/v1")
    assert "ModelUnavailable" in resumed["answer"]["error"].splitlines()[-1]
    assert _steps(killed)[-1].error


def test_a_finished_run_has_a_report_of_its_end(killed: Path, fork_server: ForkServer) -> None:
    """Killed between its last step and the report: one of an earlier interruption is there, and takes its place."""
    assert fork_server.run(killed, resume=True)["status"] == 0
    report = killed / "report.html"
    whole = report.read_text()
    read_past(killed).report()
    assert report.read_text() == whole
    report.write_text("interrupted")
    os.utime(report, ns=(1, 1))
    read_past(killed).report()
    assert report.read_text() == whole


def test_what_a_killed_run_had_begun_to_write_goes(killed: Path, fork_server: ForkServer) -> None:
    """Half of the data under a hidden name stayed beside the results for good."""
    (killed / ".cleaned.csv.0123456789abcdef.part").write_text("a,b\n")
    assert fork_server.run(killed, resume=True)["status"] == 0
    assert not list(killed.glob(".*"))


def test_one_process_at_a_time(killed: Path, fork_server: ForkServer) -> None:
    """While one goes on with the run, another is told so; the list says that it is running."""
    with Journal(killed / "run.jsonl", again=True):
        assert [(run.status, run.resumable) for run in runs_below(killed)] == [("running", False)]
        resumed = fork_server.run(killed, resume=True)
        assert "A run is at work on" in resumed["answer"]["error"]
    assert [(run.status, run.resumable) for run in runs_below(killed)] == [("killed", True)]


def test_runs_are_found_by_folder_and_id(killed: Path, whole: Path) -> None:
    """A folder, its journal, the beginning of an id; what fits nothing, or several runs, is refused."""
    identity = read_past(killed).opening.run_id
    for name in (str(killed), str(killed / "run.jsonl")):
        assert find_run(name) == killed
    assert find_run(identity[:6], killed.parent) == killed
    with pytest.raises(UsageError, match="There is no run nowhere"):
        find_run("nowhere", killed.parent)


def test_what_applies_a_runs_functions_knows_whether_it_has_ended(killed: Path, whole: Path, tmp_path: Path) -> None:
    """By the journal's last line, whole or half."""
    assert [has_not_ended(folder) for folder in (killed, whole, tmp_path)] == [True, False, False]
    (tmp_path / "run.jsonl").write_bytes((whole / "run.jsonl").read_bytes()[:-9])
    assert has_not_ended(tmp_path)


def test_a_run_is_played_again(whole: Path) -> None:
    """Every step comes in its order, checks before their verdict, and pauses are cut short."""
    steps, heard, pauses = _steps(whole), list[object](), list[float]()
    replay(steps, heard.append, speed=0.001, sleep=pauses.append)
    assert [event for event in heard if isinstance(event, Step)] == steps
    first = heard.index(next(step for step in steps if isinstance(step, VerificationStep)))
    assert isinstance(heard[first - 1], CheckResult)
    assert max(pauses) == 2.0
    replay(steps, heard.append, speed=0, sleep=lambda pause: pytest.fail("it waited") if pause else None)


def test_a_run_as_a_tree(killed: Path, fork_server: ForkServer) -> None:
    """Chunks, candidates with the checks that failed, what was merged, and that the end is missing."""
    whole = killed.parent / "planned"
    fork_server.run(whole, limits={"saturation": 9, "plan_every": 2})
    console = Console(width=200)
    with console.capture() as capture:
        console.print(run_tree(_steps(whole)))
        console.print(run_tree(_steps(killed)))
    text = capture.get()
    for part in ("chunk 3: 10 rows", "✗ bad_b", "executed as scripted", "✓ trim_b (repair 1)", "plan after chunk 2",
                 "trim_ab replaces trim_a, trim_b", "trim_wrong does not replace", "complete: 2 promoted", "9 calls",
                 "no end: it was killed, or is still at work"):  # fmt: skip
        assert part in text, text
