"""A format is one entry of the table: a toy format is read, cleaned and written by the parts that know none."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pytest

from orchestrator.core.errors import UsageError
from orchestrator.data.files import atomic_file
from orchestrator.data.formats import FORMATS, Batch, Dataset, Format, Writer, open_dataset, open_writer
from orchestrator.data.formats.format_interface import BATCH_ROWS
from orchestrator.data.user_files.example_files import read_examples


class Lines(Dataset):
    """A toy format: one cell per line, in a column called `line`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "lines")

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([("line", pa.string())])

    def read(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        yield Batch(pa.table({"line": self.path.read_text("utf-8").splitlines()}, schema=self.schema))


class LinesWriter:
    """The other half: what a target of `apply` has to be."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, table: pa.Table, source: Batch | None = None) -> None:
        self.lines += table.column("line").to_pylist()


@contextmanager
def write_lines(path: Path, like: Dataset, schema: pa.Schema) -> Iterator[Writer]:
    with atomic_file(path) as file:
        writer = LinesWriter()
        yield writer
        file.write("\n".join([*writer.lines, ""]).encode())


def test_one_entry_makes_a_format_that_is_read_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is opened by its suffix, and a writer for the same kind of file is found."""
    monkeypatch.setitem(FORMATS, "lines", Format("Lines", (".lines",), lambda path, _: Lines(path), write_lines))
    (tmp_path / "in.lines").write_text("Rome\nBonn\n", encoding="utf-8")
    dataset = open_dataset(tmp_path / "in.lines")
    with open_writer(tmp_path / "out.lines", like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)
    assert (dataset.format, dataset.rows) == ("lines", 2)
    assert (tmp_path / "out.lines").read_bytes() == (tmp_path / "in.lines").read_bytes()


def test_a_new_format_holds_examples_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files of the toy format are read as rows before and after."""
    monkeypatch.setitem(FORMATS, "lines", Format("Lines", (".lines",), lambda path, _: Lines(path), write_lines))
    (tmp_path / "dirty.lines").write_text(" Rome\nBonn\n", encoding="utf-8")
    (tmp_path / "clean.lines").write_text("Rome\nBonn\n", encoding="utf-8")
    first, _ = read_examples(tmp_path / "dirty.lines", tmp_path / "clean.lines")
    assert (first.input, first.output) == ({"line": " Rome"}, {"line": "Rome"})


def test_a_format_without_a_reader_is_a_target_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CSV rows go into it; reading such a file is refused with what can be read."""
    monkeypatch.setitem(FORMATS, "lines", Format("Lines", (".lines",), None, write_lines))
    (tmp_path / "in.csv").write_text("line\nRome\n", encoding="utf-8")
    dataset = open_dataset(tmp_path / "in.csv")
    with open_writer(tmp_path / "out.lines", like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)
    assert (tmp_path / "out.lines").read_text(encoding="utf-8") == "Rome\n"
    with pytest.raises(UsageError, match="can be written, but not read") as refused:
        open_dataset(tmp_path / "out.lines")
    readable = [f"{known.title} ({known.suffixes[0]})" for known in FORMATS.values() if known.read is not None]
    assert refused.value.advice == f"Use {', '.join(readable[:-1])} or {readable[-1]}."
    assert "Lines (.lines)" not in readable


def test_no_suffix_belongs_to_two_formats() -> None:
    """The suffix alone decides how a file is read."""
    suffixes = [suffix for known in FORMATS.values() for suffix in known.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.parquet", "a.xlsx"])
def test_an_encoding_is_refused_where_there_is_none_to_choose(tmp_path: Path, name: str) -> None:
    """It is said, and not ignored: whoever names one expects letters to come out by it."""
    (tmp_path / name).write_bytes(b'{"a": 1}\n')
    with pytest.raises(UsageError, match="has no encoding to choose") as refused:
        open_dataset(tmp_path / name, encoding="cp1252")
    assert "--encoding" in refused.value.advice


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.parquet", "a.xlsx", "a.md"])
def test_a_delimiter_is_refused_where_there_is_none(tmp_path: Path, name: str) -> None:
    """As an encoding is."""
    (tmp_path / name).write_bytes(b'{"a": 1}\n')
    with pytest.raises(UsageError, match="has no delimiter") as refused:
        open_dataset(tmp_path / name, delimiter=";")
    assert "--delimiter" in refused.value.advice


@pytest.mark.parametrize(
    ("name", "kind", "suffix"),
    [("a.dat", "csv", ".csv"), ("a.csv", "jsonl", ".jsonl"), ("a.TXT", "csv", ".TXT"), ("a.txt", "text", ".txt")],
)
def test_what_is_written_is_called_as_it_was_read(tmp_path: Path, name: str, kind: str, suffix: str) -> None:
    """A run of a.dat as CSV ended when it came to write cleaned.dat, which is no name of a format."""
    (tmp_path / name).write_bytes(b'{"a": 1}\n{"a": 2}\n' if kind == "jsonl" else b"a\n1\n2\n")
    assert open_dataset(tmp_path / name, format=kind).suffix == suffix


def test_a_format_may_be_said_as_files_are_called(tmp_path: Path) -> None:
    """The refusal lists `Markdown (.md)`, and `--format md` was refused. A `.txt` may be a table or sentences."""
    (tmp_path / "a.dat").write_text("One. Two.\n")
    assert open_dataset(tmp_path / "a.dat", format="md").format == "markdown"
    with pytest.raises(UsageError, match="'txt' is not a format"):
        open_dataset(tmp_path / "a.dat", format="txt")


KINDS = ("csv", "tsv", "jsonl", "json", "md", "text", "parquet", "xlsx")


@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize("source", KINDS)
def test_the_rows_of_every_format_are_written_in_every_other(tmp_path: Path, source: str, target: str) -> None:
    """Where a row is not changed, too: its source text is written in a file of its own kind only."""
    texts = ["one  two", "three", "four\tfive"]
    (tmp_path / "made.csv").write_text("text\n" + "\n".join(texts) + "\n", encoding="utf-8")
    place = tmp_path / "made.csv"
    for kind in (source, target):
        dataset = open_dataset(place)
        place = tmp_path / f"{place.stem}-{kind}.{kind}"
        with open_writer(place, like=dataset, schema=dataset.schema) as writer:
            for batch in dataset.read():
                writer.write(batch.table, batch)
    assert [cell for table in open_dataset(place).batches() for cell in table.column("text").to_pylist()] == texts
