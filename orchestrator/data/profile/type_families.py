"""What kind of values a column has, in words: what a function is given where it is proved, and where it is applied.

Widths, units and how text is stored do not count: functions are given the same values.
"""

import pyarrow as pa

_TESTS = (
    (pa.types.is_boolean, "true and false"),
    (pa.types.is_integer, "whole numbers"),
    (pa.types.is_floating, "floating-point numbers"),
    (pa.types.is_decimal, "decimal numbers"),
    (pa.types.is_date, "dates"),
    (pa.types.is_time, "times of day"),
    (pa.types.is_duration, "durations"),
    (pa.types.is_nested, "lists or objects"),
)
_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
_BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view)


def type_family(kind: pa.DataType) -> str:
    """A few words; empty for a column without values."""
    if pa.types.is_null(kind):
        return ""
    if pa.types.is_dictionary(kind):
        return type_family(kind.value_type)
    if any(test(kind) for test in _TEXTS):
        return "texts"
    if any(test(kind) for test in _BYTES):
        return "bytes"
    if pa.types.is_timestamp(kind):
        return "moments with a time zone" if kind.tz else "moments without a time zone"
    return next((words for test, words in _TESTS if test(kind)), str(kind))
