"""Several batches and functions in one job come out as they do one after the other."""

from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.hostile import decode_entry
from orchestrator.data.hostile.byte_parts import join_parts, split_parts
from orchestrator.data.hostile.hostile_output import HostileOutput
from orchestrator.gate import candidate_file
from orchestrator.run.apply.batch_grouping import begin
from orchestrator.run.apply.clean_table import Cleaned, clean
from orchestrator.run.apply.function_runner import FunctionRunner
from orchestrator.run.apply.residual import Residual
from orchestrator.run.apply.stages import columns_seen, stages

TRIM = '''
"""Blanks stand around {column}."""
CONTRACT = {{"shape": "table", "modifies": ["{column}"]}}
def detect(df):
    """True where a row has the issue."""
    return df["{column}"] != df["{column}"].str.strip()
def trim_{column}(df):
    """Strip {column}."""
    out = df.copy()
    out["{column}"] = out["{column}"].str.strip()
    return out
'''
FAILS = '''
"""Fails on some rows."""
CONTRACT = {"shape": "table", "modifies": ["b"]}
def fails(df):
    """Upper case, but not of everything."""
    if (df["b"] == "bad").any():
        raise ValueError("bad")
    out = df.copy()
    out["b"] = out["b"].str.upper()
    return out
'''
LOOKS = '''
"""Takes over a."""
CONTRACT = {"shape": "table", "modifies": ["b"]}
def looks(df):
    """Both columns in one."""
    out = df.copy()
    out["b"] = out["b"] + ":" + out["a"]
    return out
'''
PICKS = '''
"""Takes over b where a is x."""
CONTRACT = {"shape": "table", "modifies": ["b"]}
def picks(df):
    """Rows are picked by a function, which pandas gives the whole table."""
    out = df.copy()
    out.loc[lambda d: d["a"].eq("x"), "b"] = "of x"
    return out
'''
TABLE = pa.table({"a": [" x", "y ", "z"], "b": ["1 ", " 2", "3"], "n": pa.array([1, None, 3], pa.int16())})
BODIES = {
    'return df["a"] == df["b"]': {"a", "b"},
    "out = df.copy()\n    for name in _NAMES:\n        out[name] = out[name].str.strip()\n    return out": {"a", "b"},
    'out = df.copy()\n    out.loc[out["a"].isna(), "b"] = ""\n    return out': {"a", "b"},
    'if "c" in df.columns and len(df):\n        return df\n    return df.copy()': set(),
    'one = [df.loc[row, "a"] for row in df.index]\n    return df': {"a"},
    'return df[["a", "b"]]': {"a", "b"},
    "return _help(df)": None,
    "return df.apply(str, axis=1)": None,
    "if True:\n        one = df.copy()\n    other = one\n    return other.sum()": None,
    'name = "a"\n    return df[name + "b"]': None,
    "return df[df.columns[0]]": None,
    "def inside():\n        return df\n    return inside().sum()": None,
    "global held\n    held = df\n    return df": None,
    "return (lambda: df)()": None,
    'for name in ["a"] + _NAMES:\n        df[name]\n    return df': None,
    'return df[df["a"] == "x"]': None,
    "return df.a": None,
    'out = df.copy()\n    out.loc[lambda d: d["b"].eq("x"), "a"] = ""\n    return out': None,
    'pick = lambda d: d["b"].eq("x")\n    df.loc[pick, "a"]\n    return df': None,
    'pick = _help\n    other = pick\n    df.loc[other, "a"]\n    return df': None,
    'df.loc[_help, "a"]\n    return df': None,
    'rules = {"a": _help}\n    df.loc[rules["a"], "a"]\n    return df': None,
    'rules = {"a": _help}\n    df.loc[rules.get("a"), "a"]\n    return df': None,
    'for pick in [_help]:\n        df.loc[pick, "a"]\n    return df': None,
    'df.loc[partial(_help), "a"]\n    return df': None,
    'df.loc[_made(), "a"]\n    return df': None,
    'df.loc[_help if len(df) else [], "a"]\n    return df': None,
    'if "x" in df.to_string():\n        return df\n    return df': None,
    "if len(df.dropna()):\n        return df\n    return df": None,
    'blank = df["a"].isna()\n    blank &= df["b"].isna()\n    df.loc[blank, "a"]\n    return df': {"a", "b"},
    'blank = df["a"].isna()\n    df.loc[~blank | blank, "a"]\n    df.loc[blank.values, "a"]\n    return df': {"a"},
    'df.loc[_mask(df["b"]), "a"]\n    df.loc[:, "a"]\n    df.loc[df["b"], "a"]\n    return df': {"a", "b"},
}  # fmt: skip


def function(source: str) -> Promoted:
    candidate = candidate_file.read(source)
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


