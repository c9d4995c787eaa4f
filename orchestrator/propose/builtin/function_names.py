"""Function names from column names, and lists of columns in words. Used by every rule."""

import re
import unicodedata

_PLAIN = str.maketrans("ıłŁøØđĐßæÆœŒ", "ilLoOdDsaAoO")  # letters that are no other ones with an accent


def slug(column: str) -> str:
    """A piece of an identifier: "Unit Price ($)" → "unit_price", "Kapıda" → "kapida"."""
    plain = unicodedata.normalize("NFKD", column.translate(_PLAIN)).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:40] or "column"


def listed(columns: tuple[str, ...]) -> str:
    """Columns in words: "a, b and 3 more"."""
    shown = ", ".join(columns[:4])
    return shown if len(columns) <= 4 else f"{shown} and {len(columns) - 4} more"


def slugs(columns: tuple[str, ...]) -> str:
    """The same for several columns: "price_and_3_more"."""
    return slug(columns[0]) + (f"_and_{len(columns) - 1}_more" if columns[1:] else "")
