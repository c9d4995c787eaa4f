"""CSV and TSV: what is not changed is written as it was, and every wrong file gets one clear sentence."""

import codecs
import gzip
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest

from orchestrator.core.errors import DataError, OutputError, UsageError
from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.data.formats.csv.csv_read import CsvDataset
from orchestrator.data.profile.header_check import is_value
from tests.support.shared_data import DATA, needs_shared_data

_SETS = ("hospital", "beers", "rayyan", "movies_1_part", "autodcw_chi", "autodcw_ppp", "toy")


def copy(source: Path, target: Path) -> None:
    dataset = open_dataset(source)
    with open_writer(target, like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)


def write(folder: Path, data: bytes, name: str = "data.csv") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def rows(path: Path) -> list[dict[str, str]]:
    return [row for table in open_dataset(path).batches() for row in table.to_pylist()]


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n3,4\n",
        "a,b\n1,2\n3,4",
        "a,b\r\n1,2\r\n3,4\r\n",
        "a;b\n1,5;2\n",
        "a|b\n1|2\n",
        "a\tb\n1\t2\n",
        '"a","b"\n"1","2"\n"","4"\n',
        'a,b\n"x",1\n"y",2\n"",3\n',
        'a,b\n"x",1\n,2\n"z",3\n',
        'a,b\n"x, y",1\nplain,2\n',
        'a,b\n"say ""hi""",1\n',
        'a,b\n"two\nlines",1\nx,2\n',
        'a,b\r\n"two\r\nlines",1\r\nx,2\r\n',
        'a,b\n5" pipe,1\nx,2\n',
        'a,"b \\"x\\""\n"say \\"hi\\", then go",1\n"C:\\\\\\"",two\n"\\"two\r\nlines\\",",x\nD:\\dir,""\n',
        'a\nx\n""\ny\n',
        "zip,é\n01234,ü\n00000,日本\n",
        "a,b\n  padded , x\n,\n",
        'id,a\n1,\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\n2,\x12\n3,"a,b"\n',
        "a,b\n1,NaN\nnull,N/A\n1e5,007\n",
    ],
)
def test_copy_is_identical(tmp_path: Path, text: str) -> None:
    """Reading and writing without a change gives the same bytes."""
    source = write(tmp_path, text.encode())
    copy(source, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == text.encode()


@pytest.mark.parametrize(
    ("codec", "bom"),
    [("utf-8", codecs.BOM_UTF8), ("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE)],
)
def test_encoding_is_kept(tmp_path: Path, codec: str, bom: bytes) -> None:
    """A byte order mark says how to read, is no part of the first name, and is written again."""
    data = bom + "städte,b\r\nKöln,1\r\nBonn,2\r\n".encode(codec)
    source = write(tmp_path, data)
    assert open_dataset(source).columns == ("städte", "b")
    copy(source, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == data


def test_named_encoding(tmp_path: Path) -> None:
    """An encoding without a mark can be named; a character that it lacks cannot be written."""
    source = write(tmp_path, "a,b\nKöln,1\n".encode("cp1252"))
    dataset = open_dataset(source, encoding="cp1252")
    assert next(dataset.batches()).column("a").to_pylist() == ["Köln"]
    with (
        pytest.raises(OutputError, match="does not exist in cp1252"),
        open_writer(tmp_path / "out.csv", like=dataset, schema=dataset.schema) as writer,
    ):
        writer.write(pa.table({"a": ["日本"], "b": ["1"]}))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv"]


def test_everything_is_text(tmp_path: Path) -> None:
    """A ZIP code is no number, a blank is no missing value, and NA is a word."""
    source = write(tmp_path, b"zip,x,y\n01234,,NA\n")
    assert rows(source) == [{"zip": "01234", "x": "", "y": "NA"}]


def test_batches_have_the_rows_that_were_asked_for(tmp_path: Path) -> None:
    """Batches are of equal size and in order; counting and hashing read the same file."""
    source = write(tmp_path, b"n\n" + b"".join(b"%d\n" % i for i in range(2500)))
    dataset = open_dataset(source)
    tables = list(dataset.batches(1000))
    assert [table.num_rows for table in tables] == [1000, 1000, 500]
    assert [v for table in tables for v in table.column("n").to_pylist()] == [str(i) for i in range(2500)]
    assert dataset.rows == 2500
    assert len(dataset.sha256) == 64


def test_changed_cells_are_quoted_where_they_must_be(tmp_path: Path) -> None:
    """New text with delimiters, quotes and line ends reads back as it was written."""
    source = write(tmp_path, b"a,b\nx,1\n")
    dataset = open_dataset(source)
    nasty = ["a,b", 'say "hi"', '"', "two\nlines", "cr\rhere", "", " pad ", "\x01\x02"]
    with open_writer(tmp_path / "out.csv", like=dataset, schema=dataset.schema) as writer:
        writer.write(pa.table({"a": nasty, "b": ["1"] * len(nasty)}))
    assert [row["a"] for row in rows(tmp_path / "out.csv")] == nasty


def test_quotes_that_a_backslash_escapes_are_read_as_quotes(tmp_path: Path) -> None:
    """As Spark and MySQL write them: what a function makes of them comes back, too. A note says so."""
    source = write(tmp_path, b'a;b\n"say \\"hi\\"; go";1\n"D:\\\\";2\n' + b'"x \\"y";\xc3\xbc\n' * 400_000)
    dataset = open_dataset(source)
    assert 'quotes inside of its cells are written \\", and stay so' in dataset.notes
    assert [row["a"] for row in rows(source)] == ['say "hi"; go', "D:\\\\"] + ['x "y'] * 400_000
    nasty = ['"', 'a "b"; c', "D:\\;", "two\n\\", '\\\\"', "", "plain"]
    with open_writer(tmp_path / "out.csv", like=dataset, schema=dataset.schema) as writer:
        writer.write(pa.table({"a": nasty, "b": ["1"] * len(nasty)}))
    made = [row["a"].replace("\\\\", "\\") for row in rows(tmp_path / "out.csv")]
    assert made == [cell.replace("\\\\", "\\") for cell in nasty]


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ('a,b\n"C:\\",x\n"y",2\n', "C:\\"),  # a folder
        ('a,b\n"say ""x"" \\",2\n', 'say "x" \\'),  # quotes are doubled
        ('a,b\n5\\"x,2\n', '5\\"x'),  # not in a quoted cell
    ],
)
def test_a_backslash_is_a_character_where_quotes_do_not_need_it(tmp_path: Path, text: str, cell: str) -> None:
    """It is taken for more only where the file would be wrong without."""
    assert rows(write(tmp_path, text.encode()))[0]["a"] == cell


def test_other_types_become_text(tmp_path: Path) -> None:
    """Numbers, missing values and lists that a function made have a text form."""
    dataset = open_dataset(write(tmp_path, b"a,b\nx,1\n"))
    table = pa.table({"n": [1, None], "f": [1.5, 2.0], "l": [["x"], None]})
    with open_writer(tmp_path / "out.csv", like=dataset, schema=table.schema) as writer:
        writer.write(table)
    assert (tmp_path / "out.csv").read_text() == 'n,f,l\n1,1.5,"[""x""]"\n,2,\n'


def test_tsv_and_other_targets(tmp_path: Path) -> None:
    """The name of the output decides its format."""
    source = write(tmp_path, b"a,b\nx y,1\n")
    copy(source, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_bytes() == b"a\tb\nx y\t1\n"
    copy(tmp_path / "out.tsv", tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == b'{"a": "x y", "b": "1"}\n'


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"a,b\n", "has a header but no rows"),
        (b"a,b", "has a header but no rows"),
        (b"a,b\n1,2\n3\n", r"row 3 \(the header is row 1\): 1 field where the header has 2: 3"),
        (b"a,b\n1,2\n3,4,5\n", r"row 3 \(the header is row 1\): 3 fields where the header has 2: 3,4,5"),
        (b", ,\n1,2,3\n", "row 1: no column has a name"),
        (b"a,b\n1,\xe9t\xe9\n", "line 2: byte 0xe9 at offset 6 is not UTF-8"),
        (b"a,b\n1,2\n3,\xc3", "line 3: byte 0xc3 at offset 10"),
        (b"a,b\n1,\x00\n", "line 2: there is a NUL byte"),
        ("a,b\n1,2\n".encode("utf-16-le"), "NUL byte"),
        (b'a,b\n1,2\n3,"open\n5,6\n', "row 3, column 'b': a quote is opened and never closed"),
        (b"\x89PNG\r\n\x1a\n\0\0", "byte 0x89"),
        (b"PAR1\x15\x04\x8c", "is no text but Parquet, by its first bytes"),
        (b"\n<!DOCTYPE html>\n<p>Log in, please</p>\n", "is no table but a web page, by its first bytes"),
        (b"PK\x03\x04\x14\0\0\0", "is no text but a zip archive"),
        (b"SQLite format 3\0", "is no text but an SQLite database"),
        (gzip.compress(b"a,b\n1,2\n"), "is no text but packed by gzip"),
        (b"," * 2_000 + b"\n,\n", "has 2,001 columns; at most 2,000 can be read"),
    ],
)
def test_wrong_data(tmp_path: Path, data: bytes, says: str) -> None:
    """Data that cannot be read gives one sentence with file, row and column, and what to do."""
    source = write(tmp_path, data)
    with pytest.raises(DataError, match=says) as caught:
        rows(source)
    assert "data.csv" in caught.value.message
    assert caught.value.exit_code == 2


def test_a_header_that_does_not_end_in_the_sample_has_too_many_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million empty columns are no row that is too long."""
    monkeypatch.setattr("orchestrator.data.formats.csv.csv_read.SAMPLE_BYTES", 4_000)
    with pytest.raises(DataError, match="has 4,001 columns or more; at most 2,000 can be read"):
        rows(write(tmp_path, b"," * 9_000 + b"\n"))


def test_ragged_row_far_away(tmp_path: Path) -> None:
    """The row's number is right however far down it is, also behind cells of several lines."""
    data = b"a,b\n" + b'1,"2\n2"\n' * 50_000 + b"1,2,3\n"
    with pytest.raises(DataError, match="row 50002 "):
        rows(write(tmp_path, data))


def test_wrong_places(tmp_path: Path) -> None:
    """A missing file, a directory, a pipe and an unknown format are named as what they are."""
    with pytest.raises(DataError, match="There is no file"):
        open_dataset(tmp_path / "none.csv")
    with pytest.raises(DataError, match="is a directory"):
        open_dataset(tmp_path)
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DataError, match="not a regular file"):
        open_dataset(tmp_path / "pipe.csv")
    for name in ("data.xyz", "data", "data.dat"):
        with pytest.raises(UsageError, match="cannot be read or written yet") as caught:
            open_dataset(write(tmp_path, b"x", name))
        assert ".parquet" in caught.value.advice
        assert "--parser" in caught.value.advice
    for name in ("data.db", "data.SQLITE", "data.sqlite3"):
        with pytest.raises(UsageError, match="named by an address") as caught:
            open_dataset(write(tmp_path, b"x", name))
        assert f"'sqlite:///PATH/{name}?table=NAME'" in caught.value.advice
    for named in ("klingon", "base64", "rot13", "zlib", "undefined", "unicode_escape"):
        with pytest.raises(DataError, match=f"'{named}' is not a known encoding"):
            open_dataset(write(tmp_path, b"a\n1\n"), encoding=named)
    with pytest.raises(DataError, match="'utf9' is not a known encoding"):
        open_dataset(write(tmp_path, codecs.BOM_UTF8 + b"a\n1\n"), encoding="utf9")