@pytest.mark.parametrize(("body", "seen"), BODIES.items())
def test_the_source_tells_which_columns_a_function_sees(body: str, seen: set[str] | None) -> None:
    """Columns taken by names that stand there are told; a table that goes anywhere else tells nothing."""
    helpers = (
        "def _help(df):\n    return df\ndef _mask(cells):\n    return cells\ndef _made():\n    return lambda d: d.b\n"
    )
    head = f'from functools import partial\n_NAMES = ["a", "b"]\n{helpers}'
    source = f'{head}def f(df):\n    """F."""\n    {body}\n'
    assert columns_seen(candidate_file.read(source)) == seen


def test_functions_that_do_not_meet_share_a_stage() -> None:
    """A function that sees what another one changes waits for it; one that may see everything waits for all."""
    one, other, looks = (function(source) for source in (TRIM.format(column="a"), TRIM.format(column="b"), LOOKS))
    assert stages([one, other]) == (range(2),)
    assert stages([one, other, looks, one]) == (range(2), range(2, 4))
    assert stages([one, one]) == (range(1), range(1, 2))
    assert stages([]) == ()
    every = function(TRIM.format(column="a").replace('"modifies": ["a"]', '"drops_rows": True'))
    assert stages([one, every, other]) == (range(1), range(1, 2), range(2, 3))


def test_together_is_as_one_after_the_other(access: SandboxAccess) -> None:
    """Tables, counts, masks and flags are the same, also where a function fails on one of the batches."""
    functions = [function(source) for source in (TRIM.format(column="a"), FAILS, LOOKS)]
    tables = [TABLE, pa.concat_tables([TABLE, TABLE.set_column(1, "b", [["1", "bad", "3"]])]), TABLE.slice(1)]
    with closing(FunctionRunner(access, functions, detect=True)) as runner:
        begun = begin(runner, tables)
        assert [len(made) for made in begun] == [3, 1, 3]
        together = [clean(runner, table, max_failures=5, begun=made) for table, made in zip(tables, begun, strict=True)]
        apart = [clean(runner, table, max_failures=5) for table in tables]
    assert [told(one) for one in together] == [told(one) for one in apart]


def test_a_function_that_picks_rows_by_a_function_sees_what_others_have_made(access: SandboxAccess) -> None:
    """It saw the cells as they were before: rows came out wrong, or the audit blamed it for what it had not done."""
    functions = [function(TRIM.format(column="a")), function(PICKS)]
    with closing(FunctionRunner(access, functions)) as runner:
        begun = begin(runner, [TABLE, TABLE])
        cleaned = [clean(runner, TABLE, max_failures=5, begun=made).table for made in begun]
    assert [table.column("b").to_pylist() for table in cleaned if table is not None] == [["of x", " 2", "3"]] * 2


def test_what_is_left_is_the_same_in_fewer_jobs(access: SandboxAccess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that do not meet share a job there, too; rows on which one fails are left out as before."""
    jobs: list[object] = []
    run = FunctionRunner._run

    def counted(runner: FunctionRunner, job: Any) -> Any:
        jobs.append(job)
        return run(runner, job)

    monkeypatch.setattr(FunctionRunner, "_run", counted)
    functions = [function(TRIM.format(column=name)) for name in ("a", "b")] + [function(LOOKS)]
    with closing(FunctionRunner(access, functions)) as runner:
        apart = clean(runner, pa.concat_tables([TABLE, TABLE.slice(1)]), max_failures=9)
    assert (len(jobs), apart.table is not None) == (3, True)
    jobs.clear()
    with Residual(access) as residual:
        rest = residual.of(Sample(TABLE, TABLE.slice(1)), functions).sample
    assert pa.concat_tables(rest) == apart.table
    assert (len(jobs), rest.holdout.num_rows) == (2, 2)
    bad = TABLE.set_column(1, "b", [["1", "bad", "3"]])
    with Residual(access) as residual:
        rest = residual.of(Sample(bad, TABLE), [function(TRIM.format(column="a")), function(FAILS)]).sample
    assert rest.working.to_pydict() == {"a": ["x", "z"], "b": ["1", "3"], "n": [1, 3]}
    assert rest.holdout.column("b").to_pylist() == ["1 ", " 2", "3"]


def test_joined_parts_come_back() -> None:
    """Parts of any length come back; what is cut off or no parts at all is refused."""
    parts = [b"", b"one", b"\xff" * 9]
    assert split_parts(join_parts(parts)) == parts
    for broken in (join_parts(parts)[:-1], b"\xff" * 9, b"x"):
        with pytest.raises(HostileOutput):
            split_parts(broken)
    with pytest.raises(HostileOutput, match="1 answers"):
        decode_entry.answers(join_parts([b"one"]), 2)


def told(cleaned: Cleaned) -> object:
    made = [
        [
            (
                batch.source,
                batch.table,
                batch.rows.tolist(),
                {n: m.tolist() for n, m in batch.masks.items()},
                flags(batch.flags),
            )
            for batch in batches
        ]
        for batches in cleaned.made
    ]
    return cleaned.table, cleaned.rows.tolist(), cleaned.changed, cleaned.failed, cleaned.by_function, made


def flags(given: object) -> object:
    return None if given is None else list(given)  # type: ignore[call-overload]
