"""A function that is held, from the run to its use: by the commands that a person has, in containers."""

import json
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Call, read_data, write_data
from tests.support.scripted_server import ScriptedServer

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
