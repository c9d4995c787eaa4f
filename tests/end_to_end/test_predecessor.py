"""Every wrong function that the nearest existing system promotes, and every way around its safety check.

None is promoted here, on CSV, Parquet and JSONL alike, through the real command, registry and containers: all of them
on CSV, and some on Parquet. tests/gate judges every one on the same table with types (test_gate_wrong_functions.py, and
the ways around the check in containers in test_gate_boundary.py).
"""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest

from orchestrator.data.formats import open_dataset
from tests.end_to_end.conftest import Call
from tests.gate.conftest import orders
from tests.gate.functions.test_gate_wrong_functions import PREDECESSOR
from tests.gate.screen.test_gate_boundary import ATTACKS, attack

GOOD = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def trim_city(df):
    """Strip city."""
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
'''


def _data(folder: Path, suffix: str) -> Path:
    table, path = orders(150, 3), folder / f"orders{suffix}"
    if suffix == ".parquet":
        pq.write_table(table, path)
    elif suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()), encoding="utf-8")
    else:
        pacsv.write_csv(table, path)
    return path


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("suffix", "every"), [(".csv", 1), (".parquet", 5)])
def test_none_of_them_is_promoted(cleanroom: Call, tmp_path: Path, suffix: str, every: int) -> None:
    """All fail, each with a reason; the right function beside them passes; the registry holds that one alone."""
    sources = {f"wrong{i:02}": source for i, (_, source) in enumerate(PREDECESSOR.values())}
    sources |= {f"bypass{i:02}": source for i, source in enumerate(attack(name, tmp_path / "mark") for name in ATTACKS)}
    sources = {name: sources[name] for name in list(sources)[::every]} | {"good": GOOD}
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    files = [f"{name}.py" for name in sources]
    done = cleanroom("verify", *files, "--data", _data(tmp_path, suffix), "--promote", "--registry", "r", "--json")
    assert done.returncode == 1, done.stderr
    assert not (tmp_path / "mark").exists()
    verdicts = dict(zip(sources, map(json.loads, done.stdout.splitlines()), strict=True))
    passed = [name for name, verdict in verdicts.items() if verdict["verdict"] == "pass"]
    assert passed == ["good"]
    for name, verdict in verdicts.items():
        reasons = [check["detail"] for check in verdict["checks"] if check["outcome"] == "fail"]
        assert name == "good" or all(reasons), verdict
        assert verdict["verdict"] != "infra"
    listed = cleanroom("registry", "list", "--registry", "r", "--json").stdout.splitlines()
    assert [json.loads(line)["candidate"]["name"] for line in listed] == ["trim_city"]


def test_jsonl_is_judged_as_parquet_is(tmp_path: Path) -> None:
    """Both give the same rows of the same types, so each verdict on Parquet is one on JSONL; CSV gives other types."""
    typed, same, text = (
        pa.concat_tables(open_dataset(_data(tmp_path, suffix)).batches()) for suffix in (".parquet", ".jsonl", ".csv")
    )
    assert same.equals(typed)
    assert text.num_rows == typed.num_rows
    assert text.schema != typed.schema
