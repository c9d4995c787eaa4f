"""Fitted functions on a whole file: learnt in one pass, applied in the next, exported with what they learnt."""

import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from orchestrator.core.errors import ApplyAuditFailed, DataError
from orchestrator.core.ports import Sample, SandboxAccess
from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import open_dataset
from orchestrator.gate import candidate_file
from orchestrator.run.apply.apply import ApplyOutcome, apply_functions
from orchestrator.run.apply.residual import Residual
from tests.run.apply.majority_vote import CLEAN, MAJORITY, ROWS, exported, promoted


def applied(folder: Path, functions: list[Promoted], access: SandboxAccess, rows: str = ROWS) -> ApplyOutcome:
    (folder / "in.csv").write_text(rows, encoding="utf-8")
    return apply_functions(folder / "in.csv", functions, folder / "out.csv", access, batch_rows=2, workers=1)


def test_a_majority_of_the_whole_file_decides(tmp_path: Path, access: SandboxAccess) -> None:
    """No batch of two rows has a majority; the file has, and what was learnt of it is told with its digest."""
    outcome = applied(tmp_path, [promoted(MAJORITY)], access)
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == CLEAN
    learnt = outcome.learnt["transform_of_city"]
    assert json.loads(learnt.text) == {"a": {"Rom": 1, "Rome": 2}, "b": {"Olso": 1, "Oslo": 2}}
    assert learnt.rows == 6


def test_it_learns_from_what_earlier_functions_leave(tmp_path: Path, access: SandboxAccess) -> None:
    """The vote is over trimmed cities where a function before it trims them."""
    trim = promoted('def trim(df):\n    """Trim."""\n    return df.assign(city=df["city"].str.strip())\n')
    rows = ROWS.replace("Rom\n", "Rom  \n")
    learnt = applied(tmp_path, [trim, promoted(MAJORITY)], access, rows).learnt["transform_of_city"]
    assert "Rom  " not in learnt.text
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == CLEAN


def test_what_depends_on_chance_is_stopped(tmp_path: Path, access: SandboxAccess) -> None:
    """A fit whose state has the order of a set does not come out the same in a second container."""
    source = MAJORITY.replace("return votes", "return {'cities': list(set(df['city'].tolist()))}").replace(
        "    made = {key: dict(votes)",
        "    return {'cities': list({*one['cities'], *other['cities']})}\n    made = {key: dict(votes)",
    )
    rows = "id,city\n" + "".join(f"k,city {number}\n" for number in range(40))
    with pytest.raises(ApplyAuditFailed, match="learns one thing"):
        apply_functions(
            _written(tmp_path, rows), [promoted(source)], tmp_path / "out.csv", access, batch_rows=40, workers=1
        )
    assert not (tmp_path / "out.csv").exists()


def test_what_it_learns_of_many_rows_only_is_stopped(tmp_path: Path, access: SandboxAccess) -> None:
    """A fit that says another thing of a large batch than of its halves: fitted again as a whole, it said the same."""
    source = MAJORITY.replace("return votes", "return votes if len(df) < 30 else {key: {'Rum': 9} for key in votes}")
    rows = _written(tmp_path, "id,city\n" + "k,Rome\n" * 40)
    with pytest.raises(ApplyAuditFailed, match="in two parts"):
        apply_functions(rows, [promoted(source)], tmp_path / "out.csv", access, batch_rows=40, workers=1)
    apply_functions(rows, [promoted(source)], tmp_path / "out.csv", access, batch_rows=20, workers=1)
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "id,city\n" + "k,Rome\n" * 40


def test_what_it_cannot_learn_from_is_named(tmp_path: Path, access: SandboxAccess) -> None:
    """A fit that raises on a batch ends the apply with one sentence that names it; nothing is written."""
    source = MAJORITY.replace(
        "    votes = {}", "    votes = {'x': {'y': 1 // (3 - int(df['city'].str.len().min()) % 4)}}"
    )
    with pytest.raises(DataError, match="transform_of_city cannot learn from rows 3 to 4: ZeroDivisionError"):
        applied(tmp_path, [promoted(source)], access)
    assert not (tmp_path / "out.csv").exists()


def test_a_column_that_fit_does_not_find_is_named(tmp_path: Path, access: SandboxAccess) -> None:
    """Also where the source does not show it: the advice is to map it, not to revoke the function."""
    source = MAJORITY.replace('df["city"].tolist()', "df[NAMES[0]].tolist()") + 'NAMES = ["town"]\n'
    with pytest.raises(DataError, match="has no column 'town', which transform_of_city needs") as caught:
        applied(tmp_path, [promoted(source)], access)
    assert "--map" in caught.value.advice


