"""Parsers: a right one passes, each planted wrong one fails by the law that it breaks, whatever the format means."""

from collections.abc import Iterator

import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import CandidateError
from orchestrator.core.jobs import GuestEnvironment, Program
from orchestrator.core.parsers import ParserCandidate, ParserContract, ParserVerdict
from orchestrator.core.policy import Policy
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.hostile.decode_entry import ENTRY
from orchestrator.gate import candidate_file
from orchestrator.gate.parsers import parser_laws
from orchestrator.gate.parsers.parser_calls import ParserCalls, ParserFailed, ParserInput
from orchestrator.gate.parsers.parser_gate import judge_parser
from orchestrator.sandbox.containers.local import LocalSandbox

LOG = b"#Fields: time host verb path\n" + b"".join(
    b"2026-03-%02d 10.0.%d.7 %s /Items/%d?q=A%dz\n" % (n % 28 + 1, n % 9, (b"GET", b"PUT")[n % 2], n * 37, n)
    for n in range(300)
)
PARSER = '''"""A log: time, host, verb and path, blanks between."""
CONTRACT = {"shape": "parser", "columns": ["time", "host", "verb", "path"], "skips": ["#"]}
def _row(line):
    if line.startswith(b"#"):
        return None
    cells = line.decode("utf-8").rstrip("\\n").split(" ")
    if len(cells) != 4:
        raise ValueError("a line has four cells")
    return dict(zip(CONTRACT["columns"], cells))
def parse(data, state, last):
    """A row for each line."""
    rows = []
    at = 0
    while at < len(data):
        end = data.find(b"\\n", at) + 1 or (len(data) if last else 0)
        if not end:
            break
        rows.append((end - at, _row(data[at:end])))
        at = end
    return rows, state
'''


@pytest.fixture(scope="module")
def access(local_sandbox: LocalSandbox) -> Iterator[SandboxAccess]:
    policy = Policy()
    limits = policy.limits.model_copy(update={"wall_s": 60.0, "cpu_s": 30.0})
    with DisposableProcess(ENTRY) as decoder:
        yield SandboxAccess(local_sandbox, decoder, limits)


def judged(source: str, access: SandboxAccess, head: bytes = LOG, *, whole: bool = True) -> ParserVerdict:
    return judge_parser(source, head, access, Policy(), whole=whole, seed=7)


def test_a_right_parser_passes_every_law(access: SandboxAccess) -> None:
    """A comment with its mark is no row; all checks were judged."""
    verdict = judged(PARSER, access)
    assert verdict.passed, verdict.failure
    assert verdict.rows == 300
    assert [check.id for check in verdict.checks] == [*parser_laws.CHECKS]
    assert verdict.candidate.columns == ("time", "host", "verb", "path")


