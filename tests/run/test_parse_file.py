"""`cleanroom parse`: whole files as rows by a parser, block after block, and the parser that fixed width gets."""

import dataclasses
import gzip
import json
import os
import re
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.errors import DataError, OutputError, UsageError
from orchestrator.core.policy import Policy
from orchestrator.core.verdict import CheckResult
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.data.raw_file import RawFile
from orchestrator.data.sources import open_bytes
from orchestrator.gate.parsers.parser_gate import judge_parser
from orchestrator.run.parse import block_reading
from orchestrator.run.parse.fixed_width import fixed_width_parser
from orchestrator.run.parse.parse_file import FileToParse
from orchestrator.run.parse.written_parser import MOST_ATTEMPTS, written_parser
from orchestrator.run.services import Services
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.support.command import CLEANROOM, in_this_process, surroundings

PARSER = '''"""One key and its value in a line."""
CONTRACT = {"shape": "parser", "columns": ["key", "value"], "skips": ["#"]}
def parse(data, state, last):
    """A row for each line."""
    rows = []
    at = 0
    while at < len(data):
        end = data.find(b"\\n", at) + 1 or (len(data) if last else 0)
        if not end:
            break
        line = data[at:end].decode("utf-8").rstrip("\\n")
        if line.startswith("#") or not line:
            rows.append((end - at, None))
        else:
            key, value = line.split("=", 1)
            rows.append((end - at, {"key": key, "value": value}))
        at = end
    return rows, state
'''
LINES = "# begun\n" + "".join(f"name {n}={n * n}\n" for n in range(200)) + "\nlast=1"
TABLE = "NAME        CITY      AGE\nAnn Lee     Rome       31\nBo          New York    7\nZoë         Oslo      105\n"


@pytest.fixture(scope="module")
def services(local_sandbox: LocalSandbox, decoder: DisposableProcess) -> Services:
    return Services(local_sandbox, NotImplemented, decoder, Policy(), "", lambda _: NotImplemented)


def stored(folder: Path, text: str, name: str = "in.log") -> RawFile:
    (folder / name).write_text(text, "utf-8")
    return open_bytes(folder / name)


def rows(parsed: FileToParse, services: Services) -> list[tuple[str | None, ...]]:
    table = [row for batch in parsed.rows(services).batches() for row in batch.to_pylist()]
    return [tuple(row.values()) for row in table]


@pytest.mark.parametrize("block", [64, 1_000, 2**20])
def test_rows_are_the_same_in_whatever_blocks_the_file_is_read(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """All of them, in their order, each block in a process of its own."""
    monkeypatch.setattr(block_reading, "BLOCK_BYTES", block)
    text = LINES[: LINES.index("name 50=")] + "last=1" if block == 64 else LINES
    wanted = [tuple(line.split("=")) for line in text.splitlines() if "=" in line]
    assert rows(FileToParse(stored(tmp_path, text), PARSER), services) == wanted


def test_rows_become_a_table_of_any_format(tmp_path: Path, services: Services) -> None:
    """The notes say what is no row; the file is what it was, by its hash."""
    dataset = FileToParse(stored(tmp_path, LINES), PARSER).rows(services)
    assert dataset.notes == ("1 part of the file is no row, as the parser says; the first is '# begun'",)
    assert (dataset.rows, dataset.columns, dataset.suffix) == (201, ("key", "value"), ".csv")
    with open_writer(tmp_path / "out.parquet", like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read(50):
            writer.write(batch.table)
    assert open_dataset(tmp_path / "out.parquet").rows == 201
    dataset.check_unchanged()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LINES + "\nno value\n", "line 204: the parser fails: ValueError"),
        (LINES.replace("name 150=", "name 150: "), "line 152: the parser fails: ValueError"),
    ],
)
def test_a_line_that_the_parser_cannot_read_is_named(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    """Nothing is left out silently."""
    monkeypatch.setattr(block_reading, "BLOCK_BYTES", 1_000)
    with pytest.raises(DataError, match=said):
        FileToParse(stored(tmp_path, text), PARSER).rows(services)


@pytest.mark.parametrize("block", [70, 2**20])
def test_lines_that_cannot_be_read_are_set_aside_as_they_are(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    """Every byte of the file is in a row, in a part that is none, or in what was set aside, in their order."""
    monkeypatch.setattr(block_reading, "BLOCK_BYTES", block)
    lines = [f"name {n}={n}\n" if n % 9 != 4 else f"broken \xe9 {n}\n" for n in range(30)]
    path = stored(tmp_path, "# begun\n" + "".join(lines) + "cut off")
    aside: list[tuple[int, bytes, str]] = []
    dataset = FileToParse(path, PARSER).rows(services, lambda *line: aside.append(line))
    kept = [value for table in dataset.batches() for value in table.column("value").to_pylist()]
    assert kept == [str(n) for n in range(30) if n % 9 != 4]
    assert b"".join(line for _, line, _ in aside).decode() == "".join(x for x in lines if "broken" in x) + "cut off"
    assert [number for number, *_ in aside] == [6, 15, 24, 32]
    assert {why.partition(":")[0] for *_, why in aside} == {"ValueError"}
    assert FileToParse(path, PARSER).judged(services, aside=True).verdict.passed
    assert not FileToParse(path, PARSER).judged(services).verdict.passed


LOSES_VALUES = """seen = (state or 0) + len(rows)
    if {when}:
        rows = [(n, v and {{**v, 'value': None}}) for n, v in rows]
    return rows, seen"""


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("seen > 150", "the rows stay the same"),
        ("seen > 150 and len(data) > 600", "read again"),
        ("False", ""),
    ],
)
def test_a_parser_that_does_otherwise_behind_the_beginning_is_found(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch, when: str, said: str
) -> None:
    """It passes every law on the beginning. The last one does the same everywhere, and is let through."""
    monkeypatch.setattr(block_reading, "BLOCK_BYTES", 1_000)
    source = PARSER.replace("return rows, state", LOSES_VALUES.format(when=when))
    parsed = FileToParse(stored(tmp_path, LINES.replace("\n\nlast=1", "\n")), source)
    head = LINES[:1_500].encode()
    assert judge_parser(source, head, services.access, services.policy, whole=False).passed
    if said:
        with pytest.raises(DataError, match=said):
            parsed.rows(services)
    else:
        assert parsed.rows(services).rows == 200


