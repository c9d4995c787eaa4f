"""Functions of records and texts in every sandbox: one call per row, JSON without loss, no pandas unless wanted."""

import json
import time
from typing import Any

import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Case, Child, Ended, GuestEnvironment, Job, Limits, Op, Program
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import Sandbox
from orchestrator.data.hostile.reply import OpRecord
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.sandbox.sandbox_jobs import read

ROWS: list[dict[str, Any]] = [{"city": " Rome", "n": 1.0}, {"city": "Oslo", "deep": {"d": [1, None, True]}}, {}]
LIGHT = GuestEnvironment.FIRST_LIGHT


def job(
    source: str, *programs: Program, rows: list[dict[str, Any]] = ROWS, environment: GuestEnvironment = LIGHT
) -> Job:
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    case = Case("case", lines, (Op.F, Op.FF, Op.DETECT, Op.DETECT_F), echo_input=True)
    return Job(programs or (Program("f", source, Shape.RECORD),), (Child((case,)),), environment)


def run(sandbox: Sandbox, asked: Job) -> tuple[OpRecord, ...]:
    result = sandbox.run(asked).children[0]
    assert result.ended is Ended.OK
    return read(result, asked).records


def rows_of(record: OpRecord) -> list[Any]:
    assert record.status == "returned", record.error
    return [json.loads(line) for line in record.body.split(b"\n")]


def test_a_record_function_is_called_once_per_row(sandbox: Sandbox) -> None:
    """Nested values, missing keys and kinds of numbers arrive and come back; so do flags and the untouched input."""
    source = (
        "def f(r):\n    return {**r, 'city': r['city'].strip()} if 'city' in r else r\n"
        "def detect(r):\n    return r.get('city', '') != r.get('city', '').strip()\n"
    )
    f, echo, ff, detect, detect_f = run(sandbox, job(source))
    wanted = [{"city": "Rome", "n": 1.0}, *ROWS[1:]]
    assert json.dumps(rows_of(f)) == json.dumps(wanted)
    assert rows_of(ff) == wanted
    assert rows_of(echo) == ROWS
    assert (detect.body, detect_f.body) == (b"100", b"000")


def test_a_text_function_sees_every_text_of_its_columns_and_nothing_else(sandbox: Sandbox) -> None:
    """Nulls, numbers, missing keys and other columns stay as they are; detect answers for each column."""
    source = "def f(t):\n    return t.strip()\ndef detect(t):\n    return t != t.strip()\n"
    rows: list[dict[str, Any]] = [{"a": " x", "b": "y ", "c": " z"}, {"a": None, "b": 1}, {"b": "ok"}]
    program = Program("f", source, Shape.TEXT, ("a", "b"))
    f, _, _, detect, detect_f = run(sandbox, job("", program, rows=rows))
    assert rows_of(f) == [{"a": "x", "b": "y", "c": " z"}, *rows[1:]]
    assert (detect.body, detect_f.body) == (b"110000", b"000000")


def test_a_failing_row_is_named(sandbox: Sandbox) -> None:
    """An exception ends the op and says at which row; the record that the row was is echoed as it stands."""
    f, echo, ff, *_ = run(sandbox, job("def f(r):\n    r['seen'] = 1\n    return {'city': r['city']}\n"))
    assert (f.status, f.row, f.error) == ("raised", 2, "KeyError: 'city'")
    assert ff.status == "raised"
    assert [row.get("seen") for row in rows_of(echo)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("result", "why"),
    [
        ("[r]", "returned a list instead of a dict"),
        ("None", "returned a NoneType instead of a dict"),
        ("type('D', (dict,), {})(r)", "returned a D instead of a dict"),
        ("{1: 2}", "the key '1' is of type int"),
        ("{'a': {1: 2}}", "which is of type int"),
        ("{'a': float('nan')}", "is nan, which JSON does not have"),
        ("{'a': (1, 2)}", "a tuple, which JSON does not have"),
        ("{'a': object()}", "a object, which JSON does not have"),
        ("{'a': type('S', (str,), {})('x')}", "a S, which JSON does not have"),
        ("{'a': '\\ud800'}", "no valid Unicode"),
        ("{'\\ud800': 1}", "no valid Unicode"),
        ("{'a': 10 ** 5000}", "cannot be written as JSON"),
        ("_deep(100_000)", "nested deeper than 100 levels"),
        ("_cycle()", "nested deeper than 100 levels"),
    ],
)
def test_what_json_cannot_carry_is_no_record(local_sandbox: LocalSandbox, result: str, why: str) -> None:
    """Each is said in words, at its row, and ends neither the child nor the reader."""
    helpers = (
        "def _deep(n):\n    x = 1\n    for _ in range(n): x = [x]\n    return {'a': x}\n"
        "def _cycle():\n    x = {}\n    x['a'] = x\n    return x\n"
    )
    f = run(local_sandbox, job(f"{helpers}def f(r):\n    return {result}\n"))[0]
    assert f.status == "unserialisable"
    assert why in f.error
    assert f.row == 0


