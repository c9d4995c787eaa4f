"""Reads documents in a disposable process, for `document_dataset`: web pages, PDF, Word and EPUB as Markdown.

The libraries that take such files apart are large, and whoever wrote the file chooses what they do. Here they can break
nothing but this process. The file comes as an open descriptor. Answers are parts that begin with `TEXT` (UTF-8) or
`FAULT`: a sentence that goes on after the file's name, and an advice.
"""

import codecs
import contextlib
import encodings
import importlib
import io
import json
import os
import pkgutil
import re
import sys
import types
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO

from orchestrator.data.formats.documents.page_repair import simple_page
from orchestrator.data.formats.ole_file import OLE, is_encrypted
from orchestrator.data.formats.zip_sizes import ENCRYPTED, disproportion

ENTRY = "orchestrator.data.formats.documents.document_reader:markdown"
TEXT, FAULT = b"T", b"F"
_FILE = 4
_PART = 2**20
_HEAD = 4096
_PDF, _ZIP = b"%PDF-", b"PK\x03\x04"
_TITLES = {"html": "a web page", "pdf": "a PDF", "docx": "a Word document", "epub": "an EPUB book"}
_DECLARED = re.compile(
    rb"<(?:meta[^>]{0,200}charset|\?xml[^>]{0,200}encoding)\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE
)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_WESTERN = ("ascii", "iso8859-1")  # browsers read both as cp1252
_OPEN = "Save it without a password."
_COMPLETE = "Check that it was written or copied completely, and that its name says what it is."


class _Broken(Exception):
    def __init__(self, message: str, advice: str = _COMPLETE) -> None:
        super().__init__(message)
        self.message, self.advice = message, advice


def warm() -> None:
    """Read a small document of each kind, so that no child has to import anything."""
    for module in pkgutil.iter_modules(encodings.__path__):
        if module.name not in ("mbcs", "oem"):  # those of Windows
            importlib.import_module(f"encodings.{module.name}")
    # markitdown guesses types with a neural network, whose runtime starts threads; here the type is known.
    sys.modules.setdefault("magika", types.ModuleType("magika"))
    sys.modules.setdefault("pandas", None)  # type: ignore[arg-type]  # for its spreadsheets, which are not read here
    for kind, data in _small_documents():
        _text(io.BytesIO(data), kind, None)


def warm_markdown() -> None:
    """Nothing: the zygote has read everything once."""


def markdown(request: bytes) -> Iterator[bytes]:
    """The text of the document."""
    asked = json.loads(request)
    try:
        text = _text(os.fdopen(_FILE, "rb"), asked["kind"], asked["encoding"])
        for start in range(0, len(text), _PART):
            yield TEXT + text[start : start + _PART].encode("utf-8", "replace")
    except _Broken as error:
        yield FAULT + json.dumps([error.message, error.advice]).encode()
    except MemoryError:
        yield FAULT + json.dumps(["needs more memory to be read than a file may take", ""]).encode()
    except Exception as error:  # noqa: BLE001 - the libraries raise anything for a broken file
        yield FAULT + json.dumps(_said(asked["kind"], error)).encode()


def _said(kind: str, error: Exception) -> tuple[str, str]:
    """What a library's error means, and what to do."""
    name = type(error).__name__
    if "Password" in name:
        return "is encrypted", _OPEN
    return f"is not readable as {_TITLES[kind]}: {str(error) or name}", _COMPLETE


def _text(file: BinaryIO, kind: str, encoding: str | None) -> str:
    head = file.read(_HEAD)
    if head.startswith(OLE):
        if is_encrypted(file):
            raise _Broken("is encrypted", _OPEN)
        raise _Broken("is an older Office file, by its first bytes", "Save it as .docx.")
    _check_kind(head, kind)
    if kind == "pdf":
        _check_end(file)
    if kind in ("docx", "epub"):
        _check_archive(file, kind)
    file.seek(0)
    data = io.BytesIO(_decoded(file.read(), encoding).encode() if kind == "html" else file.read())
    # A NUL is no character of any text, and no reader of text takes it.
    text: str = _converter(kind).convert(data, _information(kind)).markdown.replace("\0", "").lstrip("\ufeff")
    if not text.strip():
        advice = "It may be made of pictures: have their text recognised first." if kind == "pdf" else ""
        raise _Broken("holds no text", advice)
    return text if text.endswith("\n") else f"{text}\n"


