"""What a run says where its data is unlike the rows on which functions of an earlier run were proved."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from orchestrator import bootstrap
from orchestrator.core.policy import Policy
from orchestrator.core.promoted import Evidence
from orchestrator.core.steps import ApplyStep
from orchestrator.core.steps.run_steps import DataDrift
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.formats import open_dataset
from orchestrator.data.profile.baseline_counts import count_baseline
from orchestrator.gate import candidate_file
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.propose.scripted_models import ScriptedProposer
from orchestrator.run.events import Callbacks
from orchestrator.run.loop.job import CleaningJob
from orchestrator.run.loop.run_summary import RunSummary
from orchestrator.run.report import render_report
from orchestrator.run.request import RunRequest
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.run.report.test_report import Page
from tests.run.report_steps import usual

SOURCE = 'CONTRACT = {"modifies": ["day"]}\ndef trim(df):\n    return df.assign(day=df["day"].str.strip())\n'


def days(count: int, form: str = "2024-05-{:02}") -> list[str]:
    return [f"{' ' * (row % 3 == 0)}{form.format(row % 28 + 1)}" for row in range(count)]


@pytest.fixture(scope="module")
def services(local_sandbox: LocalSandbox, decoder: DisposableProcess) -> Services:
    return Services(local_sandbox, ScriptedGate, decoder, Policy(), "policy", bootstrap.open_registry)


def promote(place: Path, data_sha256: str) -> None:
    """A function that was proved on 400 rows of days in one form."""
    rows = pa.table({"day": days(400)})
    made = pa.table({"day": [day.strip() for day in days(400)]})
    masks = {"day": np.array([day.startswith(" ") for day in days(400)])}
    baseline = count_baseline(rows, made, np.arange(400), masks, None, ["day"], "salt")
    candidate = candidate_file.read(SOURCE)
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=(), baseline=baseline)
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test", run_id="earlier", data_sha256=data_sha256)
    with bootstrap.open_registry(place) as registry:
        registry.promote(candidate, evidence)


def run(folder: Path, services: Services) -> RunSummary:
    request = RunRequest(data=folder / "in.csv", out=folder / "out", registry=str(folder / "registry"))
    return CleaningJob(request, request.check(), services, ScriptedProposer([]), Callbacks()).run()


def test_summary_and_report_say_what_is_unlike_the_proof(tmp_path: Path, services: Services) -> None:
    """A new form of days, a new column: in the summary's JSON as an apply says it, and in the report; all is applied.

    Where the function was proved on this very data, nothing is compared and nothing said.
    """
    lines = [f"{day},x" for day in [*days(300), *days(300, "{}/5")]]
    (tmp_path / "in.csv").write_text("\n".join(["day,shop", *lines]) + "\n")
    promote(tmp_path / "registry", "")
    summary = run(tmp_path, services)
    assert {(one.function, one.column, one.kind, one.value) for one in summary.data_drift} >= {
        ("trim", "day", "new-pattern", "9/9")
    }
    assert summary.new_columns == ("shop",)
    assert {"data_drift", "new_columns"} <= summary.model_dump(mode="json").keys()
    told = Page((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    assert "Unlike what was proved" in told.text
    assert "'day': cells like '9/9' are new: " in told.text
    assert "Columns that were not there then: shop" in told.text

    same = tmp_path / "same"
    same.mkdir()
    (same / "in.csv").write_bytes((tmp_path / "in.csv").read_bytes())
    promote(same / "registry", open_dataset(same / "in.csv").sha256)
    assert not {"data_drift", "new_columns"} & run(same, services).model_dump(mode="json").keys()


def test_a_report_of_much_drift_is_cut() -> None:
    """A hundred things are shown and the rest is counted; without any there is no such section."""
    steps = usual()
    assert "Unlike what was proved" not in render_report(steps)
    one = DataDrift(function="trim", kind="new-pattern", column="day", before=(0, 9), now=(5, 9), said="<b>new</b>")
    with_drift = {"data_drift": (one,) * 130, "new_columns": tuple(f"c{n}" for n in range(110))}
    page = Page(render_report([s.model_copy(update=with_drift) if isinstance(s, ApplyStep) else s for s in steps]))
    assert page.wrong == []
    assert page.text.count("<b>new</b>") == 100
    assert "30 more in run --json" in page.text
    assert "c99 and 10 more" in page.text
