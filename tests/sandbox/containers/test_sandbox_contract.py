"""What every Sandbox does, the fake and the real one alike; most is tried in one session, whose children are new."""

import pyarrow as pa
import pytest

from orchestrator.core.errors import SandboxError
from orchestrator.core.jobs import Ended, GuestEnvironment, Limits, Op
from orchestrator.core.ports import Sandbox, SandboxSession
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.sandbox.sandbox_jobs import CITIES, IDENTITY, STRIP, blob, make_job, read, run_one

QUICK = Limits(wall_s=1.0, cpu_s=1.0, memory_bytes=256 * 2**20, output_bytes=2**20)
PATIENT = Limits(wall_s=30.0, cpu_s=30.0, memory_bytes=256 * 2**20, output_bytes=2**20)


def test_a_function_changes_the_table(sandbox: Sandbox) -> None:
    """The result of f comes back as a table with the input's types."""
    answer = run_one(sandbox, STRIP)
    assert answer.result.ended is Ended.OK
    assert answer.table().equals(CITIES.set_column(0, "city", pa.array(["Rome", "Oslo", None, "Lima"])))


def test_usage_is_measured(session: SandboxSession) -> None:
    """Processor time, wall time and peak memory of a child are the kernel's figures, not zero."""
    result = session.run(make_job(STRIP)).children[0]
    assert 0 < result.cpu_s < 10
    assert 0 < result.wall_s < 60
    assert result.peak_bytes > 10 * 2**20


def test_children_answer_in_order(session: SandboxSession) -> None:
    """One result per child, in the job's order, and a failed child does not stop the next one."""
    bad, good = make_job("import os\ndef f(df): os._exit(0)").children[0], make_job(IDENTITY).children[0]
    job = make_job("import os\ndef f(df):\n    if len(df) == 1: os._exit(0)\n    return df")
    one_row = make_job(IDENTITY, table=CITIES.slice(0, 1)).children[0]
    job = type(job)(job.programs, (good, one_row, bad))
    assert [child.ended for child in session.run(job).children] == [Ended.OK, Ended.KILLED, Ended.OK]


def test_ops_build_on_each_other(session: SandboxSession) -> None:
    """ff is f of what f returned; detect_f is detect of it; the echo is the input after the first op."""
    source = (
        'def detect(df): return df["people"] == 4\n'
        'def f(df):\n    df["people"] = df["people"] + 1\n    return df\n'
    )  # fmt: skip
    table = pa.table({"people": pa.array([3, 4], pa.int64())})
    answer = run_one(session, source, table=table, ops=(Op.F, Op.FF, Op.DETECT, Op.DETECT_F), echo=True)
    assert [record.op for record in answer.records] == ["f", "input", "ff", "detect", "detect_f"]
    columns = [answer.table(number).column(0).to_pylist() for number in range(5)]
    assert columns == [[4, 5], [4, 5], [5, 6], [False, True], [True, False]]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ValueError('no such city')", "ValueError: no such city"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise type('Mine', (BaseException,), {})('x')", "Mine: x"),
        ("raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})()", "Mute (its message cannot be read"),
    ],
)
def test_an_exception_is_an_answer(session: SandboxSession, body: str, said: str) -> None:
    """Whatever the function raises is recorded with its type and message."""
    answer = run_one(session, f"def f(df):\n    {body}\n")
    assert answer.result.ended is Ended.OK
    assert answer.record.status == "raised"
    assert answer.record.error.startswith(said)


def test_a_program_that_does_not_load_raises_at_each_op(session: SandboxSession) -> None:
    """A syntax error is every op's error."""
    answer = run_one(session, "def f(df:\n", ops=(Op.F, Op.FF))
    assert [record.status for record in answer.records] == ["raised", "raised"]
    assert "SyntaxError" in answer.record.error


def test_a_function_that_is_not_there_is_missing(session: SandboxSession) -> None:
    """No f, no detect: the record says missing."""
    answer = run_one(session, "def g(df): return df\n", ops=(Op.F, Op.DETECT))
    assert [record.status for record in answer.records] == ["missing", "missing"]