def test_a_file_that_is_exchanged_between_judging_and_reading_is_refused(tmp_path: Path, services: Services) -> None:
    """What was judged is what is read."""
    parsed = FileToParse(stored(tmp_path, LINES), PARSER)
    assert parsed.judged(services).verdict.passed
    (tmp_path / "in.log").write_text(LINES.replace("name 7=49", "name 7=50"), "utf-8")
    with pytest.raises(DataError, match="changed"):
        parsed.rows(services)


def test_a_verdict_on_a_parser_names_the_weakened_layers(tmp_path: Path, services: Services) -> None:
    """As a verdict on a function does; by itself there are none, and none are named."""
    parsed = FileToParse(stored(tmp_path, LINES), PARSER)
    assert "weakened" not in parsed.judged(services).verdict.model_dump(mode="json")
    policy = Policy.model_validate({"container": {"child_filter": "off"}})
    verdict = parsed.judged(dataclasses.replace(services, policy=policy)).verdict
    assert verdict.weakened == ("container.child_filter: off (default required)",)


def test_so_many_lines_are_not_set_aside(tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that reads hardly anything is the wrong one."""
    monkeypatch.setattr(block_reading, "MOST_ASIDE", 3)
    with pytest.raises(DataError, match="line 5: the parser fails"):
        FileToParse(stored(tmp_path, "a=1\n" + "broken\n" * 5), PARSER).rows(services, lambda *_: None)


def test_a_row_without_an_end_is_refused_before_memory_is_used_up(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left unread has a bound."""
    monkeypatch.setattr(block_reading, "BLOCK_BYTES", 1_000)
    monkeypatch.setattr(block_reading, "MAX_UNREAD", 5_000)
    with pytest.raises(DataError, match="line 1: the parser fails: 6,000 bytes are left unread"):
        FileToParse(stored(tmp_path, "a" * 20_000), PARSER).rows(services)


@pytest.mark.parametrize(
    ("text", "widths", "wanted"),
    [
        (TABLE, None, [("Ann Lee", "Rome", "31"), ("Bo", "New York", "7"), ("Zoë", "Oslo", "105")]),
        (
            TABLE.replace("\n", "\n----------  --------  ---\n", 1),
            None,
            [("Ann Lee", "Rome", "31"), ("Bo", "New York", "7"), ("Zoë", "Oslo", "105")],
        ),
        ("AB12X\nCD  Y\n\nEF99Z\n", "2,2,1", [("AB", "12", "X"), ("CD", None, "Y"), ("EF", "99", "Z")]),
        (
            "\ufeffAB12X\nCD  Y\n\f\nEF99Z\n\fGH10W\n\x1a",
            "2,2,1",
            [("AB", "12", "X"), ("CD", None, "Y"), ("EF", "99", "Z"), ("GH", "10", "W")],
        ),
        ("\ufeff" + TABLE, None, [("Ann Lee", "Rome", "31"), ("Bo", "New York", "7"), ("Zoë", "Oslo", "105")]),
    ],
    ids=["blanks", "dashes", "widths", "pages", "mark"],
)
def test_fixed_width_gets_a_parser_that_passes(
    tmp_path: Path, services: Services, text: str, widths: str | None, wanted: list[tuple[str | None, ...]]
) -> None:
    """Its columns are found or said; the header, blank lines, rules and marks of pages and ends are no rows."""
    path = stored(tmp_path, text)
    parsed = FileToParse(path, fixed_width_parser(path, widths))
    verdict = parsed.judged(services).verdict
    assert verdict.passed, verdict.failure
    assert rows(parsed, services) == wanted


def test_names_that_the_file_does_not_have_are_told(tmp_path: Path, services: Services) -> None:
    """They were made up without a word. Control: those of a header."""
    for text, told in ((TABLE, False), (TABLE.partition("\n")[2], True)):
        path = stored(tmp_path, text)
        dataset = FileToParse(path, fixed_width_parser(path, "12,10,4")).rows(services)
        said = [note for note in dataset.notes if "column_1, column_2 and column_3" in note]
        assert bool(said) is told


def test_a_gap_that_is_said_as_a_column_needs_no_name(tmp_path: Path) -> None:
    """Then the first line is the header all the same; a column with cells and no name is the control."""
    lines = ["ID  PAY  START     ", "A   10   2026-01-11", "B   20   2026-02-12"]
    gap = fixed_width_parser(stored(tmp_path, "\n".join(lines) + "\n"), "4,3,2,10")
    assert "'columns': ['ID', 'PAY', 'column_3', 'START']" in gap.replace('"', "'")
    assert "HEADER = True" in gap
    lines[2] = "B   20 x 2026-02-12"
    assert "HEADER = False" in fixed_width_parser(stored(tmp_path, "\n".join(lines) + "\n"), "4,3,2,10")


def test_a_tab_before_the_last_column_is_never_counted_as_one_character(tmp_path: Path, services: Services) -> None:
    """What stands behind it came into other columns; in the last column it is text."""
    path = stored(tmp_path, "AB12X\nC\t34Y\nEF99Z\n")
    with pytest.raises(DataError, match="line 2: the parser fails: ValueError: there is a tab"):
        FileToParse(path, fixed_width_parser(path, "2,2,1")).rows(services)
    last = stored(tmp_path, "AB12X \tY\nEF99Z\nGH10W\n")
    assert rows(FileToParse(last, fixed_width_parser(last, "2,2,9")), services)[0] == ("AB", "12", "X \tY")


def test_text_between_the_columns_is_never_lost(tmp_path: Path, services: Services) -> None:
    """A later line that does not keep to the columns is refused with its number."""
    path = stored(tmp_path, TABLE)
    source = fixed_width_parser(path)
    longer = stored(tmp_path, TABLE + "Bartholomew Rome       31\nMaximilianus Rome      31\n")
    with pytest.raises(DataError, match="line 6: the parser fails: ValueError: there is text between columns"):
        FileToParse(longer, source.replace("(0, 7)", "(0, 11)")).rows(services)


def test_what_has_no_columns_is_one_sentence(tmp_path: Path) -> None:
    """It says what to do instead."""
    with pytest.raises(DataError, match="no character is blank in all lines") as refused:
        fixed_width_parser(stored(tmp_path, "abc\nd\nefgh\n"))
    assert "--widths" in refused.value.advice
    with pytest.raises(UsageError, match="is no list of widths"):
        fixed_width_parser(stored(tmp_path, TABLE), "8,x")
    with pytest.raises(DataError, match="cannot be read as text"):
        fixed_width_parser(stored(tmp_path, TABLE), encoding="ascii")


def test_what_is_no_text_is_said(tmp_path: Path) -> None:
    """An encoding was asked for, and no encoding makes text of Parquet."""
    (tmp_path / "in.log").write_bytes(b"PAR1\x15\x04\xc0")
    with pytest.raises(DataError, match=r"in.log is no text but Parquet, by its first bytes") as refused:
        fixed_width_parser(open_bytes(tmp_path / "in.log"))
    assert "--encoding" not in refused.value.advice


def test_a_line_without_an_end_is_not_read_for_ever(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where lines that cannot be read are set aside, it grew by each block, which was parsed with all of it again.

    Nor is the advice to set such lines aside, which is done already.
    """
    monkeypatch.setattr(block_reading, "BLOCK_BYTES", 64)
    monkeypatch.setattr(block_reading, "MAX_UNREAD", 500)
    path = stored(tmp_path, LINES[: LINES.index("name 50=")] + "broken" * 500)
    with pytest.raises(DataError, match=r"line 52: the parser fails: 5\d\d bytes are left unread") as caught:
        FileToParse(path, PARSER).rows(services, lambda *_: None)
    assert "--quarantine" not in caught.value.advice


def test_widths_that_are_said_need_no_more_than_a_line(tmp_path: Path, services: Services) -> None:
    """A file of one line was refused with the advice to say the widths; one width alone with the same."""
    path = stored(tmp_path, "AB12\n")
    assert rows(FileToParse(path, fixed_width_parser(path, "2,2")), services) == [("AB", "12")]
    with pytest.raises(UsageError, match="two columns or more"):
        fixed_width_parser(path, "4")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le", "cp500"])
def test_an_encoding_whose_lines_a_parser_cannot_find_is_refused(tmp_path: Path, encoding: str) -> None:
    """The parser that was made cut between the two bytes of a line end, and the message spoke of text in columns."""
    (tmp_path / "in.log").write_bytes(TABLE.encode(encoding))
    with pytest.raises(DataError, match=f"lines of text in {encoding}") as refused:
        fixed_width_parser(open_bytes(tmp_path / "in.log"), encoding=encoding)
    assert "UTF-8" in refused.value.advice


class Scripted:
    """Answers with one source after the other; keeps what it was told of the one before."""

    def __init__(self, *sources: str) -> None:
        self.sources = list(sources)
        self.told: list[tuple[int, str, str]] = []

    def write(
        self, head: bytes, instruction: str, *, attempt: int = 0, rejected: str = "", failed: CheckResult | None = None
    ) -> str:
        self.told.append((attempt, rejected, "" if failed is None else failed.id))
        return self.sources.pop(0)


def test_a_written_parser_is_corrected_until_it_passes(tmp_path: Path, services: Services) -> None:
    """Whoever writes it is told which law the last one broke."""
    wrong, said = PARSER.replace('"value": value', '"value": "1"'), list[str]()
    writer = Scripted("no python(", wrong, PARSER, "never asked")
    file = FileToParse(stored(tmp_path, LINES))
    judged = written_parser(file, writer, services, said=said.append)
    assert judged.verdict.passed
    assert writer.told == [(0, "", ""), (1, "no python(", "screen"), (2, wrong, "loses-nothing")]
    assert [line.partition(":")[0] for line in said] == [
        "attempt 1 of 4 was rejected by screen",
        "attempt 2 of 4 was rejected by loses-nothing",
    ]
    assert judged.file.rows(services).rows == 201


def test_after_some_attempts_the_last_verdict_stands(tmp_path: Path, services: Services) -> None:
    """Nothing is read by a parser that was rejected."""
    writer = Scripted(*["x = 1"] * 9)
    judged = written_parser(FileToParse(stored(tmp_path, LINES)), writer, services)
    assert not judged.verdict.passed
    assert len(writer.told) == MOST_ATTEMPTS


@pytest.mark.parametrize("place", ["prompts/parser.yaml", "docs/parsers.md"])
def test_the_parsers_that_are_shown_as_examples_pass(tmp_path: Path, services: Services, place: str) -> None:
    """What a model or a person copies is right."""
    text = (Path(__file__).parents[2] / place).read_text("utf-8")
    source = textwrap.dedent(re.findall(r"```python\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)[0])
    path = stored(tmp_path, "# begun\n" + "".join(f"t{n} host{n} /a b{n}\n" for n in range(40)))
    verdict = FileToParse(path, source).judged(services).verdict
    assert verdict.passed, verdict.failure


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("in.log", "-o", "in.log"), "The data and the output are the same file"),
        (("in.log", "-o", "out.csv", "--quarantine", "out.csv"), "The output and the quarantine are the same file"),
        (("in.log", "--save-parser", "in.log"), "The data and the saved parser are the same file"),
        (("in.log", "--parser", "p.py", "-o", "p.py"), "The parser and the output are the same file"),
        (("in.log", "--quarantine", "rest.log"), "--quarantine belongs to a file that is read"),
        (("in.log", "--parser", "p.py", "--widths", "1,2"), "--widths makes a parser, and --parser names one"),
        (("in.log", "--parser", "nowhere.py"), "nowhere.py: the file cannot be read"),
        (("sqlite:///a.db?table=t",), "A parser reads bytes, and a database gives rows"),
        (("nowhere.log",), "There is no file nowhere.log"),
        (("in.log", "--model", "openai/any", "--privacy", "profile"), "without seeing lines of the file"),
        (("in.log", "--widths", "3,5", "-o", "rows"), "in which format the rows of in.log shall be written"),
        (("in.log", "--widths", "3,5", "-o", "rows.foo"), "files of type '.foo' cannot be read or written"),
        (("in.log", "--widths", "3,5", "-o", "rows.xls"), "Excel 97 is not written"),
        (("in.log", "--widths", "3,5", "-o", "rows.xlsx.gz"), "Excel is not written packed"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_started(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    """One sentence, exit code 2, and the file is what it was."""
    stored(tmp_path, LINES)
    done = in_this_process(tmp_path, capfd)("parse", *arguments, env={"CLEANROOM_API_KEY": "any"})
    assert (done.returncode, done.stdout, [path.name for path in tmp_path.iterdir()]) == (2, "", ["in.log"])
    assert said in " ".join(done.stderr.split())


def test_no_rows_appear_without_the_lines_that_were_set_aside(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where those cannot be kept they would be lost: nothing is written."""
    parsed = FileToParse(stored(tmp_path, "a=1\nneither\nb=2\n"), PARSER)
    replace = os.replace

    def refuse(old: Any, new: Any, **options: Any) -> None:
        if Path(new).name == "rest.log":
            raise OSError(28, "No space left on device")
        replace(old, new, **options)

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", refuse)
        with pytest.raises(OutputError, match=r"rest\.log"):
            parsed.write_rows(services, tmp_path / "out.csv", tmp_path / "rest.log")
    assert [path.name for path in tmp_path.iterdir()] == ["in.log"]
    dataset = parsed.write_rows(services, tmp_path / "out.csv", tmp_path / "rest.log")
    assert dataset.notes == ("lines that the parser could not read, set aside: 1",)
    assert (tmp_path / "rest.log").read_text() == "neither\n"
    assert (tmp_path / "out.csv").read_text() == "key,value\na,1\nb,2\n"
    FileToParse(stored(tmp_path, "a=1\n"), PARSER).write_rows(services, tmp_path / "o.csv", tmp_path / "none.log")
    assert not (tmp_path / "none.log").exists()


@pytest.mark.docker
def test_the_command_judges_reads_and_writes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """In containers: a right parser's rows are written, a wrong one's are not."""
    cleanroom = in_this_process(tmp_path, capfd)
    stored(tmp_path, LINES)
    stored(tmp_path, PARSER, "right.py")
    stored(tmp_path, PARSER.replace('line.split("=", 1)', 'line.split("=", 1)[0], "1"'), "wrong.py")
    done = cleanroom("parse", "in.log", "--parser", "wrong.py", "-o", "out.csv")
    assert (done.returncode, (tmp_path / "out.csv").exists()) == (1, False)
    assert "loses-nothing" in done.stdout
    done = cleanroom("parse", "in.log", "--parser", "right.py", "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.csv").read_text().splitlines()[:2] == ["key,value", "name 0,0"]
    (tmp_path / "in.log.gz").write_bytes(gzip.compress(LINES.encode()))
    done = cleanroom("analyze", "in.log.gz", "--parser", "right.py", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["rows"], told["format"], told["parser"]) == (0, 201, "parsed", "right.py"), (
        done.stderr
    )
    assert (
        "201 rows, 2 columns (read by the parser right.py)"
        in cleanroom("analyze", "in.log", "--parser", "right.py").stdout
    )


@pytest.mark.docker
def test_the_command_is_a_filter(tmp_path: Path) -> None:
    """`parse - … -o -`: stdin and stdout have one name, and are not one file."""
    stored(tmp_path, PARSER, "right.py")
    command = [str(CLEANROOM), "parse", "-", "--parser", "right.py", "-o", "-"]
    done = subprocess.run(
        command, cwd=tmp_path, env=surroundings(), input=LINES.encode(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[:2]) == (0, [b"key,value", b"name 0,0"]), done.stderr
