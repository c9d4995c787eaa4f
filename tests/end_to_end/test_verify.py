"""`cleanroom verify`: the JSON object that others build on, the exit codes, and what a person reads."""

import json
from pathlib import Path

import pytest
from defusedxml import ElementTree

from orchestrator.gate.checks.catalog import ORDER
from tests.end_to_end.conftest import CITIES, Call, messy_rows, read_data, write_data

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("warm")]
GOOD = '''"""City names carry stray blanks."""
CONTRACT = {"shape": "table", "modifies": ["city"]}
def detect(df):
    return df["city"].str.strip() != df["city"]
def trim_city(df):
    """Strip leading and trailing blanks from city."""
    out = df.copy(); out["city"] = out["city"].str.strip(); return out
'''
LOUD = GOOD.replace(".str.strip(); return", ".str.strip().str.upper(); return").replace("trim_city", "loud_city")
RENAME = '''"""Berlin has another name."""
CONTRACT = {"shape": "table", "modifies": ["city"]}
def detect(df):
    return df["city"] == "Berlin"
def rename_city(df):
    """Write the other name of Berlin."""
    out = df.copy(); out["city"] = out["city"].replace({"Berlin": "Ville"}); return out
'''


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "messy.csv", messy_rows())


def _write(folder: Path, name: str, source: str) -> str:
    (folder / name).write_text(source, encoding="utf-8")
    return name


