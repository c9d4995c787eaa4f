"""A function that was proved and acts up while it is applied: it is stopped, nothing is written, the rows are shown."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.candidate import Candidate, Contract, Shape
from orchestrator.core.effects import Effects
from orchestrator.core.errors import ApplyAuditFailed
from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.policy import LARGEST_ROWS, TABLES_OF_A_PROCESS
from orchestrator.core.ports import Sandbox, SandboxAccess, SandboxSession
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.run.apply.apply import ApplyOutcome, apply_functions


def promoted(name: str, body: str, **contract: Any) -> Promoted:
    source = f"import random, sys, time\nimport pandas as pd\nSTATE = []\n\ndef {name}(df):\n    {body}\n"
    candidate = Candidate(source=source, name=name, contract=Contract(modifies=("city",), **contract))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


def table(body: str) -> Promoted:
    """`bad` says where the city is ruined; elsewhere it is stripped."""
    return promoted(
        "trim",
        f"city = df['city'].str.strip()\n    bad = {body}\n"
        "    return df.assign(city=city.where(~pd.Series(bad, index=df.index), 'ruined'))",
    )


def apply(folder: Path, access: SandboxAccess, function: Promoted, rows: int = 3000, batch: int = 1000) -> ApplyOutcome:
    data = folder / "data.csv"
    data.write_text("city,n\n" + "".join(f" Rome {row % 50},{row}\n" for row in range(rows)))
    return apply_functions(data, [function], folder / "out.csv", access, batch_rows=batch)


@pytest.mark.parametrize(
    "attack",
    [
        "[len(df) > 200] * len(df)",  # behaves up to so many rows
        "df.index % 40 == 17",  # by position; of a single one, the very row may come to stand there again
        "df['n'].astype(int).diff().eq(1)",  # by neighbour
        "[random.random() < 0.1 for _ in df.index]",  # now and then
        "[time.tzname[0] == 'UTC'] * len(df)",  # by the surroundings in which functions are applied
        "df['n'].astype(int).rank() > len(df) - 5",  # by what else is there
    ],
)
def test_an_attack_is_stopped(tmp_path: Path, access: SandboxAccess, attack: str) -> None:
    """The audit names function and column, shows rows, and no file appears."""
    with pytest.raises(
        ApplyAuditFailed, match=r"trim makes one thing .* in the column 'city'.*Rows: \[\{'city': ' Rome"
    ):
        apply(tmp_path, access, table(attack))
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("proved_rows", [100, 10_000])
def test_rows_are_run_again_in_tables_smaller_than_what_the_judge_saw(
    tmp_path: Path, access: SandboxAccess, proved_rows: int
) -> None:
    """What acts up where it sees more different rows than the sample had does so in no such table. Positive control:
    proved on a large sample, where the judge would have seen it, the same function comes out as before."""
    function = table("[df['n'].nunique() > 60] * len(df)")
    effects = Effects(rows=proved_rows, dropped=0, columns=())
    verdict = function.evidence.verdict.model_copy(update={"effects": effects})
    function = function.model_copy(update={"evidence": function.evidence.model_copy(update={"verdict": verdict})})
    data, out = tmp_path / "data.csv", tmp_path / "out.csv"
    data.write_text("city,n\n" + "".join(f" Rome {row % 50},{row}\n" for row in range(3000)))
    if proved_rows > 3000:
        apply_functions(data, [function], out, access, batch_rows=1000, accept_drift=True)
        assert out.read_text().count("ruined") == 3000
        return
    with pytest.raises(ApplyAuditFailed, match="trim makes one thing"):
        apply_functions(data, [function], out, access, batch_rows=1000, accept_drift=True)
    assert not out.exists()


def test_a_function_that_sees_what_it_saw_passes(tmp_path: Path, access: SandboxAccess) -> None:
    """Positive control: an honest function is applied, in tables of one size and of several."""
    outcome = apply(tmp_path, access, table("[False] * len(df)"), rows=2500)
    assert outcome.rows_out == 2500
    assert (tmp_path / "out.csv").read_text().splitlines()[1:3] == ["Rome 0,0", "Rome 1,1"]


def test_no_process_sees_more_tables_than_where_it_was_judged(tmp_path: Path, access: SandboxAccess) -> None:
    """What waits for a call beyond those never sees one; positive control: what waits for the last of them does."""
    honest = apply(tmp_path, access, table(f"[STATE.append(1) or len(STATE) > {TABLES_OF_A_PROCESS}] * len(df)"))
    assert honest.rows_out == 3000
    assert "ruined" not in (tmp_path / "out.csv").read_text()
    (tmp_path / "out.csv").unlink()
    with pytest.raises(ApplyAuditFailed, match="trim makes one thing"):
        apply(tmp_path, access, table(f"[STATE.append(1) or len(STATE) == {TABLES_OF_A_PROCESS}] * len(df)"))


def test_no_table_is_larger_than_what_was_proved(tmp_path: Path, access: SandboxAccess) -> None:
    """What acts up beyond the largest proved table never gets one."""
    apply(tmp_path, access, table(f"[len(df) > {LARGEST_ROWS}] * len(df)"), rows=LARGEST_ROWS + 200, batch=10**6)
    assert "ruined" not in (tmp_path / "out.csv").read_text()


def test_rows_that_are_dropped_now_and_then_are_seen(tmp_path: Path, access: SandboxAccess) -> None:
    """Which rows survive must be the same as well."""
    drops = promoted("drops", "return df[df.index % 3 != 0]", drops_rows=True)
    with pytest.raises(ApplyAuditFailed, match="drops drops a row the one time and keeps it the other"):
        apply(tmp_path, access, drops)
    assert not (tmp_path / "out.csv").exists()
    steady = promoted("steady", "return df[df['n'].astype(int) % 3 != 0]", drops_rows=True)
    assert apply(tmp_path, access, steady).rows_out == 2000


def test_records_are_run_again_too(tmp_path: Path, access: SandboxAccess) -> None:
    """A record function that counts its calls is stopped; one that looks at the record alone is not."""
    body = "STATE.append(1)\n    return record | {'city': 'ruined' if len(STATE) %s else record['city'].strip()}"
    for test, stopped in (("% 7 == 0", True), ("< 0", False)):
        function = promoted("trim", body % test, shape=Shape.RECORD)
        function = function.model_copy(
            update={"candidate": function.candidate.model_copy(
                update={"source": function.candidate.source.replace("(df)", "(record)")})}
        )  # fmt: skip
        if stopped:
            with pytest.raises(ApplyAuditFailed, match="trim makes one thing"):
                apply(tmp_path, access, function)
            assert not (tmp_path / "out.csv").exists()
        else:
            assert apply(tmp_path, access, function).rows_out == 3000


class LoggedSandbox:
    """Says when a session runs a job, in which environment, and when it ends."""

    def __init__(self, inner: Sandbox) -> None:
        self._inner = inner
        self.log: list[str] = []

    def run(self, job: Job) -> JobResult:
        return self._inner.run(job)

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator[SandboxSession]:
        with self._inner.session() as inner:
            yield LoggedSession(inner, self.log)
        self.log.append("ended")

    def close(self) -> None:
        """Nothing: the inner one is others'."""


