"""What a team demands on top of the laws: rules for columns in the policy, and its own functions."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.errors import UsageError
from orchestrator.core.policy import ColumnRule, Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.judge.protocol import pack, unpack
from orchestrator.gate.team import team_entry
from orchestrator.gate.team.team_process import ask_team, team_process
from orchestrator.gate.verifier import Verifier
from orchestrator.run.verify.candidate_files import named_sources
from orchestrator.sandbox.containers.local import LocalSandbox

TRIM = '''"""City names carry stray blanks."""
CONTRACT = {"modifies": ["city"]}
def trim_city(df):
    """Strip blanks."""
    return df.assign(city=df["city"].str.strip())
'''
DROP = '''"""Rows without a city."""
CONTRACT = {"modifies": [], "drops_rows": True}
def drop_nameless(df):
    """Drop rows without a city."""
    return df[df["city"].notna()]
'''
ROWS = [{"id": f"A{i}", "city": None if i % 10 == 3 else f" City{i % 4}", "n": str(i)} for i in range(40)]
SAMPLE = Sample(pa.Table.from_pylist(ROWS[:30]), pa.Table.from_pylist(ROWS[30:]))

Ask = Callable[..., CheckResult]


@pytest.fixture
def ask(local_sandbox: LocalSandbox, disposable: DisposableProcess, tmp_path: Path) -> Iterator[Ask]:
    """The result of `user-checks` for a source, under rules and with a file of checks."""
    with ExitStack() as stack:

        def call(source: str, checks: str = "", rules: dict[str, Any] | None = None) -> CheckResult:
            policy = Policy(columns={name: ColumnRule(**rule) for name, rule in (rules or {}).items()})
            team = None
            if checks:
                (tmp_path / "checks.py").write_text(checks, encoding="utf-8")
                team = stack.enter_context(team_process(tmp_path / "checks.py"))
            gate = Verifier(local_sandbox, disposable, policy, seed=lambda: 7, team=team)
            return user_checks(gate.verify(VerifyRequest(source, SAMPLE, quick=True)))

        yield call


def user_checks(verdict: Verdict) -> CheckResult:
    return next(check for check in verdict.checks if check.id == "user-checks")


def test_nothing_demanded_is_a_skip(ask: Ask) -> None:
    """Without rules and checks there is nothing to judge, and the verdict says so."""
    assert ask(TRIM).outcome is Outcome.SKIP


@pytest.mark.parametrize(
    ("rules", "word"),
    [
        ({"city": {"never_changes": True}}, "changes 'city'"),
        ({"city": {"not_null": True}}, "nothing in 'city', in 3 of 30"),
        ({"city": {"allowed": ["City0", "City1", "City2"]}}, "not allowed in 'city'"),
        ({"city": {"matches": "[a-z0-9]+"}}, "another form in 'city'"),
        ({"town": {"not_null": True}}, "'town'; the data has 'id', 'city', 'n'"),
    ],
)
def test_a_rule_that_does_not_hold_is_shown(ask: Ask, rules: dict[str, Any], word: str) -> None:
    """The law, the column and the number of rows are named."""
    result = ask(TRIM, rules=rules)
    assert result.outcome is Outcome.FAIL
    assert word in result.detail


@pytest.mark.parametrize(
    "rules",
    [
        {"id": {"never_changes": True, "not_null": True}, "city": {"matches": r"City\d"}},
        {"city": {"allowed": ["City0", "City1", "City2", "City3"]}},
        {"n": {"allowed": ["nothing of this kind"]}},
    ],
)
def test_rules_that_hold_pass(ask: Ask, rules: dict[str, Any]) -> None:
    """Empty cells are the business of `not_null` alone, and a column that is left alone is no one's fault."""
    assert ask(TRIM, rules=rules).outcome is Outcome.PASS


def test_the_counterexample_of_a_rule_is_the_row(ask: Ask) -> None:
    """The cell before and after, and what the rule wanted."""
    shown = ask(TRIM, rules={"city": {"allowed": ["City0", "City1", "City3"]}}).counterexample
    assert shown is not None
    assert (shown.input[0]["city"], shown.output[0]["city"]) == (" City2", "City2")
    assert shown.wanted == "one of 'City0', 'City1', 'City3'"


