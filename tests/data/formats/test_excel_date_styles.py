"""A style that is added to a workbook for a date: the cell's own, in the number format of other dates."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from orchestrator.data.formats.excel.date_styles import DateStyles

NO_DATES: Any = None  # they are only asked which styles of a sheet are dates
SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STYLES = """<?xml version="1.0"?>
<{p}styleSheet {xmlns}="{space}"><{p}cellStyleXfs count="1"><{p}xf numFmtId="0"/></{p}cellStyleXfs>
<{p}cellXfs count="4"><{p}xf/><{p}xf numFmtId='14' fillId="1" applyNumberFormat="1"/>
<{p}xf numFmtId="49" fillId="3" applyNumberFormat='0' xfId="0"><{p}alignment horizontal="center"/></{p}xf>
<{p}xf fillId="2"/></{p}cellXfs><{p}dxfs count="0"/></{p}styleSheet>"""


def styles(prefix: str) -> Any:
    xmlns = f"xmlns:{prefix[:-1]}" if prefix else "xmlns"
    return DateStyles(STYLES.format(p=prefix, xmlns=xmlns, space=SPACE).encode(), b"", NO_DATES)


def written(made: DateStyles) -> list[ET.Element]:
    root = ET.fromstring(made.made())  # noqa: S314 - of this test
    [found] = root.findall(f"{{{SPACE}}}cellXfs")
    assert found.get("count") == str(len(found))
    return [*found]


@pytest.mark.parametrize("prefix", ["", "x:"])
def test_a_style_is_added_once_and_keeps_all_but_its_number_format(prefix: str) -> None:
    """Fill and alignment stay, the styles that there are stay, and two cells of one style share the new one."""
    made = styles(prefix)
    assert (made.like(2, 1), made.like(0, 1), made.like(2, 1)) == (4, 5, 4)
    [*before, centred, plain] = written(made)
    assert len(before) == 4
    assert centred.attrib == {"numFmtId": "14", "applyNumberFormat": "1", "fillId": "3", "xfId": "0"}
    assert [part.get("horizontal") for part in centred] == ["center"]
    assert plain.attrib == {"numFmtId": "14", "applyNumberFormat": "1"}


def test_styles_that_are_not_known_give_none() -> None:
    """A number beyond them, a model without a number format, a workbook without styles; then nothing is written."""
    made = styles("")
    assert (made.like(9, 1), made.like(0, -1), made.like(0, 3)) == (-1, -1, -1)
    assert len(written(made)) == 4
    assert DateStyles(b"", b"", NO_DATES).like(0, 0) == -1
    assert DateStyles(b"", b"", NO_DATES).made() == b""
