"""The examples for schedulers, each in the real one, with functions that were really promoted."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from tests.support.required import skipped_without

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "integrations"
INSTALLED = ROOT / ".venv" / "integrations"
CLEANROOM = Path(sys.executable).parent / "cleanroom"
DIRTY = "city,n\n" + "".join(f"{city},{n}\n" for n, city in enumerate([" Bonn", "Kiel", "Ulm "] * 40))
CLEAN = DIRTY.replace(" ", "")

pytestmark = pytest.mark.docker


def needs(name: str) -> pytest.MarkDecorator:
    there = (INSTALLED / name / "bin" / "python").exists()
    return skipped_without(name, f"{name} is not installed: make test-integrations", there=there)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with dirty data, a registry with a function that cleans it, and one in which none is in use."""
    made = tmp_path_factory.mktemp("scheduled")
    (made / "orders.csv").write_text(DIRTY)
    function = ROOT / "examples" / "ci" / "trim_city.py"
    promote = ["verify", str(function), "--data", "orders.csv", "--quick", "--promote", "--registry", "registry"]
    unused = ["tokens", "create", "nobody", "--scope", "read", "--registry", "unused"]
    for words in (promote, unused):
        done = subprocess.run([CLEANROOM, *words], cwd=made, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return made


def run(
    name: str,
    arguments: Sequence[str | Path],
    place: Path,
    more: Mapping[str, str] = MappingProxyType({}),
    code: int = 0,
) -> str:
    """What a program of the scheduler's environment prints, which ends with this code."""
    own = INSTALLED / name / "bin"
    variables = {**os.environ, "PYTHONPATH": str(EXAMPLES), "PATH": f"{own}:{os.environ['PATH']}", **more}
    done = subprocess.run(
        [own / arguments[0], *arguments[1:]],
        cwd=place, env=variables, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == code, (done.stdout + done.stderr)[-3000:]
    return done.stdout


@needs("airflow")
def test_airflow_runs_the_operator_in_a_dag(place: Path) -> None:
    """As a plugin, with a template in its arguments; the next task gets the counts. Without a function it fails."""
    home = place / "airflow"
    code = (
        "from datetime import datetime\n"
        "from airflow.sdk import DAG, task\n"
        "from airflow_operator import CleanroomApply\n"
        "@task\n"
        "def tell(counts):\n    print('the counts:', counts)\n"
        "with DAG('nightly', schedule=None, start_date=datetime(2024, 1, 1)):\n"
        "    clean = CleanroomApply(task_id='clean', params={'name': 'orders'}, data='{{ params.name }}.csv',\n"
        "        functions='registry', target='airflow.csv')\n"
        "    tell(clean.output)\n"
    )
    for folder, name, text in (
        ("dags", "nightly.py", code),
        ("plugins", "airflow_operator.py", (EXAMPLES / "airflow_operator.py").read_text()),
    ):
        (home / folder).mkdir(parents=True)
        (home / folder / name).write_text(text)
    own = {"AIRFLOW_HOME": str(home), "AIRFLOW__CORE__LOAD_EXAMPLES": "False", "PYTHONPATH": ""}
    for command in (["db", "migrate"], ["dags", "reserialize"]):
        run("airflow", ["airflow", *command], place, own)
    said = run("airflow", ["airflow", "dags", "test", "nightly"], place, own)
    assert "the counts: {'rows_in': 120, 'rows_out': 120, 'set_aside': 0}" in said
    assert (place / "airflow.csv").read_text() == CLEAN
    unused = (
        "from airflow_operator import CleanroomApply\n"
        "clean = CleanroomApply(task_id='clean', data='orders.csv', functions='unused', target='unused.csv')\n"
        "try:\n    clean.execute({})\n"
        "except Exception as error:\n    print(type(error).__name__, error)\n"
    )
    said = run("airflow", ["python", "-c", unused], place, own | {"PYTHONPATH": str(EXAMPLES)})
    assert "UsageError No function is in use there" in said


@needs("prefect")
def test_prefect_runs_the_flow(place: Path) -> None:
    """The flow gives the counts; where there are no functions, or none is in use, it fails with a sentence."""
    code = (
        "import json\n"
        "import prefect_task\n"
        "print(json.dumps(prefect_task.nightly('orders.csv', 'registry', 'prefect.csv')))\n"
        "from prefect.logging import disable_run_logger\n"
        "for functions in ('nothing', 'unused'):\n"
        "    try:\n        with disable_run_logger():\n"
        "            prefect_task.clean.fn('orders.csv', functions, 'b.csv')\n"
        "    except Exception as error:\n        print(type(error).__name__, error)\n"
    )
    own = {"PREFECT_HOME": str(place / "prefect"), "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "200"}
    said = run("prefect", ["python", "-c", code], place, own)
    counts, *errors = said.split("\n")[-4:-1]
    assert json.loads(counts) == {"rows_in": 120, "rows_out": 120, "set_aside": 0}
    assert [error[:43] for error in errors] == [
        "UsageError There are no functions in nothin",
        "UsageError No function is in use there: eve",
    ]
    assert (place / "prefect.csv").read_text() == CLEAN


@needs("dbt")
def test_dbt_runs_the_model(place: Path) -> None:
    """A Python model of dbt-duckdb reads the rows of another model, and its table has the cleaned ones, or stays."""
    project = place / "project"
    (project / "models").mkdir(parents=True)
    raw = "select * from read_csv('{{ var(\"orders\") }}', all_varchar=true)"
    (project / "models" / "raw_orders.sql").write_text(raw)
    (project / "models" / "orders.py").write_text((EXAMPLES / "dbt_model.py").read_text())
    settings: dict[str, Any] = {
        "models": [{"name": "orders", "config": {"cleanroom_functions": str(place / "registry")}}]
    }
    (project / "models" / "orders.yml").write_text(json.dumps({"version": 2} | settings))
    said = {"name": "shop", "version": "1.0", "profile": "shop", "vars": {"orders": str(place / "orders.csv")}}
    (project / "dbt_project.yml").write_text(json.dumps(said))
    target = {"type": "duckdb", "path": str(project / "shop.duckdb")}
    (project / "profiles.yml").write_text(json.dumps({"shop": {"target": "dev", "outputs": {"dev": target}}}))
    run("dbt", ["dbt", "--no-send-anonymous-usage-stats", "run", "--profiles-dir", "."], project)
    code = (
        "import duckdb\n"
        "rows = duckdb.connect('shop.duckdb').execute('select city, n from orders').fetchall()\n"
        "print('city,n', *(','.join(row) for row in rows), sep='\\n')\n"
    )
    assert run("dbt", ["python", "-c", code], project) == CLEAN
    settings["models"][0]["config"] = {"cleanroom_functions": str(place / "unused")}
    (project / "models" / "orders.yml").write_text(json.dumps({"version": 2} | settings))
    said_of = run("dbt", ["dbt", "--no-send-anonymous-usage-stats", "run", "--profiles-dir", "."], project, code=1)
    assert "No function is in use there: the DataFrame would stay as it is." in said_of
    assert run("dbt", ["python", "-c", code], project) == CLEAN, "the table of the run before"
