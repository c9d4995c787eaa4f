"""`cleanroom diff`: only what changed, matched by place or key, by column and kind, the alarming kinds first."""

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from orchestrator.cli.main import app
from orchestrator.core.errors import CleanroomError, DataError, UsageError
from orchestrator.data.files import file_sha256
from orchestrator.data.formats import open_dataset
from orchestrator.run.apply.quarantine import REASON
from orchestrator.run.diff.cell_kinds import CellKind, cell_kind
from orchestrator.run.diff.data_diff import DataDiff, data_diff
from orchestrator.run.diff.diff_summary import summary
from orchestrator.run.diff.html_page import html_page
from orchestrator.run.diff.rows_left import RowsLeft
from orchestrator.run.diff.run_files import run_readings
from orchestrator.run.journal.journal import Journal
from tests.run.report_steps import usual

BEFORE = "id,city,amount\n1, Köln,10\n2,BONN,20\n3,Ulm,30\n4,Kiel,40\n"
AFTER = "id,city,amount\n1,Köln,10\n2,Bonn,20\n3,Ulm,80\n4,,40\n"


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def compared(folder: Path, before: str, after: str, *key: str) -> DataDiff:
    files = write(folder, "a.csv", before), write(folder, "b.csv", after)
    return data_diff(*(open_dataset(file) for file in files), key=key)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("Köln", "", CellKind.EMPTIED),
        ("Köln", None, CellKind.EMPTIED),
        ("Köln", "Bonn", CellKind.WORD),
        ("R", "L", CellKind.WORD),
        ("10", "80", CellKind.DIGITS),
        ("room 10", "room 11", CellKind.DIGITS),
        ("1.5 kg", "1500 g", CellKind.WORD),
        ("12", "twelve", CellKind.DIGITS),
        ("2024-01-31", "31.01.2024", CellKind.ORDER),
        ("Muenchen", "München", CellKind.SPELLING),
        ("", "Köln", CellKind.FILLED),
        (None, "Köln", CellKind.FILLED),
        ("1,000", "1000", CellKind.SIGNS),
        ("5.10", "5.1", CellKind.SAME_NUMBER),
        ("-5", "-5.00", CellKind.SAME_NUMBER),
        ("$ 5.50", "$ 5.5", CellKind.SAME_NUMBER),
        ("5.10", "51", CellKind.DIGITS),
        ("5.10", "-5.1", CellKind.DIGITS),
        ("007", "7", CellKind.DIGITS),
        ("v1.10", "v1.1", CellKind.DIGITS),
        ("1738 kg", "1738", CellKind.BESIDE),
        ("1,738.50kg", "1738.5", CellKind.BESIDE),
        ("-5", "-5 °C", CellKind.BESIDE),
        ("c. 1760", "1760", CellKind.BESIDE),
        ("-5 kg", "5", CellKind.WORD),
        ("1,5 kg", "15", CellKind.WORD),
        ("1738 kg", "1738 lb", CellKind.WORD),
        ("A17", "17", CellKind.WORD),
        ("12a", "12", CellKind.WORD),
        ("1738 kg", "1.738", CellKind.WORD),
        ("a-b", "a b", CellKind.SIGNS),
        ("KÖLN", "Köln", CellKind.CASE),
        (" New  York", "New York", CellKind.BLANKS),
        ("New York", "NewYork", CellKind.BLANKS),
        (None, " ", CellKind.BLANKS),
    ],
)
def test_kinds_of_changes(before: str | None, after: str | None, kind: CellKind) -> None:
    """What may be another fact is told from what is only written otherwise."""
    assert cell_kind(before, after) is kind


NOTE = "the team wrote down what had been said about the plan " * 30


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (f" {NOTE}and approved it", f"{NOTE}and rejected it", CellKind.WORD),
        (f"{NOTE}and approved it, {NOTE}", f"{NOTE}and did not approve it, {NOTE}", CellKind.WORD),
        (f"{NOTE}and recieved it, {NOTE}", f"{NOTE}and received it, {NOTE}", CellKind.SPELLING),
        (f"{NOTE}every body", f"{NOTE}everybody", CellKind.BLANKS),
        (f"{NOTE}5 mg", f"{NOTE}50 mg", CellKind.DIGITS),
        ("recieved", "received", CellKind.SPELLING),
    ],
)
def test_another_word_in_a_long_text_is_another_word(before: str, after: str, kind: CellKind) -> None:
    """However much of it stays: held against the whole text, any word would look like a slip."""
    assert cell_kind(before, after) is kind


