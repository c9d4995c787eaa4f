"""Rows that cannot be read are set aside where that is asked for: nothing else changes, and nothing is lost."""

import gzip
import hashlib
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.core.errors import DataError
from orchestrator.data.files import file_sha256
from orchestrator.data.formats import Dataset, open_dataset
from orchestrator.data.formats.format_interface import UnreadableRow
from orchestrator.data.formats.unreadable import MAX_UNREADABLE

GOOD = b"id,text\n" + b"".join(b"%d,ok\n" % number for number in range(20))


def opened(path: Path, content: bytes, **how: str) -> Dataset:
    path.write_bytes(content)
    return open_dataset(path, set_aside=True, format=how.get("format"), encoding=how.get("encoding"))


def cells(dataset: Dataset, column: str) -> list[object]:
    return [cell for table in dataset.batches() for cell in table.column(column).to_pylist()]


@pytest.mark.parametrize(
    ("row", "text", "reason"),
    [
        (b"7\n", "7", "1 field where the header has 2"),
        (b'8,a,"b\nc"\n', '8,a,"b\nc"', "3 fields where the header has 2"),
        ("9,é ".encode() + b"\xfc\n", "9,é \\xfc", r"the byte \xfc is no text in the file's encoding"),
        (b"10,a\0b\n", "10,a\\x00b", "a NUL byte"),
    ],
)
def test_a_record_that_cannot_be_read_is_kept_with_the_reason(
    tmp_path: Path, row: bytes, text: str, reason: str
) -> None:
    """The row as it stood in the file, its number with the header as row 1, and why; the others are read."""
    dataset = opened(tmp_path / "a.csv", GOOD + row + "é,last".encode(), encoding="utf-8")
    assert dataset.unreadable == (UnreadableRow(22, text, reason),)
    assert cells(dataset, "text") == ["ok"] * 20 + ["last"]
    assert cells(dataset, "id")[-1] == "é"


def test_a_quote_behind_a_backslash_ends_no_cell(tmp_path: Path) -> None:
    """Rows are told apart as where all can be read; what is set aside stands as it stood."""
    good = b'1,"a \\"b\\",\nc"\n' * 200_000
    dataset = opened(tmp_path / "a.csv", b"id,text\n" + good + b'2,"x \\"y",z\n' + good)
    assert dataset.unreadable == (UnreadableRow(200_002, '2,"x \\"y",z', "3 fields where the header has 2"),)
    assert set(cells(dataset, "text")) == {'a "b",\nc'}
    assert dataset.rows == 400_000


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id": 1, "text": ', "not a JSON object"),
        (b"[1]", "a list instead of an object"),
        (b'{"id": NaN}', "it holds NaN, which is not JSON"),
        (b'{"id": 1, "id": 2}', "the key 'id' occurs twice"),
        (b'{"text": "\\ud800"}', "which is not a character"),
        (b'{"text": "\xfc"}', r"the byte \xfc is no text"),
        (b"{}\0", "a NUL byte"),
    ],
)
def test_a_line_that_holds_no_object_is_kept_with_the_reason(tmp_path: Path, line: bytes, reason: str) -> None:
    """JSON Lines: one line says nothing about the next."""
    good = b'{"id": 0, "text": "ok"}\n\n'
    dataset = opened(tmp_path / "a.jsonl", good * 3 + line + b"\r\n" + good)
    (row,) = dataset.unreadable
    assert (row.number, row.place) == (4, "line 7")  # blank lines are counted, as an editor does
    assert reason in row.reason
    assert cells(dataset, "text") == ["ok"] * 4


def test_a_row_below_a_blank_line_is_told_by_its_line(tmp_path: Path) -> None:
    """Blank lines are no rows, and an editor and a spreadsheet count them: the number of the row was none of these."""
    text = b'Report\n\nid,text\n1,"a\nb"\n\n2,b\n3,c,d\n4,e\n'
    (row,) = opened(tmp_path / "a.csv", text).unreadable
    assert (row.number, row.place) == (5, "line 8")
    with pytest.raises(DataError, match=r"row 5 \(the header is row 2, blank lines are not counted\)"):
        list(open_dataset(tmp_path / "a.csv").read())


def test_a_file_without_such_rows_is_read_as_ever(tmp_path: Path) -> None:
    """No copy is made, and the file's own bytes are what is read."""
    dataset = opened(tmp_path / "a.csv", GOOD)
    assert dataset.unreadable == ()
    assert dataset.copy is None