def test_detect_must_say_true_or_false(local_sandbox: LocalSandbox) -> None:
    """Something that is merely true is no answer."""
    detect = run(local_sandbox, job("def f(r):\n    return r\ndef detect(r):\n    return r.get('city')\n"))[3]
    assert detect.status == "unserialisable"
    assert "returned a str instead of True or False" in detect.error


def test_several_programs_follow_each_other(local_sandbox: LocalSandbox) -> None:
    """Records and texts mix; what each changed is counted by key."""
    add = Program("f", "def f(r):\n    return {**r, 'new': 1}\n", Shape.RECORD)
    strip = Program("f", "def f(t):\n    return t.strip()\n", Shape.TEXT, ("city",))
    f = run(local_sandbox, job("", add, strip))[0]
    assert rows_of(f) == [{"city": "Rome", "n": 1.0, "new": 1}, {**ROWS[1], "new": 1}, {"new": 1}]
    assert f.changed == ({"new": 3}, {"city": 1})


MODULES = "import sys\ndef f(r):\n    return {'there': 'pandas' in sys.modules or 'numpy' in sys.modules}\n"


@pytest.mark.parametrize(
    ("environment", "there"), [(LIGHT, False), (GuestEnvironment.CONFIRM_LIGHT, False), (GuestEnvironment.FIRST, True)]
)
def test_light_containers_have_not_imported_pandas(
    sandbox: Sandbox, environment: GuestEnvironment, *, there: bool
) -> None:
    """Only a full one has; both serve records."""
    f = run(sandbox, job(MODULES, environment=environment))[0]
    assert rows_of(f) == [{"there": there}] * 3


def test_pandas_can_still_be_imported_in_a_light_container(sandbox: Sandbox) -> None:
    """A source that hides its import works as well, if more slowly."""
    source = "def f(r):\n    pd = __import__('pan' + 'das')\n    return {'sum': int(pd.Series([1, 2]).sum())}\n"
    assert rows_of(run(sandbox, job(source))[0]) == [{"sum": 3}] * 3


def test_programs_say_whether_they_need_pandas() -> None:
    """Tables always do; records and texts only when the source names it."""
    assert Program("f", "import re", Shape.RECORD).light
    assert not Program("f", "import numpy as np", Shape.TEXT).light
    assert not Program("f", "").light


@pytest.mark.docker
def test_a_spent_budget_keeps_the_results_of_earlier_children(image: str) -> None:
    """The guest itself ends the child that runs when the job's time is over; those after it are not started."""
    policy = Policy(container=ContainerPolicy(job_s=5, pool_size=1))
    source = "import time\ndef f(r):\n    time.sleep(r['s'])\n    return r\n"
    cases = [Case(str(s), b'{"s": %g}' % s, (Op.F,)) for s in (0.0, 0.5, 60, 0.0)]
    children = tuple(Child((case,), Limits(wall_s=30.0)) for case in cases)
    with DockerSandbox(policy, image, run_id="test", light=True) as sandbox:
        started = time.monotonic()
        result = sandbox.run(Job((Program("f", source, Shape.RECORD),), children, LIGHT))
        assert time.monotonic() - started - result.wait_s < 20  # the child may take 30
    assert [child.ended for child in result.children] == [Ended.OK, Ended.OK, Ended.TIMEOUT, Ended.TIMEOUT]
    assert [bool(child.output) for child in result.children] == [True, True, False, False]
