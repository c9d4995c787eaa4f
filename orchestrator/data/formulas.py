"""Which cells a spreadsheet would compute. Called where formulas that a function plants are counted.

A spreadsheet takes a cell that starts with `=`, `+`, `-` or `@`, or with a tab or a line break before them, as a
formula, which can read other cells and send them away; some take the wide forms of these signs as well. A function that
plants one makes clean data an attack on whoever opens the result. Source: OWASP, CSV Injection.
"""

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import is_text

_WIDE = "＝＋－＠"
_STARTS = np.array([chr(byte) in "=+-@\t\r\n" or byte == _WIDE.encode()[0] for byte in range(256)])
_BLANKS = "\t\r\n"
_NO_WIDE = f"^[^=+@\\t\\r\\n{_WIDE}-]"  # another character with the same first byte
_ALONE = r"^[-+@]\s*$"  # a sign for nothing, and nothing is computed
_CALLS = re.compile(r"[A-Za-z]\w*\(|\w\||!\$?[A-Za-z]")  # a function, another program, another sheet
_NUMBER = r"^[+-][0-9.,]([0-9 .,'()/-]*[0-9)])?([eE][+-]?[0-9]+)?\s?%?$"  # also a telephone number: +49 (0)30 123-4


def are_formulas(values: Any) -> Any:
    """A mask `bool[n_rows]` of the texts that start a formula and are no number."""
    texts = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    starts = pa.array(_starting(texts))
    if not pc.any(starts).as_py():
        return starts
    harmless = pc.match_substring_regex(texts, f"{_NUMBER}|{_ALONE}|{_NO_WIDE}")
    return pc.fill_null(pc.and_not(starts, harmless), False)


def planted(before: Any, after: Any) -> Any:
    """A mask `bool[n_rows]` of the texts in `after` that start a formula, where `before` has none.

    What has another sign than `=` need not have been one that a person wrote: a handle, a list. It is one no more where
    another sign comes in its place.
    """
    made = are_formulas(after)
    if not pc.any(made).as_py() or not is_text(before.type):
        return made
    sign = _sign(before)
    same = pc.fill_null(pc.or_(pc.equal(sign, "="), pc.equal(sign, _sign(after))), False)
    return pc.and_not(made, pc.and_(are_formulas(before), same))


def computes(text: object) -> bool:
    """Whether the text is a formula that does something: `=` and anything, or what calls something behind another sign.

    A handle (`@ann`) or a bound in words (`-5 and less`) is none.
    """
    said = text.lstrip(_BLANKS) if isinstance(text, str) else ""
    if said[:1] in {"=", _WIDE[0]}:
        return bool(said[1:].strip())
    return said[:1] in {*"+-@", *_WIDE} and _CALLS.search(said) is not None


def _sign(texts: Any) -> Any:
    """The first character that is no blank."""
    whole = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
    return pc.utf8_slice_codeunits(pc.utf8_ltrim(whole, _BLANKS), 0, 1)


def _starting(texts: Any) -> Any:
    """Texts whose first byte starts a formula: a look at each one's first byte in place of a cut of each text."""
    _, offsets, data = texts.buffers()
    starts = np.zeros(len(texts), np.bool_)
    if data is not None and offsets is not None and data.size:
        width = np.int64 if pa.types.is_large_string(texts.type) else np.int32
        ends = np.frombuffer(offsets, width)[texts.offset : texts.offset + len(texts) + 1]
        filled = np.diff(ends) > 0
        starts[filled] = _STARTS[np.frombuffer(data, np.uint8)[ends[:-1][filled]]]
        if texts.null_count:
            starts &= texts.is_valid().to_numpy(zero_copy_only=False)
    return starts