def test_changes_are_grouped_and_the_alarming_come_first(tmp_path: Path) -> None:
    """Each group has a column, a kind, a count and its first cells; what did not change is not there."""
    found = compared(tmp_path, BEFORE, AFTER)
    assert [(g.column, g.kind, g.cells) for g in found.groups] == [
        ("city", CellKind.EMPTIED, 1),
        ("amount", CellKind.DIGITS, 1),
        ("city", CellKind.CASE, 1),
        ("city", CellKind.BLANKS, 1),
    ]
    assert (found.rows, found.changed_rows) == (4, 4)
    first = found.groups[1].first[0]
    assert (first.row, first.before, first.after) == (3, "30", "80")
    assert compared(tmp_path, BEFORE, BEFORE).same


def test_rows_are_matched_by_key(tmp_path: Path) -> None:
    """With a key, rows may be moved, added and removed, and columns too."""
    after = "id,amount,new\n4,40,x\n2,20,x\n1,11,x\n9,90,x\n"
    found = compared(tmp_path, BEFORE, after, "id")
    assert (found.changed_rows, found.added, found.removed) == (1, 1, 1)
    assert (found.columns_added, found.columns_removed) == (("new",), ("city",))
    (group,) = found.groups
    assert (group.first[0].key, group.first[0].row, group.first[0].after) == (("1",), 1, "11")


def test_one_row_is_one_row(tmp_path: Path) -> None:
    """The words agree with the numbers."""
    found = compared(tmp_path, "id,a\n1,x\n", "id,a\n1,y\n2,z\n", "id")
    assert summary(found) == ["1 of 1 row changed", "1 row added"]


@pytest.mark.parametrize("turned", [False, True])
def test_nothing_is_a_blank_cell_where_a_file_has_no_other_nothing(tmp_path: Path, *, turned: bool) -> None:
    """The output of a run over a table was said to differ in each NULL. Two files that can hold both do differ."""
    table = pa.table({"a": ["x", None, "", "y"], "b": pa.array([1, None, 3, 4], pa.int64())})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=1)
    write(tmp_path, "out.csv", "a,b\nx,1\n,\n,3\nz,4\n")
    pq.write_table(table.set_column(0, "a", [["x", "", "", "z"]]), tmp_path / "out.parquet")
    for name, cells in (("out.csv", [4]), ("out.parquet", [2, 4])):
        files = [open_dataset(tmp_path / "in.parquet"), open_dataset(tmp_path / name)]
        diff = data_diff(*(reversed(files) if turned else files))
        assert sorted(cell.row for group in diff.groups for cell in group.first) == cells


def test_what_cannot_be_matched_is_refused(tmp_path: Path) -> None:
    """Files of different length need a key, a key must be there, and tell rows apart."""
    shorter = "id,city,amount\n1,Köln,10\n"
    with pytest.raises(UsageError, match=r"4 rows and b\.csv 1: they cannot be matched by their place"):
        compared(tmp_path, BEFORE, shorter)
    with pytest.raises(UsageError, match=r"a\.csv has no column 'nr'"):
        compared(tmp_path, BEFORE, AFTER, "nr")
    twice = "id,city,amount\n1,Köln,10\n1,Bonn,20\n"
    with pytest.raises(DataError, match=r"b\.csv, rows 2 and 3 \(the header is row 1\): both have the key '1' in id"):
        compared(tmp_path, BEFORE, twice, "id")
    with pytest.raises(UsageError, match="no column in common"):
        compared(tmp_path, BEFORE, "x,y\n1,2\n")


def test_batches_of_other_sizes_are_matched(tmp_path: Path) -> None:
    """A file that is read in other batches, or is of another format, is compared row by row all the same."""
    rows = 40_000
    lines = "".join(f"{n},{'x' * (n % 7)}\n" for n in range(rows))
    one = write(tmp_path, "a.csv", f"id,text\n{lines}")
    table = pa.table({"id": [str(n) for n in range(rows)], "text": ["x" * (n % 7) for n in range(rows)]})
    changed = table.set_column(1, "text", pa.array(["y" if n == 30_000 else "x" * (n % 7) for n in range(rows)]))
    pq.write_table(changed, tmp_path / "b.parquet", row_group_size=3_001)
    found = data_diff(open_dataset(one), open_dataset(tmp_path / "b.parquet"))
    assert found.changed_rows == 1
    assert found.groups[0].first[0].row == 30_001


