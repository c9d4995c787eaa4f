"""Some texts in city are written in several ways or misspelt."""

import functools

import pandas as pd

CONTRACT = {
    'shape': 'table',
    'modifies': ['city'],
    'examples': [
        {'input': {'city': 'PARIS'}, 'output': {'city': 'Paris'}},
        {'input': {'city': 'BERLIN'}, 'output': {'city': 'Berlin'}},
        {'input': {'city': 'LONDON'}, 'output': {'city': 'London'}},
    ],
}

_COLUMNS = ['city']
_LISTED = ['Paris', 'Berlin', 'London']
_WRITTEN = {'paris': 'Paris', 'berlin': 'Berlin', 'london': 'London'}
_SLIPS = False
_KEEP = []


def _edits(left: str, right: str, limit: int) -> int:
    """Letters lost, added, replaced or swapped with the next one; `limit` + 1 where there are more than that."""
    if left == right:
        return 0
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and left[-1 - end] == right[-1 - end]:
        end += 1
    left, right = left[start : len(left) - end], right[start : len(right) - end]
    if abs(len(left) - len(right)) > limit or min(len(left), len(right)) > 4 * limit + 4:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                row[j] = min(row[j], older[j - 2] + 1)
    return min(row[-1], limit + 1)


def _fingerprint(value: str) -> str:
    """What stays of a text when case, wrapping quotes, separators and "&" or "and" do not count."""
    plain = value.casefold().replace("&", " and ").replace("_", " ").replace("-", " ")
    return " ".join(plain.strip(" \"'.,;").split())


def _is_inflection(word: str, right: str) -> bool:
    """Whether two words differ by a beginning or an ending that has a meaning: hypo- and hyper-, -er and -ee."""
    for one, other in ((word, right), (right, word)):
        for first, second in (("hyper", "hypo"), ("inter", "intra"), ("micro", "macro"), ("pre", "pro"), ("ab", "ad")):
            if one.startswith(first) and other.startswith(second) and one[len(first) :] == other[len(second) :]:
                return True
    endings = ("s", "es", "e", "ed", "er", "or", "ee", "y", "ly", "al", "ic", "ing", "en", "in", "a", "o", "an", "ian")
    stems = []
    for text in (word, right):
        own = [end for end in endings if text.endswith(end) and not (end == "s" and text.endswith("ss"))]
        stems.append({text, *(text[: -len(end)] for end in own)})
    return any(len(stem) >= 3 for stem in stems[0] & stems[1])


def _slips(text: str, listed: str) -> int:
    """How many slips make `text` out of `listed`, word by word; 9 where the difference is more than slips."""
    words, right = text.casefold().split(), listed.casefold().split()
    if len(words) != len(right):
        joined = len(listed) >= 8 and abs(len(words) - len(right)) == 1
        return 1 if joined and "".join(words) == "".join(right) else 9
    slips = 0
    for place, (word, wanted) in enumerate(zip(words, right)):
        if word == wanted:
            continue
        limit = 2 if len(wanted) >= 9 else 1
        starts_alike = word[0] == wanted[0] or place > 0
        if not (word.isalpha() and wanted.isalpha() and len(wanted) >= 4 and starts_alike):
            return 9
        edits = _edits(word, wanted, limit)
        slips += 9 if edits > limit or _is_inflection(word, wanted) else edits
    return slips if len(listed) >= 6 and slips <= 2 else 9


def _respell(value: str, listed: list[str], written: dict[str, str], slips: bool, keep: list[str]) -> str:
    """The listed text that was meant; a text that is listed, to be kept, or near none or several, as it is."""
    if value in listed or value in keep or len(value) > 100:
        return value
    meant = written.get(_fingerprint(value))
    if meant is not None or not slips:
        return meant or value
    near = sorted((_slips(value, text), text) for text in listed)[:2]
    if not near or near[0][0] > 2 or (len(near) > 1 and near[1][0] == near[0][0]):
        return value
    return near[0][1]


def _repair(column):
    """The repair of the texts of a column, which remembers what it has seen."""
    return functools.cache(lambda value: _respell(value, listed=_LISTED, written=_WRITTEN, slips=_SLIPS, keep=_KEEP))


def detect(df):
    """True where a row still has the issue."""
    flagged = pd.Series(False, index=df.index)
    for name in _COLUMNS:
        fix = _repair(name)
        wrong = [isinstance(cell, str) and fix(cell) != cell for cell in df[name].tolist()]
        flagged = flagged | pd.Series(wrong, index=df.index, dtype=bool)
    return flagged


def correct_spelling_in_city(df):
    """Write common texts in one way and correct slips of the keyboard."""
    out = df.copy()
    for name in _COLUMNS:
        fix = _repair(name)
        cells = [fix(cell) if isinstance(cell, str) else cell for cell in df[name].tolist()]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
