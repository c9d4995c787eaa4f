"""What most rows of a key say. Copied as source into the fitted candidate that `rules/rows/declared_keys` proposes.

A row is its cells, then the key. A state counts, by key and column, how often each text is there.
"""

from typing import Any

from orchestrator.propose.builtin.learnt_keys import _BLANK, _NOTHING, _bytes, _kept, _level, _most


def _learn(rows: list[tuple[str | None, ...]]) -> dict[str, Any]:
    """How often each text is there, by key and column."""
    told: dict[str, Any] = {}
    for *cells, key in rows:
        if not key:
            continue
        for texts, cell in zip(told.setdefault(key, [{} for _ in cells]), cells):  # noqa: B905 - one for each cell
            if cell is not None and not _BLANK.fullmatch(cell):
                texts[cell] = texts.get(cell, 0) + 1
    return _state(0, told)


def _size(told: dict[str, Any]) -> int:
    """The bytes that the counts take in a state."""
    return sum(
        _bytes(key)
        + sum(_bytes(text) + len(str(count)) for texts in told[key] for text, count in texts.items())
        + 3 * len(told[key])
        for key in told
    )


def _state(level: int, told: dict[str, Any]) -> dict[str, Any]:
    """The counts of as many keys as fit."""
    level, told = _kept(level, told, _size)
    return {"level": level, "told": told}


def _join(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """What two parts of the rows say together."""
    level = max(one["level"], other["level"])
    told: dict[str, Any] = {}
    for part in (one["told"], other["told"]):
        for key, more in part.items():
            if _level(key) >= level:
                for texts, counts in zip(told.setdefault(key, [{} for _ in more]), more):  # noqa: B905 - same length
                    for text, count in counts.items():
                        texts[text] = texts.get(text, 0) + count
    return _state(level, told)


def _decide(state: dict[str, Any]) -> dict[str, list[str | None]]:
    """By key, the most frequent text of each column; None where it is there once, or two are as frequent.

    A word for nothing is none of them, unless most rows have it: then nobody knows whether the others know more.
    """
    decided: dict[str, list[str | None]] = {}
    for key, told in state["told"].items():
        decided[key] = []
        for texts in told:
            if _most(texts):
                decided[key].append(None)
                continue
            said = {text: count for text, count in texts.items() if not _NOTHING.fullmatch(text)}
            counts = sorted(said.values(), reverse=True)
            clear = bool(counts) and counts[0] > 1 and counts[:1] != counts[1:2]
            decided[key].append(max(said.items(), key=lambda item: item[1])[0] if clear else None)
    return decided


def _settle(row: tuple[str | None, ...], decided: dict[str, list[str | None]]) -> tuple[str | None, ...]:
    """The row as most rows of its key have it."""
    *cells, key = row
    most = decided.get(key) if key else None
    if not most:
        return row
    return (*(cell if new is None else new for cell, new in zip(cells, most)), key)  # noqa: B905 - one for each cell
