"""What a file that is called a workbook is, where it is none. Called by `excel_reader`.

Many programs give that name to a page or a table of text, because spreadsheet programs open it all the same.
"""

import re

_WEB_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body|table|meta|style)\b", re.IGNORECASE)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\b")
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_SAVE = "Open it in a spreadsheet program, and save it as .xlsx."


def no_workbook(head: bytes) -> tuple[str, str] | None:
    """What the file is, by its first bytes, and what to do; None where it may be a workbook."""
    if _WEB_PAGE.match(head):
        return "is no workbook but a web page, by its first bytes", _SAVE
    if _XML.match(head):
        return "is no workbook but XML, by its first bytes", _SAVE
    if not head or head[:2] == b"PK" or _NO_TEXT.search(head):
        return None
    kind = "tsv" if b"\t" in head.partition(b"\n")[0] else "csv"
    return "is no workbook but text, by its first bytes", f"Say --format {kind} if that is what it is."
