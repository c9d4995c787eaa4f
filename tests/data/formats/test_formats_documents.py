"""Documents as text: paragraphs come out, hostile and broken files end in one sentence, the result is Markdown."""

import hashlib
import io
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from orchestrator.core.errors import DataError, UsageError
from orchestrator.data.disposable.disposable_process import DisposableLimits, DisposableProcess
from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.data.formats.documents import document_dataset
from orchestrator.data.formats.documents.document_reader import ENTRY

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
CONTAINER = '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>'
BOOK = (
    '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Tides</dc:title></metadata>'
    '<manifest><item id="one" href="one.xhtml"/></manifest><spine><itemref idref="one"/></spine></package>'
)
FIRST, SECOND = "The  quay is open.", "Ships leave at noon."


def zipped(parts: dict[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def docx(*paragraphs: str, more: dict[str, str | bytes] | None = None) -> bytes:
    body = "".join(f'<w:p><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>' for text in paragraphs)
    relation = f'<Relationship Id="r" Type="{OFFICE}" Target="word/document.xml"/>'
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{relation}</Relationships>',
            "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
            **(more or {}),
        }
    )


def html(*paragraphs: str, head: str = "") -> bytes:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return f"<html><head>{head}<script>var x;</script></head><body>{body}</body></html>".encode()


def epub(*paragraphs: str) -> bytes:
    page = html(*paragraphs).decode()
    return zipped({"META-INF/container.xml": CONTAINER, "a.opf": BOOK, "one.xhtml": page})


def pdf(*paragraphs: str, content: bytes = b"") -> bytes:
    """A page per paragraph, its content packed."""
    shows = [b"BT /F 12 Tf 72 720 Td (%s) Tj ET" % text.encode("latin-1") for text in paragraphs] or [content]
    count = len(shows)
    kids = b" ".join(b"%d 0 R" % (4 + 2 * place) for place in range(count))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for place, show in enumerate(shows):
        packed = zlib.compress(show)
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>"
        objects.append(page % (5 + 2 * place))
        objects.append(b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(packed), packed))
    made, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj%s endobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size, start = len(objects) + 1, len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\n" % (size, table, size)
    return made + b"startxref\n%d\n%%%%EOF\n" % start


KINDS: dict[str, Callable[..., bytes]] = {"html": html, "docx": docx, "epub": epub, "pdf": pdf}


def encrypted() -> bytes:
    """A PDF that only a password opens."""
    locked = b"<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>" % (b"ab" * 32, b"cd" * 32)
    name = b"/Encrypt %s/ID[<00><00>]/Root" % locked
    return pdf(FIRST).replace(b"/Root", name)


def texts(path: Path, encoding: str | None = None) -> list[str]:
    dataset = open_dataset(path, encoding=encoding)
    return [text for table in dataset.batches(3) for text in table.column("text").to_pylist()]


def stored(folder: Path, name: str, data: bytes) -> Path:
    (folder / name).write_bytes(data)
    return folder / name


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_is_a_paragraph_and_the_result_is_markdown(tmp_path: Path, kind: str) -> None:
    """Scripts are left out; what is written from the rows reads as the same rows."""
    dataset = open_dataset(stored(tmp_path, f"in.{kind}", KINDS[kind](FIRST, SECOND)))
    rows = [" ".join(text.split()) for table in dataset.batches() for text in table.column("text").to_pylist()]
    assert [*rows[-2:]] == ["The quay is open.", SECOND]
    assert (dataset.suffix, dataset.notes[0]) == (".md", "a document is read only: the result is Markdown (.md)")
    with open_writer(tmp_path / "out.md", like=dataset, schema=dataset.schema) as writer:
        for batch in dataset.read():
            writer.write(batch.table, batch)
    assert texts(tmp_path / "out.md") == texts(dataset.path)
    dataset.check_unchanged()


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_is_never_written(tmp_path: Path, kind: str) -> None:
    """One sentence says what to name in its place."""
    dataset = open_dataset(stored(tmp_path, f"in.{kind}", KINDS[kind](FIRST)))
    with pytest.raises(UsageError, match="is not written") as refused:
        open_writer(tmp_path / f"out.{kind}", like=dataset, schema=dataset.schema)
    assert refused.value.advice == "Name a file that ends in .md."


