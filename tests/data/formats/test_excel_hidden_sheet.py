"""A workbook opens at a sheet that can be seen."""

import zipfile
from pathlib import Path

import openpyxl
import pyarrow as pa

from orchestrator.data.formats import open_dataset, open_writer

SPACE = "urn:oasis:names:tc:opendocument:xmlns"


def test_the_first_sheet_that_is_not_hidden_is_read_and_written(tmp_path: Path) -> None:
    """The note names all of them; a hidden one is read where it is named, and stays hidden and as it was."""
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Lookup"
    book["Lookup"].append(["code"])
    book["Lookup"].append([" x "])
    book["Lookup"].sheet_state = "hidden"
    book.create_sheet("Orders").append(["city"])
    book["Orders"].append([" Rome "])
    book.save(tmp_path / "in.xlsx")
    dataset = open_dataset(tmp_path / "in.xlsx")
    assert dataset.columns == ("city",)
    assert dataset.notes == ("sheet 'Orders' of 2 is read (Lookup, Orders)",)
    assert open_dataset(tmp_path / "in.xlsx", sheet="Lookup").columns == ("code",)
    (batch,) = dataset.read()
    with open_writer(tmp_path / "out.xlsx", like=dataset, schema=dataset.schema) as writer:
        writer.write(batch.table.set_column(0, "city", pa.array(["Rome"])), batch)
    made = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert (made["Orders"]["A2"].value, made["Lookup"]["A2"].value) == ("Rome", " x ")
    assert made["Lookup"].sheet_state == "hidden"


def test_the_same_of_an_open_document(tmp_path: Path) -> None:
    """Where the style of a table says that it is not displayed."""
    names = " ".join(f'xmlns:{name}="{SPACE}:{name}:1.0"' for name in ("office", "table", "text", "style"))
    styles = "".join(
        f'<style:style style:name="{name}" style:family="table"><style:table-properties table:display="{shown}"/>'
        "</style:style>"
        for name, shown in (("no", "false"), ("yes", "true"))
    )
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    row = f"<table:table-row>{cell}</table:table-row>"
    tables = "".join(
        f'<table:table table:name="{name}" table:style-name="{style}">{row.format(head)}{row.format("x")}</table:table>'
        for name, style, head in (("Lookup", "no", "code"), ("Orders", "yes", "city"))
    )
    text = (
        f"<office:document-content {names}><office:automatic-styles>{styles}</office:automatic-styles><office:body>"
        f"<office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    entry = f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
    manifest = f'<manifest:manifest xmlns:manifest="{SPACE}:manifest:1.0">{entry}</manifest:manifest>'
    with zipfile.ZipFile(tmp_path / "in.ods", "w") as archive:
        for name, content in (("mimetype", kind), ("content.xml", text), ("META-INF/manifest.xml", manifest)):
            archive.writestr(name, content)
    assert open_dataset(tmp_path / "in.ods").columns == ("city",)
