"""A code that slid into the text column beside it: city "San Francisco CA", state blank → "San Francisco" and "CA".

Left alone: columns whose other texts end in such codes too, for there the code belongs to the text.
"""

from collections.abc import Iterator

from orchestrator.propose.builtin.function_names import slug
from orchestrator.propose.builtin.preferences import Preferences
from orchestrator.propose.builtin.remedy import Remedy
from orchestrator.propose.builtin.working_rows import Cell, TextColumn, WorkingRows


def _code_back(row: tuple[str | None, str | None], codes: list[str]) -> tuple[str | None, str | None]:
    """Text and code; where the code is blank and the text ends in a known one, the code returns to its column."""
    text, code = row
    if text is None or (code is not None and code.strip()):
        return row
    head, _, tail = text.rpartition(" ")
    return (head.rstrip(" ,"), tail) if head.strip(" ,") and tail in codes else row


def find(table: WorkingRows, _preferences: Preferences) -> Iterator[Remedy]:
    for codes in table.columns:
        known = sorted(text for text, count in codes.counts.items() if count >= 2)
        if not _is_code_column(codes):
            continue
        for column in table.columns:
            if column is not codes and _slid(column.cells, codes.cells, known):
                yield Remedy(
                    name=f"move_{slug(codes.name)}_out_of_{slug(column.name)}",
                    issue=f"Where {codes.name} is blank, its code stands at the end of {column.name}.",
                    doc=f"Move a code at the end of {column.name} to {codes.name} where that is blank.",
                    columns=(column.name, codes.name),
                    fix=_code_back,
                    settings={"codes": known},
                    whole_rows=True,
                )


def _is_code_column(column: TextColumn) -> bool:
    lengths = {len(text) for text in column.counts}
    return (
        2 <= len(column.counts) <= 300
        and len(lengths) == 1
        and lengths <= {2, 3}
        and column.blanks + column.nulls > 0
        and all(text.isalpha() and text.isupper() for text in column.counts)
    )


def _slid(texts: list[Cell], codes: list[Cell], known: list[str]) -> bool:
    """Whether nearly every text beside a blank code ends in a code, and hardly any other text does."""
    alphabet = set(known)
    slid = blank = ends = filled = 0
    for text, code in zip(texts, codes, strict=True):
        if text is None or not text.strip():
            continue
        has_end = " " in text and text.rpartition(" ")[2] in alphabet
        if code is None or not code.strip():
            blank += 1
            slid += has_end
        else:
            filled += 1
            ends += has_end
    return slid >= 3 and slid >= 0.9 * blank and ends <= 0.02 * filled
