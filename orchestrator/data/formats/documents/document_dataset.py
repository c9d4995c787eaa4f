"""Web pages, PDF, Word and EPUB as text: a row for each paragraph of their Markdown. Called by `data.formats`.

A document cannot be written again as it was: what was cleaned is its text, so the result is Markdown. The disposable
process reads it once (`document_reader`) into a private copy, which is read as any Markdown file from then on.
"""

import hashlib
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from orchestrator.core.errors import UsageError
from orchestrator.data.disposable.disposable_process import DisposableLimits, kept_process
from orchestrator.data.formats.documents.prose import ProseDataset
from orchestrator.data.formats.format_interface import Reading
from orchestrator.data.formats.input_file import open_input
from orchestrator.data.formats.private_copy import PrivateCopy
from orchestrator.data.formats.reader_fault import reader_fault, within_limits

_LIMITS = DisposableLimits(wall_s=300.0, cpu_s=600, memory_bytes=512 * 2**20)
_ENTRY = "orchestrator.data.formats.documents.document_reader:markdown"
_TEXT = b"T"  # as in `document_reader`, which needs the extra
_PACKAGES = ("markitdown", "mammoth", "pdfplumber")
_UNREADABLE = b"(cid:"  # what stands for a letter of a PDF whose font does not say which it is


class DocumentDataset(ProseDataset):
    """A document as paragraphs of Markdown."""

    def __init__(self, path: Path, reading: Reading, kind: str) -> None:
        if any(find_spec(name) is None for name in _PACKAGES):
            raise UsageError(
                "Documents need packages that are not installed.", advice="pip install 'cleanroom[documents]'"
            )
        source = path if reading.copy is None else reading.copy.path
        with open_input(source, path) as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest() if reading.copy is None else reading.copy.sha256
        self._letters_lost = 0
        copy = PrivateCopy(self._markdown(path, source, kind, reading.encoding), sha256)
        copy.packed = reading.copy is None or reading.copy.packed  # so that what came through a pipe has no file
        super().__init__(path, kind, Reading(copy=copy))

    @property
    def notes(self) -> tuple[str, ...]:
        lost = f"{self._letters_lost:,} letters are of fonts that do not say which they are: they stand as (cid:N)"
        said = ("a document is read only: the result is Markdown (.md)", *super().notes)
        return (*said, lost) if self._letters_lost else said

    def _markdown(self, path: Path, source: Path, kind: str, encoding: str | None) -> Iterator[bytes]:
        request = json.dumps({"kind": kind, "encoding": encoding}).encode()
        with within_limits(path, "Check where it comes from, or save it as text."), open_input(source, path) as file:
            for part in kept_process(_ENTRY, _LIMITS).parts(request, "markdown", file.fileno()):
                if part[:1] != _TEXT:
                    raise reader_fault(path, part[1:])
                self._letters_lost += part.count(_UNREADABLE) if kind == "pdf" else 0
                yield part[1:]