def test_the_json_object_has_its_documented_form(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """One object with candidate, verdict, checks, sandbox, usage and timings; exit code 0."""
    done = cleanroom("verify", _write(tmp_path, "f.py", GOOD), "--data", data, "--json")
    assert done.returncode == 0, done.stderr
    verdict = json.loads(done.stdout)
    assert verdict["candidate"]["name"] == "trim_city"
    assert verdict["candidate"]["shape"] == "table"
    assert verdict["candidate"]["modifies"] == ["city"]
    assert len(verdict["candidate"]["sha256"]) == 64
    assert verdict["verdict"] == "pass"
    assert verdict["concerns"] == []
    assert tuple(check["id"] for check in verdict["checks"]) == ORDER
    assert {"id", "outcome", "detail", "counterexample", "cases", "seconds"} <= set(verdict["checks"][0])
    assert set(verdict["sandbox"]) == {"engine", "runtime", "image", "isolation", "hash_seeds", "libraries"}
    assert verdict["sandbox"]["image"].startswith("sha256:")
    assert verdict["sandbox"]["isolation"] == "single-use"
    assert verdict["usage"]["cpu_s"] > 0
    assert verdict["usage"]["peak_bytes"] > 2**20
    assert set(verdict["timings"]) == {"screen_s", "wait_s", "sandbox_s", "judge_s", "total_s"}


def test_a_rejected_function_shows_the_smallest_counterexample(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """Exit code 1; the person sees the law, the cell before and the cell after."""
    done = cleanroom("verify", _write(tmp_path, "f.py", LOUD), "--data", data, "--quick")
    assert done.returncode == 1, done.stderr
    assert "precise" in done.stdout
    assert "before" in done.stdout
    assert any(city.upper() in done.stdout for city in CITIES)


def test_several_functions_give_one_line_each(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """One JSON object per line, in order; the exit code is that of the worst."""
    files = (_write(tmp_path, "a.py", GOOD), _write(tmp_path, "b.py", LOUD))
    done = cleanroom("verify", *files, "--data", data, "--json", "--quick")
    assert done.returncode == 1
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["pass", "fail"]


def test_questions_are_answered_once_and_for_all(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """Held; the file of questions is no example as it is, and with every answer the function passes."""
    codes = GOOD.replace('.str.strip() != df["city"]', '.isin(["Bonn", "Kiel"])')
    codes = codes.replace(".str.strip(); return", '.replace({"Bonn": "city of Beethoven", "Kiel": "port"}); return')
    data.write_text("id,city\n" + "".join(f"{n},{('Bonn', 'Kiel', 'Ulm')[n % 3]}\n" for n in range(90)))
    asked = ("verify", _write(tmp_path, "f.py", codes), "--data", data, "--quick")
    held = cleanroom(*asked, "--questions", "q.jsonl")
    assert held.returncode == 1
    assert "to be confirmed: 2 changes" in held.stdout
    assert "2 questions in q.jsonl: answer them" in held.stderr
    refused = cleanroom(*asked, "--examples", "q.jsonl")
    assert refused.returncode == 2
    assert "Question 1 in q.jsonl has no answer" in refused.stderr
    path = tmp_path / "q.jsonl"
    path.write_text(path.read_text().replace('"right": null', '"right": true'))
    assert cleanroom(*asked, "--examples", "q.jsonl").returncode == 0


@pytest.mark.parametrize(
    "named",
    [
        ("--junit", "messy.csv"),
        ("--questions", "f.py"),
        ("--sarif", "x", "--questions", "x"),
        ("-o", "x", "--junit", "x"),
        ("-o", "f.py"),
    ],
)
def test_nothing_is_written_over_anything(cleanroom: Call, tmp_path: Path, data: Path, named: tuple[str, ...]) -> None:
    """The data, a function or another report under the name of a result is a slip, and nothing is lost by it."""
    source = _write(tmp_path, "f.py", GOOD)
    before = data.read_bytes()
    done = cleanroom("verify", source, "--data", data, "--quick", *named)
    assert done.returncode == 2
    assert f"{named[-1]} is named for a result, and for something else." in done.stderr
    assert (data.read_bytes(), (tmp_path / source).read_text()) == (before, GOOD)


def test_no_screen_still_has_the_boundary(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """What the screen would refuse is run, reaches nothing, and is judged by what it returns."""
    mark = tmp_path / "mark"
    source = GOOD.replace("    out =", f"    import os; os.system('touch {mark}')\n    out =")
    refused = json.loads(
        cleanroom("verify", _write(tmp_path, "f.py", source), "--data", data, "--json", "--quick").stdout
    )
    assert refused["checks"][0]["outcome"] == "fail"
    done = cleanroom("verify", "f.py", "--data", data, "--no-screen", "--json", "--quick")
    assert {c["id"]: c["outcome"] for c in json.loads(done.stdout)["checks"]}["screen"] == "skip"
    assert not mark.exists()


def test_the_output_can_be_kept(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """--output writes what the function made of the data."""
    done = cleanroom("verify", _write(tmp_path, "f.py", GOOD), "--data", data, "--output", "made.csv", "--quick")
    assert done.returncode == 0, done.stderr
    assert {row["city"] for row in read_data(tmp_path / "made.csv")} == set(CITIES)


def test_a_function_that_fails_keeps_its_verdict(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """What it makes is not written, whether it could or not: the verdict, exit code 1, and a line that says so."""
    rejected = _write(tmp_path, "rejected.py", GOOD.replace("out = df.copy()", "out = df.iloc[::-1].copy()"))
    raises = _write(tmp_path, "raises.py", GOOD.replace("out = df.copy()", 'out = df["town"]'))
    unread = _write(tmp_path, "unread.py", "def (")
    for file in (raises, unread, rejected):
        done = cleanroom("verify", file, "--data", data, "--output", "made.csv", "--quick")
        assert done.returncode == 1, done.stderr
        assert "fail" in done.stdout
        assert "made.csv was not written: the function was rejected." in done.stderr
        assert not (tmp_path / "made.csv").exists()


def test_an_example_that_does_not_hold_is_a_fail(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """The user's own examples bind the function."""
    example = {"input": {"city": " Berlin"}, "output": {"city": "BERLIN"}}
    (tmp_path / "examples.jsonl").write_text(json.dumps(example) + "\n", encoding="utf-8")
    done = cleanroom(
        "verify", _write(tmp_path, "f.py", GOOD), "--data", data, "--examples", "examples.jsonl", "--json", "--quick"
    )
    assert done.returncode == 1
    outcomes = {c["id"]: c["outcome"] for c in json.loads(done.stdout)["checks"]}
    assert outcomes["examples"] == "fail"


def test_many_files_give_one_summary_and_reports(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """A folder and a pattern; rows marked without colour; JUnit and SARIF say what the terminal says."""
    (tmp_path / "functions" / "more").mkdir(parents=True)
    _write(tmp_path / "functions", "good.py", GOOD)
    _write(tmp_path / "functions" / "more", "loud.py", LOUD)
    (tmp_path / "functions" / "bytes.py").write_bytes(b"\xff\xfe")
    named = ("functions", "functions/**/*.py")
    options = ("--data", data, "--quick", "--junit", "j.xml", "--sarif", "s.json")
    done = cleanroom("verify", *named, *options)
    assert done.returncode == 1, done.stderr
    assert "is judged once" in done.stderr
    assert done.stdout.splitlines()[-1].startswith("3 functions: 1 passed, 2 rejected")
    assert "\n      after   → " in done.stdout
    suites = ElementTree.parse(tmp_path / "j.xml").getroot()
    assert suites is not None
    assert [(suite.get("name"), suite.get("failures") == "0") for suite in suites] == [
        ("functions/bytes.py", False),
        ("functions/good.py", True),
        ("functions/more/loud.py", False),
    ]
    results = json.loads((tmp_path / "s.json").read_text())["runs"][0]["results"]
    lines = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]: r["locations"] for r in results}
    assert set(lines) == {"functions/bytes.py", "functions/more/loud.py"}
    assert lines["functions/more/loud.py"][0]["physicalLocation"]["region"] == {"startLine": 5}


def test_the_files_for_pipelines_work_together(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """The example function passes with the example policy, golden file and checks that lie beside it."""
    ci = Path(__file__).parents[2] / "examples" / "ci"
    options = (
        "--policy",
        ci / "policy.yaml",
        "--examples",
        ci / "golden.csv",
        "--checks",
        ci / "checks" / "my_checks.py",
    )
    done = cleanroom("verify", ci / "trim_city.py", "--data", data, *options, "--quick", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    verdict = json.loads(done.stdout)
    assert verdict["file"] == str(ci / "trim_city.py")
    outcomes = {check["id"]: check["outcome"] for check in verdict["checks"]}
    assert outcomes["examples"] == outcomes["user-checks"] == "pass"


def test_promotion_judges_what_is_left_to_do(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """Of two functions that do the same, the second is a duplicate of the first, which is promoted."""
    files = (_write(tmp_path, "a.py", GOOD), _write(tmp_path, "b.py", GOOD.replace("trim_city", "strip_city")))
    done = cleanroom("verify", *files, "--data", data, "--quick", "--promote", "--json")
    assert done.returncode == 1, done.stderr
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["verdict"] == "pass"
    assert second["candidate"]["name"] == "strip_city"
    assert "composes" in {check["id"] for check in second["checks"] if check["outcome"] == "fail"}


def test_a_pipeline_may_promote_the_same_files_again(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """What is in the registry already is judged and not stored twice, and what comes after it is judged, too."""
    files = [_write(tmp_path, "a.py", GOOD)]
    assert cleanroom("verify", *files, "--data", data, "--quick", "--promote").returncode == 0
    files.append(_write(tmp_path, "b.py", LOUD))
    done = cleanroom("verify", *files, "--data", data, "--quick", "--promote", "--json")
    assert json.loads(done.stdout.splitlines()[0])["verdict"] == "pass"
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 2), done.stderr
    assert "in the registry already: trim_city, version 1. Nothing was stored." in done.stderr
    assert cleanroom("registry", "list").stdout.count("trim_city") == 1


def test_a_pipeline_goes_on_where_a_function_builds_on_another(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """What is in use is judged where it stands: beside the later one, the earlier one was said to undo it."""
    files = [_write(tmp_path, "a.py", GOOD), _write(tmp_path, "b.py", RENAME)]
    command = ("verify", *files, "--data", data, "--quick", "--promote", "--json")
    first = cleanroom(*command)
    assert [json.loads(line)["verdict"] for line in first.stdout.splitlines()] == ["pass", "hold"], first.stdout
    assert first.returncode == 1
    assert cleanroom("registry", "approve", "rename_city").returncode == 0
    again = cleanroom(*command, "--junit", "j.xml", "--sarif", "s.json")
    assert (again.returncode, "held for was approved there." in again.stderr) == (0, True)  # it was 1 for ever
    assert 'failures="0"' in (tmp_path / "j.xml").read_text()
    results = json.loads((tmp_path / "s.json").read_text())["runs"][0]["results"]
    assert [one["suppressions"][0]["status"] for one in results] == ["accepted"] * len(results) != []
    assert [json.loads(line)["verdict"] for line in again.stdout.splitlines()] == ["pass", "hold"], again.stdout
    assert again.stderr.count("Nothing was stored.") == 2
    assert "must follow" in cleanroom("registry", "list").stdout


def test_a_promoted_mistake_is_repaired(cleanroom: Call, tmp_path: Path, data: Path) -> None:
    """The repair is judged without what it replaces; the difference is shown; the old one goes out of use."""
    wrong = LOUD.replace('def detect(df):\n    return df["city"].str.strip() != df["city"]\n', "")
    repair = GOOD.replace("CONTRACT = {", 'CONTRACT = {"replaces": "loud_city", ')
    old, new = _write(tmp_path, "old.py", wrong), _write(tmp_path, "new.py", repair)
    first = cleanroom("verify", old, "--data", data, "--quick", "--promote")
    assert first.returncode == 0, first.stdout
    alone = cleanroom("verify", new, "--data", data, "--quick", "--registry", "registry", "--json")
    assert alone.returncode == 0, alone.stdout
    found = json.loads(alone.stdout)["differences"]
    assert (found["replaced"], found["changed"]) == ("loud_city", {"city": 240})
    lines = data.read_text().splitlines()
    assert all(cell["before"] in lines[cell["file_row"] - 1] for cell in found["examples"])
    assert [cell["row"] for cell in found["examples"]] != [cell["file_row"] - 1 for cell in found["examples"]]
    assert cleanroom("registry", "list").stdout.count("loud_city") == 1
    again = cleanroom("verify", new, "--data", data, "--quick", "--promote")
    assert "loud_city version 1 → trim_city" in again.stdout
    assert "loud_city, version 1, is out of use now" in again.stderr
    listed = cleanroom("registry", "list").stdout
    assert "trim_city" in listed
    assert "loud_city" not in listed
    gone = cleanroom("verify", new, "--data", data, "--quick", "--registry", "nowhere")
    assert (gone.returncode, gone.stderr.count("no registry")) == (2, 1)