@pytest.mark.parametrize("codec", ["utf-16", "utf-32"])
def test_an_encoding_that_begins_with_a_mark_needs_one(tmp_path: Path, codec: str) -> None:
    """Without it the order of its bytes is not known; the names that say it are told, and read the file."""
    source = write(tmp_path, "a\né\n".encode(f"{codec}-be"))
    with pytest.raises(DataError, match=f"'{codec}' needs a byte order mark") as caught:
        open_dataset(source, encoding=codec)
    assert f"{codec}-be" in caught.value.advice
    assert open_dataset(source, encoding=f"{codec}-be").rows == 1
    marked = write(tmp_path, "a\né\n".encode(codec))
    assert open_dataset(marked, encoding=codec).rows == 1


@pytest.mark.skipif(os.getuid() == 0, reason="root may read and write everything")
def test_no_permission(tmp_path: Path) -> None:
    """Files that may not be read, and folders that may not be written, are said to be so."""
    source = write(tmp_path, b"a\n1\n")
    source.chmod(0)
    with pytest.raises(DataError, match="no permission"):
        open_dataset(source)


_MEASURE = """
import resource, sys, time
from pathlib import Path
from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset
started = time.process_time()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    for table in open_dataset(Path(sys.argv[1])).batches():
        pass
except DataError as error:
    print(error.message)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, time.process_time() - started)
"""