def test_the_exported_file_carries_the_state(tmp_path: Path, access: SandboxAccess) -> None:
    """cleaning_functions.py cleans with what was learnt of the file, unless it is given another state."""
    outcome = applied(tmp_path, [promoted(MAJORITY)], access)
    module = exported(promoted(MAJORITY), outcome.learnt["transform_of_city"], tmp_path)
    frame = pd.DataFrame({"id": ["a", "b", "c"], "city": ["Rom", "x", "Lima"]})
    assert module.clean(frame)["city"].tolist() == ["Rome", "Oslo", "Lima"]
    assert json.loads(module.FUNCTIONS[0].state)["a"] == {"Rom": 1, "Rome": 2}


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_the_exported_file_learns_anew_from_the_file_that_it_cleans(
    tmp_path: Path, access: SandboxAccess, suffix: str
) -> None:
    """As apply does: with the majorities of another file, right values of this one became wrong without a word."""
    outcome = applied(tmp_path, [promoted(MAJORITY)], access)
    module = exported(promoted(MAJORITY), outcome.learnt["transform_of_city"], tmp_path)
    rows = [{"id": "ab"[n % 2], "city": "Rum" if n == 12_799 else ("Bari", "Bonn")[n % 2]} for n in range(13_000)]
    frame, source = pd.DataFrame(rows), tmp_path / f"next{suffix}"
    if suffix == ".csv":
        frame.to_csv(source, index=False)
    elif suffix == ".jsonl":
        frame.to_json(source, orient="records", lines=True)
    else:
        frame.to_parquet(source)
    module.clean_file(source, tmp_path / f"cleaned{suffix}")
    cleaned = open_dataset(tmp_path / f"cleaned{suffix}").batches()
    assert [row["city"] for table in cleaned for row in table.to_pylist()] == ["Bari", "Bonn"] * 6_500
    assert json.loads(module.FUNCTIONS[0].state)["a"] == {"Rom": 1, "Rome": 2}  # for those who call `clean`


def test_where_no_row_is_left_it_learns_of_none(tmp_path: Path, access: SandboxAccess) -> None:
    """Of a file whose rows are all set aside or dropped before, or that has none: what is left is written."""
    drop = promoted('CONTRACT = {"drops_rows": True}\ndef drop(df):\n    """Drop."""\n    return df[df["id"] == "?"]\n')
    fails = promoted('def fails(df):\n    """Fail."""\n    return df.assign(city=[1 // 0 for _ in df["id"]])\n')
    for before in (drop, fails):
        outcome = apply_functions(
            _written(tmp_path, ROWS), [before, promoted(MAJORITY)], tmp_path / "out.csv", access,
            quarantine=tmp_path / "aside.csv", accept_drift=True,
        )  # fmt: skip
        assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "id,city\n"
        assert outcome.learnt["transform_of_city"].text == "{}"
        assert outcome.learnt["transform_of_city"].rows == 0
    pd.DataFrame({"id": ["a"], "city": ["Rome"]}).head(0).to_parquet(tmp_path / "none.parquet")
    none = apply_functions(tmp_path / "none.parquet", [promoted(MAJORITY)], tmp_path / "out.parquet", access)
    assert (none.rows_in, none.rows_out) == (0, 0)


def test_the_exported_file_names_a_column_that_learning_lacks(tmp_path: Path) -> None:
    """A KeyError of `fit` said it, and advised to set all rows aside."""
    learnt = promoted(MAJORITY).state
    assert learnt is not None
    module = exported(promoted(MAJORITY), learnt, tmp_path)
    with pytest.raises(ValueError, match="there is no column 'id', which transform_of_city needs"):
        module.clean_file(_written(tmp_path, ROWS.replace("id,", "key,")), tmp_path / "out.csv")


def test_what_is_left_of_a_sample_is_what_it_learns_of_it(access: SandboxAccess) -> None:
    """With the majorities of the file on which it was proved, right rows of the next one were judged as wrong ones."""
    rows = pa.table({"id": ["a", "b", "a", "b", "a"], "city": ["Bari", "Bonn", "Bari", "Bonn", "Bern"]})
    upper = promoted('def upper(df):\n    """Capitals."""\n    return df.assign(city=df["city"].str.upper())\n')
    before = promoted(MAJORITY, '{"a":{"Rome":9},"b":{"Oslo":9}}')
    sample = Sample(rows.slice(0, 4), rows.slice(4))
    with Residual(access) as residual:
        rest = residual.of(sample, [upper, before])
        assert rest.sample.working.column("city").to_pylist() == ["BARI", "BONN", "BARI", "BONN"]
        assert rest.sample.holdout.column("city").to_pylist() == ["BARI"]
        states = [function.state.text for function in rest.functions if function.state is not None]
        assert states[-1] == '{"a":{"BARI":2,"BERN":1},"b":{"BONN":2}}'
        assert residual.of(sample, [upper, before]) is rest
        same = before.model_copy(update={"candidate": candidate_file.read(MAJORITY.replace("Write what", "Write as"))})
        found = residual.differences(sample, before, same.candidate, rest.functions[-1].evidence)
    assert found.changed == {"city": 5}  # the new one has what it was proved with


@pytest.mark.parametrize(("state", "why"), [("(1, 2)", "tuples"), ("{1: {}}", "keys"), ("{'\\ud800': {}}", "Unicode")])
def test_the_exported_file_learns_nothing_that_apply_would_refuse(
    tmp_path: Path, access: SandboxAccess, state: str, why: str
) -> None:
    """It went on with what JSON had made of a state, and blamed rows that it sent to `apply --quarantine`."""
    source = MAJORITY.replace("return votes", f"return {state} if 'x' in votes else votes")
    _written(tmp_path, ROWS + "x,Rome\n")
    with pytest.raises(DataError, match="transform_of_city cannot learn from rows 1 to 7"):
        apply_functions(tmp_path / "in.csv", [promoted(source)], tmp_path / "out.csv", access, workers=1)
    learnt = promoted(source).state
    assert learnt is not None
    module = exported(promoted(source), learnt, tmp_path)
    with pytest.raises(ValueError, match=f"transform_of_city cannot learn from rows 1 to 7, .*{why}"):
        module.clean_file(tmp_path / "in.csv", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def _written(folder: Path, rows: str) -> Path:
    path = folder / "in.csv"
    path.write_text(rows, encoding="utf-8")
    return path
