"""The repair of the rules that know words: each becomes what the column writes for it. Used by the rules of days and
months, countries and currencies.
"""


def _known_word(value: str, words: dict[str, str]) -> str:
    """A known word, in whatever case, as the column writes it; any other text as it is."""
    return words.get(value.casefold(), value)
