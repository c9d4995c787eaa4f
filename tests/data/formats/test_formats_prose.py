"""Text files as paragraphs: what is between them is kept, and nothing is lost wherever the file is cut."""

import gzip
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.core.errors import DataError, OutputError
from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.data.formats.documents import prose
from orchestrator.data.formats.documents.prose import COLUMN, LONGEST, ProseDataset
from orchestrator.data.formats.format_interface import Reading

MARKDOWN = """
# A title

First line
second line.

- one
- two

```python
x = 1

y = 2
```
After the code.\x0c
Next page.\x20\x20


Last, without an end"""
_letters = st.lists(st.sampled_from([*"a.? \n\r\f\t`~é", "    ", "\n\n", "- "]), max_size=60).map("".join)


def texts(path: Path, **how: Any) -> list[str]:
    return [text for table in open_dataset(path, **how).batches(3) for text in table.column(COLUMN).to_pylist()]


def rewritten(path: Path, out: Path) -> bytes:
    dataset = open_dataset(path)
    with open_writer(out, like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read(2):
            writer.write(batch.table, batch)
    return out.read_bytes()


def test_a_packed_text_file_is_packed_again(tmp_path: Path) -> None:
    """`.md.gz` is gzip in the result, too."""
    (tmp_path / "a.md.gz").write_bytes(gzip.compress(MARKDOWN.encode()))
    assert gzip.decompress(rewritten(tmp_path / "a.md.gz", tmp_path / "b.md.gz")) == MARKDOWN.encode()


def test_a_row_is_a_paragraph(tmp_path: Path) -> None:
    """Blank lines and page breaks end one; a block of code is one row."""
    path = tmp_path / "a.md"
    path.write_text(MARKDOWN)
    assert texts(path) == [
        "# A title",
        "First line\nsecond line.",
        "- one\n- two",
        "```python\nx = 1\n\ny = 2\n```",
        "After the code.",
        "Next page.  ",
        "Last, without an end",
    ]


@settings(max_examples=300, deadline=None)
@given(text=_letters, block=st.sampled_from([1, 2, 3, 7, 2**18]), bom=st.booleans())
def test_every_byte_comes_back_wherever_the_file_is_cut(
    tmp_path_factory: pytest.TempPathFactory, text: str, block: int, bom: bool
) -> None:
    """Whatever the blocks in which it is read, and the rows are the same."""
    folder = tmp_path_factory.mktemp("prose")
    path = folder / "a.md"
    path.write_bytes(("\ufeff" * bom + text).encode())
    if not text.strip():
        with pytest.raises(DataError, match="holds no text"):
            ProseDataset(path, "markdown", Reading())
        return
    whole = texts(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prose, "_BLOCK", block)
        assert texts(path) == whole
        assert rewritten(path, folder / "b.md") == path.read_bytes()
    assert all(text.strip() for text in whole)


@pytest.mark.parametrize("codec", ["utf-16", "cp1252"])
def test_the_encoding_stays(tmp_path: Path, codec: str) -> None:
    """And a letter that it does not have is refused, with nothing written."""
    path = tmp_path / "a.md"
    path.write_bytes("Müller.\r\n\r\nZwei\r\n".encode(codec))
    named = None if codec == "utf-16" else codec
    dataset = ProseDataset(path, "markdown", Reading(named))
    out = tmp_path / "b.md"
    with open_writer(out, like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(pa.table({COLUMN: ["Maier.", "Drei"]}), batch)
    assert out.read_bytes().decode(codec) == "Maier.\r\n\r\nDrei\r\n"
    if codec == "cp1252":
        refused = pytest.raises(OutputError, match="does not exist in cp1252")
        with refused, open_writer(tmp_path / "c.md", like=dataset, schema=dataset.schema) as writer:
            writer.write(pa.table({COLUMN: ["Łódź"]}))
        assert not (tmp_path / "c.md").exists()


def test_long_paragraphs_end_with_a_sentence(tmp_path: Path) -> None:
    """A sentence is never in two rows where it is shorter than a row may be; a word without end is cut."""
    path, sentence = tmp_path / "a.md", "He said “no.” Nobody knew why. "
    path.write_text(sentence * 2_000 + "\n\n" + "x" * 200_000 + "\n\nend")
    found = texts(path)
    assert all(len(text) <= LONGEST for text in found if "x" not in text)
    assert all(text.rstrip().endswith((".", "”")) for text in found[:7])
    assert rewritten(path, tmp_path / "b.md") == path.read_bytes()
    assert found[-1] == "end"


def test_a_null_paragraph_is_left_out(tmp_path: Path) -> None:
    """With the blank lines behind it."""
    path = tmp_path / "a.md"
    path.write_text("one\n\ntwo\n\nthree\n")
    dataset = open_dataset(path)
    with open_writer(tmp_path / "b.md", like=dataset, schema=dataset.schema) as writer:
        (batch,) = dataset.read()
        writer.write(pa.table({COLUMN: pa.array(["one", None, "3"])}), batch)
    assert (tmp_path / "b.md").read_text() == "one\n\n3\n"


def test_another_column_has_no_place(tmp_path: Path) -> None:
    """A function that adds a column is told where it can go."""
    path = tmp_path / "a.md"
    path.write_text("one\n")
    schema = pa.schema([(COLUMN, pa.string()), ("length", pa.int64())])
    refused = pytest.raises(OutputError, match="one column 'text' and no other")
    with refused, open_writer(tmp_path / "b.md", like=open_dataset(path), schema=schema):
        pass


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("id,city\n1,Rome\n2,Bonn\n", "csv"),
        ("id\n1\n2\n", "csv"),
        ("name;note\n1;He said no. Twice.\n2;Yes.\n", "csv"),
        ("Dear all,\n\nwe met on Monday, in Rome. Nobody came.\n\nYours, Ana\n", "text"),
        ("One sentence.\nAnd another one.\n", "text"),
    ],
)
def test_a_txt_file_is_a_table_or_sentences(tmp_path: Path, text: str, format_: str) -> None:
    """By what it holds; said in a note, and `format` decides otherwise."""
    path = tmp_path / "a.txt"
    path.write_text(text)
    assert open_dataset(path).format == format_
    assert open_dataset(path, format="csv").format == "csv"
    if format_ == "text":
        assert "a row for each paragraph" in open_dataset(path).notes[0]
    assert rewritten(path, tmp_path / "b.txt") == path.read_bytes()


