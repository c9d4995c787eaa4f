"""A run whose planner merges functions: LiteLLM's real client, a scripted server over HTTP, real sandbox and gate."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from orchestrator.cli.main import app
from orchestrator.core.policy import Policy
from orchestrator.core.steps import ApplyStep, MergerStep, PlanningStep
from orchestrator.data.chunks import chunks
from orchestrator.data.formats import open_dataset
from orchestrator.registry.store import SqlRegistry
from orchestrator.run.journal.journal import read_journal
from tests.end_to_end.conftest import Call, read_data, write_data
from tests.support.scripted_server import ScriptedServer

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("warm")]
CITIES = ("Bad Tölz", "Neustadt am Rübenberge", "Ulm", "Bad Bonn")
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
FUNCTION = """<function_to_generate><name>{name}</name><docstring>Blanks in city.</docstring><columns>["city"]</columns>
<detector><![CDATA[
def detect(df):
    return {change} != df["city"]
]]></detector><code><![CDATA[
def {name}(df):
    out = df.copy()
    out["city"] = {change}
    return out
]]></code></function_to_generate>"""
STRIP = 'df["city"].str.strip(" ")'
SQUEEZE = 'df["city"].str.replace(r" {2,}", " ", regex=True)'
SLY = 'df["city"].str.replace(r"[ \u00a0]+", " ", regex=True).str.strip(" ")'
TIDY = 'df["city"].str.strip(" ").str.replace(r" {2,}", " ", regex=True)'


def function(name: str, change: str) -> str:
    return FUNCTION.format(name=name, change=change)


def proposal(name: str, change: str) -> str:
    return f"<cleaning_analysis>{function(name, change)}<chunk_status>needs_work</chunk_status></cleaning_analysis>"


def merger(name: str, change: str) -> str:
    return f'<merger><replaces>["trim_city", "squeeze_city"]</replaces>{function(name, change)}</merger>'


PLAN = f"<consolidation_result>{merger('sly_city', SLY)}{merger('tidy_city', TIDY)}</consolidation_result>"


def model(request: dict[str, Any]) -> str:
    """Proposes two functions that overlap; as the planner, first a merger that does too much, then the right one."""
    said = "\n".join(message["content"] for message in request["messages"])
    if "You look for functions that" in said:
        return PLAN
    if '"squeeze_city"' in said:
        return CLEAN
    return proposal("squeeze_city", SQUEEZE) if '"trim_city"' in said else proposal("trim_city", STRIP)


def write_messy(path: Path) -> str:
    """Stray and doubled blanks, and in one row that the proposer never sees a no-break space; that row's id."""
    rows = [{"id": f"A{n:03}", "city": CITIES[n % 4]} for n in range(120)]
    for n, row in enumerate(rows):
        row["city"] = f" {row['city']}" if n % 9 == 0 else row["city"].replace(" ", "  " if n % 7 == 0 else " ")
    write_data(path, rows)
    drawn: dict[str, Any] = {"chunk_rows": 4000, "max_chunks": 8, "sampling": "random", "seed": 0}
    chunk = next(iter(chunks(open_dataset(path), holdout_share=Policy().gate.holdout_share, **drawn)))
    held = next(id_ for id_ in chunk.holdout.column("id").to_pylist() if rows[int(id_[1:])]["city"] == "Bad Bonn")
    rows[int(held[1:])]["city"] = "Bad\u00a0Bonn"
    write_data(path, rows)
    return str(held)


def test_only_the_merger_that_equals_the_originals_takes_their_place(cleanroom: Call, tmp_path: Path) -> None:
    """A merger that differs on one held-back row passes the gate and is refused; the right one is adopted.

    The originals are revoked with the reason, the data are what they made of them, and everybody is told.
    """
    held = write_messy(tmp_path / "messy.csv")
    with ScriptedServer([model], repeat_last=True) as server:
        reach = ("--model", "openai/scripted", "--api-base", server.base_url, "--protocol", "xml")
        plan = ("--planner-model", "openai/gpt-4o", "--plan-every", "1")
        done = cleanroom("run", "messy.csv", "--out", "result", "--json", *reach, *plan, env={"CLEANROOM_API_KEY": "k"})
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["status"], summary["promoted"]) == ("clean", ["tidy_city"])
    assert summary["roles"]["planner"]["calls"] == 1

    steps = list(read_journal(tmp_path / "result" / "run.jsonl"))
    sly, tidy = (step for step in steps if isinstance(step, MergerStep))
    assert (sly.name, sly.adopted, tidy.name, tidy.adopted) == ("sly_city", False, "tidy_city", True)
    assert sly.reason.endswith("1 of 30 rows differ, in 'city' (rows that were held back)")
    assert sly.counterexample is not None
    assert sly.counterexample.output == ({"id": held, "city": "Bad Bonn"},)
    assert sly.counterexample.wanted == r"city: 'Bad\xa0Bonn'"
    assert [step.against != "" for step in steps if isinstance(step, PlanningStep)] == [True]

    with SqlRegistry(f"sqlite:///{tmp_path / 'result' / 'registry' / 'registry.db'}") as registry:
        told = {entry.promoted.name: entry.events[-1] for entry in registry.history()}
    assert {name: (event.status, event.reason) for name, event in told.items()} == {
        "trim_city": ("revoked", "merged into tidy_city, version 1"),
        "squeeze_city": ("revoked", "merged into tidy_city, version 1"),
        "tidy_city": ("active", ""),
    }

    shown = CliRunner().invoke(app, ["registry", "show", "trim_city", "--registry", str(tmp_path / "result")])
    assert "revoked" in shown.output
    assert "merged into tidy_city, version 1" in shown.output

    wanted = [{**row, "city": re.sub(" +", " ", row["city"].strip(" "))} for row in read_data(tmp_path / "messy.csv")]
    assert read_data(tmp_path / "result" / "cleaned.csv") == wanted
    assert sum("\u00a0" in row["city"] for row in wanted) == 1
    applied = next(step for step in steps if isinstance(step, ApplyStep))
    city = next(column for column in applied.columns if column.name == "city")
    assert city.changed == sum(value.count for value in city.values) > 0
    assert all(v.before and v.after == re.sub(" +", " ", v.before.strip(" ")) for v in city.values)

    assert "sly_city does not take the place of trim_city, squeeze_city: compared with" in done.stderr
    assert "tidy_city takes the place of trim_city, squeeze_city" in done.stderr
    report = (tmp_path / "result" / "report.html").read_text(encoding="utf-8")
    assert report.count("merged into tidy_city") == 2
    assert "1 of 30 rows differ" in report