def test_a_document_comes_through_a_pipe(tmp_path: Path) -> None:
    """There is no file that could change meanwhile; the hash is that of the bytes that came."""
    data = docx(FIRST)
    script = (
        "import orchestrator.data.formats as formats\n"
        "dataset = formats.open_dataset('-', format='docx')\n"
        "dataset.check_unchanged()\n"
        "print(dataset.rows, dataset.sha256)"
    )
    done = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True, check=True)
    assert done.stdout.decode().split() == ["1", hashlib.sha256(data).hexdigest()]


def test_structure_becomes_markdown(tmp_path: Path) -> None:
    """Headings, lists and tables of a page keep what they are."""
    page = b"<h1>Tides</h1><ul><li>ebb</li></ul><table><tr><th>h</th></tr><tr><td>1.2</td></tr></table>"
    assert texts(stored(tmp_path, "in.html", page)) == ["# Tides", "* ebb", "| h |\n| --- |\n| 1.2 |"]


@pytest.mark.parametrize("kind", ["html", "epub", "docx"])
def test_a_bar_in_a_cell_does_not_end_it(tmp_path: Path, kind: str) -> None:
    """In a paragraph it stays as it is; what is escaped already is not escaped again."""
    cells = ("2|3", "4\\|5")
    if kind == "docx":
        columns = "".join(f"<w:tc><w:p><w:r><w:t>{cell}</w:t></w:r></w:p></w:tc>" for cell in cells)
        table = f"</w:t></w:r></w:p><w:tbl><w:tr>{columns}</w:tr></w:tbl><w:p><w:r><w:t>"
    else:
        table = f"</p><table><tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr></table><p>"
    rows = texts(stored(tmp_path, f"in.{kind}", KINDS[kind](f"a|b{table}c&#124;d")))
    assert [row for row in rows if "a" in row or "d" in row][-2:] == ["a|b", "c|d"]
    assert r"| 2\|3 | 4\|5 |" in "\n".join(rows)


def test_what_html_lets_end_by_itself_does_not_run_together(tmp_path: Path) -> None:
    """Cells, rows and items without their ends are what they are with them, also in tables within tables."""
    page = (
        "<table><thead><tr><th>a<th>b<tbody><tr><td>1<td><b>2</b><tr><td>3<td>&#124;</table>"
        "<ul><li>c<ul><li>d<li>e</ul><li>f</ul><dl><dt>g<dd>h<dt>i<dd>j</dl>"
        "<table><tr><td>k<table><tr><td>l<td>m</table><td>n</table>"
    )
    ended = (
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><b>2</b></td></tr>"
        "<tr><td>3</td><td>\\|</td></tr></tbody></table>"
        "<ul><li>c<ul><li>d</li><li>e</li></ul></li><li>f</li></ul><dl><dt>g</dt><dd>h</dd><dt>i</dt><dd>j</dd></dl>"
        "<table><tr><td>k<table><tr><td>l</td><td>m</td></tr></table></td><td>n</td></tr></table>"
    )
    rows = texts(stored(tmp_path, "in.html", page.encode()))
    assert rows == texts(stored(tmp_path, "ended.html", ended.encode()))
    assert rows[:2] == ["| a | b |\n| --- | --- |\n| 1 | **2** |\n| 3 | \\| |", "* c\n  + d\n  + e\n* f"]