@pytest.mark.parametrize("hostile", ["x" * 10**6, " " * 10**6 + "x", ". " * 300_000, "\r" * 10**5 + "x", "`" * 10**6])
def test_odd_texts_cost_little(tmp_path: Path, hostile: str) -> None:
    """Time grows with the length of the file, whatever is in it."""
    path = tmp_path / "a.md"
    path.write_text(hostile)
    began = time.process_time()
    assert rewritten(path, tmp_path / "b.md") == path.read_bytes()
    assert time.process_time() - began < 5


NESTED = "  - first\n\n- fruit\n\n  - apples\n\n    ripe ones\n\n\tand sweet\n\n  Text.\n\x0c   Next page.\n"
"""Blanks in front of paragraphs: levels of a list, and what belongs to an item."""


def changed(path: Path, before: str, after: str) -> str:
    """The file after a function that replaces one text by another in every row."""
    dataset = open_dataset(path)
    out = path.with_name(f"changed{path.suffix}")
    with open_writer(out, like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            rows = [text.replace(before, after) for text in batch.table.column(COLUMN).to_pylist()]
            writer.write(pa.table({COLUMN: rows}), batch)
    return out.read_text()


def test_blanks_in_front_belong_to_no_row_of_markdown(tmp_path: Path) -> None:
    """They say where a paragraph belongs, so no function gets them, and they stand where they stood in the result."""
    path = tmp_path / "a.md"
    path.write_text(NESTED)
    assert texts(path) == ["- first", "- fruit", "- apples", "ripe ones", "and sweet", "Text.", "Next page."]
    assert rewritten(path, tmp_path / "b.md") == NESTED.encode()
    assert changed(path, "apples", "pears") == NESTED.replace("apples", "pears")


def test_code_that_is_set_in_belongs_to_the_row_before_it(tmp_path: Path) -> None:
    """There a rule, a model and the gate see that it is code; below an item of a list it is the item's text."""
    path = tmp_path / "a.md"
    text = "Run:\n\n    if x:\n\n\ty  = 1\n\nThen.\n\n1. One\n\n    more\n\nEnd.\n\n    z\n"
    path.write_text(text)
    assert texts(path) == ["Run:\n\n    if x:\n\n\ty  = 1", "Then.", "1. One", "more", "End.\n\n    z"]
    assert changed(path, "Then", "Now") == text.replace("Then", "Now")
    path.write_text("    only code\n\n    more\n")
    assert texts(path) == ["only code\n\n    more"]


def test_blanks_in_front_are_a_part_of_plain_text(tmp_path: Path) -> None:
    """There they say nothing, and a function may take them away."""
    path = tmp_path / "a.text"
    path.write_text("  One.\n\n    Two.\n")
    assert texts(path) == ["  One.", "    Two."]
    assert changed(path, "  ", "") == "One.\n\nTwo.\n"