def test_checks_that_are_content_pass(ask: Ask) -> None:
    """None, True and no exception; the frames hold every row of the sample, the held-out ones, too."""
    source = """
def check_a(before, after): pass
def check_b(before, after): return True
def check_c(before, after): assert len(before) == len(after) == 40
def check_d(before, after): assert list(after.columns) == ["id", "city", "n"]
"""
    assert ask(TRIM, source).outcome is Outcome.PASS


def test_checks_that_complain_are_a_fail(ask: Ask) -> None:
    """A text, False, an assertion, an exception, a strange answer: never a pass, and all of them are told."""
    result = ask(
        TRIM,
        """
def check_a(before, after): return "no such city"
def check_b(before, after): return False
def check_c(before, after):
    assert not after.city.str.startswith("City").any()
def check_d(before, after): assert False, "because"
def check_e(before, after): return after["town"]
def check_f(before, after): return after
""",
    )
    assert result.outcome is Outcome.FAIL
    assert result.detail.split("; ") == [
        "check_a: no such city",
        "check_b: it does not hold",
        'check_c: the assertion does not hold: line 5: assert not after.city.str.startswith("City").any()',
        "check_d: because",
        "check_e: it raised KeyError: 'town' (line 7: def check_e(before, after): return after[\"town\"])",
        "check_f: it returned DataFrame: a check returns None or True, or a text that says what is wrong",
    ]


def test_checks_that_come_to_no_answer_are_a_fail(ask: Ask) -> None:
    """A check that ends its process is told from a candidate that breaks the judge."""
    result = ask(TRIM, "import os\ndef check_it(before, after): os._exit(0)\n")
    assert result.outcome is Outcome.FAIL
    assert "the team's checks came to no answer" in result.detail


def test_a_check_sees_nothing_of_the_host(ask: Ask, tmp_path: Path) -> None:
    """It may read while it is loaded; later it has neither files to write nor processes to start."""
    mark = tmp_path / "mark"
    source = (
        "from pathlib import Path\n"
        "CITIES = {'City0', 'City1', 'City2', 'City3'} if Path(__file__).is_file() else set()\n"
        f"def check_write(before, after):\n    Path({str(mark)!r}).write_text('x' * 5000)\n"
        "def check_cities(before, after):\n    assert set(after.city.dropna()) <= CITIES\n"
        "def check_fork(before, after):\n    import os\n    os.fork()\n"
    )
    result = ask(TRIM, source)
    assert result.outcome is Outcome.FAIL
    assert "check_cities" not in result.detail
    assert "check_fork: it raised" in result.detail
    assert "check_write: it raised" in result.detail
    assert not mark.exists() or not mark.read_text()


def test_the_counterexample_of_a_check_is_as_small_as_it_gets(ask: Ask) -> None:
    """Of all rows, the one that the check complains of, with its docstring as what was wanted."""
    source = 'def check_city2(before, after):\n    """no City2"""\n    assert not (after.n == "17").any()\n'
    shown = ask(TRIM, source).counterexample
    assert shown is not None
    assert [row["n"] for row in shown.input] == ["17"]
    assert [row["n"] for row in shown.output] == ["17"]
    assert shown.wanted == "no City2"


def test_labels_tell_where_a_row_comes_from(ask: Ask) -> None:
    """After rows were dropped, `before.loc[after.index]` are the rows that are left."""
    body = "assert (before.loc[after.index, 'n'] == after.n).all() and len(after) == 36"
    source = f"def check_it(before, after):\n    {body}\n"
    assert ask(DROP, source).outcome is Outcome.PASS


def test_rules_and_checks_are_judged_together(ask: Ask) -> None:
    """With a file of checks, the policy's rules hold as well."""
    result = ask(TRIM, "def check_it(before, after):\n    pass\n", {"city": {"never_changes": True}})
    assert result.outcome is Outcome.FAIL
    assert "changes 'city'" in result.detail