def test_the_command_writes_all_forms(tmp_path: Path) -> None:
    """Terminal, JSON, a page and a list of every cell say the same."""
    one = write(tmp_path, "a.csv", BEFORE.replace("Kiel", "<b>Kiel"))
    other = write(tmp_path, "b.csv", AFTER)
    page, cells = tmp_path / "d.html", tmp_path / "d.csv"
    done = CliRunner().invoke(app, ["diff", str(one), str(other), "--html", str(page), "--csv", str(cells)])
    assert done.exit_code == 0
    assert "4 of 4 rows changed" in done.stdout
    assert "4 of 4 rows changed; the header is row 1" in done.stdout
    assert "row 4: '30' → '80'" in done.stdout
    assert "<td>4</td><td><del>" in page.read_text()
    assert "&lt;b&gt;Kiel" in page.read_text()
    assert "<b>Kiel" not in page.read_text()
    lines = list(csv.DictReader(cells.read_text().splitlines()))
    assert [(line["row"], line["file_row"], line["column"]) for line in lines if line["kind"] == "emptied"] == [
        ("4", "5", "city")
    ]
    told = json.loads(CliRunner().invoke(app, ["diff", str(one), str(other), "--json"]).stdout)
    assert told["changed_rows"] == 4
    with pytest.raises(CleanroomError, match="nothing to be compared with"):
        CliRunner().invoke(app, ["diff", str(one)], catch_exceptions=False)
    with pytest.raises(CleanroomError, match=r"There is no file or folder .*nowhere"):
        CliRunner().invoke(app, ["diff", str(tmp_path / "nowhere")], catch_exceptions=False)


def test_the_page_hides_nothing(tmp_path: Path) -> None:
    """Marks that reorder text, control characters, blanks, where long cells differ. Control: plain text as it is."""
    long = "x " * 200
    one = write(tmp_path, "a.csv", f"a\u202eb,c\n\u202e12,plain \n{long}1,\x1b[2J\n")
    other = write(tmp_path, "b.csv", f"a\u202eb,c\n12,plain\n{long}2,x\n")
    text = html_page(data_diff(open_dataset(one), open_dataset(other)))
    assert not set("\u202e\x1b") & set(text)
    assert "U+202E</span>b: " in text, "in the name of a column"
    assert "ESC</span>[2J" in text
    assert 'plain<span class="blank" title="U+0020 SPACE">·</span></span></del>' in text
    assert '<ins><span class="text">plain</span></ins>' in text
    assert "x 1</span></del>" in text
    assert "x 2</span></ins>" in text
    assert len(text) < 4 * len(long) + 3000, "long cells are shortened"
    assert "default-src 'none'" in text


@pytest.mark.parametrize(
    ("text", "number", "how"),
    [
        ("Report\n\na,b\n1,2\n1,3\n", 4, "the header is row 2, blank lines are not counted"),
        ("a,b\nx\n1,2\ny\n1,3\n", 5, "the header is row 1"),
    ],
)
def test_a_changed_row_has_its_number_in_the_file(tmp_path: Path, text: str, number: int, how: str) -> None:
    """What stands before the header and what cannot be read are rows for whoever opens the file; `row` is as it was."""
    one, other = write(tmp_path, "a.csv", text), write(tmp_path, "b.csv", "a,b\n1,2\n1,30\n")
    found = data_diff(open_dataset(one, set_aside=True), open_dataset(other))
    [cell] = found.groups[0].first
    assert (cell.row, cell.file_row, found.how_rows_count) == (2, number, how)


def test_rows_that_a_run_set_aside_are_rows_of_the_file(tmp_path: Path) -> None:
    """The others are compared without them, and named as `apply` names them."""
    one = open_dataset(write(tmp_path, "a.csv", "a,b\n1,2\nodd,2\n1,3\n"))
    aside = write(tmp_path, "q.csv", f"a,b,{REASON}\nodd,2,row 3 of the file: it fails\n")
    other = write(tmp_path, "b.csv", "a,b\n1,2\n1,30\n")
    [group] = data_diff(RowsLeft(one, open_dataset(aside)), open_dataset(other)).groups
    assert (group.first[0].row, group.first[0].file_row) == (2, 4)


