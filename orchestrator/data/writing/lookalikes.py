"""Characters that pass for others, or that nobody sees: how names and texts show them. Called by every output.

A column `сity` with a Cyrillic с is another column than `city`, and a name with a zero-width space another name: shown
as they are, one passes for the other. Letters of other scripts are left alone where they write words of their own.
"""

import re
import unicodedata

# Letters of other scripts that most fonts draw as an ASCII letter (a part of Unicode's confusables, UTS #39).
_LETTERS = {
    **dict(zip("аеорсухіјѕԁһԛԝѵАВЕКМНОРСТУХІЈЅԌԚԜҮ", "aeopcyxijsdhqwvABEKMHOPCTYXIJSGQWY", strict=True)),
    **dict(zip("ονιρυαΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ", "ovipuaABEZHIKMNOPTYXcj", strict=True)),
    **dict(zip("օսհոցզՏԼՕ", "ouhngqSLO", strict=True)),
    **dict(zip("ɡɑᴏᴄᴠᴡᴢ", "gaocvwz", strict=True)),
    **dict(zip("ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᏃ", "ABCDEGHJKLMPRSTVWZ", strict=True)),
    **dict(zip("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "BPDTGKJCZFMNLSRVHWXYAEIOU", strict=True)),
}
_PLAIN = str.maketrans(_LETTERS)
# Nothing is drawn for them: what Unicode calls Default_Ignorable_Code_Point, and the blank of Braille.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNSEEN_CHAR = re.compile(f"[{_UNSEEN}]")
_SUSPECT = re.compile(f"[{''.join(_LETTERS)}{_UNSEEN}]")
_WORD = re.compile(r"\w+")
_ASCII_LETTER = re.compile("[A-Za-z]")


def marked(text: str) -> str:
    """The text with every letter that passes for an ASCII one, and every unseen character, written as an escape."""
    if text.isascii() or not _SUSPECT.search(text):
        return text
    places = hidden_places(text)
    return "".join(escaped(char) if at in places else char for at, char in enumerate(text))


def hidden_places(text: str) -> frozenset[int]:
    """Where such characters stand."""
    if text.isascii() or not _SUSPECT.search(text):
        return frozenset()
    found = {at for at, char in enumerate(text) if is_unseen(char)}
    own_script = not _ASCII_LETTER.search(text) and not passes_for_ascii(text)
    for word in () if own_script else _WORD.finditer(text):
        if passes_for_ascii(word[0]):
            found |= {at for at in range(*word.span()) if text[at] in _LETTERS}
    return frozenset(found)


def is_unseen(char: str) -> bool:
    """Whether nothing is drawn for it, also where Python calls it printable. Prompts and exports ask as well."""
    return _UNSEEN_CHAR.match(char) is not None


def passes_for_ascii(name: str) -> bool:
    """Whether the name is not ASCII and looks as if it were: `сity`, or `сор` for `cop`; `Москва` does not."""
    return not name.isascii() and "".join(_LETTERS.get(char, char) for char in name).isascii()


def plain_letters(text: str) -> str:
    """The text with every letter that passes for an ASCII one written as that one."""
    return text if text.isascii() else text.translate(_PLAIN)


def of_one_script(before: str, after: str) -> bool:
    """Whether only words of two scripts changed, into the one of these that looks the same: `Кaзaнь` with Latin a."""
    if before.isascii() or plain_letters(before) != plain_letters(after):
        return False
    words = zip(_WORD.findall(before), _WORD.findall(after), strict=False)
    return all(one == other or (_is_mixed(one) and not _is_mixed(other)) for one, other in words)


def _is_mixed(word: str) -> bool:
    latin = {unicodedata.name(char, "").startswith("LATIN") for char in word if char.isalpha()}
    return len(latin) > 1


def escaped(character: str) -> str:
    """As Python writes it in a text of ASCII: `\\u0441`."""
    return ascii(character)[1:-1]  # not a codec: the judge, which has given up its files, could not look it up


def is_written_plainly(identifier: str) -> bool:
    """Whether Python's parser takes an identifier as it stands: it changes others to their NFKC form."""
    return identifier.isascii() or unicodedata.normalize("NFKC", identifier) == identifier