def test_pages_of_a_pdf_do_not_run_together(tmp_path: Path) -> None:
    """A page break ends a row, and is written back."""
    path = stored(tmp_path, "in.pdf", pdf("one", "two"))
    assert texts(path) == ["one", "two"]
    assert open_dataset(path).content.read_bytes().count(b"\f") == 2


def test_a_long_paragraph_is_cut_at_ends_of_sentences(tmp_path: Path) -> None:
    """As in Markdown: every row but the last ends with a sentence, and nothing is lost."""
    rows = texts(stored(tmp_path, "in.docx", docx("Ships leave at noon. " * 1000)))
    assert len(rows) > 2
    assert {row.rstrip()[-1] for row in rows} == {"."}
    assert " ".join(" ".join(rows).split()) == " ".join(["Ships leave at noon."] * 1000)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "html"])
def test_half_a_document_is_refused(tmp_path: Path, kind: str) -> None:
    """Not even the first half is read as if it were all."""
    data = KINDS[kind](*[f"{FIRST} {number}" for number in range(50)])
    with pytest.raises(DataError, match=f"in.{kind} ends too early"):
        open_dataset(stored(tmp_path, f"in.{kind}", data[: len(data) * 2 // 3]))


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("in.html", "pdf", "is not a web page but a PDF"),
        ("in.pdf", "docx", "is not a PDF but a zip archive"),
        ("in.pdf", "html", "is not a PDF but something else"),
        ("in.docx", "pdf", "is not a Word document but a PDF"),
        ("in.docx", "epub", "is not a Word document but another kind of archive"),
        ("in.epub", "docx", "is not an EPUB book but another kind of archive"),
    ],
)
def test_a_wrong_name_is_one_sentence(tmp_path: Path, name: str, kind: str, said: str) -> None:
    """What the file begins with counts."""
    with pytest.raises(DataError, match=said):
        open_dataset(stored(tmp_path, name, KINDS[kind](FIRST)))


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("in.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "is an older Office file"),
        ("in.pdf", encrypted(), "is encrypted"),
        ("in.docx", docx(FIRST, more={"word/media/bomb": bytes(90_000_000)}), "bytes and unpacks to 90,"),
        ("in.docx", zipped({"word/document.xml": "<w:docum"}), "is not readable as a Word document"),
        ("in.pdf", pdf(content=b""), "holds no text"),
        ("in.html", b"<html><body><img src='a.png'></body></html>", None),
        ("in.html", b"<html><body> </body></html>", "holds no text"),
        ("in.html", b"<meta charset='no-such'>", "says that its encoding is 'no-such'"),
        ("in.pdf", b"%PDF-1.4\nnothing\n%%EOF", "in.pdf (holds no text|is not readable as a PDF)"),
    ],
    ids=[
        "encrypted",
        "encrypted-pdf",
        "zip-bomb",
        "broken-xml",
        "pictures",
        "picture-with-address",
        "empty",
        "encoding",
        "no-objects",
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, data: bytes, said: str | None) -> None:
    """No traceback, no half of the text."""
    path = stored(tmp_path, name, data)
    if said is None:
        assert texts(path) == ["![](a.png)"]
        return
    with pytest.raises(DataError, match=said) as refused:
        open_dataset(path)
    assert "\n" not in refused.value.message
    assert (refused.value.advice == "Save it without a password.") is (said == "is encrypted")


def entities() -> bytes:
    levels = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 50}">' for level in range(1, 7))
    body = f"<w:document xmlns:w='{WORD}'><w:body><w:p><w:r><w:t>&e6;</w:t></w:r></w:p></w:body></w:document>"
    return docx(more={"word/document.xml": f'<!DOCTYPE d [<!ENTITY e0 "boom">{levels}]>{body}'})


