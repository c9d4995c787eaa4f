"""Whether a number counts the signs of a text: three stars, two chillies, `$$`.

Called by looked_up.py, beyond_others.py.
"""

import unicodedata

MOST = 10  # signs
_PRICES = frozenset("$€£*")
_TICKS = frozenset("\u2610\u2611\u2612\u2705\u2713\u2714\u2715\u2716\u2717\u2718\u274c")  # they say yes or no
_UNSEEN = str.maketrans("", "", " \u00a0\ufe0e\ufe0f")


def same_count(before: str, after: str) -> bool | None:
    """Whether the number is how often the one sign stands there; None where the text holds anything else."""
    signs = before.translate(_UNSEEN) if len(before) <= 4 * MOST else ""
    if not after.isdecimal() or len(set(signs)) != 1 or len(signs) > MOST:
        return None
    if signs[0] in _TICKS or not (signs[0] in _PRICES or unicodedata.category(signs[0]) == "So"):
        return None
    return int(after) == len(signs)
