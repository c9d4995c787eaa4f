"""Types that the information heuristics share: changed cells, and what was found about one of them."""

from typing import Any

Change = tuple[Any, Any]  # a cell before and after
Found = tuple[str, Change]  # what is wrong, in a sentence, and the cell that shows it