def _measure(path: Path) -> tuple[str, int, float]:
    run = subprocess.run([sys.executable, "-c", _MEASURE, str(path)], capture_output=True, text=True, check=True)
    *said, figures = run.stdout.strip().splitlines()
    kilobytes, seconds = figures.split()
    return " ".join(said), int(kilobytes) * 1024, float(seconds)


@pytest.mark.parametrize("head", [b"a,b\n1,", b'a,b\n1,"', b""])
def test_a_line_of_200_mb(tmp_path: Path, head: bytes) -> None:
    """An endless line is refused quickly and in little memory."""
    path = tmp_path / "long.csv"
    with path.open("wb") as file:
        file.write(head)
        for _ in range(200):
            file.write(b"x" * 2**20)
    said, memory, seconds = _measure(path)
    assert "longer than" in said
    assert memory < 120 * 2**20
    assert seconds < 10


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Eight times the rows need about the same memory."""
    row = b"some text,more text,12345,2024-01-01,x@y.example\n"
    small, large = tmp_path / "small.csv", tmp_path / "large.csv"
    small.write_bytes(b"a,b,c,d,e\n" + row * 250_000)
    large.write_bytes(b"a,b,c,d,e\n" + row * 2_000_000)
    assert _measure(large)[1] < _measure(small)[1] + 40 * 2**20


def test_writer_leaves_nothing_behind(tmp_path: Path) -> None:
    """When anything goes wrong while writing, the old file is as it was and no temporary file remains."""
    dataset = open_dataset(write(tmp_path, b"a\n1\n"))
    target = write(tmp_path, b"precious", "out.csv")

    def interrupted() -> None:
        with open_writer(target, like=dataset, schema=dataset.schema) as writer:
            writer.write(pa.table({"a": ["x"] * 100_000}))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert target.read_bytes() == b"precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv", "out.csv"]


def test_no_space_left(tmp_path: Path) -> None:
    """A disk that is full is an OutputError that says so, and nothing half-written stays."""
    dataset = open_dataset(write(tmp_path, b"a\n1\n"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, hard))  # as a full disk: write fails in the middle
    try:
        with (
            pytest.raises(OutputError, match="cannot be written: file too large"),
            open_writer(tmp_path / "out.csv", like=dataset, schema=dataset.schema) as writer,
        ):
            writer.write(pa.table({"a": ["x" * 100] * 100_000}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data.csv"]


def test_output_that_cannot_be_made(tmp_path: Path) -> None:
    """A folder that is missing, or that stands where the file should, is an OutputError."""
    dataset = open_dataset(write(tmp_path, b"a\n1\n"))
    for target in (tmp_path / "none" / "out.csv", tmp_path):
        with pytest.raises((OutputError, UsageError)), open_writer(target, like=dataset, schema=dataset.schema):
            pass


def test_throughput(tmp_path: Path) -> None:
    """Copying is done by columns, not by rows: far above what a loop over rows could reach, even on a busy machine."""
    source = tmp_path / "b.csv"
    source.write_bytes(b"a,b,c,d,e,f,g,h,i,j\n" + b'1,two,"3, 4",5.5,2024-01-01,x,y,z,N/A,ok\n' * 200_000)
    started = time.process_time()
    copy(source, tmp_path / "out.csv")
    assert 200_000 / (time.process_time() - started) > 100_000
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


class TestRealFiles:
    """The sets beside the checkout."""

    pytestmark = needs_shared_data

    @pytest.mark.parametrize("name", _SETS)
    def test_real_files_survive(self, tmp_path: Path, name: str) -> None:
        """Real dirty files come out of a copy byte for byte."""
        source = DATA / name / "dirty.csv"
        copy(source, tmp_path / "out.csv")
        assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("a,a,a", ("a", "a.1", "a.2")),
        (",a,", ("Unnamed: 0", "a", "Unnamed: 2")),
        ("a,a.1,a", ("a", "a.1", "a.2")),
        ("a,a,a.1", ("a", "a.2", "a.1")),
        ("Unnamed: 1,", ("Unnamed: 1", "Unnamed: 1.1")),
    ],
)
def test_columns_without_a_name_of_their_own(tmp_path: Path, header: str, names: tuple[str, ...]) -> None:
    """They are read under the names that pandas gives, which is said, and written back as they were."""
    source = write(tmp_path, f"{header}\n{','.join('123'[: len(names)])}\n".encode())
    dataset = open_dataset(source)
    assert dataset.columns == names
    assert len(dataset.notes) == 1
    copy(source, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()
    fewer = pa.schema([(name, pa.string()) for name in names[1:]])
    with open_writer(tmp_path / "fewer.csv", like=dataset, schema=fewer) as writer:
        writer.write(next(dataset.batches()).select(names[1:]))
    stored = header.split(",")[1:]
    assert (tmp_path / "fewer.csv").read_text().splitlines()[0].replace('"', "") == ",".join(stored)


def test_notes_say_which_columns_were_named(tmp_path: Path) -> None:
    """A person reads what a column is called now, and why."""
    dataset = open_dataset(write(tmp_path, b",city,city\n1,2,3\n"))
    assert dataset.notes == (
        "column 1 has no name and is read as 'Unnamed: 0', column 3 is a second 'city' and is read as 'city.1'",
    )


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Café, Köln – “Weiß” für 5 €", "cp1252"),
        ("Łódź, Gdańsk, Święty Krzyż", "cp1250"),
        ("Москва, Санкт-Петербург", "cp1251"),
        ("Αθήνα, Θεσσαλονίκη", "cp1253"),
        ("Köln, Düsseldorf, Größe", "cp850"),
        ("plain text only", "utf-16-le"),
        ("plain text only", "utf-16-be"),
    ],
)
def test_another_encoding_is_named(tmp_path: Path, text: str, codec: str) -> None:
    """What is not UTF-8 is refused with the name of what it looks like; with that name it is read and written."""
    source = write(tmp_path, f"a;b\n{text};1\n".encode(codec))
    with pytest.raises(DataError) as caught:
        open_dataset(source).rows  # noqa: B018 - it reads
    assert f"--encoding {codec}" in caught.value.advice
    dataset = open_dataset(source, encoding=codec)
    assert [row["a"] for table in dataset.batches() for row in table.to_pylist()] == [text]
    with open_writer(tmp_path / "out.csv", like=dataset, schema=dataset.schema) as writer:
        for table in dataset.batches():
            writer.write(table)
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


def test_bytes_that_are_no_text_have_no_encoding(tmp_path: Path) -> None:
    """A file of which nothing was written is all zeros, and read as UTF-16 it would be refused for the same."""
    with pytest.raises(DataError, match="there is a NUL byte") as caught:
        open_dataset(write(tmp_path, bytes(4_000))).rows  # noqa: B018 - it reads
    assert "--encoding" not in caught.value.advice


def test_many_and_long_names_cost_no_more_than_their_length(tmp_path: Path) -> None:
    """A header of one name many times, or with a name of a page, is judged at once (both took minutes)."""
    begun = time.process_time()
    with pytest.raises(DataError, match="has 30,000 columns"):
        open_dataset(write(tmp_path, b",".join([b"x"] * 30_000) + b"\n,\n"))
    assert not is_value("a" * 100_000)
    assert is_value("a" * 100_000 + "@example.com")
    assert time.process_time() - begun < 3


def test_the_way_to_another_encoding_is_that_of_the_format(tmp_path: Path) -> None:
    """CSV is read with an option, JSON is converted first; a row can be kept apart where rows stand for themselves."""
    text = "Müller\n".encode("cp1252")
    for name, way in (
        ("a.csv", "Say --encoding cp1252"),
        ("a.jsonl", "iconv -f cp1252"),
        ("a.json", "iconv -f cp1252"),
    ):
        path = tmp_path / name
        path.write_bytes(b"a\n" + text if name == "a.csv" else b'{"a": "' + text[:-1] + b'"}\n')
        with pytest.raises(DataError) as caught:
            open_dataset(path).rows  # noqa: B018 - it reads
        assert way in caught.value.advice
        assert ("iconv" in caught.value.advice) is (name != "a.csv")
        assert ("--quarantine" in caught.value.advice) is (name != "a.json")


def test_a_quote_that_may_be_open_is_said(tmp_path: Path) -> None:
    """Of a record of several lines with too few fields; of one line it is another mistake."""
    for data, advice in ((b'a,b,c\n1,"2,3\n4,5,"6\n', "never closed"), (b"a,b,c\n1,2\n", "Correct this row")):
        with pytest.raises(DataError, match="2 fields where the header has 3") as caught:
            rows(write(tmp_path, data))
        assert advice in caught.value.advice


def test_a_title_that_may_be_a_header_is_refused(tmp_path: Path) -> None:
    """One word can be the name of a column: the message says what to do about it."""
    (tmp_path / "a.csv").write_text("Sales\nregion,amount\nNorth,1\n")
    with pytest.raises(DataError, match="2 fields where the header has 1") as refused:
        list(open_dataset(tmp_path / "a.csv").read())
    assert "before the header" in refused.value.advice


@pytest.mark.parametrize(
    ("text", "columns", "delimiter"),
    [
        ("a,b\n1,x\n2,y\n", ("a", "b"), ","),
        ("a;b\n1;x,z\n2;y\n", ("a", "b"), ";"),
        ("a,b\tc\n1,x\ty\n", ("a,b", "c"), "\t"),
        ("name\nLee, Ann\nRoe, Bob\n", ("name",), "\t"),  # one column, whose cells hold commas
        ("name, first\nAnn\nBob\n", ("name, first",), "\t"),
    ],
)
def test_a_tsv_file_without_tabs_is_read_as_what_it_is(
    tmp_path: Path, text: str, columns: tuple[str, ...], delimiter: str
) -> None:
    """It was read as one column. A tab anywhere, or rows of other lengths, and it stays TSV."""
    (tmp_path / "a.tsv").write_text(text)
    dataset = open_dataset(tmp_path / "a.tsv")
    assert isinstance(dataset, CsvDataset)
    assert (dataset.columns, dataset.dialect.delimiter) == (columns, delimiter)
    assert any("it holds no tabs" in note for note in dataset.notes) == (delimiter != "\t")
    copy(tmp_path / "a.tsv", tmp_path / "b.tsv")
    assert (tmp_path / "b.tsv").read_text() == text


def test_lines_that_end_in_several_ways_get_the_end_of_the_header(tmp_path: Path) -> None:
    """All rows are read, and it is said."""
    (tmp_path / "a.csv").write_bytes(b"a,b\r\n1,x\n2,y\r\n\n3,z\n")
    dataset = open_dataset(tmp_path / "a.csv")
    assert dataset.notes == ("its lines do not all end alike: in what is written they end as the header does",)
    copy(tmp_path / "a.csv", tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_bytes() == b"a,b\r\n1,x\r\n2,y\r\n3,z\r\n"


@pytest.mark.parametrize(
    ("named", "sign"),
    [("~", "~"), ("\\t", "\t"), ("\\x1f", "\x1f"), ("^", "^"), (";", ";"), (" ", " "), ("\\x01", "\x01")],
)
def test_a_delimiter_is_taken_as_it_is_said(tmp_path: Path, named: str, sign: str) -> None:
    """Also one that nobody guesses, and where a comma would be guessed; what is written has it, too."""
    text = f'a{sign}"b,b"{sign}c\n1,5{sign}"x{sign}y"{sign}3\n2,5{sign}"z ""z"""{sign}4\n'.encode()
    dataset = open_dataset(write(tmp_path, text), delimiter=named)
    assert dataset.columns == ("a", "b,b", "c")
    assert next(dataset.batches()).to_pylist()[0] == {"a": "1,5", "b,b": f"x{sign}y", "c": "3"}
    with open_writer(tmp_path / "out.csv", like=dataset, schema=dataset.schema) as writer:
        for table in dataset.batches():
            writer.write(table)
    assert (tmp_path / "out.csv").read_bytes() == text


