"""A file whose name says another format than it has is refused with the format that it looks like."""

import bz2
import gzip
from pathlib import Path

import pyarrow as pa
import pytest

from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset

LINES = '{"when":"2024-01-02","n":1}\n{"when":"2024-01-03","n":2}\n'
LIST = '[{"when": "2024-01-02"}, {"when": "2024-01-03"}]\n'
DOCUMENT = '{\n  "rows": [\n    {"when": "2024-01-02"}\n  ]\n}\n'
TABLE = "when,n\n2024-01-02,1\n"


@pytest.mark.parametrize("blank", ["", "\n\n"])
@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.csv", LINES, "jsonl"),
        ("a.txt", LINES, "jsonl"),
        ("a.tsv", LIST, "json"),
        ("a.csv", LIST.replace("[{", "[\n  {"), "json"),
        ("a.csv", DOCUMENT, "json"),
        ("a.json", TABLE, "csv"),
        ("a.jsonl", TABLE, "csv"),
        ("a.json", '"when","n"\n"2024-01-02","1"\n', "csv"),
        ("a.jsonl", TABLE.replace(",", "\t"), "tsv"),
        ("a.json", LINES, "jsonl"),
        ("a.jsonl", LIST, "json"),
    ],
)
def test_what_a_text_looks_like_is_said(tmp_path: Path, name: str, text: str, blank: str, says: str) -> None:
    """JSON in the name of a table, a table in the name of JSON, and either kind of JSON in that of the other."""
    if name == "a.jsonl" and blank:
        return  # the line that is not JSON is the third there
    (tmp_path / name).write_text(blank + text)
    with pytest.raises(DataError) as refused:
        open_dataset(tmp_path / name)
    assert f"say --format {says}." in refused.value.advice.lower()
    assert open_dataset(tmp_path / name, format=says).rows


def test_a_table_of_json_texts_is_a_table(tmp_path: Path) -> None:
    """The negative control: only the head of the header counts."""
    (tmp_path / "a.csv").write_text('n,data\n1,"{""a"": 1}"\n')
    (tmp_path / "b.csv").write_text('"{name}",[id]\nx,1\n')
    assert open_dataset(tmp_path / "a.csv").rows == 1
    assert open_dataset(tmp_path / "b.csv").columns == ("{name}", "[id]")


@pytest.mark.parametrize("suffix", ["gz", "zst", "bz2", "xz", "zip"])
def test_what_was_never_packed_is_said(tmp_path: Path, suffix: str) -> None:
    """By its first bytes, with what to do: no error of a library is shown."""
    (tmp_path / f"a.csv.{suffix}").write_text(TABLE)
    with pytest.raises(DataError, match=r"is not packed by \w+, by its first bytes\.$") as refused:
        open_dataset(tmp_path / f"a.csv.{suffix}")
    assert refused.value.advice == "Take that ending off its name if it is the data."


def test_what_was_packed_in_another_way_is_said(tmp_path: Path) -> None:
    """A name of gzip around zstd, and so on."""
    for name, data, how in [
        ("a.csv.gz", pa.compress(TABLE.encode(), codec="zstd", asbytes=True), "packed by zstd and not by gzip"),
        ("a.csv.zst", bz2.compress(TABLE.encode()), "packed by bzip2 and not by zstd"),
        ("a.csv.zip", gzip.compress(TABLE.encode()), "packed by gzip and not by zip"),
    ]:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DataError, match=how):
            open_dataset(tmp_path / name)