def test_records_are_frames_of_their_values(ask: Ask) -> None:
    """Functions of records are held to the same rules and the same checks."""
    source = TRIM.replace('"modifies"', '"shape": "record", "modifies"').replace(
        'df.assign(city=df["city"].str.strip())',
        '{k: v.strip() if k == "city" and isinstance(v, str) else v for k, v in df.items()}',
    )
    check = 'def check_it(before, after):\n    assert after.city.dropna().str.fullmatch("City[0-9]").all()\n'
    assert ask(source, check).outcome is Outcome.PASS
    assert ask(source, rules={"city": {"matches": "[a-z]+"}}).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("x = 1", "no function whose name starts with check_"),
        ("def check_a(before):\n    pass", "check_a must take two arguments"),
        ("def check_a(before, after)", "SyntaxError"),
        ("import nothing_of_this_name", "nothing_of_this_name"),
        ("raise SystemExit(3)", "SystemExit"),
    ],
)
def test_a_file_that_is_no_file_of_checks_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, word: str
) -> None:
    """Whatever it raises while it is loaded."""
    for name in ("_loaded", "_problems"):
        monkeypatch.setattr(team_entry, name, [])
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "checks.py").write_text(source)
    team_entry.load(str(tmp_path / "checks.py"))
    assert word in unpack(team_entry.judge(b""))[0]["problem"]


@pytest.mark.parametrize(("source", "word"), [("x = 1", "no function"), ("import os\nos._exit(1)", "Python ended")])
def test_a_file_that_is_no_file_of_checks_is_usage(tmp_path: Path, source: str, word: str) -> None:
    """It is found out before anything is started, in one sentence."""
    (tmp_path / "checks.py").write_text(source)
    with pytest.raises(UsageError, match=word):
        team_process(tmp_path / "checks.py")


class Answers:
    """The team's process, as far as it answers."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer

    def call(self, _request: bytes) -> bytes:
        return self.answer

    def close(self) -> None:
        """Nothing of its own to close."""


@pytest.mark.parametrize(
    "answer", [b"", b"garbage", pack({"checks": [{"id": "user-checks"}]}), pack({}), pack({"checks": 1})]
)
def test_an_answer_of_the_checks_that_cannot_be_read_is_no_pass(answer: bytes) -> None:
    """Their code runs in the process that answers, and may write what it likes; that is no traceback either."""
    (result,) = ask_team(Answers(answer), b"")
    assert (result.outcome, result.detail) == (Outcome.FAIL, "the team's checks gave an answer that cannot be read")


def test_examples_bind_in_the_columns_that_a_function_is_about(
    local_sandbox: LocalSandbox, disposable: DisposableProcess
) -> None:
    """A golden row says what all columns become; a function is held to those that it claims."""
    gate = Verifier(local_sandbox, disposable, seed=lambda: 7)
    for city, outcome in (("City9", Outcome.PASS), ("Town9", Outcome.FAIL)):
        golden = Example(input={"city": " City9", "n": "1"}, output={"city": city, "n": "one"})
        verdict = gate.verify(VerifyRequest(TRIM, SAMPLE, examples=[golden], quick=True))
        assert next(check for check in verdict.checks if check.id == "examples").outcome is outcome


def test_a_file_beside_the_checks_stands_in_for_no_module(tmp_path: Path) -> None:
    """`statistics.py` beside the checks is not run when they, or what they use, import `statistics`; a helper is."""
    (tmp_path / "statistics.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    (tmp_path / "our_helper.py").write_text("WORD = 'fine'\n", encoding="utf-8")
    (tmp_path / "c.py").write_text(
        "import statistics, our_helper\nassert statistics.mean([1, 3]) == 2\ndef check_it(b, a): pass\n",
        encoding="utf-8",
    )
    team_process(tmp_path / "c.py").close()
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("where", ["statistics.py", "below/f.py", "link.py"])
def test_a_candidate_beside_the_checks_is_refused(tmp_path: Path, where: str) -> None:
    """A candidate that the checks could import is refused before anything starts; one beside their folder is not."""
    checks = tmp_path / "checks" / "c.py"
    for file in (
        checks,
        tmp_path / "checks" / "below" / "f.py",
        tmp_path / "f.py",
        tmp_path / "checks" / "statistics.py",
    ):
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text(TRIM, encoding="utf-8")
    (tmp_path / "checks" / "link.py").symlink_to(tmp_path / "f.py")
    (tmp_path / "data.csv").write_text("id,city\n1, A\n", encoding="utf-8")
    with pytest.raises(UsageError, match="folder of the checks"):
        named_sources([checks.parent / where], checks)
    assert named_sources([tmp_path / "f.py"], checks).sources[0].text == TRIM
