"""Words that a column may hold next month: like those of the sample in form, and no spellings of them.

A function that takes the nearest word of a list, or the one with the same initial, is right on the sample and makes
`Kiel` of `Kassel` afterwards. Drawn by plan.py; what became of them is asked by the check `properties`.
"""

import random
import re
from collections import Counter
from collections.abc import Sequence

from orchestrator.gate.information.similarity import SIMILAR, key, ratio
from orchestrator.gate.information.value_kinds.encodings import decoded
from orchestrator.gate.judge.observations import CaseObservation

FEWEST, MOST = 5, 12  # different words of a column that show how its words are built
STAY = 0.8  # of them that the function leaves as they are, so that it has nothing against such words
_WORDS = re.compile(r"(?=.{4})[^\W\d_]{1,12}(?: [^\W\d_]{2,12})?")
_LETTERS = "aeiou", "bcdfghklmnprstvz"


def fresh_words(texts: Sequence[str], chance: random.Random) -> tuple[list[str], list[str]]:
    """Words of the column, the most frequent ones, and as many that it does not hold; none where it holds few words."""
    counts = Counter(text for text in texts if _WORDS.fullmatch(text) and decoded(text) == text)
    known = [word for word, _ in counts.most_common(MOST)]
    if len(known) < FEWEST:
        return [], []
    made = dict.fromkeys(_another(word, chance, half=n % 2 == 1) for n, word in enumerate(known))
    unlike = [word for word in made if not any(ratio(key(word), key(other)) >= SIMILAR for other in counts)]
    return known, unlike


def _another(text: str, chance: random.Random, *, half: bool) -> str:
    """The text with other letters in each second place, or in the second half of its words; vowels stay vowels."""
    return " ".join(
        "".join(
            letter if (at < len(word) / 2 if half else at % 2 == 0) else _other(letter, chance)
            for at, letter in enumerate(word)
        )
        for word in text.split(" ")
    )


def _other(letter: str, chance: random.Random) -> str:
    small = letter.lower()
    made = chance.choice([one for one in _LETTERS[small not in _LETTERS[0]] if one != small])
    return made.upper() if letter.isupper() else made


def replaced_words(case: CaseObservation, name: str, known: int, shown: Sequence[tuple[str, str]]) -> list[int]:
    """The rows whose fresh word becomes another one, though the words of the sample stay. `known`: how many these are.

    `shown`: what witnesses show of the column; that a word becomes another one may be wanted.
    """
    before, after = case.values(case.kept_input, name), case.values(case.result, name)
    if len(before) != case.input.num_rows or any(_is_replaced(*one) for one in shown):
        return []  # of what it drops, other checks speak
    if sum(before[row] == after[row] for row in range(known)) < STAY * known:
        return []
    return [row for row in range(known, len(before)) if after[row] and _is_replaced(before[row], after[row])]


def _is_replaced(before: str, after: object) -> bool:
    return isinstance(after, str) and key(before) != key(after) and ratio(key(before), key(after)) < SIMILAR