def test_packed_data_and_other_encodings_are_sorted_too(tmp_path: Path) -> None:
    """The rows that can be read keep their bytes; the hash is that of the file."""
    packed = opened(tmp_path / "a.csv.gz", gzip.compress(GOOD + b"21\n"))
    assert [row.text for row in packed.unreadable] == ["21"]
    wide = opened(tmp_path / "b.csv", (GOOD.decode() + "21\nä,ö\n").encode("utf-16"))
    assert cells(wide, "text")[-1] == "ö"
    latin = opened(tmp_path / "c.csv", GOOD + b"21\n\xe4,\xf6\n", encoding="cp1252")
    assert cells(latin, "text")[-1] == "ö"
    for name, dataset in [("a.csv.gz", packed), ("b.csv", wide), ("c.csv", latin)]:
        assert dataset.sha256 == hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
        dataset.check_unchanged()
        (tmp_path / name).write_bytes(b"id,text\n1,2\n")
        with pytest.raises(DataError, match="has changed while"):
            dataset.check_unchanged()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"title\n" + GOOD, "2 fields where the header has 1"),  # lines before the header
        (GOOD + b"1\n" * 21, "1 field where the header has 2"),
        (GOOD * (MAX_UNREADABLE // 4) + b"1\n" * (MAX_UNREADABLE + 1), "1 field where the header has 2"),
        (GOOD + b"1\n" + b'2,"never closed\n' + GOOD, "fields? where the header has 2|never closed"),
        (GOOD.replace(b"ok", b"\xfcber"), "it looks like"),  # another encoding, no broken rows
        (GOOD.replace(b"text", b"te\0xt"), "line 1: there is a NUL byte"),  # else `0` and `ok` were the names
        (b"", "is empty"),
    ],
)
def test_a_file_that_is_another_than_it_seems_is_refused_as_ever(tmp_path: Path, content: bytes, says: str) -> None:
    """Where most rows cannot be read, or no rows can be told apart, the first error is told."""
    with pytest.raises(DataError, match=says) as refused:
        opened(tmp_path / "a.csv", content)
    assert ("can be set aside" in refused.value.advice) is (content not in (b"", b"title\n" + GOOD))
    assert "--quarantine" not in refused.value.advice  # that was said already


def test_a_file_without_line_ends_is_refused_before_all_of_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sparse file of zeros was hashed first: seconds for each GiB. Control: one with line ends is hashed."""
    hashed: list[Path] = []

    def sha256(path: Path) -> str:
        hashed.append(path)
        return file_sha256(path)

    monkeypatch.setattr("orchestrator.data.formats.unreadable.file_sha256", sha256)
    with (tmp_path / "zeros.csv").open("wb") as file:
        file.truncate(2**24)
    (tmp_path / "zeros.jsonl").symlink_to(tmp_path / "zeros.csv")
    for path in (tmp_path / "zeros.csv", tmp_path / "zeros.jsonl"):
        with pytest.raises(DataError, match="line 1: there is a NUL byte"):
            open_dataset(path, set_aside=True)
    assert not hashed
    assert len(opened(tmp_path / "a.csv", GOOD + b"1\n").unreadable) == 1
    assert hashed == [tmp_path / "a.csv"]


def test_rows_that_fill_the_memory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few rows of megabytes are as bad as a thousand rows."""
    monkeypatch.setattr("orchestrator.data.formats.unreadable._MAX_TEXT", 10_000)
    with pytest.raises(DataError, match="1 field where the header has 2"):
        opened(tmp_path / "a.csv", GOOD + b"x" * 9_000 + b"\n" + b"y" * 9_000 + b"\n")
    assert len(opened(tmp_path / "a.csv", GOOD + b"x" * 9_000).unreadable) == 1


@given(st.lists(st.sampled_from([b"1,a", b"2", b'3,"x\ny"', b"4,a,b", b'"5","q""q"', b"", b"6,\xc3\xa9"]), max_size=30))
def test_no_row_is_lost_or_made_up(rows: list[bytes]) -> None:
    """Rows that are read and rows that are set aside are those of the file, whatever stands between them."""
    with tempfile.TemporaryDirectory() as folder:
        dataset = opened(Path(folder) / "a.csv", GOOD * 2 + b"".join(row + b"\r\n" for row in rows))
        wrong = [row.decode() for row in rows if row in {b"2", b"4,a,b"}]
        if len(wrong) < 40:
            assert [row.text for row in dataset.unreadable] == wrong
            assert dataset.rows == 41 + sum(bool(row) for row in rows) - len(wrong)


def test_a_header_of_very_many_columns_is_refused_at_once(tmp_path: Path) -> None:
    """No row is to blame. Rows that can be read were looked for, in time that grew with the square of the header."""
    path = tmp_path / "a.csv"
    path.write_text(",".join(f"c{n}" for n in range(10**6)) + "\n" + ",".join(["1"] * 10**6) + "\n")
    began = time.process_time()
    with pytest.raises(DataError, match="columns or more; at most 2,000 can be read") as refused:
        open_dataset(path, set_aside=True)
    assert "set aside" not in refused.value.advice
    assert time.process_time() - began < 4.0
