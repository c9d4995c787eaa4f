"""The character pattern of a cell: what it looks like, not what it means. Used by sampling, quality and rules.

Upper-case letters become A, other letters a, digits 9, runs collapse, everything else stays: "Dr. Ann-Lee 12" is
"Aa. Aa-Aa 9". Rare patterns often mark dirty cells.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.data.cells import as_text
from orchestrator.data.writing.letterlike import LETTERLIKE

MAX_LENGTH = 60
_SEPARATORS = (b"\x1c", b"\x1d", b"\x1e", b"\x1f")  # blanks to Python, and to no table of ASCII
_SMALL = rf"[\p{{Ll}}\p{{Lo}}\p{{Lt}}\p{{Lm}}{LETTERLIKE}]+"
_CLASSES = ((r"\p{Lu}+", "A"), (_SMALL, "a"), (r"\p{Nd}+", "9"), (r"\s+", " "))


def patterns(values: Any) -> Any:
    """The pattern of each cell, missing where the cell is missing; at most MAX_LENGTH characters."""
    encoded = alike(as_text(values))
    return patterns_of(encoded.dictionary).take(encoded.indices)


def pattern_counts(values: Any) -> dict[str, int]:
    """How often each pattern occurs; missing cells are left out."""
    counted = pc.value_counts(pc.drop_null(patterns(values)))
    return dict(zip(counted.field(0).to_pylist(), counted.field(1).to_pylist(), strict=True))


def patterns_of(texts: Any) -> Any:
    """The patterns of an array of strings without missing values, each different text only once."""
    if not len(texts):
        return texts
    heads = _first(texts, 4 * MAX_LENGTH)
    ascii_only = pc.string_is_ascii(heads)
    if pc.all(ascii_only).as_py():
        made = _ascii(heads)
    else:
        others = pc.invert(ascii_only)
        made = heads.filter(others)
        for pattern, letter in _CLASSES:
            made = pc.replace_substring_regex(made, pattern, letter)
        made = pc.replace_with_mask(heads, others, made)
        made = pc.replace_with_mask(made, ascii_only, _ascii(heads.filter(ascii_only)))
    return _first(made, MAX_LENGTH)


def alike(texts: Any) -> Any:
    """The texts as a dictionary and an index for each; where all are plain ASCII, a dictionary of their shapes.

    Of most columns, few shapes are left to look at.
    """
    data = b"" if texts.buffers()[2] is None else own_bytes(texts)
    plain = data.isascii() and not any(separator in data for separator in _SEPARATORS)
    return (shapes_of(texts) if plain else texts).dictionary_encode()


def shapes_of(texts: Any) -> Any:
    """Arrays of ASCII: letters become a or A, digits 9, blanks a space; nothing collapses. Missing stays missing.

    Cells of one shape have one pattern, and it is that of the shape.
    """
    if not len(texts):
        return texts
    ends = _ends(texts)
    offsets = pa.py_buffer((ends - ends[0]).astype(np.int32).tobytes())
    missing = None
    if texts.null_count:
        missing = pa.py_buffer(
            np.packbits(texts.is_valid().to_numpy(zero_copy_only=False), bitorder="little").tobytes()
        )
    data = pa.py_buffer(own_bytes(texts).translate(_TABLE))
    return pa.Array.from_buffers(pa.string(), len(texts), [missing, offsets, data])


def own_bytes(texts: Any) -> bytes:
    """The bytes of all texts, without those around a slice."""
    ends = _ends(texts)
    data = texts.buffers()[2]
    return b"" if data is None else memoryview(data)[ends[0] : ends[-1]].tobytes()


def _ends(texts: Any) -> Any:
    offsets = texts.buffers()[1]
    if offsets is None:
        return np.zeros(len(texts) + 1, np.int32)
    return np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]


def _first(texts: Any, characters: int) -> Any:
    """At most so many characters of each text."""
    longest = pc.max(pc.binary_length(texts)).as_py() or 0
    return texts if longest <= characters else pc.utf8_slice_codeunits(texts, 0, characters)


def _class_table() -> bytes:
    table = bytearray(range(256))
    for low, high, letter in (("A", "Z", "A"), ("a", "z", "a"), ("0", "9", "9")):
        table[ord(low) : ord(high) + 1] = letter.encode() * (ord(high) - ord(low) + 1)
    for space in (9, 10, 12, 13, 32):
        table[space] = ord(" ")
    return bytes(table)


_TABLE = _class_table()
_COLLAPSES = bytes(chr(byte) in "Aa9 " for byte in range(256))
_DROPPED = b"\xff"  # all bits: no ASCII byte


def _ascii(texts: Any) -> Any:
    """The same with a table of bytes: many times as fast, and most data is ASCII."""
    texts = pa.concat_arrays([texts])  # without an offset
    _, offset_buffer, data_buffer = texts.buffers()
    offsets = np.frombuffer(offset_buffer, np.int32)[: len(texts) + 1]
    size = int(offsets[-1]) if len(offsets) else 0
    if not size:
        return texts
    translated = memoryview(data_buffer)[:size].tobytes().translate(_TABLE)
    classes = np.frombuffer(translated, np.uint8)
    collapses = np.frombuffer(translated.translate(_COLLAPSES), np.bool_)
    filled = np.flatnonzero(offsets[1:] > offsets[:-1])
    starts = offsets[filled]
    keep = np.ones(size, dtype=bool)
    keep[1:] = (classes[1:] != classes[:-1]) | ~collapses[1:]
    keep[starts] = True  # a cell's first character never continues a run
    lengths = np.zeros(len(texts) + 1, np.int32)
    lengths[1 + filled] = np.add.reduceat(keep.view(np.uint8), starts, dtype=np.int32)
    kept = (classes | (keep.view(np.uint8) - np.uint8(1))).tobytes().translate(None, _DROPPED)
    places = np.cumsum(lengths, dtype=np.int32).tobytes()
    return pa.Array.from_buffers(pa.string(), len(texts), [None, pa.py_buffer(places), pa.py_buffer(kept)])