@pytest.mark.parametrize(
    ("body", "ended"),
    [
        ("while True: pass", Ended.TIMEOUT),
        ("return sum(range(2**62))", Ended.TIMEOUT),
        ("import time; time.sleep(60)", Ended.TIMEOUT),
        ("return bytearray(2**40)", Ended.MEMORY),
        ("import numpy as np; return np.ones(10**11)", Ended.MEMORY),
        ("import os; os._exit(0)", Ended.KILLED),
        ("import os; os.abort()", Ended.KILLED),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Ended.KILLED),
        ("df['city'] = 'x' * 10**6; return df", Ended.OUTPUT_LIMIT),
        ("import os\n    while True: os.write(3, b'x' * 10**5)", Ended.OUTPUT_LIMIT),
    ],
)
def test_a_child_that_does_not_end_well_is_named(session: SandboxSession, body: str, ended: Ended) -> None:
    """Timeout, memory, output limit and early ends are told apart by the supervisor."""
    limits = QUICK if ended is Ended.TIMEOUT else PATIENT
    assert session.run(make_job(f"def f(df):\n    {body}\n", limits=limits)).children[0].ended is ended


def test_processor_time_is_limited(session: SandboxSession) -> None:
    """A child that ignores the warning signal still ends as a timeout."""
    source = "import signal\ndef f(df):\n    signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n    while True: pass\n"
    limits = Limits(wall_s=60.0, cpu_s=1.0)
    assert session.run(make_job(source, limits=limits)).children[0].ended is Ended.TIMEOUT


def test_records_before_a_timeout_are_kept(session: SandboxSession) -> None:
    """What a child had finished when it was stopped is still there to be read."""
    source = "def detect(df):\n    while True: pass\ndef f(df): return df\n"
    answer = run_one(session, source, ops=(Op.F, Op.DETECT), limits=QUICK)
    assert answer.result.ended is Ended.TIMEOUT
    assert [record.op for record in answer.records] == ["f"]


def test_a_pipeline_counts_what_each_program_changed(session: SandboxSession) -> None:
    """Several programs run in order; each one's changed cells are counted by column."""
    upper = 'def f(df): return df[df["city"].notna()].assign(city=lambda d: d["city"].str.upper(), new=1)\n'
    answer = run_one(session, [STRIP, upper])
    assert answer.table()["city"].to_pylist() == ["ROME", "OSLO", "LIMA"]
    assert answer.record.changed == ({"city": 2}, {"city": 3})


def test_one_program_of_several_can_be_chosen(session: SandboxSession) -> None:
    """`program` picks one of the job's programs."""
    answer = run_one(session, [STRIP, IDENTITY], program=1)
    assert answer.table().equals(CITIES)


def test_an_empty_table_is_a_table(session: SandboxSession) -> None:
    """No rows in, no rows out, types kept, and detect may return an empty list."""
    source = STRIP + "def detect(df): return []\n"
    answer = run_one(session, source, table=CITIES.slice(0, 0), ops=(Op.F, Op.DETECT))
    assert answer.table(0).schema.equals(CITIES.schema)
    assert answer.table(1).num_rows == 0


def test_children_do_not_see_each_other(session: SandboxSession) -> None:
    """Globals, modules and pandas options set by one child are not there for the next."""
    source = (
        "import pandas as pd, sys\n"
        "def f(df):\n"
        "    said = f\"{getattr(pd, 'left', None)} {'left' in sys.modules} {pd.options.display.max_rows}\"\n"
        "    pd.left, sys.modules['left'], pd.options.display.max_rows = 1, sys, 7\n"
        "    return df.assign(said=said)\n"
    )
    job = make_job(source, children=2)
    said = [read(result, job).said()[0] for result in session.run(job).children]
    assert said == ["None False 60"] * 2


def test_children_draw_different_random_numbers(session: SandboxSession) -> None:
    """A function that draws lots is not made to look deterministic by a copied random state."""
    source = (
        "import random, numpy as np\n"
        "def f(df): return df.assign(said=f'{random.random()} {np.random.rand()}')\n"
    )  # fmt: skip
    job = make_job(source, children=2)
    one, other = (read(result, job).said()[0].split() for result in session.run(job).children)
    assert one[0] != other[0]
    assert one[1] != other[1]


def test_a_child_has_no_environment_and_one_descriptor(session: SandboxSession) -> None:
    """No variables, nothing open but the null device and the result pipe."""
    source = (
        "import os\n"
        "def f(df):\n"
        "    path = '/proc/self/fd/{}'.format\n"
        "    open_ = [os.readlink(path(fd)).split(':')[0] for fd in range(64) if os.path.lexists(path(fd))]\n"
        "    return df.assign(said=f'{dict(os.environ)} {open_}')\n"
    )  # fmt: skip
    said = run_one(session, source).said()[0]
    assert said == "{} ['/dev/null', '/dev/null', '/dev/null', 'pipe']"


