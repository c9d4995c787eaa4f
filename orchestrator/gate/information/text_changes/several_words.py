"""One word for several: `LHR` for London Heathrow, `BillLobely` for Bill Lobely. Called by words_changed.py."""

from collections.abc import Sequence

ACRONYM = 6  # letters that stand for words
IN_FRONT = 2  # of the letters of an acronym are the first ones of words
MOST_WORDS = 40  # of a text, each of which is laid beside all that are new: they stand in the same order


def is_acronym(short: str, words: Sequence[str]) -> bool:
    """Whether the letters stand in the words in this order, two of them in front: LHR in London Heathrow."""
    letters = iter("".join(words))
    if not IN_FRONT <= len(short) <= ACRONYM or not all(letter in letters for letter in short):
        return False
    in_front, rest = 0, [word[0] for word in words]
    for letter in short:
        if letter in rest:
            in_front, rest = in_front + 1, rest[rest.index(letter) + 1 :]
    return in_front >= IN_FRONT


def written_apart(old: str, news: Sequence[str]) -> Sequence[str]:
    """The words, one behind the other, that one word is written as: `BillLobely` as `Bill Lobely`."""
    for start in range(min(len(news), 2 * MOST_WORDS)):
        joined = ""
        for end in range(start, len(news)):
            joined += news[end]
            if joined == old:
                return news[start : end + 1]
            if not old.startswith(joined):
                break
    return ()
