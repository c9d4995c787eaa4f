"""A function that is held, from the run to its use: by the commands that a person has, in containers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Call, read_data, write_data
from tests.support.scripted_server import Answer, ScriptedServer

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("warm")]
NAMES = ("Office", "Windows", "Visio", "Word")
REPLY = """<cleaning_analysis>
<issues_detected><issue id="1" solved="false">Products carry a year</issue></issues_detected>
<function_to_generate><name>drop_year</name><docstring>Leave out the year behind a product.</docstring>
<columns>["product"]</columns>
<detector><![CDATA[
def detect(df):
    return df["product"].str.contains(r" [0-9]{4}$").fillna(False).astype(bool)
]]></detector>
<code><![CDATA[
def drop_year(df):
    out = df.copy()
    out["product"] = out["product"].str.replace(r" [0-9]{4}$", "", regex=True)
    return out
]]></code></function_to_generate>
<chunk_status>needs_work</chunk_status></cleaning_analysis>"""
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"


def test_held_function_is_used_once_a_person_approves_it(cleanroom: Call, tmp_path: Path) -> None:
    """Not promoted, not applied; shown with what would settle it; approved, signed and applied to the next file."""
    rows = [{"id": str(n), "product": f"{NAMES[n % 4]} {2000 + n % 20}" if n % 3 else NAMES[n % 4]} for n in range(60)]
    write_data(tmp_path / "messy.csv", rows)
    with ScriptedServer([REPLY, CLEAN], repeat_last=True) as server:
        model = ("--model", "openai/scripted", "--api-base", server.base_url, "--protocol", "xml", "--patience", "1")
        more = ("--tester-model", "none", "--out", "result", "--json")
        done = cleanroom("run", "messy.csv", *model, *more, env={"CLEANROOM_API_KEY": "sk-not-for-anybody"})
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["promoted"] == []
    assert read_data(tmp_path / "result" / "cleaned.csv") == rows

    shown = cleanroom("runs", "show", "result").stdout
    assert "drop_year" in shown
    assert "figures-lost" in shown
    (held,) = map(json.loads, cleanroom("review", "result", "--json").stdout.splitlines())
    assert held["name"] == "drop_year"
    assert any("is right as" in concern["settles"] for concern in held["concerns"])
    apply = ("apply", "messy.csv", "--functions", "result", "-o")
    assert "0 cells changed" in cleanroom(*apply, "held.csv").stdout

    approved = cleanroom("registry", "approve", "drop_year", "--registry", "result", "--reason", "years are not names")
    assert approved.returncode == 0, approved.stderr
    assert cleanroom("review", "result").stderr.strip() == "Nothing is held."
    done = cleanroom(*apply, "applied.csv")
    assert done.returncode == 0, done.stderr
    assert {row["product"] for row in read_data(tmp_path / "applied.csv")} == set(NAMES)


def test_what_the_model_settled_itself_is_said_everywhere(cleanroom: Call, tmp_path: Path) -> None:
    """In the summary, in --json, in the registry and in the report: what, by whom, and that nobody else was asked."""
    rows = [{"id": str(n), "product": f"{NAMES[n % 4]} {2000 + n % 20}" if n % 3 else NAMES[n % 4]} for n in range(60)]
    write_data(tmp_path / "messy.csv", rows)
    for more in ((), ("--json",)):
        with ScriptedServer([REPLY, as_tester, CLEAN], repeat_last=True) as server:
            model = ("--model", "openai/scripted", "--api-base", server.base_url, "--protocol", "xml")
            run = ("run", "messy.csv", *model, "--out", "result", "--overwrite", *more)
            done = cleanroom(*run, env={"CLEANROOM_API_KEY": "sk-not-for-anybody"})
        assert done.returncode == 0, done.stderr
        if not more:
            said = " ".join(done.stdout.split())
            told = "drop_year settled by the model's answers, not by you: openai/scripted, which wrote the function"
            assert told in said
            assert "figures-lost" in said
            assert "--tester-model none" in said
    [settled] = json.loads(done.stdout)["settled"]
    assert (settled["name"], settled["by"], settled["also_proposed"]) == ("drop_year", "openai/scripted", True)
    assert "figures-lost" in [concern["kind"] for concern in settled["concerns"]]
    assert {example["output"]["product"] for example in settled["examples"]} <= set(NAMES)
    shown = " ".join(cleanroom("registry", "show", "drop_year", "--registry", "result").stdout.split())
    assert "settled by the model's answers, not by you" in shown
    assert "an example by the model that tested it: {'id'" in shown
    report = (tmp_path / "result" / "report.html").read_text()
    assert "settled by the model" in report
    assert "What the tester wanted, who never saw the code" in report


def as_tester(asked: dict[str, Any]) -> str | Answer:
    """The tester's answer: every product without its year."""
    prompt = str(asked["messages"][-1]["content"])
    names = re.findall(r'"product": "(\w+) \d{4}"', prompt)
    said = [{"row": number, "after": {"product": name}} for number, name in enumerate(names, 1)]
    return f"<testimony>{json.dumps(said)}</testimony>"
