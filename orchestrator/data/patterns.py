"""The character pattern of a cell: what it looks like rather than what it says. Used by sampling, quality and rules.

Upper-case letters become A, other letters a, digits 9, runs collapse, everything else stays: "Dr. Ann-Lee 12" is
"Aa. Aa-Aa 9". Rare patterns are where the mess is.
"""

from typing import Any

import pyarrow.compute as pc

from orchestrator.data.cells import as_text

_CLASSES = ((r"\p{Lu}+", "A"), (r"[\p{Ll}\p{Lo}\p{Lt}\p{Lm}]+", "a"), (r"\p{Nd}+", "9"), (r"\s+", " "))
MAX_LENGTH = 60


def patterns(values: Any) -> Any:
    """The pattern of each cell, missing where the cell is missing; at most MAX_LENGTH characters."""
    encoded = as_text(values).dictionary_encode()
    made = pc.utf8_slice_codeunits(encoded.dictionary, 0, 4 * MAX_LENGTH)
    for pattern, letter in _CLASSES:
        made = pc.replace_substring_regex(made, pattern, letter)
    made = pc.utf8_slice_codeunits(made, 0, MAX_LENGTH)
    return made.take(encoded.indices)


def pattern_counts(values: Any) -> dict[str, int]:
    """How often each pattern occurs; missing cells are left out."""
    counted = pc.value_counts(pc.drop_null(patterns(values)))
    return dict(zip(counted.field(0).to_pylist(), counted.field(1).to_pylist(), strict=True))
