"""What a model may see of the data, in the words of options, arguments and journals. Imported by `--help`, too."""

from typing import Literal

Privacy = Literal["raw", "masked", "profile"]
"""Rows as they are, rows whose values are replaced by fakes of the same shape, or no row at all. The strictest last."""
Header = Literal["check", "names"]
"""Whether names of columns that look like data are refused, or may be shown."""