def test_a_control_byte_that_parts_columns_stands_for_nothing_else(tmp_path: Path) -> None:
    """The writer lets bytes that no cell holds stand for quotes; the delimiter is none of them."""
    text = b'a\x01b\n"x ""y"""\x012\n'
    dataset = open_dataset(write(tmp_path, text), delimiter="\\x01")
    with open_writer(tmp_path / "out.csv", like=dataset, schema=dataset.schema) as writer:
        for table in dataset.batches():
            writer.write(table)
    assert (tmp_path / "out.csv").read_bytes() == text


def test_a_delimiter_is_said_of_quotes_with_backslashes_and_of_rows_set_aside(tmp_path: Path) -> None:
    """Whatever looks at the file looks by it."""
    text = b'a~b\n"say \\"hi~ho\\""~2\nx~y~z\n3~4\n5~6\n'
    dataset = open_dataset(write(tmp_path, text), delimiter="~", set_aside=True)
    assert next(dataset.batches()).column("a").to_pylist() == ['say "hi~ho"', "3", "5"]
    assert [row.text for row in dataset.unreadable] == ["x~y~z"]


@pytest.mark.parametrize("named", ["", "t", ";;", '"', "\\n", "\n", "\u00a7", "\\"])
def test_what_can_be_no_delimiter_is_refused(tmp_path: Path, named: str) -> None:
    """A shell makes `t` of an unquoted backslash and t: how it is written is said."""
    with pytest.raises(UsageError, match="is no delimiter") as refused:
        open_dataset(write(tmp_path, b"a;b\n1;2\n"), delimiter=named)
    assert "in quotes" in refused.value.advice