class LoggedSession:
    """Passes jobs on."""

    def __init__(self, inner: SandboxSession, log: list[str]) -> None:
        self._inner, self._log = inner, log

    def run(self, job: Job) -> JobResult:
        self._log.append(job.environment.value)
        return self._inner.run(job)


def test_the_containers_of_the_batches_end_before_the_audit_runs(tmp_path: Path, access: SandboxAccess) -> None:
    """Whoever waits for the audit does not wait after it for these to go away, too."""
    sandbox = LoggedSandbox(access.sandbox)
    apply(tmp_path, access._replace(sandbox=sandbox), table("[False] * len(df)"), rows=900)
    assert sandbox.log == ["first", "ended", "confirm", "ended"]


class WaitingSandbox(LoggedSandbox):
    """Runs a second function only when a first one is run again."""

    def __init__(self, inner: Sandbox) -> None:
        super().__init__(inner)
        self.audited = threading.Event()

    @contextmanager
    def session(self, *, alone: bool = False) -> Iterator[SandboxSession]:
        with self._inner.session() as inner:
            yield WaitingSession(inner, self.log, self.audited)


class WaitingSession(LoggedSession):
    """One session of it."""

    def __init__(self, inner: SandboxSession, log: list[str], audited: threading.Event) -> None:
        super().__init__(inner, log)
        self._audited = audited

    def run(self, job: Job) -> JobResult:
        if job.environment.value == "confirm":
            self._audited.set()
        elif self._log:
            assert self._audited.wait(60)
        return super().run(job)


def test_of_a_small_file_a_function_is_run_again_while_the_next_one_works(
    tmp_path: Path, access: SandboxAccess
) -> None:
    """Nobody waits for all functions and then for all of them once more."""
    functions = [table("[False] * len(df)"), promoted("upper", "return df.assign(city=df['city'].str.upper())")]
    data = tmp_path / "data.csv"
    data.write_text("city,n\n" + "".join(f" Rome {row},{row}\n" for row in range(300)))
    sandbox = WaitingSandbox(access.sandbox)
    apply_functions(data, functions, tmp_path / "out.csv", access._replace(sandbox=sandbox))
    assert sorted(sandbox.log) == ["confirm", "confirm", "first", "first"]
    assert (tmp_path / "out.csv").read_text().splitlines()[1] == "ROME 0,0"


def test_the_last_rows_are_run_again_while_they_are_written(tmp_path: Path, access: SandboxAccess) -> None:
    """Of several batches: the audit does not wait for the writer."""
    sandbox = WaitingSandbox(access.sandbox)
    rows, batch = 1200, 300

    def written(count: int) -> None:
        assert count < rows or sandbox.audited.wait(60)

    data = tmp_path / "data.csv"
    data.write_text("city,n\n" + "".join(f" Rome {row},{row}\n" for row in range(rows)))
    apply_functions(
        data,
        [table("[False] * len(df)")],
        tmp_path / "out.csv",
        access._replace(sandbox=sandbox),
        batch_rows=batch,
        on_progress=written,
    )
    assert sandbox.log == ["first", "confirm"]