def test_rows_with_one_key_have_their_numbers_in_the_file(tmp_path: Path) -> None:
    """The sentence names the lines of the file."""
    with pytest.raises(DataError, match=r"rows 2 and 4 \(the header is row 1\): both have the key '1'"):
        compared(tmp_path, "id,a\n1,x\n2,x\n1,y\n", "id,a\n1,x\n", "id")


def test_a_runs_input_and_output(tmp_path: Path) -> None:
    """A run's folder names both files, also after it was moved; another file beside it is refused."""
    release = Path(__file__).parents[1] / "golden" / "release-0.1.0"
    shutil.copytree(release / "run", tmp_path / "moved")
    journal = tmp_path / "moved" / "run.jsonl"
    journal.write_text(journal.read_text().replace("/tmp/golden-in.csv", str(release / "input.csv")))  # noqa: S108
    told = json.loads(CliRunner().invoke(app, ["diff", str(tmp_path / "moved"), "--json"]).stdout)
    assert (told["first"], told["second"]) == ("input.csv", "cleaned.csv")
    assert {"case", "blanks"} < {group["kind"] for group in told["groups"]}
    with pytest.raises(UsageError, match="A run has both files"):
        CliRunner().invoke(app, ["diff", str(tmp_path / "moved"), str(journal)], catch_exceptions=False)


def test_a_runs_input_is_found_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run's own file, and not one of that name here; where its own is gone, one of its name with its content."""
    data = write(tmp_path, "orders.csv", BEFORE)
    run = a_run(tmp_path / "run", Path("orders.csv"), data)
    (tmp_path / "other").mkdir()
    write(tmp_path / "other", "orders.csv", BEFORE.replace("Ulm", "Rom"))
    monkeypatch.chdir(tmp_path / "other")
    told = json.loads(CliRunner().invoke(app, ["diff", str(run), "--json"], catch_exceptions=False).stdout)
    assert told["changed_rows"] == 4
    data.rename(tmp_path / "orders.old")
    with pytest.raises(UsageError, match=r"orders\.csv is not what the run in .* has read"):
        CliRunner().invoke(app, ["diff", str(run), "--json"], catch_exceptions=False)
    write(tmp_path / "other", "orders.csv", BEFORE)
    assert CliRunner().invoke(app, ["diff", str(run), "--json"], catch_exceptions=False).exit_code == 0


def test_a_runs_files_are_read_as_the_run_read_them(tmp_path: Path) -> None:
    """With the format, the encoding and the delimiter that were said to it: nobody has to say them again."""
    release = Path(__file__).parents[1] / "golden" / "release-0.1.0"
    shutil.copytree(release / "run", tmp_path / "run")
    for source, target in ((release / "input.csv", tmp_path / "in.dat"), (tmp_path / "run/cleaned.csv",) * 2):
        text = source.read_text(encoding="utf-8").replace(",", "~").replace("id~", "ä~", 1)
        target.write_bytes(text.encode("cp1252"))
    journal = tmp_path / "run" / "run.jsonl"
    said = '"configuration":{"format":"csv","encoding":"cp1252","delimiter":"~",'
    text = journal.read_text().replace("/tmp/golden-in.csv", str(tmp_path / "in.dat"))  # noqa: S108
    text = text.replace(file_sha256(release / "input.csv"), file_sha256(tmp_path / "in.dat"))
    journal.write_text(text.replace('"configuration":{', said, 1))
    told = json.loads(CliRunner().invoke(app, ["diff", str(tmp_path / "run"), "--json"]).stdout)
    assert {"case", "blanks"} < {group["kind"] for group in told["groups"]}


RAGGED = BEFORE.replace("3,Ulm,30\n", "3,Ulm\nx, boom,1\n3,Ulm,30\nx, boom,1\n")


def a_run(folder: Path, data: Path, whole: Path | None = None, **configuration: object) -> Path:
    """The folder of a run of this machine that wrote AFTER and set rows aside. `whole`: where the data really are."""
    folder.mkdir()
    write(folder, "cleaned.csv", AFTER)
    reasons = [",,,row 4: too few,3;Ulm", "x, boom,1,row 5: it fails,", "x, boom,1,row 7: it fails,"]
    write(folder, "quarantine.csv", "\n".join(["id,city,amount,cleanroom_reason,cleanroom_text", *reasons, ""]))
    first, applied = (step for step in usual() if step.kind in ("run", "apply"))
    with Journal(folder / "run.jsonl") as own:
        digest = file_sha256(whole or data) if (whole or data).exists() else ""
        configuration |= {"data": str(whole or data)}
        own.append(first.model_copy(update={"data": str(data), "data_sha256": digest, "configuration": configuration}))
        own.append(applied.model_copy(update={"output": "/elsewhere/cleaned.csv", "quarantined": 3}))
    return folder


