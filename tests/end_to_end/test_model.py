"""A run with a language model: LiteLLM's real client, a scripted server over HTTP, the real sandbox."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.conftest import CITIES, Call, Done, messy_rows, read_data, write_data
from tests.support.scripted_server import ScriptedServer, status, text

pytestmark = pytest.mark.docker
KEY = {"CLEANROOM_API_KEY": "sk-not-for-anybody"}
REPLY = """<cleaning_analysis>
<issues_detected><issue id="1" solved="false">Stray blanks in city</issue></issues_detected>
<function_to_generate><name>{name}</name><docstring>Strip blanks from city.</docstring>
<columns>["city"]</columns>
<detector><![CDATA[
def detect(df):
    return df["city"].fillna("").str.strip() != df["city"].fillna("")
]]></detector>
<code><![CDATA[
{code}
]]></code></function_to_generate>
<chunk_status>needs_work</chunk_status></cleaning_analysis>"""
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
RIGHT = REPLY.format(
    name="trim_city",
    code='def trim_city(df):\n    out = df.copy()\n    out["city"] = out["city"].str.strip()\n    return out',
)
WRONG = REPLY.format(
    name="blank_city", code='def blank_city(df):\n    out = df.copy()\n    out["city"] = ""\n    return out'
)
HOSTILE = REPLY.format(
    name="steal",
    code="import os\ndef steal(df):\n    os.system('touch /tmp/stolen')\n    return df",
)


def _run(cleanroom: Call, server: ScriptedServer, *more: object) -> Done:
    model = ("--model", "openai/scripted", "--api-base", server.base_url, "--protocol", "xml", "--patience", "3")
    return cleanroom("run", "messy.csv", "--out", "result", "--json", *model, *more, env=KEY)


def test_wrong_and_hostile_functions_first_then_a_right_one(
    cleanroom: Call, tmp_path: Path, containers: Callable[[], list[str]]
) -> None:
    """Only the right function is promoted; the model is shown why the others were not."""
    write_data(tmp_path / "messy.csv", messy_rows())
    with ScriptedServer([WRONG, HOSTILE, RIGHT, CLEAN]) as server:
        done = _run(cleanroom, server)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["promoted"] == ["trim_city"]
    assert {row["city"] for row in read_data(tmp_path / "result" / "cleaned.csv")} == set(CITIES)
    assert "keeps-information" in server.requests[1].text
    assert "import" in server.requests[2].text
    assert summary["usage"]["calls"] == 4
    assert not Path("/tmp/stolen").exists()  # noqa: S108 - the very file that the hostile function names
    everything = "".join(p.read_text(errors="replace") for p in (tmp_path / "result").rglob("*") if p.is_file())
    assert "sk-not-for-anybody" not in everything + done.stderr
    assert containers() == []


def test_a_used_up_budget(cleanroom: Call, tmp_path: Path) -> None:
    """What was promoted is applied; one sentence says that the budget ended; exit code 3."""
    write_data(tmp_path / "messy.csv", messy_rows())
    with ScriptedServer([RIGHT, WRONG], repeat_last=True) as server:
        done = _run(cleanroom, server, "--max-calls", 1)
    assert done.returncode == 3
    assert "budget" in done.stderr
    assert json.loads(done.stdout)["status"] == "budget"
    assert {row["city"] for row in read_data(tmp_path / "result" / "cleaned.csv")} == set(CITIES)


def test_a_wrong_key(cleanroom: Call, tmp_path: Path) -> None:
    """One try, one sentence, exit code 3, and the key is nowhere in it."""
    write_data(tmp_path / "messy.csv", messy_rows())
    with ScriptedServer([status(401, "Incorrect API key provided: sk-not-for-anybody")]) as server:
        done = _run(cleanroom, server)
    assert done.returncode == 3
    assert len(server.requests) == 1
    assert "key" in done.stderr
    assert "sk-not-for-anybody" not in done.stderr
    assert not list((tmp_path / "result").glob("cleaned*"))


def test_a_model_that_cannot_be_reached(cleanroom: Call, tmp_path: Path) -> None:
    """Some tries, then one sentence and exit code 3."""
    write_data(tmp_path / "messy.csv", messy_rows())
    model = ("--model", "openai/none", "--api-base", "http://127.0.0.1:9/v1", "--patience", "2")
    done = cleanroom("run", "messy.csv", "--out", "result", *model, env=KEY)
    assert done.returncode == 3
    assert "127.0.0.1:9" in done.stderr


def test_replies_that_cannot_be_read(cleanroom: Call, tmp_path: Path) -> None:
    """They end with the limit, never with a crash; the output is the data as it was."""
    data = write_data(tmp_path / "messy.csv", messy_rows())
    with ScriptedServer([text("I am sorry, I cannot do that.")], repeat_last=True) as server:
        done = _run(cleanroom, server, "--max-iterations", 2)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "limit"
    assert (tmp_path / "result" / "cleaned.csv").read_bytes() == data.read_bytes()