def test_bombs_take_no_memory_here(tmp_path: Path) -> None:
    """Nested entities and a packed stream: one sentence each, with less than 64 MiB taken by the program itself."""
    bombs = [
        stored(tmp_path, "bomb.docx", entities()),
        stored(tmp_path, "bomb.pdf", pdf(content=b" " * 100_000_000)),
    ]
    script = (
        "import pathlib, sys, orchestrator.data.formats as formats\n"
        "from orchestrator.core.errors import DataError\n"
        "from orchestrator.data.disposable.disposable_process import DisposableLimits, DisposableProcess\n"
        "from orchestrator.data.formats.documents import document_dataset\n"
        "def peak(): return int(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]) // 1024\n"
        "small = DisposableProcess(document_dataset._ENTRY, DisposableLimits(memory_bytes=64 * 2**20))\n"
        "document_dataset.kept_process = lambda *_: small\n"
        "before = peak()\n"
        "for name in sys.argv[1:]:\n"
        "    try: formats.open_dataset(name)\n"
        "    except DataError as error: print(error.message)\n"
        "print(peak() - before)\n"
        "small.close()"
    )
    done = subprocess.run([sys.executable, "-c", script, *bombs], capture_output=True, text=True, check=True)
    entity, stream, peak = done.stdout.splitlines()
    assert "bomb.docx is not readable as a Word document" in entity
    assert "bomb.pdf needs more memory to be read than a file may take" in stream
    assert int(peak) < 64


def test_a_reader_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of time ends what a document makes of it, and the program goes on."""
    with DisposableProcess(ENTRY, DisposableLimits(wall_s=30.0, cpu_s=1, memory_bytes=8 * 2**30)) as hasty:
        monkeypatch.setattr(document_dataset, "kept_process", lambda *_: hasty)
        with pytest.raises(DataError, match="cannot be read within the limits of time and memory"):
            open_dataset(stored(tmp_path, "in.html", b"<table>" * 1_500_000))


@pytest.mark.parametrize(
    ("data", "encoding", "rows"),
    [
        (html("Zoë"), None, ["Zoë"]),
        (html("Zoë").decode().encode("utf-16"), None, ["Zoë"]),
        (html("Zoë", head="<meta charset=iso-8859-1>").decode().encode("cp1252"), None, ["Zoë"]),
        (html("Zoë – x").decode().encode("cp1252"), "cp1252", ["Zoë – x"]),
        (html("naïve", head="<meta charset=utf-8>").decode().encode("cp1252"), "cp1252", ["naïve"]),
    ],
    ids=["utf-8", "mark", "declared", "named", "named-against-declared"],
)
def test_the_encoding_of_a_page_is_said_and_not_guessed(
    tmp_path: Path, data: bytes, encoding: str | None, rows: Sequence[str]
) -> None:
    """By its mark, as named, as declared, else UTF-8."""
    assert texts(stored(tmp_path, "in.html", data), encoding) == rows


def test_bytes_of_another_encoding_are_refused(tmp_path: Path) -> None:
    """The sentence says where they are and how to name the encoding; other documents have none to name."""
    path = stored(tmp_path, "in.html", html("Zoë").decode().encode("cp1252"))
    with pytest.raises(DataError, match=r"has bytes at offset \d+ that are not utf-8") as refused:
        open_dataset(path)
    assert "--encoding" in refused.value.advice
    with pytest.raises(UsageError, match="has no encoding to choose"):
        open_dataset(stored(tmp_path, "in.docx", docx(FIRST)), encoding="cp1252")


def test_a_page_deeper_than_any_reader_is_read_as_plain_text(tmp_path: Path) -> None:
    """Its text is there; how it was laid out is not."""
    deep = b"<div>" * 3_000 + b"below" + b"</div>" * 3_000
    assert texts(stored(tmp_path, "in.html", deep)) == ["below"]


def test_without_the_extra_one_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is imported that is not there."""
    monkeypatch.setattr(document_dataset, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="not installed") as refused:
        open_dataset(stored(tmp_path, "in.html", html(FIRST)))
    assert refused.value.advice == "pip install 'cleanroom[documents]'"