def test_rows_that_a_run_set_aside_are_left_out(tmp_path: Path) -> None:
    """Those that could not be read and those on which a function failed: what is left is matched by its place."""
    run = a_run(tmp_path / "run", write(tmp_path, "orders.csv", RAGGED), quarantine=True)
    told = json.loads(CliRunner().invoke(app, ["diff", str(run), "--json"], catch_exceptions=False).stdout)
    assert (told["rows"], told["changed_rows"]) == (4, 4)
    with pytest.raises(UsageError, match="A run has its own quarantine"):
        CliRunner().invoke(app, ["diff", str(run), "--quarantine", "rest.csv"], catch_exceptions=False)


def test_a_run_is_read_by_its_parser(tmp_path: Path) -> None:
    """Unless somebody else's journal names it: then it is not run."""
    run = a_run(tmp_path / "run", tmp_path / "a.log", parser="/p.py", delimiter=";")
    assert run_readings(run) == ({"delimiter": ";", "parser": "/p.py"}, {"delimiter": ";"})
    lines = (run / "run.jsonl").read_text().splitlines(keepends=True)
    (run / "run.jsonl").write_text("".join(lines).replace("/p.py", "/q.py"))
    assert run_readings(run) == ({"delimiter": ";"}, {"delimiter": ";"})


def test_rows_of_a_file_that_cannot_be_read_are_set_aside(tmp_path: Path) -> None:
    """`--quarantine`, as with other commands; two files with such rows have no place in one."""
    one, other = write(tmp_path, "a.csv", BEFORE + "5,x\n"), write(tmp_path, "b.csv", AFTER)
    rest = tmp_path / "rest.csv"
    asked = ["diff", str(one), str(other), "--json", "--quarantine", str(rest)]
    assert json.loads(CliRunner().invoke(app, asked, catch_exceptions=False).stdout)["changed_rows"] == 4
    assert "5,x" in rest.read_text()
    write(tmp_path, "b.csv", AFTER + "5,x\n")
    with pytest.raises(UsageError, match=r"Rows of a\.csv and of b\.csv cannot be read"):
        CliRunner().invoke(app, asked, catch_exceptions=False)


@pytest.mark.parametrize("option", ["--csv", "--html"])
def test_no_result_takes_the_place_of_what_is_compared(tmp_path: Path, option: str) -> None:
    """Under whatever name, of a run's folder too, and no two results the same: `--csv orders.csv` replaced the data."""
    one, other = write(tmp_path, "a.csv", BEFORE), write(tmp_path, "b.csv", AFTER)
    (tmp_path / "link.csv").symlink_to(one)
    run = a_run(tmp_path / "run", write(tmp_path, "orders.csv", BEFORE))
    third = tmp_path / "c.csv"
    named: list[tuple[list[Path], list[object]]] = [
        ([one, other], [option, place]) for place in (one, other, "link.csv")
    ]
    named += [([run], [option, run / "cleaned.csv"]), ([run], [option, tmp_path / "orders.csv"])]
    named += [([one, other], ["--csv", third, "--html", third]), ([one, other], ["--quarantine", third, option, third])]
    stood = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for files, options in named:
        words = ["diff", *map(str, files), *(str(tmp_path / o) if o == "link.csv" else str(o) for o in options)]
        with pytest.raises(UsageError, match="are the same file"):
            CliRunner().invoke(app, words, catch_exceptions=False)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == stood
    written = CliRunner().invoke(app, ["diff", str(one), str(other), option, str(third)], catch_exceptions=False)
    assert (written.exit_code, third.is_file()) == (0, True)