def test_a_guessed_delimiter_is_said_where_rows_do_not_fit(tmp_path: Path) -> None:
    """Nobody can know otherwise why the rows are thought to be ragged; not where the user named it."""
    path = write(tmp_path, b"a;b,c;d\n1;2\n3;4\n")
    with pytest.raises(DataError) as guessed:
        list(open_dataset(path).batches())
    assert "That ';' parts its columns is guessed: say --delimiter" in guessed.value.advice
    with pytest.raises(DataError) as named:
        list(open_dataset(path, delimiter=";").batches())
    assert "guessed" not in named.value.advice


def test_one_column_with_a_sign_in_every_line_suggests_the_delimiter(tmp_path: Path) -> None:
    """As often as in the header: perhaps it parts columns. It is a note, since nothing is wrong with one column."""
    dataset = open_dataset(write(tmp_path, b"a~b~c\n1~2~3\n4~5~6\n"))
    assert dataset.notes == ("it is read as one column: if '~' parts its columns, say --delimiter '~'",)
    assert open_dataset(write(tmp_path, b"a~b\n1\n2\n")).notes == ()


def test_a_row_that_does_not_fit_one_column_names_the_sign_that_stands_in_every_line(tmp_path: Path) -> None:
    data = write(tmp_path, b"id~amount\n1~1,00\n2~2,50\n3~1,25\n")
    with pytest.raises(DataError, match="2 fields where the header has 1") as caught:
        list(open_dataset(data).read())
    assert caught.value.advice.startswith("If '~' parts its columns, say --delimiter '~'.")
    assert "','" not in caught.value.advice  # no second guess beside it


def test_a_byte_order_mark_that_begins_a_cell_stays(tmp_path: Path) -> None:
    """Files that were put together have one there; it was lost in the first row, and every two mebibytes."""
    mark, wide = codecs.BOM_UTF8.decode(), "x" * 999
    rows = [f"{mark}{wide},{row}\n" for row in range(5_000)]
    source = write(tmp_path, ("a,b\n" + "".join(rows)).encode())
    dataset = open_dataset(source)
    with open_writer(tmp_path / "out.csv", like=dataset, schema=dataset.schema) as writer:
        for table in dataset.batches(10_000):
            assert set(table.column("a").to_pylist()) == {mark + wide}
            writer.write(table)
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()