def test_printing_does_not_disturb(session: SandboxSession) -> None:
    """What a function prints goes nowhere."""
    source = "import sys\ndef f(df):\n    print('x' * 10**7, file=sys.stderr)\n    print(df)\n    return df\n"
    assert run_one(session, source).table().equals(CITIES)


def test_environments_differ(sandbox: Sandbox) -> None:
    """The confirming environment has another hash seed and time zone; the zone of each is the same every time."""
    source = "import time\ndef f(df): return df.assign(said=time.strftime('%z') + str(hash('x')))\n"
    environments = (GuestEnvironment.FIRST, GuestEnvironment.CONFIRM, GuestEnvironment.FIRST)
    first, confirm, again = (
        run_one(sandbox, source, environment=environment).said()[0] for environment in environments
    )
    assert first.startswith("+0000")
    assert confirm.startswith("+0545")
    assert first[:5] == again[:5]
    assert first[5:] != confirm[5:]


def test_a_descendant_that_holds_the_pipe_does_not_stall(session: SandboxSession) -> None:
    """The child's end counts, not the end of its pipe."""
    source = "import os, time\ndef f(df):\n    if os.fork() == 0: time.sleep(30); os._exit(0)\n    return df\n"
    result = session.run(make_job(source)).children[0]
    assert result.wall_s < 20


def test_a_session_runs_several_jobs(sandbox: Sandbox) -> None:
    """A session answers job after job, also after one whose child failed."""
    with sandbox.session() as session:
        for source, ended in (
            (STRIP, Ended.OK),
            ("import os\ndef f(df): os._exit(0)", Ended.KILLED),
            (STRIP, Ended.OK),
        ):
            assert session.run(make_job(source)).children[0].ended is ended


def test_a_closed_sandbox_refuses() -> None:
    """After close there are no more jobs, and closing twice is no error."""
    sandbox = LocalSandbox()
    sandbox.close()
    sandbox.close()
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run(make_job(IDENTITY))


NO_VALUES = 'def f(df):\n    df["city"] = df["city"].map(lambda cell: None)\n    return df'


def test_a_column_that_loses_all_its_values_keeps_its_type(session: SandboxSession) -> None:
    """Pandas has no type for a column without values; text stays text all the same."""
    assert run_one(session, NO_VALUES).table().schema.field("city").type == pa.string()


def test_an_integer_column_that_gains_a_null_keeps_its_type(session: SandboxSession) -> None:
    """Pandas makes floats of integers with missing values; they come back as the integers they are."""
    source = 'def f(df):\n    df["n"] = df["n"].where(df["n"] > 0)\n    return df'
    made = run_one(session, source, table=pa.table({"n": pa.array([1, -1, 3], pa.int32())})).table()
    assert made.column("n").to_pylist() == [1, None, 3]
    assert made.schema.field("n").type == pa.int32()


def test_columns_that_nobody_wrote_to_are_not_sent_back(session: SandboxSession) -> None:
    """A wide table with one changed column costs what a narrow one costs; a copied, moved or renamed one is as new."""
    wide = pa.table({f"c{number}": [f"value {number}"] * 200 for number in range(50)})
    answer = run_one(session, 'def f(df):\n    df["c7"] = df["c7"].str.upper()\n    return df', table=wide)
    assert len(answer.record.body) < len(blob(wide)) / 4
    assert answer.table().equals(wide.set_column(7, "c7", [["VALUE 7"] * 200]))
    moved = run_one(session, 'def f(df):\n    return df.rename(columns={"c1": "c2", "c2": "c1"})', table=wide)
    assert moved.table()["c1"][0].as_py() == "value 2"
    shorter = run_one(session, "def f(df):\n    return df.iloc[1:]", table=wide)
    assert shorter.table().equals(wide.slice(1))


def test_the_next_program_sees_the_types_that_it_was_proved_on(session: SandboxSession) -> None:
    """In a pipeline, text without values is still text for the next function."""
    strip = 'def f(df):\n    df["city"] = df["city"].str.strip()\n    return df'
    answer = run_one(session, [NO_VALUES, strip])
    assert answer.records[0].status == "returned", answer.records[0].error
    assert answer.table().schema.field("city").type == pa.string()


def test_a_child_that_says_it_is_unconfined_is_broken_machinery(sandbox: Sandbox) -> None:
    """A lock that cannot be had ends the whole sandbox: whoever forges that gets no verdict from it, either."""
    with pytest.raises(SandboxError):
        sandbox.run(make_job("import os\ndef f(df): os._exit(79)"))
    assert run_one(sandbox, IDENTITY).result.ended is Ended.OK