@pytest.mark.parametrize("named", ["data", "output"])
def test_what_a_foreign_journal_names_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """A server that somebody else's run read from would get the user's password; of one's own run it is opened."""
    opened: list[str] = []

    def refuse(place: object, **_: object) -> None:
        opened.append(str(place))
        raise DataError("far enough")

    monkeypatch.setattr("orchestrator.data.sources.open_source", refuse)
    data = "postgresql://eve@127.0.0.1:9/x?table=t" if named == "data" else "orders.csv"
    if named == "data":
        (tmp_path / "cleaned.csv").write_text(AFTER)
    first, applied = (step for step in usual() if step.kind in ("run", "apply"))
    journal = tmp_path / "run.jsonl"
    with Journal(journal) as own:
        own.append(first.model_copy(update={"data": data}))
        own.append(applied.model_copy(update={"output": "/elsewhere/cleaned.csv"}))
    with pytest.raises(DataError, match="far enough"):
        CliRunner().invoke(app, ["diff", str(tmp_path)], catch_exceptions=False)
    assert opened == [data], "the control: of a journal of this machine it is"
    journal.write_text(journal.read_text().replace('"rows":6000', '"rows":6001'))
    with pytest.raises(UsageError, match="what it names is not opened"):
        CliRunner().invoke(app, ["diff", str(tmp_path)], catch_exceptions=False)
    assert opened == [data]


@pytest.mark.parametrize("key", [(), ("id",)])
def test_values_of_json_that_look_the_same_are_told_apart(tmp_path: Path, key: tuple[str, ...]) -> None:
    """A number that becomes a text, a truth value that becomes a word, a key that comes with null: another type."""
    pairs = [
        ("1", '"1"'),
        ("true", '"true"'),
        ('"x"', '"x"'),
        ("2", "2"),
        ("1e400", "1e400"),
        ("3", "4"),
        (None, "null"),
    ]
    for name, side in (("a.jsonl", 0), ("b.jsonl", 1)):
        cells = ("" if pair[side] is None else f', "v": {pair[side]}' for pair in pairs)
        write(tmp_path, name, "".join(f'{{"id": {row}{cell}}}\n' for row, cell in enumerate(cells)))
    found = data_diff(open_dataset(tmp_path / "a.jsonl"), open_dataset(tmp_path / "b.jsonl"), key=key, shown=5)
    assert [(group.column, group.kind) for group in found.groups] == [("v", CellKind.DIGITS), ("v", CellKind.TYPE)]
    told = [(cell.row, cell.before, cell.after) for cell in found.groups[1].first]
    assert told == [(1, "1", '"1"'), (2, "true", '"true"'), (7, None, "null")]
    assert found.changed_rows == 4


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_the_same_values_of_json_do_not_differ_beside_a_text(tmp_path: Path, name: str) -> None:
    """A key that holds a text in one of the files is read as texts there, and as numbers in the other one."""
    found = []
    for text in ('"x5.50"', "5.5"):
        rows = [f'{{"id": {row}, "fee": {fee}}}' for row, fee in enumerate(("538.0", "1e2", text))]
        (tmp_path / text[:2]).mkdir()
        whole = "\n".join(rows) if name == "a.jsonl" else f"[{', '.join(rows)}]"
        found.append(open_dataset(write(tmp_path / text[:2], name, whole)))
    compared = data_diff(*found)
    (group,) = compared.groups
    assert [(cell.row, cell.before, cell.after) for cell in group.first] == [(3, "x5.50", "5.5")]
    assert compared.changed_rows == 1


def test_tables_of_a_database_are_compared(tmp_path: Path) -> None:
    """With each other and with a file; both ended in an internal error."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.executescript(
            "CREATE TABLE a (id, city); INSERT INTO a VALUES ('1', 'Rom'), ('2', 'Oslo');"
            "CREATE TABLE b (id, city); INSERT INTO b VALUES ('1', 'Rome'), ('2', 'Oslo');"
        )
    before, after = (f"sqlite:///{tmp_path}/a.db?table={name}" for name in "ab")
    write(tmp_path, "c.csv", "id,city\n1,Rome\n2,Oslo\n")
    for other in (after, str(tmp_path / "c.csv")):
        done = CliRunner().invoke(app, ["diff", before, other, "--key", "id"])
        assert (done.exit_code, "1 of 2 rows changed" in done.output) == (0, True), done.output


def test_a_long_cell_is_shown_where_it_differs(tmp_path: Path) -> None:
    """A paragraph was printed whole, twice: thousands of characters in which nobody finds the change."""
    words = " ".join(f"word{number}" for number in range(1_000))
    before = write(tmp_path, "a.csv", f"id,text\n1,{words} old end\n")
    after = write(tmp_path, "b.csv", f"id,text\n1,{words} new end\n")
    shown = CliRunner().invoke(app, ["diff", str(before), str(after)]).output
    assert len(shown) < 1_000
    assert "old end' → " in shown
    assert "new end'" in shown