@pytest.mark.parametrize("size", [1_000, len(LOG) // 2 + 3])
def test_the_beginning_of_a_long_file_is_enough(access: SandboxAccess, size: int) -> None:
    """A row that does not end in it is left for the next block."""
    assert judged(PARSER, access, LOG[:size], whole=False).passed


BREAK, SPLIT, ROW = "if not end:\n            break", 'split(" ")', "def _row(line):"
RETURN, COMMENT = 'return dict(zip(CONTRACT["columns"], cells))', 'if line.startswith(b"#"):'
WRONG = {
    "drops-the-rest-of-a-block": (BREAK, "if not end:\n            end = len(data)", "cut-invariant"),
    "forgets-the-last-line": ("if last else 0", "if False else 0", "edges"),
    "ignores-a-field": (RETURN, f'cells[1] = "host"\n    {RETURN}', "loses-nothing"),
    "cuts-a-value": (SPLIT, f"{SPLIT}\n    cells[3:] = [cells[3][:7]]", "loses-nothing"),
    "small-letters": ('rstrip("\\n")', 'rstrip("\\n").lower()', "loses-nothing"),
    "replaces-bytes": ('decode("utf-8")', 'decode("utf-8", "replace")', "loses-nothing"),
    "skips-rows": (COMMENT, 'if line.startswith((b"#", b"2026-03-05")):', "skips-only-marked"),
    "claims-more-bytes": ("rows.append((end - at, ", "rows.append((end - at + 1, ", "executed"),
    "counts-in-the-process": (
        ROW,
        f"{ROW}\n    SEEN.append(1)\n    if len(SEEN) > 400:\n        raise ValueError('too many')",
        "cut-invariant",
    ),
    "remembers-in-the-process": (
        f"{COMMENT}\n        return None",
        f"{COMMENT}\n        SEEN.append(1)\n        return None\n    if not SEEN:\n        raise KeyError(1)",
        "stateless",
    ),
    "numbers": (RETURN, 'return {"time": 5}', "executed"),
    "unknown-column": (RETURN, 'return {"other": "5"}', "executed"),
    "loops": ("rows = []", "rows = []\n    while True:\n        pass", "executed"),
    "opens-a-file": ("rows = []", "rows = open(data)", "screen"),
    "takes-two": ("data, state, last", "data, state", "screen"),
    "skips-letters": ('"skips": ["#"]', '"skips": ["A"]', "screen"),
    "reads-only-what-it-knows": ("while at < len(data):", "while at < len(data) and data[:1] in b'#2':", "edges"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_parser_fails_by_the_law_that_it_breaks(access: SandboxAccess, name: str) -> None:
    """Each is the right one with one thing changed; the detail is one clause."""
    old, new, law = WRONG[name]
    assert old in PARSER
    if name == "loops":
        access = access._replace(limits=access.limits.model_copy(update={"cpu_s": 1.0}))
    verdict = judged(PARSER.replace(old, new).replace(ROW, f"SEEN = []\n{ROW}"), access)
    assert verdict.verdict is Outcome.FAIL
    assert verdict.failure is not None
    assert verdict.failure.id == law, verdict.failure
    assert verdict.failure.detail
    assert "\n" not in verdict.failure.detail


NOTES = b"".join(
    b"%03d Ann %s -%d\n%s" % (n, (b"in", b"out")[n % 2], n % 7, b"  see line %d of 07\n" % n if n % 100 == 60 else b"")
    for n in range(400)
)
ENTRIES = '''"""Entries with a number, a name and more; the lines below that begin with blanks belong to them."""
CONTRACT = {"shape": "parser", "columns": ["number", "name", "way", "change", "more"], "skips": []}
def parse(data, state, last):
    """A row for each entry. Where it ends is known once the next line has come."""
    rows, at = [], 0
    while at < len(data):
        end = at
        while end == at or data[end : end + 1] == b" ":
            line = data.find(b"\\n", end) + 1
            if not line:
                end = 0
                break
            end = line
        if not end or (end == len(data) and not last):
            if last:
                raise ValueError("a line does not end")
            break
        first, *more = data[at:end].decode("utf-8").splitlines()
        values = dict(zip(CONTRACT["columns"], first.split(" "), strict=False))
        if len(values) != 4:
            raise ValueError("an entry has four values")
        values["more"] = "\\n".join(more)
        rows.append((end - at, values))
        at = end
    return rows, state
'''
ROWS, MORE = "rows.append((end - at, values))", 'values["more"] = "\\n".join(more)'
LOSING = {
    "more-lines-of-few-rows": (MORE, f"{MORE[:17]} 'and more' if more else ''"),
    "zeros": (ROWS, f'values["number"] = str(int(values["number"]))\n        {ROWS}'),
    "minus": (ROWS, f'values["change"] = values["change"].strip("-")\n        {ROWS}'),
    "few-rows": (ROWS, f'values = values if values["number"] != "355" else {{}}\n        {ROWS}'),
    "twice": (ROWS, "rows += [(4, values), (end - at - 4, values)]"),
    "twice-on-nothing": (ROWS, "rows += [(end - at - 1, values), (1, values)]"),
}


def test_a_row_may_wait_for_the_line_behind_it(access: SandboxAccess) -> None:
    """It was rejected: the last of the first rows, read alone, is no row yet, whatever is changed in it."""
    for whole in (True, False):
        verdict = judged(ENTRIES, access, NOTES, whole=whole)
        assert verdict.passed, verdict.failure


@pytest.mark.parametrize("name", LOSING)
def test_what_is_lost_of_few_rows_or_of_a_number_is_found(access: SandboxAccess, name: str) -> None:
    """Behind the first rows, by their form; a zero in front, a minus. What is given twice is found, too."""
    old, new = LOSING[name]
    assert old in ENTRIES
    verdict = judged(ENTRIES.replace(old, new), access, NOTES)
    assert verdict.failure is not None
    assert verdict.failure.id == "loses-nothing", verdict.failure


def test_equal_lines_are_equal_rows(access: SandboxAccess) -> None:
    """The negative control: they are made of the same letters and digits, whatever blanks stand between."""
    assert judged(PARSER, access, b"2026-03-05 10.0.0.7 GET /\n" * 40 + b"- -- = ==\n" * 40).passed


def test_a_parser_that_reads_a_field_only_where_bytes_are_changed_fails(access: SandboxAccess) -> None:
    """It knows the first rows by their length, and reads there what it leaves out of the whole file."""
    short = "not last and 600 < len(data) < 900"
    leaves_out = "rows = [(n, v and {**v, 'host': None}) for n, v in rows]"
    source = PARSER.replace("return rows, state", f"if not ({short}):\n        {leaves_out}\n    return rows, state")
    verdict = judged(source, access)
    assert verdict.failure is not None
    assert verdict.failure.id == "loses-nothing"


def test_rows_without_a_letter_can_be_read(access: SandboxAccess) -> None:
    """There is no letter to change."""
    assert judged(PARSER, access, b"- -- = ==\n" * 20).passed


def test_what_differs_with_the_hash_seed_is_found(access: SandboxAccess) -> None:
    """The second container has another one."""
    source = PARSER.replace("return rows, state", "return rows, str(hash('a')) and state").replace(
        RETURN, f"cells[2] += str(hash('a') % 1000003)\n    {RETURN}"
    )
    verdict = judged(source, access)
    assert verdict.failure is not None
    assert verdict.failure.id == "deterministic"


def test_a_row_as_long_as_the_sample_is_judged_with_fewer_changes(access: SandboxAccess) -> None:
    """What is sent to a container stays bounded."""
    head = b"2026-03-01 10.0.0.7 GET /" + b"a7" * 60_000 + b"\n"
    verdict = judged(PARSER, access, head)
    assert verdict.passed, verdict.failure
    assert next(check.cases for check in verdict.checks if check.id == parser_laws.KEEPS) < 100


def test_a_parser_is_no_cleaning_function() -> None:
    """Whoever hands one to the gate of functions is told what it is."""
    with pytest.raises(CandidateError, match="this is a parser") as refused:
        candidate_file.read(PARSER)
    assert refused.value.advice == "Use `cleanroom parse`."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sizes": [10**9], "none": [0], "read": 10**9}, "not made of"),
        ({"sizes": [5], "none": [0], "read": 4}, "not made of"),
        ({"sizes": [5, -1], "none": [0, 1], "read": 4}, "gave no answer"),
        ({"sizes": [True], "none": [0], "read": 1}, "gave no answer"),
        ({"sizes": [5], "none": [1], "read": 5}, "which parts are rows"),
        ({"sizes": [5, 5], "none": [0, 0], "read": 10}, "which parts are rows"),
        ({"sizes": [5], "none": [], "read": 5}, "columns of the contract"),
        ({"sizes": [5], "columns": [[7]], "read": 5}, "columns of the contract"),
        ({"sizes": [5], "columns": [["a"], ["b"]], "read": 5}, "columns of the contract"),
        ({"columns": "a"}, "columns of the contract"),
        ({"error": None}, "gave no answer"),
    ],
)
def test_what_the_sandbox_sends_is_checked_again(
    access: SandboxAccess, monkeypatch: pytest.MonkeyPatch, change: dict[str, object], said: str
) -> None:
    """A parser that takes cleanroom's own lines apart can make up no row of bytes that it was not given."""
    answer = {"sizes": [], "none": [], "columns": [[]], "state": None, "read": 0, "error": ""} | change
    program = Program("_cleanroom_parse", f"def _cleanroom_parse(record):\n    return {answer!r}\n", Shape.RECORD)
    monkeypatch.setattr(ParserCandidate, "program", program)
    parser = ParserCandidate(source=PARSER, contract=ParserContract(columns=("time",)))
    with ParserCalls(parser, access, GuestEnvironment.FIRST) as calls, pytest.raises(ParserFailed, match=said):
        calls.answers([ParserInput.whole(LOG, last=True)])
