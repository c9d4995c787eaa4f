"""A run for functions of records, with a language model: nested JSON Lines, a scripted server, the real sandbox."""

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Call
from tests.support.scripted_server import ScriptedServer, tool_call

KEY = {"CLEANROOM_API_KEY": "sk-not-for-anybody"}
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
TABLE = """<cleaning_analysis><function_to_generate><code><![CDATA[
CONTRACT = {"shape": "table", "modifies": ["tags"]}
def strip_tags(df):
    \"\"\"Strip the tags.\"\"\"
    return df
]]></code></function_to_generate></cleaning_analysis>"""
FRAGILE = """<cleaning_analysis><function_to_generate>
<columns>["tags"]</columns><detector><![CDATA[any(tag != tag.strip() for tag in record["tags"])]]></detector>
<code><![CDATA[
def strip_tags(record):
    \"\"\"Strip the tags.\"\"\"
    return {**record, "tags": [tag.strip() for tag in record["tags"]]}
]]></code></function_to_generate></cleaning_analysis>"""
SOUND = {
    "issues_detected": [{"id": "1", "description": "Tags carry stray blanks", "columns": ["tags"], "solved": False}],
    "function": {
        "name": "strip_tags",
        "docstring": "Strip the tags.",
        "columns": ["tags"],
        "effects": {"modifies": ["tags"]},
        "detector": "def detect(record):\n    return strip_tags(record) != record",
        "code": "def strip_tags(record):\n"
        '    tags = record.get("tags")\n'
        "    if not isinstance(tags, list):\n"
        "        return record\n"
        '    return {**record, "tags": [tag.strip() if isinstance(tag, str) else tag for tag in tags]}',
        "examples": [{"input": {"tags": [" new", 7]}, "output": {"tags": ["new", 7]}}],
    },
    "chunk_status": "needs_work",
}


def orders(count: int = 120) -> list[dict[str, Any]]:
    """Nested records: stray blanks in some tags, some without tags, numbers of three kinds."""
    made: list[dict[str, Any]] = []
    for n in range(count):
        record = {"id": n if n % 3 else float(n), "tags": [f"t{n % 7}", " new"] if n % 4 == 0 else [f"t{n % 7}"]}
        if n % 10 == 9:
            del record["tags"]
        made.append({**record, "to": {"city": "Ulm", "lines": [{"sku": f"S{n}", "n": n}]}})
    return made


@pytest.mark.docker
def test_a_record_run_from_nested_lines_to_cleaned_ones(
    cleanroom: Call, tmp_path: Path, containers: Callable[[], list[str]]
) -> None:
    """The model sees nested values; wrong shape and fragile code are refused with words that help; the right one holds.

    Untouched lines keep their bytes; the exported file cleans without cleanroom; apply and replay know the shape.
    """
    rows = orders()
    lines = [json.dumps(row, separators=(",", ":")) for row in rows]
    (tmp_path / "orders.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with ScriptedServer([TABLE, FRAGILE, tool_call(SOUND), CLEAN]) as server:
        model = ("--model", "openai/scripted", "--api-base", server.base_url, "--patience", "3", "--protocol", "xml")
        done = cleanroom("run", "orders.jsonl", "--shape", "record", "--out", "result", "--json", *model, env=KEY)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["promoted"], summary["status"]) == (["strip_tags"], "clean")
    asked = [request.text for request in server.requests]
    assert '"to": {"city": "Ulm", "lines": [{"sku": "S0", "n": 0}]}' in asked[0]
    assert "shape `record` in its CONTRACT" in asked[1]
    assert re.search(r'"check": "(edges|executed)"', asked[2]) is not None
    assert '"name": "strip_tags"' in asked[3]
    cleaned = (tmp_path / "result" / "cleaned.jsonl").read_text(encoding="utf-8").splitlines()
    for before, row, after in zip(lines, rows, cleaned, strict=True):
        if " new" in row.get("tags", []):
            assert json.loads(after) == {**row, "tags": [tag.strip() for tag in row["tags"]]}
        else:
            assert after == before
    assert {"shape": "record"}.items() <= first_step(tmp_path / "result")["configuration"].items()
    exported = (tmp_path / "result" / "cleaning_functions.py").read_text(encoding="utf-8")
    assert "clean_record" in {n.name for n in ast.parse(exported).body if isinstance(n, ast.FunctionDef)}
    applied = cleanroom("apply", "orders.jsonl", "--functions", "result", "-o", "again.jsonl")
    assert applied.returncode == 0, applied.stderr
    assert (tmp_path / "again.jsonl").read_text(encoding="utf-8").splitlines() == cleaned
    assert cleanroom("runs", "replay", "result", "--speed", "0").returncode == 0
    assert containers() == []


def test_the_built_in_proposer_makes_no_functions_of_records(cleanroom: Call, tmp_path: Path) -> None:
    """One sentence that says to name a model, before anything is started; exit code 2."""
    (tmp_path / "orders.jsonl").write_text('{"a": [1]}\n', encoding="utf-8")
    done = cleanroom("run", "orders.jsonl", "--shape", "record")
    assert done.returncode == 2
    assert "makes functions of tables only" in done.stderr
    assert "--model" in done.stderr
    assert not (tmp_path / "orders-cleaned").exists()


def first_step(folder: Path) -> dict[str, Any]:
    """The beginning of a run's journal."""
    step: dict[str, Any] = json.loads((folder / "run.jsonl").read_text(encoding="utf-8").splitlines()[0])
    return step
