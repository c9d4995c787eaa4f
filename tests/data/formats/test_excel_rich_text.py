"""Cells of which parts are bold or coloured: what changes loses that, and it is said; all others are as they were."""

import re
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow as pa
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.xml.constants import SHARED_STRINGS

from orchestrator.data.formats import open_dataset, open_writer
from orchestrator.data.formats.excel.rich_text import rich_numbers
from tests.data.formats.test_formats_excel import SHEET, parts_of, put

CITIES = [" Rome", " Oslo fjord", "Bern", " Ulm"]
SHARED, TYPES = "xl/sharedStrings.xml", "[Content_Types].xml"


@pytest.fixture(params=["shared", "inline"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Four cities, of which all but the first have a bold part, shared among all cells or in the cell itself."""
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    sheet.title = "Towns"
    sheet.append(["city"])
    for place, city in enumerate(CITIES):
        bold = CellRichText(city[:2], TextBlock(InlineFont(b=True, color="FFFF0000"), city[2:]))
        sheet.append([bold if place else city])
    path = tmp_path / "in.xlsx"
    made.save(path)
    if request.param == "shared":
        parts = parts_of(path)
        texts = re.findall(rb"<is>(.*?)</is>", parts[SHEET])
        numbers = iter(range(len(texts)))
        parts[SHEET] = re.sub(
            rb'(<c r="\w+") t="inlineStr"><is>.*?</is>',
            lambda found: b'%s t="s"><v>%d</v>' % (found[1], next(numbers)),
            parts[SHEET],
        )
        every = b"".join(b"<si>%s</si>" % text for text in texts)
        parts[SHARED] = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%s</sst>' % every
        kind = b'<Override PartName="/%s" ContentType="%s"/>' % (SHARED.encode(), SHARED_STRINGS.encode())
        parts[TYPES] = parts[TYPES].replace(b"</Types>", kind + b"</Types>")
        put(path, parts)
    return path


def written(source: Path, change: Callable[[str], str]) -> tuple[Path, list[str]]:
    """The workbook with these texts, and what was said of it."""
    dataset = open_dataset(source)
    (batch,) = dataset.read()
    cities = batch.table.column("city").to_pylist()
    assert cities == CITIES
    table = pa.table({"city": [change(city) for city in cities]})
    said: list[str] = []
    target = source.with_name("out.xlsx")
    with open_writer(target, like=dataset, schema=table.schema, said=said.append) as writer:
        writer.write(table, batch)
    assert open_dataset(target).read().__next__().table.equals(table)
    return target, said


def cells(path: Path) -> list[bytes]:
    return re.findall(rb"<c .*?</c>", parts_of(path)[SHEET])


def test_formatting_that_is_lost_is_said_with_its_first_cell(book: Path) -> None:
    """Two cells that had bold parts were plain afterwards, and nobody was told."""
    target, said = written(book, str.strip)
    assert said == [
        "2 changed cells have no bold or coloured parts of the text any more: the first is A3 of sheet 'Towns'"
    ]
    kept = [b"rPr" in cell for cell in cells(book)]
    assert [b"rPr" in cell for cell in cells(target)] == [False, False, False, kept[3], False]


def test_cells_that_do_not_change_keep_their_formatting(book: Path) -> None:
    """Byte for byte, with the texts that cells share; then nothing is said, also where a plain cell changes."""
    target, said = written(book, lambda city: "Roma" if city == " Rome" else city)
    assert not said
    assert cells(target)[2:] == cells(book)[2:]
    assert parts_of(target).get(SHARED) == parts_of(book).get(SHARED)


def test_texts_are_counted_whatever_stands_in_them() -> None:
    """Empty ones, too, and with a prefix of the namespace."""
    data = b'<x:sst xmlns:x="m"><x:si/><x:si><x:t>a</x:t></x:si><x:si><x:r><x:rPr/><x:t>rPr</x:t></x:r></x:si></x:sst>'
    assert rich_numbers(data) == {2}
