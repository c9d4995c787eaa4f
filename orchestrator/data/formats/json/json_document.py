"""Reads and writes a JSON document: an array of objects, or an object that holds one. Called through `data.formats`.

Each object of the array is a row, like a line of JSON Lines. What stands before, between and after the rows is written
back as it was, and so is every value that nobody changed: numbers keep their digits.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

import pyarrow as pa

from orchestrator.core.errors import DataError, UsageError
from orchestrator.data.formats.format_interface import Dataset, Reading, Writer
from orchestrator.data.formats.json.json_scan import Element, JsonScan, JsonSyntaxError, Keys
from orchestrator.data.formats.json.jsonl import JsonlDataset, JsonlWriter
from orchestrator.data.formats.looks_like import columns_of, table_of
from orchestrator.data.formats.output_file import output_file
from orchestrator.data.formats.text_source import TextSource
from orchestrator.data.text import clean_text

_BLOCK = 2**20
_SHOWN = 5
_ADVICE = (
    'The rows are objects in a list: [{"name": "Ann"}, …], or {"rows": [{"name": "Ann"}, …]}. Where '
    "each row stands under a key of its own, jq '[to_entries[] | {key} + .value]' makes such a list."
)


class _Frame(NamedTuple):
    """Where the rows stand in the document, in bytes of UTF-8, and what stands between them."""

    start: int
    end: int
    gap: str


class JsonDataset(JsonlDataset):
    """A JSON document whose rows are the objects of one list."""

    kind, form = "json", "a list of objects"

    def __init__(self, path: Path, reading: Reading) -> None:
        self._array: Keys | None = None
        self._named = reading.array
        self._frame = _Frame(0, 0, "")
        super().__init__(path, reading)

    @property
    def notes(self) -> tuple[str, ...]:
        place = ".".join(self._array or ())
        chosen = (f"the rows are those of '{clean_text(place, 80)}'",) if place and self._named is None else ()
        return (*chosen, *super().notes)

    def source(self) -> TextSource:
        """The document as UTF-8."""
        return TextSource(self.path, self._encoding, self.content)

    @property
    def frame(self) -> _Frame:
        _ = self.scan
        return self._frame

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The text of every row, with the line where it begins."""
        if self._array is None:
            self._array = self._chosen()
        start, end, gap, count = -1, 0, "", 0
        for element in self._elements():
            if element.keys == self._array:
                count += 1
                if element.kind is not dict:
                    raise self._no_object(element, count)
                start = element.start if start < 0 else start
                end, gap = element.end, gap or element.gap
                yield element.line, element.text.encode()
        self._frame = _Frame(max(start, 0), end, gap)

    def _elements(self) -> Iterator[Element]:
        with closing(self.source()) as source:
            try:
                yield from JsonScan(source).elements()
            except JsonSyntaxError as error:
                raise DataError(f"{self.path}, {clean_text(str(error), 300)}.", advice=error.advice) from None

    def _chosen(self) -> Keys:
        """The keys that lead to the rows. Raises UsageError where that is not clear."""
        with closing(self.source()) as source:
            head = source.read(4096).decode("utf-8", "ignore")
        if kind := table_of(head):
            raise DataError(f"{self.path} is no JSON: it begins as a table does.", advice=f"Say --format {kind}.")
        if head.lstrip(" \t\r\n")[:1] == "[" and self._named is None:
            return ()
        kinds: dict[Keys, bool] = {}
        for element in self._elements():
            kinds[element.keys] = kinds.get(element.keys, True) and element.kind is dict
        if self._named is not None:
            found = [keys for keys in kinds if ".".join(keys) == self._named]
            if len(found) != 1:
                raise UsageError(
                    f"{self.path} has no list with rows at '{clean_text(self._named, 80)}'.", advice=_named(kinds)
                )
            return found[0]
        lists = [keys for keys, objects in kinds.items() if objects]
        if not lists:
            why = "holds no list of objects, so it has no rows" if kinds else "holds no rows: it has no list with any"
            raise DataError(f"{self.path} {why}.", advice=columns_of(head) or _ADVICE)
        if len(lists) > 1:
            raise UsageError(f"{self.path} holds {len(lists)} lists of objects.", advice=_named(lists))
        return lists[0]

    def _no_object(self, element: Element, number: int) -> DataError:
        word = {str: "a text", list: "a list", type(None): "null", bool: "a truth value"}.get(element.kind, "a number")
        return DataError(
            f"{self.path}, line {element.line}: element {number} of the rows is {word} and not an object.",
            advice='The rows are objects in a list: [{"name": "Ann"}, …].',
        )


def _named(lists: "dict[Keys, bool] | list[Keys]") -> str:
    names = [clean_text(".".join(keys), 80) for keys in lists]
    shown = " or ".join(f"--path {name}" for name in names[:_SHOWN] if name)
    return f"Say {shown}{', or another' if names[_SHOWN:] else ''}." if shown else "Its lists are empty."


@contextmanager
def json_writer(path: Path, like: Dataset, schema: pa.Schema) -> Iterator[Writer]:
    """A writer of one object per row, in the document that `like` is. Raises OutputError."""
    with output_file(path) as file:
        writer = _JsonWriter(file, like, schema)
        yield writer
        writer.finish()


class _JsonWriter(JsonlWriter):
    """Writes rows between what stood before and after them. Of another format, one row a line."""

    def __init__(self, file: BinaryIO, like: Dataset, schema: pa.Schema) -> None:
        super().__init__(file, like, schema)
        self._model = like if isinstance(like, JsonDataset) else None
        self._compact = False
        self._line_end = ((self._model and self._model.frame.gap) or ",\n").encode()
        if self._model is None:
            file.write(b"[\n")
        else:
            self._copy(self._model, 0, self._model.frame.start)

    def finish(self) -> None:
        if self._model is None:
            self._file.write(b"\n]\n")
        else:
            self._copy(self._model, self._model.frame.end, 2**62)
            self._model.check_unchanged()  # what was read here is the last that is read of it

    def _copy(self, model: JsonDataset, start: int, end: int) -> None:
        """The part of the document between these places."""
        with closing(model.source()) as source:
            at = 0
            while at < end and (block := source.read(min(_BLOCK, (start if at < start else end) - at))):
                if at >= start:
                    self._file.write(block)
                at += len(block)