def _converter(kind: str) -> Any:
    from markitdown import converters

    if kind == "pdf":
        return converters.PdfConverter()
    pages: Any = converters.HtmlConverter()
    pages.convert = partial(_convert_page, pages.convert)
    if kind == "html":
        return pages
    made: Any = converters.DocxConverter() if kind == "docx" else converters.EpubConverter()
    made._html_converter = pages  # noqa: SLF001 - what both make of their contents, and there is no other way in
    return made


def _convert_page(convert: Callable[..., Any], file_stream: BinaryIO, stream_info: Any, **options: Any) -> Any:
    page = file_stream.read()
    with contextlib.suppress(UnicodeDecodeError):  # nobody has looked at the pages of a book
        page = simple_page(page.decode()).encode()
    return convert(io.BytesIO(page), stream_info, **options)


def _information(kind: str) -> Any:
    from markitdown import StreamInfo

    return StreamInfo(extension=f".{kind}", charset="utf-8" if kind == "html" else None)


def _check_kind(head: bytes, kind: str) -> None:
    """What a file begins with says more than its name."""
    found = "pdf" if _PDF in head[:1024] else "zip" if head.startswith(_ZIP) else ""
    if found != {"html": "", "pdf": "pdf", "docx": "zip", "epub": "zip"}[kind]:
        known = {"pdf": "a PDF", "zip": "a zip archive", "": "something else"}[found]
        raise _Broken(f"is not {_TITLES[kind]} but {known}, by its first bytes", "Give it the name of what it is.")


def _check_end(file: BinaryIO) -> None:
    size = file.seek(0, 2)
    file.seek(max(0, size - _HEAD))
    if b"%%EOF" not in file.read():
        raise _Broken("ends too early", "Check that it was written or copied completely.")


def _check_archive(file: BinaryIO, kind: str) -> None:
    try:
        if wrong := disproportion(file):
            raise _Broken(wrong, _OPEN if wrong == ENCRYPTED else "Check where it comes from.")
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        raise _Broken("ends too early", "Check that it was written or copied completely.") from None
    if {"docx": "word/document.xml", "epub": "META-INF/container.xml"}[kind] not in names:
        raise _Broken(f"is not {_TITLES[kind]} but another kind of archive", "Give it the name of what it is.")


def _decoded(data: bytes, named: str | None) -> str:
    """The text of a page: by its byte order mark, as named, as it declares, else as UTF-8. Nothing is guessed."""
    mark = next((mark for mark in _BOMS if data.startswith(mark[0])), (b"", ""))
    declared = _DECLARED.search(data[:_HEAD])
    wanted = mark[1] or named or (declared[1].decode() if declared else "utf-8")
    try:
        codec = codecs.lookup(wanted).name
    except LookupError:
        raise _Broken(f"says that its encoding is '{wanted}', which is not known", "Name it with --encoding.") from None
    codec = "cp1252" if codec in _WESTERN and not named else codec
    try:
        return data[len(mark[0]) :].decode(codec)
    except (UnicodeDecodeError, LookupError) as error:
        at = getattr(error, "start", 0)
        advice = "Name its encoding with --encoding, for example cp1252."
        raise _Broken(f"has bytes at offset {at} that are not {codec}", advice) from None


def _small_documents() -> Iterator[tuple[str, bytes]]:
    page = "<html><body><h1>A</h1><table><tr><td>b</td></tr></table></body></html>"
    yield "html", page.encode()
    made = io.BytesIO()
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types"/>')
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships">'
            f'<Relationship Id="r" Type="{office}" Target="word/document.xml"/></Relationships>',
        )
        paragraph = "<w:p><w:r><w:t>A</w:t></w:r></w:p>"
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{word}"><w:body>{paragraph}</w:body></w:document>')
    yield "docx", made.getvalue()
    yield "pdf", _small_pdf()


def _small_pdf() -> bytes:
    show = b"BT /F 12 Tf 20 20 Td (A) Tj ET"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(show), show),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    made, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj%s endobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count, start = len(objects) + 1, len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\n" % (count, table, count)
    return made + b"startxref\n%d\n%%%%EOF\n" % start
